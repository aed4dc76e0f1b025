"""The server from outside: a real process, asked over the loopback."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

TEXT = "mines: 2\n1??\n12?\n_1?"
POSITION = {"labels": ["1??", "12?", "_1?"], "mines": 2}


@pytest.fixture(scope="module")
def server() -> Iterator[httpx.Client]:
    program = str(Path(sys.executable).with_name("sapper"))
    with subprocess.Popen(
        [program, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        with httpx.Client(base_url=process.stdout.readline().strip(), timeout=60) as client:
            yield client
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


def test_a_position_is_analysed_however_it_is_given(server: httpx.Client) -> None:
    bodies = ({"text": TEXT}, POSITION, {"position": {"text": TEXT}}, {"position": POSITION})
    for body in bodies:
        answer = server.post("/api/analyze", json=body)
        assert answer.status_code == 200
        found = answer.json()
        assert (found["count"], found["best"]) == (2, [[0, 2]])
        assert found["cells"][0] == {"cell": [0, 1], "verdict": "mine", "probability": 1.0}


def test_a_certain_cell_comes_with_its_reasons(server: httpx.Client) -> None:
    found = server.post("/api/explain", json={"position": POSITION, "cell": [0, 1]}).json()
    assert found["verdict"] == "mine"
    assert [clue["cell"] for clue in found["clues"]] == [[0, 0]]


def test_the_page_is_served_with_its_guards(server: httpx.Client) -> None:
    page = server.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "script-src 'self'" in page.headers["content-security-policy"]
    again = server.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}]
)
def test_strangers_are_refused(server: httpx.Client, headers: dict[str, str]) -> None:
    answer = server.post("/api/analyze", json=POSITION, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["kind"] == "input"

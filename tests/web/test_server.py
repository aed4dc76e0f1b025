"""The server from outside: a real process, asked over the loopback."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.schemas import misfits
from tests.web.serving import POSITION, TEXT, served


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("opened") / "address"


@pytest.fixture(scope="module")
def server(opened: Path) -> Iterator[httpx.Client]:
    browser = opened.with_name("browser")
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    with served("--open", env={"BROWSER": str(browser)}) as (client, _):
        yield client


def test_the_page_is_opened_in_the_browser(server: httpx.Client, opened: Path) -> None:
    end = time.monotonic() + 30
    while not opened.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert opened.read_text().rstrip("/") == str(server.base_url).rstrip("/")


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
    for method, path in (("POST", "/api/analyze"), ("GET", "/"), ("GET", "/api/boards")):
        answer = server.request(method, path, json=POSITION, headers=headers)
        assert answer.status_code == 403
        assert answer.json()["error"]["kind"] == "input"


@pytest.mark.parametrize("path", ["/../pool.py", "/%2e%2e/pool.py", "/x", "/%00", "/api/x"])
def test_nothing_but_the_page_is_served(server: httpx.Client, path: str) -> None:
    answer = server.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["kind"] == "input"


def test_what_is_told_is_as_described(server: httpx.Client) -> None:
    whole = server.get("/api/openapi.json").json()
    assert whole["openapi"] == "3.1.0"
    for path, operations in whole["paths"].items():
        if "get" in operations:
            found = server.get(path).json()
            response = operations["get"]["responses"]["200"]
            assert misfits(found, response["content"]["application/json"]["schema"], whole) == []
    wrong = server.get("/api/analyze")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    told = server.post("/api/boards", json={})
    assert (told.status_code, told.headers["allow"]) == (405, "GET, HEAD")
    for path in ("/api/nothing", "/nothing"):
        assert server.post(path, json={}).status_code == server.get(path).status_code == 404


def test_every_board_of_the_gallery_can_be_played(server: httpx.Client) -> None:
    found = server.get("/api/boards").json()
    for board in found["presets"] + found["gallery"]:
        wish = {"board": {key: board[key] for key in ("topology", "mines")}}
        start = server.post("/api/new", json=wish).json()["layout"][0]
        game = server.post("/api/new", json={**wish, "start": start, "rule": "zero"})
        assert game.status_code == 200, game.text
        assert start not in game.json()["layout"]

"""`sapper generate` and `sapper grade`."""

from __future__ import annotations

import pytest

from sapper import play
from tests.cli.support import Shell


def test_generate(shell: Shell) -> None:
    done = shell("generate", "--board", "expert", "--no-guess", "--seed", 7)
    expected = play.generate("expert", seed=7)
    assert (done.code, done.err) == (0, "")
    assert play.Layout.parse(done.out) == expected
    done = shell("generate", "--no-guess", "--start", "0,0", "-n", 3, "--seed", 1, "--json")
    boards = done.json["boards"]
    assert [board["start"] for board in boards] == [[0, 0]] * 3
    again = play.generate("beginner", start=(0, 0), seed=boards[2]["seed"])
    assert boards[2]["layout"]["labels"] == again.position().nested()
    folder = shell.folder / "boards"
    assert shell("generate", "-n", 2, "--seed", 1, "-o", folder, "--to", "json").code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["00001.json", "00002.json"]


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["--board", "huge"], "a board is beginner", 2),
        (["--rule", "x"], "--rule: any, safe, zero, not 'x'", 2),
        (["--start", "9,9"], "--start: no cell (9, 9) in a 9×9 grid", 2),
        (["--to", "x"], "--to: text,", 2),
        (["-n", "-1"], "-n", 2),
        (["--board", "1x3/1", "--start", "0,1", "--rule", "safe", "--no-guess"], "none can", 3),
    ],
)
def test_wrong_wishes(shell: Shell, arguments: list[str], message: str, code: int) -> None:
    done = shell("generate", *arguments, "--seconds", "0.1")
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1

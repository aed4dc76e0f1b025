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


def test_grade(shell: Shell) -> None:
    board = play.generate("expert", start=(3, 3), seed=7)
    path = shell.file("board.txt", board.to("text"))
    found = play.grade(board)
    done = shell("grade", path, "--start", "3,3", "--json")
    assert done.code == 0
    assert done.json["level"] == found.level
    assert done.json["hardest_core"] == found.hardest_core
    assert done.json["start"] == [3, 3]
    shown = shell("grade", path, "--start", "3,3")
    assert shown.out.splitlines()[0] == f"a 16×30 grid with 99 mines, start 3,3: {found.level}"
    assert f"3BV {play.metrics(board).three_bv}," in shown.out
    guessing = play.random_layout("expert", start=(3, 3), rule="zero", seed=4)
    done = shell("grade", "-", "--start", "3,3", stdin=guessing.to("line"))
    assert "guesses: " in done.out


@pytest.mark.parametrize("form", ["line", "tatham"])
def test_what_was_made_is_graded_from_the_start_it_was_made_for(shell: Shell, form: str) -> None:
    # From the largest opening this board needs guesses.
    board = next(
        layout
        for layout in play.generate_many("expert", 60, start=(3, 3), seed=1)
        if play.grade(play.Layout.from_bytes(layout.topology, layout.mined)).guesses
    )
    wishes = ("generate", "--board", "expert", "--no-guess", "--start", "3,3", "--seed", board.seed)
    path = shell.folder / f"board.{form}"
    assert shell(*wishes, "-o", path).code == 0
    for text in (shell(*wishes, "--to", form).out, path.read_text()):
        done = shell("grade", "-", "--json", stdin=text)
        assert (done.json["start"], done.json["guesses"]) == ([3, 3], 0)
    other = "tatham" if form == "line" else "line"
    done = shell("convert", path, "--to", other)
    assert shell("grade", "-", "--json", stdin=done.out).json["start"] == [3, 3]


def test_a_start_that_is_a_mine_is_not_graded_from(shell: Shell) -> None:
    done = shell("grade", "-", "--json", stdin="01*/011 start=0,2")
    assert (done.code, done.json["start"]) == (0, [0, 0])


def test_a_file_of_many_boards(shell: Shell) -> None:
    boards = "\n" + shell("generate", "-n", 3, "--seed", 1).out
    singly = [shell("grade", "-", "--json", stdin=line).json for line in boards.split("\n")[1:4]]
    assert shell("grade", "-", "--json", stdin=boards).json == {"grades": singly}
    shown = shell("grade", "-", stdin=boards).out.splitlines()
    assert [line.split(";")[0] for line in shown] == [
        f"{number}: {found['level']}" for number, found in enumerate(singly, 1)
    ]
    wrong = shell("grade", "-", stdin=boards + "\n1x1/000\n")
    assert wrong.code == 2
    assert "line 6, column 2" in wrong.err
    other = shell("check", "-", stdin=boards)
    assert other.code == 2
    assert "line 3, column 1: another board begins here" in other.err


def test_grade_of_what_is_no_board(shell: Shell) -> None:
    done = shell("grade", "-", stdin="1?")
    assert (done.code, done.err) == (
        2,
        "sapper: standard input: (0, 1) is covered: this is no full board\n",
    )
    done = shell("grade", "-", "--start", "0,1", stdin="1*")
    assert (done.code, done.err) == (2, "sapper: the start (0, 1) is a mine\n")
    assert shell("grade", "-", "--start", "5", stdin="1*").code == 2


def test_a_level_on_the_command_line(shell: Shell) -> None:
    done = shell("generate", "--board", "expert", "--grade", "hard", "-n", 2, "--json")
    assert [board["grade"]["level"] for board in done.json["boards"]] == ["hard"] * 2
    assert [board["grade"]["guesses"] for board in done.json["boards"]] == [0, 0]
    done = shell("generate", "--board", "16x30/150", "--no-guess", "--method", "walk")
    assert done.code == 0
    assert "not drawn uniformly" in done.err
    assert shell("generate", "--grade", "brutal").code == 2


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["--board", "huge"], "a board is beginner", 2),
        (["--rule", "x"], "--rule: any, safe, zero, not 'x'", 2),
        (["--start", "9,9"], "--start: no cell (9, 9) in a 9×9 grid", 2),
        (["--to", "x"], "--to: text,", 2),
        (["-n", "-1"], "-n", 2),
        (
            ["--board", "1x3/1", "--start", "0,1", "--rule", "safe", "--no-guess"],
            "no layout was found",
            3,
        ),
    ],
)
def test_wrong_wishes(shell: Shell, arguments: list[str], message: str, code: int) -> None:
    done = shell("generate", *arguments, "--seconds", "0.1")
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["tatham", "ptta", "mbf", "mine", "jsm", "rawvf"])
def test_boards_for_other_programs(shell: Shell, name: str) -> None:
    from sapper.formats import examine

    done = shell("generate", "--board", "5x6/7", "--rule", "zero", "--seed", 4, "--to", name)
    assert done.code == 0
    found = examine(done.out)
    assert (found.format, found.layout.board.mines) == (name, 7)
    if name == "tatham":
        assert found.layout.numbers[found.start] == 0
    folder = shell.folder / name
    assert shell("generate", "--to", name, "-n", 2, "-o", folder).code == 0
    assert {examine(path.read_bytes()).format for path in folder.iterdir()} == {name}

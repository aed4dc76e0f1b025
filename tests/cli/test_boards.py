"""`sapper generate` and `sapper grade`."""

from __future__ import annotations

import json
import re
import time

import pytest

from sapper import Limits, play
from sapper.cli.commands.grade import describe
from sapper.formats import FORMATS, READABLE, WRITABLE, dump
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
    ("guesses", "words"),
    [
        (0, "single numbers say everything, no guess"),
        (5, "between guesses single numbers say everything, 5 guesses"),
    ],
)
def test_words_of_a_grade_do_not_contradict_each_other(guesses: int, words: str) -> None:
    cells = tuple((0, column) for column in range(guesses))
    assert describe(play.Grade(guesses, cells, 1, 1, False, {}, "trivial")) == words


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


ONE_LINE = [name for name, row in FORMATS.items() if row.begins is not None]


def test_formats_that_write_a_line_can_have_many() -> None:
    board = play.generate("beginner", seed=1).position()
    texts = {name: dump(board, name) for name in READABLE if name in WRITABLE and name != "numpy"}
    assert {name for name, text in texts.items() if text.count("\n") == 1} == {*ONE_LINE}


@pytest.mark.parametrize("form", ONE_LINE)
def test_many_boards_of_every_format_of_one_line(shell: Shell, form: str) -> None:
    lines = shell("generate", "-n", 2, "--seed", 1, "--to", form).out.splitlines()
    singly = [shell("grade", "-", "--json", stdin=line).json for line in lines]
    assert len(singly) == 2
    text = "\r\n".join(["", *lines, ""])
    for options in ((), ("--format", form)):
        done = shell("grade", "-", "--json", *options, stdin=text)
        assert done.json == {"grades": singly}
    lines[1] = lines[1][:-4] if form in ("json", "mbf") else lines[1][:10] + "!" + lines[1][11:]
    for command in (("grade", "-"), ("grade", "-", "--json")):
        wrong = shell(*command, "--format", form, stdin="\n".join(["", *lines, ""]))
        assert (wrong.code, wrong.out) == (2, "")
        assert re.search(r"standard input: line [23]\b", wrong.err), wrong.err


def test_a_board_of_several_lines_stays_one(shell: Shell) -> None:
    one = shell("grade", "-", "--json", stdin="01*/011 mines=1").json
    words = ("grade", "-", "--json", "--format", "line")
    assert shell(*words, stdin="01*/011\nmines=1\n").json == one
    done = shell(*words, stdin="01*/011\nmines=1\nstart=0,0\n\n01*/011\nmines=1 grid\n")
    assert done.json == {"grades": [one, one]}
    board = play.generate("beginner", seed=1)
    digits = board.to("mbf").strip()
    wrapped = shell("grade", "-", "--json", stdin=f"{digits[:20]}\n{digits[20:]}\n")
    assert wrapped.json == shell("grade", "-", "--json", stdin=digits).json
    document = json.dumps(json.loads(dump(board.position(), "json")), indent=1)
    alone = shell("grade", "-", "--json", stdin=board.to("text")).json
    assert shell("grade", "-", "--json", stdin=document).json == alone
    # A first row that could be hexadecimal digits of a board is one of a text all the same.
    assert shell("grade", "-", "--json", stdin="12210000\n1**10000\n12210000").code == 0
    link = board.to("ptta").strip() + "\nmy best board\n"
    assert shell("grade", "-", "--json", stdin=link).json == alone


def test_one_bad_board_among_many_is_named_before_any_is_graded(shell: Shell) -> None:
    good = "01*/011\n"
    for options in ((), ("--json",)):
        done = shell("grade", "-", *options, stdin=f"{good}\n01*/01?\n{good}")
        assert (done.code, done.out) == (2, "")
        assert "standard input: line 3: (1, 2) is covered" in done.err
        done = shell("grade", "-", "--start", "0,2", *options, stdin=f"1*1/111\n{good}")
        assert (done.code, done.out) == (2, "")
        assert "line 2: the start (0, 2) is a mine" in done.err
    done = shell("grade", "-", "--start", "1,2", stdin=f"{good}01*\n")
    assert (done.code, done.out) == (2, "")


def test_limits_hold_for_all_boards_of_a_file_together(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    found = play.grade(play.Layout.parse("01*/011"), (0, 0))

    def slow(*_: object, limits: Limits) -> play.Grade:
        assert limits.seconds is not None
        given.append(limits.seconds)
        time.sleep(0.05)
        return found

    monkeypatch.setattr(play, "grade", slow)
    assert shell("grade", "-", "--seconds", 60, stdin="01*/011\n" * 3).code == 0
    first, second, third = given
    assert first <= 60
    assert second <= first - 0.05
    assert third <= second - 0.05
    done = shell("grade", "-", "--seconds", 0.01, "--json", stdin="01*/011\n" * 3)
    assert (done.code, done.out) == (3, "")
    assert "of 0.01 allowed" in done.err


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

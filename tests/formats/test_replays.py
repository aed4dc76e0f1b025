"""Replays: the game that was played, whoever wrote it down."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sapper.errors import FormatError, GameError
from sapper.field import Grid, Position, Torus
from sapper.formats import dump, encode, examine, examine_file, parse
from sapper.formats.mouse import Mouse
from sapper.formats.replays import KINDS
from sapper.game import Game, Layout, new_game
from tests.formats.test_damaged_files import finished
from tests.support.replays import WRITERS

# What parser_avf of the project minesweeper-rawvf makes of an Arbiter replay, shortened.
SAMPLE = """\
RawVF_Version: Rev6
Program: Minesweeper Arbiter
Version: 0.52.3
Player: nobody
Level: Custom
Width: 8
Height: 3
Mines: 3
Marks: Off
Time: 5.420
Board:
000*0000
0000*000
*0000000
Events:
0.000 lc 1 1 (7 6)
0.000 lr 1 1 (7 6)
0.060 mv 1 1 (8 7)
Cell opened (Number 0) 1 1
1.000 rc 5 2 (70 20)
1.010 rr 5 2 (70 20)
1.100 lc 4 2 (55 20)
1.200 lr 4 2 (55 20)
1.200 Solved 3BV: 1 of 8
"""


def moves(game: Game) -> list[tuple[str, object]]:
    return [(move.kind, move.cell) for move in game.moves]


def test_rawvf() -> None:
    found = examine(SAMPLE)
    assert found.format == "rawvf"
    assert moves(found.game) == [("dig", (0, 0)), ("flag", (1, 4)), ("dig", (1, 3))]
    assert found.layout.mines == {(0, 3), (1, 4), (2, 0)}
    assert parse(SAMPLE) == found.layout.position()
    assert examine(dump(found.game, "rawvf")).game.record == found.game.record
    without = SAMPLE.replace("Board:\n", "")  # as the master parser of that project writes it
    assert examine(without).game.record == found.game.record
    odd = SAMPLE.encode().replace(b"nobody", b"\xd6\xd0")  # names are in any encoding
    assert examine(odd).game.record == found.game.record


@pytest.mark.parametrize("name", ["rawvf", "json"])
def test_written_games_read_back(name: str) -> None:
    game = finished()
    found = examine(encode(game, name))
    assert found.format == name
    assert found.game.moves == game.moves
    assert found.layout == game.layout
    assert examine(dump(found.layout, "rawvf")).game.moves == ()


@pytest.mark.parametrize("name", KINDS)
def test_replays(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    game = finished()
    data = WRITERS[name](game)
    for given in (None, name):
        found = examine(data, format=given)
        assert found.format == name
        assert found.game.moves == game.moves
        assert found.layout == game.layout
    path = tmp_path_factory.mktemp("replays") / f"game.{name}"
    path.write_bytes(data[: len(data) // 3])
    with pytest.raises(FormatError, match=f"{name}: not a readable .{name} file"):
        examine_file(path)
    with pytest.raises(FormatError, match="bytes, not text"):
        parse("?", format=name)


def test_where_memory_is_confined_already() -> None:
    """In workers of the page that limit could not be set, and every replay was refused."""
    script = (
        "import resource, sys\n"
        "from sapper.formats import examine\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "print(examine(sys.stdin.buffer.read()).game.status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=WRITERS["rmv"](finished()),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"won\n"


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.formats.replays.find_spec", lambda name: None)
    with pytest.raises(FormatError, match=r"python\S* -m pip install 'sapper\[replays\]'"):
        parse(WRITERS["rmv"](finished()))


def lost() -> Game:
    """Return a game with a wrong flag, lost by a chord."""
    game = Game(Layout(Grid(4, 7), [(0, 1), (1, 4), (3, 5)]))
    game.dig((3, 0))
    for cell in [(0, 1), (3, 5), (0, 6), (0, 6), (0, 3)]:
        game.flag(cell)
    game.chord((1, 3))
    assert game.status == "lost"
    return game


@pytest.mark.parametrize("game", [finished(), lost()], ids=["won", "lost"])
def test_msor(game: Game) -> None:
    found = examine(WRITERS["msor"](game))
    assert found.format == "msor"
    assert found.game.moves == game.moves
    assert found.layout == game.layout
    assert found.game.position == game.position


def test_msor_whose_mines_are_not_told() -> None:
    text = WRITERS["msor"](lost()).decode().replace('"mines": 3', '"mines": 5')
    with pytest.raises(FormatError, match="shows 3 mines, and the header says 5") as caught:
        examine(text)
    assert caught.value.column == text.index(": 5") + 3


def test_msor_of_a_game_that_was_left() -> None:
    game = lost()
    game.undo()
    found = examine(WRITERS["msor"](game), mines=4)
    assert found.value == Position(Grid(4, 7), game.position.nested(), mines=4)
    assert found.notes == ("this game was left before its end: here is the last of it",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"width": 7', '"width": "7"', "header.width must be a whole number 'width', not '7'"),
        ('"width": 7', '"broad": 7', "header must be a whole number 'width', not None"),
        ('"width": 7', '"width": -7', "'width' is from 0 to 1,000,000,000, not -7"),
        ('"width": 7', '"width": 7000000', "more than 1,000,000 cells"),
        ('"mines": 3', '"mines": 4', "covered"),
        ('"x": 0, "y": 3', '"x": 0, "y": 4', "column 0, row 4 is outside of a 4×7 grid"),
        ('"type": 3, "x": 1', '"type": 3, "x": 2', "step 3, a chord, opens"),
        ("0, 3, 0, 0, 0", "0, 3, 9, 0, 0", "9 is nothing seen"),
        ("0, 3, 0, 0, 0", "0, 3, 1, 0, 0", "step 1 shows 1 at (3, 0), and there is 0"),
        ("0, 3, 0, 0, 0", "0, 3, 0, 0", "a cell is five numbers"),
        ('"replay": [', '"replay": [7, ', "replay[0] must be a step, an object, not 7"),
    ],
)
def test_damaged_msor(old: str, new: str, message: str) -> None:
    text = WRITERS["msor"](finished()).decode()
    assert old in text
    with pytest.raises(FormatError) as caught:
        examine(text.replace(old, new, 1))
    assert message in str(caught.value)
    assert caught.value.line == 1 or caught.value.line is None


def test_what_buttons_do() -> None:
    layout = Layout(Grid(1, 5), [(0, 1)])
    mouse = Mouse(layout)
    mouse.does("lc", 0, 0)
    mouse.does("lr", 0, 9)  # outside: nothing
    mouse.does("rc", 0, 1)
    mouse.does("lc", 0, 3)  # both down
    mouse.does("rr", 0, 3)  # a chord on a covered cell: nothing
    mouse.does("lr", 0, 3)  # spent
    assert moves(mouse.game) == [("flag", (0, 1))]
    mouse.does("lc", 0, 2)
    mouse.does("lr", 0, 2)
    mouse.does("mc", 0, 2)
    mouse.does("mr", 0, 2)
    assert moves(mouse.game)[1:] == [("dig", (0, 2)), ("chord", (0, 2))]
    for _ in range(2):  # the second comes after the end: nothing
        mouse.does("lc", 0, 0)
        mouse.does("lr", 0, 0)
    assert mouse.game.status == "won"
    assert len(mouse.game.moves) == 4


def test_question_marks() -> None:
    mouse = Mouse(Layout(Grid(1, 3), [(0, 1)]), marks=True)
    flagged = []
    for _ in range(4):
        mouse.does("rc", 0, 1)
        mouse.does("rr", 0, 1)
        flagged.append(bool(mouse.game.flagged))
    assert flagged == [True, False, False, True]


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("Width: 8", "Width: 9", (12, 1), "row 1 of the board is 9 of * and 0"),
        ("Width: 8\n", "", (1, 1), "'Width' is missing"),
        ("Width: 8", "Width: wide", (6, 1), "'Width' is a whole number, not 'wide'"),
        ("Height: 3", "Height: 99999999", (6, 1), "more than 1,000,000 cells"),
        ("Height: 3", "Height: 4", (15, 1), "row 4 of the board is 8 of * and 0, not 'Events:'"),
        ("Mines: 3", "Mines: 4", (8, 1), "the board has 3 mines, and 'Mines' says 4"),
        ("rc 5 2", "rc 5", (20, 1), "an event is time, name, column and row"),
    ],
)
def test_damaged_rawvf(old: str, new: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(SAMPLE.replace(old, new))
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == place


def test_what_cannot_be_written() -> None:
    with pytest.raises(FormatError, match="nothing was dug"):
        dump(new_game("beginner"), "rawvf")
    with pytest.raises(FormatError, match="has only grids"):
        dump(Layout(Torus(3, 3), []), "rawvf")
    with pytest.raises(FormatError, match="cannot write the format 'avf'"):
        dump(finished(), "avf")
    with pytest.raises(GameError, match="tatham holds no played game"):
        examine(dump(finished(), "tatham")).game  # noqa: B018 - the error is the test

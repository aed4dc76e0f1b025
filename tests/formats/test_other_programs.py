"""Boards from and to other programs; the samples were written by those programs."""

from __future__ import annotations

import shutil
import subprocess
from random import Random

import pytest

from sapper.errors import FormatError, GameError
from sapper.field import Grid, Hex, Position, Torus
from sapper.formats import FORMATS, dump, encode, examine, parse
from sapper.game import Board, Game, Layout, new_game, random_layout

# Debian's sgt-puzzles 20230122.806ae71-2: sgt-mines --generate 2 PARAMETERS
IDS = {
    "9x9n10": ["9x9:0,2,mec9fec8b51b68d6462640", "9x9:0,7,m154f5a156a7c32266a828"],
    "7x5n8": ["7x5:4,4,mb155f2422", "7x5:4,4,m0d937ca4e"],
    "13x11n20": ["13x11:12,1,m85670febcf81cf7b5af5b22b728d150f78d6"],
    "30x16n99": [
        "30x16:10,14,m58ff4308c214eb004bb7da7d1b25c96c12c85131664a578987e51201e887344db9ba0a1e"
        "bb0c3b82b8dfddbd7879e4ef84d550dee20cbb241abec7ca",
    ],
}

# Positions of ours, as JSMinesweeper (November 2026) writes them in its address.
LINKS = {
    "afakaaalba2lOcUmSxZlsUbsUblUblU": (
        "00000 12110 *3?10 ???21 ?3??? ????? 12??? 02??? 01??? 01???",
        11,
    ),
    "agaiaaadceSOeTfSeS2SOc": (
        "000000 000000 000000 111000 ??1000 ??1000 1?2110 ?*??10",
        3,
    ),
    "afaiaaanX2SVlSXsS": ("????? ?*??? ????? ????? ?1??? ????? ????? ???2?", 13),
}

LAYOUTS = ["tatham", "ptta", "mbf"]
POSITIONS = ["mine", "jsm"]


def boards() -> list[Layout]:
    random = Random(1)
    made = []
    for seed in range(40):
        height, width = random.randint(1, 17), random.randint(1, 31)
        mines = random.randint(0, height * width)
        board = Board(Grid(height, width), mines)
        made.append(random_layout(board, start=(0, 0), rule="any", seed=seed))
    return made


@pytest.mark.parametrize(
    ("parameters", "text"), [(key, text) for key, texts in IDS.items() for text in texts]
)
def test_ids_of_the_program(parameters: str, text: str) -> None:
    found = examine(text)
    assert found.format == "tatham"
    size, mines = parameters.split("n")
    width, height = map(int, size.split("x"))
    assert found.layout.board == Board(Grid(height, width), int(mines))
    # The program digs first where there is no mine around.
    assert found.layout.numbers[found.start] == 0
    assert found.layout.to("tatham", start=found.start) == text
    plain = found.layout.to("tatham", masked=False)
    assert plain != text
    assert Layout.parse(plain) == found.layout


@pytest.mark.skipif(
    shutil.which("sgt-mines", path="/usr/games") is None, reason="sgt-puzzles is not installed"
)
def test_fresh_ids_of_the_program() -> None:
    command = ["/usr/games/sgt-mines", "--generate", "20", "11x8n15"]
    made = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    for text in made.stdout.split():
        found = examine(text)
        assert found.layout.board.mines == 15
        assert found.layout.to("tatham", start=found.start) == text


@pytest.mark.parametrize(
    "text",
    ["9x9n10#123456789", "9x9", "9x9n10:r10,u,0123abcd", "30x16n99a:r99,a,7d", "9x9n10", "9#1"],
)
def test_ids_without_a_board(text: str) -> None:
    with pytest.raises(FormatError, match="holds no board yet"):
        parse(text, format="tatham")
    if "x" in text:
        with pytest.raises(FormatError, match="holds no board yet"):
            parse(text)


@pytest.mark.parametrize(("link", "board"), list(LINKS.items()))
def test_links_of_the_program(link: str, board: tuple[str, int]) -> None:
    rows, mines = board
    labels = rows.split()
    position = Position(Grid(len(labels), len(labels[0])), labels, mines=mines)
    for text in (f"?analysis={link}", f"https://example.org/a.html?seed=1&analysis={link}&x=2"):
        found = examine(text)
        assert (found.format, found.value) == ("jsm", position)
        assert found.notes
    assert parse(dump(position, "jsm")) == position


def test_a_file_of_the_program() -> None:
    text = "6x8x3\n000000\n000000\n000000\n111000\nHH1000\nHH1000\n1H2110\nHFHH10\n"
    position = Position(Grid(8, 6), LINKS["agaiaaadceSOeTfSeS2SOc"][0].split(), mines=3)
    found = examine(text)
    assert (found.format, found.value) == ("mine", position)
    assert dump(position, "mine") == text


def test_known_bytes_and_digits() -> None:
    layout = Layout(Grid(2, 3), [(0, 2), (1, 0)])
    assert encode(layout, "mbf") == b"\x03\x02\x00\x02\x02\x00\x00\x01"
    assert dump(layout, "mbf") == "0302000202000001\n"
    # Cells 001 100, five a digit: 00110 = 6 and 0.
    assert dump(layout, "ptta") == "?b=32&m=60\n"
    assert Layout.parse("https://example.org/?b=32&m=60") == layout
    assert dump(layout, "mine") == "3x2x2\n12M\nM21\n"
    for name, size in (("1", (9, 9)), ("2", (16, 16)), ("3", (16, 30))):
        empty = Layout(Grid(*size), [])
        assert f"?b={name}&m=000" in dump(empty, "ptta")
        assert Layout.parse(dump(empty, "ptta")) == empty


@pytest.mark.parametrize("name", [*LAYOUTS, *POSITIONS])
def test_full_boards(name: str) -> None:
    for layout in boards():
        data = encode(layout, name)
        assert examine(data).format == name
        assert Layout.parse(data) == Layout.parse(data, name) == layout
        assert parse(data) == layout.position()
        assert encode(parse(data), name) == data
        assert Layout.parse(layout.to(name)) == layout


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(name: str) -> None:
    random = Random(2)
    for layout in boards():
        cells = layout.topology.cells
        shown = [cell for cell in cells if random.random() < 0.5 and cell not in layout.mines]
        mines = [cell for cell in cells if cell in layout.mines]
        flags = random.sample(mines, len(mines) // 2)
        position = layout.position(shown, flagged=flags)
        found = examine(dump(position, name))
        assert (found.format, found.value) == (name, position)


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_full_boards_refuse(name: str) -> None:
    with pytest.raises(FormatError, match=r"full boards only: \(0, 1\) is covered"):
        dump(Position(Grid(1, 2), ["1?"]), name)
    with pytest.raises(FormatError, match="has only grids"):
        dump(Layout(Torus(3, 3), [(0, 0)]), name)
    text = dump(Layout(Grid(3, 3), [(0, 0)]), name)
    assert parse(text, mines=1, topology="grid") == Position(
        Grid(3, 3), ["*10", "110", "000"], mines=1
    )
    with pytest.raises(FormatError, match="has 1 mines, not 2"):
        parse(text, mines=2)
    with pytest.raises(FormatError, match="and no other field"):
        parse(text, topology="torus")


@pytest.mark.parametrize("name", POSITIONS)
def test_what_positions_refuse(name: str) -> None:
    with pytest.raises(FormatError, match="needs the number of mines"):
        dump(Position(Grid(1, 2), ["1?"]), name)
    with pytest.raises(FormatError, match=r"\(0, 0\) is free and has no number"):
        dump(Position(Grid(1, 2), ["_?"], mines=0), name)
    with pytest.raises(FormatError, match="has only grids"):
        dump(Position(Hex(1, 2), ["1?"], mines=1), name)
    with pytest.raises(GameError, match="is covered"):
        Layout.parse(dump(Position(Grid(1, 2), ["1?"], mines=1), name))


def test_games_are_written_as_their_boards() -> None:
    layout = Layout(Grid(3, 3), [(0, 0)])
    game = Game(layout)
    game.dig((2, 2))
    assert dump(game, "tatham") == dump(layout, "tatham")
    assert dump(game) == dump(layout.position())


def test_records_of_games_are_json() -> None:
    game = new_game("beginner", rule="zero", seed=3)
    assert game.dig((4, 4))
    text = dump(game, "json")
    found = examine(text)
    assert found.format == "json"
    assert found.game.record == game.record
    assert found.layout == game.layout
    assert parse(text) == found.layout.position()
    untouched = examine(dump(new_game("beginner", seed=1), "json"))
    with pytest.raises(GameError, match="nothing was dug"):
        untouched.layout  # noqa: B018 - the error is the test
    assert examine(dump(new_game("beginner"), "json")).puzzle.mines == 10
    broken = text.replace('"dig"', '"dance"')
    with pytest.raises(FormatError, match="a move is dig, flag or chord"):
        parse(broken)
    with pytest.raises(GameError, match="text holds no played game"):
        examine("1?").game  # noqa: B018


WRONG = {
    "3x3:u1": (1, 7, "3×3 cells take 3 hexadecimal digits, not 1"),
    "3x3:u0123": (1, 9, "take 3 hexadecimal digits, not 4"),
    "3x3:u01g": (1, 8, "unknown 'g'"),
    "3x3:9,0,u010": (1, 5, "the first dig 9,0 is outside 3×3"),
    "99999x99999:u0": (1, 1, "has more than 1,000,000 cells"),
    "0x3:u": (1, 1, "a board of 0×3 has no cells"),
    "\n 3x3n1:v010": (2, 8, "unknown 'v'"),
    "?b=32&m=6": (1, 10, "take 2 digits, not 1"),
    "?b=32&m=6w": (1, 10, "'w' is no digit"),
    "?b=32&m=6f": (1, 10, "a mine behind the last cell"),
    "?b=321&m=60": (1, 4, "b is 1, 2, 3, or width and height"),
    "?b=0000&m=": (1, 4, "has no cells"),
    "?analysis=adac": (1, 15, "at least 9 characters"),
    "?analysis=adacaaab-": (1, 19, "'-' is no letter"),
    "?analysis=adacaaabZZZZZZZZ": (1, 19, "a run of more cells than the board's 6"),
    "?analysis=adacaaabb": (1, 20, "has 6 cells, and here are 1"),
    "?analysis=99999999b": (1, 11, "has more than"),
    "3x2x1\n1FH\n11": (3, 3, "this row has 2 cells, and the first line says 3"),
    "3x2x1\n1FH": (3, 1, "there are 1 rows, and the first line says 2"),
    "3x2x1\n1FH\n11H\n111": (4, 1, "there are 3 rows"),
    "3x2x1\n1FX\n11H": (2, 3, "unknown character 'X'"),
}


@pytest.mark.parametrize("text", list(WRONG))
def test_the_place_of_what_is_wrong(text: str) -> None:
    line, column, message = WRONG[text]
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("03", "at least 4 bytes"),
        ("00020000", "has no cells"),
        ("03020009", "9 mines have no room"),
        ("0302000100", "takes 6 bytes, and this has 5"),
        ("030200010300", r"byte 5: no cell \(0, 3\)"),
        ("0302000201000100", r"byte 7: a second mine at \(0, 1\)"),
        ("xyz", "bytes, or a text of hexadecimal digits"),
    ],
)
def test_board_files(data: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(data, format="mbf")


def test_endings() -> None:
    assert {ending for name in ("mbf", "mine", "tatham") for ending in FORMATS[name].endings} == {
        ".mbf",
        ".abf",
        ".mine",
        ".tatham",
    }

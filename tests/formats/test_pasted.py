"""Boards as people paste them: read in the one way there is, and said how; or refused."""

from __future__ import annotations

import time
from random import Random

import pytest

from sapper.errors import FormatError
from sapper.field import Grid, Position
from sapper.formats import examine, parse
from sapper.game import Board, Layout, new_game

READ = {
    "1##\n12#\n111": ("1??/12?/111", "read '#' as covered"),
    "1HH\n1FH\n11H": ("1??/1*?/11?", "read 'H' as covered, 'F' as a known mine"),
    "..1#\n..1#\n..1#": ("001?/001?/001?", "read '.' as 0, '#' as covered"),
    "..1?\n..1?": ("001?/001?", "read '.' as 0"),
    "1..\n12.\n01.": ("1??/12?/01?", "read '.' as covered"),
    "··1?": ("001?", "read '·' as 0"),
    "  1#\n112#\n####": ("001?/112?/????", "read a space as 0, '#' as covered"),
    "1 # #\n1 2 #": ("1??/12?", "read '#' as covered"),
    "|1|#|\n|#|#|": ("1?/??", "read '#' as covered"),
    "+-+-+\n|1|#|\n+-+-+\n|#|#|\n+-+-+\n": ("1?/??", "read '#' as covered"),
    "```\n1,#\n#,#\n```": ("1?/??", "read '#' as covered"),
    "1️⃣2️⃣⬜\n⬜1️⃣⬜": ("12?/?1?", "read '⬜' as covered"),
    "⬛1️⃣🟦\n⬛1️⃣2️⃣\n⬛1️⃣🟦": ("01?/012/01?", "read '⬛' as 0, '🟦' as covered"),
    "1🚩🟦\n11🟦": ("1*?/11?", "read '🚩' as a known mine, '🟦' as covered"),
    ":one::bomb:\n:one::one:": ("1*/11", "read ':bomb:' as a known mine"),
}

REFUSED = {
    "...\n...": (1, 1, "'.' fits in more than one way"),
    "1?\n.?": (2, 1, "'.' fits neither as 0 nor as covered"),
    "mines: 1\n1#1  \n111  \n": (2, 1, "a space fits in more than one way"),
    "1#\n#z": (2, 2, "unknown 'z'"),
    "1#\n:tada:#": (2, 1, "unknown ':tada:'"),
    "1##\n1#": (2, 3, "this row has 2 cells, the first one has 3"),
    ":one:||:bomb:||\n:one:": (2, 2, "this row has 1 cell, the first one has 2"),
    "# 6 #\n# # #": (1, 3, "the number 6 has only 5 neighbours"),
    "mines: 9\n1#\n##": (1, 8, "9 mines do not fit in 3 covered cells"),
    # Texts of our own with a mistake get the error they always got.
    "1?\n?x": (2, 2, "unknown character 'x'"),
    "1 ?\n1??": (2, 3, "this row has 3 cells, the first one has 2"),
    "mine: 3\n1?": (1, 1, "unknown header 'mine'"),
}


@pytest.mark.parametrize("text", list(READ))
def test_what_can_be_read(text: str) -> None:
    rows, note = READ[text]
    labels = rows.split("/")
    found = examine(text)
    assert found.format == "text"
    assert found.value == Position(Grid(len(labels), len(labels[0])), labels)
    assert found.notes == (note,)


@pytest.mark.parametrize("text", list(REFUSED))
def test_what_is_refused(text: str) -> None:
    line, column, message = REFUSED[text]
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_header_below_a_row_of_spaces() -> None:
    """Found by damaging files: if spaces are cells, the header is a row of unknown signs."""
    with pytest.raises(FormatError, match="line 4, column 2: this row has 1 cell"):
        parse("   \nmines: 1\n1# \n#  ")


def test_spoilers() -> None:
    whole = examine("||:zero:||||:one:||||:bomb:||\n||:zero:||||:one:||||:one:||")
    layout = Layout(Grid(2, 3), [(0, 2)])
    assert whole.value == layout.position(total=False)
    assert whole.layout == layout
    assert whole.notes[-1] == "what is behind the spoilers is the full board"
    begun = examine(":zero:||:one:||||:bomb:||\n:zero::one:||:one:||")
    assert begun.value == Position(Grid(2, 3), ["0??", "01?"])
    assert begun.layout == layout
    assert begun.notes[-1] == "what is behind spoilers is covered"
    assert Layout.parse(":zero:||:one:||||:bomb:||\n:zero::one:||:one:||") == layout


def test_headers_and_other_fields() -> None:
    found = parse("mines: 3\ntopology: torus\n1##\n###\n###")
    assert found == parse("mines: 3\ntopology: torus\n1??\n???\n???")
    assert parse("topology: box\n##\n##\n\n##\n#3") == parse("topology: box\n??\n??\n\n??\n?3")


@pytest.mark.parametrize("empty", [".", "⬜", " "])
def test_boards_in_play(empty: str) -> None:
    """Positions of real games, whose empty cells are all open, are read right or refused."""
    read = 0
    for seed in range(40):
        game = new_game(Board(Grid(7, 8), 8), rule="zero", seed=seed)
        game.dig((Random(seed).randrange(7), Random(seed).randrange(8)))
        position = game.position.with_mines(None)
        text = "\n".join(position.rows()).replace("0", empty).replace("?", "#")
        try:
            found = parse(text)
        except FormatError:
            continue
        assert found == position
        read += 1
    assert read > 20


def test_large_texts_are_read_in_time() -> None:
    start = time.process_time()
    with pytest.raises(FormatError, match="unknown character 'x'"):
        parse("?" * 2000 + "\n" + ("?" * 1999 + "x\n") * 400)
    board = parse(("#" * 200 + "\n") * 200)
    assert isinstance(board, Position)
    assert len(board.covered) == 40_000
    assert time.process_time() - start < 5

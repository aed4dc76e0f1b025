"""`sapper play`: the match, and the screen driven by keys and clicks as a player would."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from sapper.analysis import explain
from sapper.answers import cell_name
from sapper.cli.arcade.match import Match
from sapper.cli.arcade.screen import Arcade
from sapper.field import Cell
from sapper.game import board_named
from tests.cli.support import Shell


def match(board: str = "beginner", rule: Any = "zero", seed: int = 3) -> Match:
    return Match(board_named(board), rule, seed)


def driven(
    made: Match,
    drive: Callable[[Arcade, Any], Awaitable[None]],
    size: tuple[int, int] = (100, 30),
) -> None:
    async def run() -> None:
        app = Arcade(made)
        async with app.run_test(size=size) as pilot:
            await drive(app, pilot)

    asyncio.run(run())


def words(app: Arcade) -> str:
    return str(app.words.render())


def mine_of(made: Match) -> Cell:
    layout = made.game.layout
    assert layout is not None
    return min(layout.mines, key=layout.topology.index)


def test_hints_alone_win_or_say_that_they_guess() -> None:
    made = match()
    made.dig((4, 4))
    while not made.over:
        cell, said = made.hint()
        assert cell is not None
        if "is safe" in said:
            _, reason = made.why(cell)
            assert "is safe" in reason
        else:
            assert "Nothing is certain" in said
        made.dig(cell)
    assert made.game.status in ("won", "lost")


def test_a_hint_is_the_easiest_safe_cell() -> None:
    made = match(seed=3)
    made.dig((4, 4))
    position = made.game.position
    cell, _ = made.hint()
    assert cell is not None
    sizes = {safe: len(explain(position, safe, smallest=True).clues) for safe in made.analysis.safe}
    assert sizes[cell] == min(sizes.values()) < max(sizes.values())


@pytest.mark.parametrize("board", ["intermediate", "torus:8x8/10", "hex:9x9/18"])
def test_a_game_without_guesses_is_won_by_hints(board: str) -> None:
    made = Match(board_named(board), "safe", 4, no_guess=True)
    first, *_, last = made.board.topology.cells
    made.flag(last)
    made.dig(first)
    assert made.game.flagged == {last}
    made.flag(last)
    while not made.over:
        cell, said = made.hint()
        assert cell is not None
        assert "is safe" in said
        made.dig(cell)
    assert made.game.status == "won"


def test_a_board_that_cannot_be_had_without_guesses_is_told() -> None:
    made = Match(board_named("2x2/2"), "safe", 1, no_guess=True)
    assert "without guesses" in made.dig((0, 0))
    assert made.game.uncovered == frozenset()


def test_a_loss_says_what_was_safe_and_can_be_taken_back() -> None:
    made = match()
    made.dig((4, 4))
    safe = made.analysis.safe
    said = made.dig(mine_of(made))
    assert any(cell_name(cell) in said for cell in safe)
    ended = [made.over, made.undo(), made.over]
    assert ended[::2] == [True, False]
    assert made.analysis.safe == safe


def test_the_reason_names_numbers_on_the_board() -> None:
    made = match()
    made.dig((4, 4))
    cell, _ = made.hint()
    assert cell is not None
    clues, _ = made.why(cell)
    assert clues
    assert clues <= made.game.uncovered


def test_odds_are_those_of_the_analysis_and_hide_at_the_end() -> None:
    made = match()
    assert made.odds() == {}
    made.dig((4, 4))
    assert made.odds() == made.analysis.probabilities
    made.dig(mine_of(made))
    assert made.odds() == {}


@pytest.mark.parametrize("board", ["beginner", "expert", "torus:8x8/6", "hex:8x8/6"])
def test_keys_play_a_game(board: str) -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        await pilot.press("enter")
        assert app.match.game.uncovered
        await pilot.press("question_mark")
        hinted = app.field.at
        assert hinted not in app.match.game.uncovered
        await pilot.press("W")  # as messages name it, and with Caps Lock
        assert "force" in words(app) or "cannot" in words(app)
        await pilot.press("f")
        assert hinted in app.match.game.flagged
        await pilot.press("u")
        assert hinted not in app.match.game.flagged
        await pilot.press("o")
        assert app.field.odds
        await pilot.press("n")
        assert not app.match.game.uncovered
        assert app.match.seed == 4

    driven(match(board), drive)


def test_the_mouse_digs_and_flags_where_it_points() -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        await pilot.pause()
        await pilot.click(app.field, offset=(2 + 3 * 3 + 1, 1 + 2))
        assert (2, 3) in app.match.game.uncovered
        covered = app.match.game.position.covered[0]
        row, column = divmod(app.match.board.topology.index(covered), 9)
        await pilot.click(app.field, offset=(2 + 3 * column + 1, 1 + row), button=3)
        assert app.match.game.flagged == {covered}

    driven(match(), drive)


@pytest.mark.parametrize("no_guess", [False, True])
def test_a_first_dig_without_room_for_the_mines_is_told_and_another_begins(no_guess: bool) -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        await pilot.pause()
        await pilot.press("enter")
        assert "leaves room for 7. Dig somewhere else." in words(app)
        assert (app.match.game.layout, app.match.seconds) == (None, 0)
        app.field.go((0, 0))
        await pilot.press("enter")
        assert no_guess or app.match.game.uncovered

    driven(Match(board_named("4x4/10"), "zero", 3, no_guess=no_guess), drive)


@pytest.mark.parametrize("board", ["beginner", "hex:8x8/6", "60x120/700", "4x1003/400"])
def test_rows_and_columns_are_numbered_and_the_numbers_stay(board: str) -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        field = app.field
        last = field.geometry.height - 1, field.geometry.width - 1
        # A column that has a number, as far to the right as one is.
        numbered = last[0], last[1] - last[1] % 5
        for corner in ((0, 0), last, numbered):
            field.go(corner)
            await pilot.pause()
            lines = [field.render_line(y).text for y in range(field.size.height)]
            shown = f"[{' '}]"
            (y,) = (y for y, line in enumerate(lines) if shown in line)
            assert lines[y].split()[0] == str(corner[0])
            heads = {head[0]: head.start() for head in re.finditer(r"\d+", lines[0])}
            assert {*heads} <= {str(column) for column in range(field.geometry.width)}
            if not field.geometry.hexagonal and corner[1] % 5 == 0:
                assert 0 <= heads[str(corner[1])] - lines[y].index(shown) <= 2
            await pilot.click(field, offset=(0, 0))
            await pilot.click(field, offset=(1, y))
            assert not app.match.game.uncovered, "the numbers are no cells"

    driven(match(board), drive)


def test_the_cursor_goes_around_a_torus_and_stops_at_the_edge_of_a_grid() -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        await pilot.pause()
        app.field.go((0, 0))
        await pilot.press("up")
        at.append(app.field.at)

    at: list[Cell] = []
    driven(match("torus:5x5/3"), drive)
    driven(match("5x5/3"), drive)
    assert at == [(4, 0), (0, 0)]


def in_sight(app: Arcade) -> bool:
    """Tell whether the cursor's cell is drawn as a whole, and not under numbers or a scrollbar."""
    field = app.field
    row, column = divmod(field.cursor, field.geometry.width)
    shift = row * field.cell // 2 if field.geometry.hexagonal else 0
    x = field.margin + shift + column * field.cell - int(field.scroll_offset.x)
    y = row + 1 - int(field.scroll_offset.y)
    room = field.scrollable_content_region.size
    return field.margin <= x <= room.width - 3 and 1 <= y < room.height


@pytest.mark.parametrize("board", ["expert", "hex:30x30/99"])
def test_arrows_move_the_cursor_of_a_board_larger_than_the_window(board: str) -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        await pilot.pause()
        field = app.field
        row, column = divmod(field.cursor, width := field.geometry.width)
        assert in_sight(app)
        for key, down, right in (
            ("down", 1, 0),
            ("left", 0, -1),
            ("up", -1, 0),
            ("right", 0, 1),
        ):
            await pilot.press(key)
            row, column = row + down, column + right
            assert divmod(field.cursor, width) == (row, column), key
            assert in_sight(app), key
        last = len(app.match.board.topology) - 1
        for start, key in ((last - 1, "right"), (last - width, "down"), (1, "left"), (width, "up")):
            field.cursor = start
            await pilot.press(key)
            assert field.cursor in (0, last)
            assert in_sight(app), key

    driven(match(board), drive, size=(80, 24))


def test_the_cursor_stays_in_sight_when_the_window_shrinks() -> None:
    async def drive(app: Arcade, pilot: Any) -> None:
        await pilot.pause()
        app.field.go((15, 29))
        for size in ((80, 24), (40, 14), (60, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.pause()
            assert app.field.at == (15, 29)
            assert in_sight(app), size

    driven(match("expert"), drive, size=(120, 40))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "huge"], "a board is beginner"),
        (["--board", "box:3x3/2"], "depth"),
        (["--rule", "lucky"], "--rule: any, safe, zero"),
        (["--board", "4x4/13"], "no room for the start rule zero"),
        (["--board", "3x3/9", "--rule", "any"], "has no cell to dig"),
        ([], "play needs a terminal"),
    ],
)
def test_wrong_wishes_get_one_line(shell: Shell, arguments: list[str], message: str) -> None:
    done = shell("play", *arguments)
    assert done.code == 2
    assert message in done.err

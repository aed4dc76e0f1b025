"""Playing on the page, in a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import networkx
import pytest
from playwright.sync_api import Page, expect

from sapper import play
from sapper.field import Graph, Grid, Hex, Torus, cell_to_json
from tests.web.browsing import PHONE, Visit, game_link

# Once (0, 4) is dug, all is certain:
#   ? 1 0 0 0
#   ? 1 0 0 0
#   ? 1 2 1 1
#   ? ? ? ? ?
GAME = game_link(4, 5, [(0, 0), (3, 1), (3, 3)])
FREE = [(1, 0), (2, 0), (3, 0), (3, 2), (3, 4)]


@contextmanager
def held(page: Page, where: Any) -> Iterator[None]:
    """Hold a finger on a cell."""
    box = where.bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    yield
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_game_by_mouse(visit: Visit) -> None:
    page = visit.open(GAME)
    visit.cell(0, 4).click()
    visit.wait(1, 1, says="1")
    expect(page.locator("#message")).to_have_text("5 free cells to go.")
    visit.cell(0, 0).click(button="right")
    visit.wait(0, 0, says="flagged")
    expect(page.locator("#mines-left")).to_have_text("2")
    visit.cell(0, 0).click()
    visit.says(0, 0, "flagged")  # a flag protects
    for cell in FREE:
        visit.cell(*cell).click()
    expect(page.locator("#message")).to_contain_text("Won in")
    expect(page.locator("#review")).to_be_visible()
    expect(page.locator("#review-body")).to_contain_text("Every move was certain.")


def test_chords_by_one_button_two_and_a_key(visit: Visit) -> None:
    page = visit.open(game_link(3, 5, [(0, 0), (2, 4)], [["d", 6, 0], ["f", 0, 0]]))
    visit.says(1, 1, "1")
    visit.cell(1, 1).click()
    visit.wait(2, 0, says="empty")
    for way in ("both", "middle", "key"):
        page = visit.open(game_link(3, 5, [(0, 0), (2, 4)], [["d", 6, 0], ["f", 0, 0]]))
        visit.wait(0, 0, says="flagged")
        visit.cell(1, 1).hover()
        if way == "both":
            page.mouse.down(button="left")
            page.mouse.down(button="right")
            page.mouse.up(button="right")
            page.mouse.up(button="left")
        elif way == "middle":
            page.mouse.down(button="middle")
            page.mouse.up(button="middle")
        else:
            visit.cell(1, 1).focus()
            page.keyboard.press("c")
        visit.wait(2, 0, says="empty")
        visit.says(0, 0, "flagged")


def test_a_loss_is_explained_and_taken_back(visit: Visit) -> None:
    page = visit.open(GAME)
    visit.cell(0, 4).click()
    visit.wait(1, 1, says="1")
    visit.cell(0, 0).click()
    visit.wait(0, 0, says="exploded mine")
    expect(page.locator("#message")).to_contain_text("was safe. Undo takes the dig back.")
    visit.says(3, 3, "mine")
    mistake = page.locator("#review-body button")
    expect(mistake).to_contain_text("Mistake: a chance of 0 % to survive")
    mistake.click()  # the board as it was
    visit.wait(0, 0, says="covered, certainly a mine, asked about")
    page.get_by_role("button", name="Back to the end").click()
    visit.wait(0, 0, says="exploded mine")
    page.get_by_role("button", name="Undo").click()
    visit.wait(0, 0, says="covered")
    visit.says(3, 3, "covered")
    for cell in FREE:
        visit.cell(*cell).click()
    expect(page.locator("#message")).to_contain_text("1 undone")


def test_everything_by_keyboard(visit: Visit) -> None:
    page = visit.open(GAME)
    visit.page.locator("body").press("Tab")
    for _ in range(20):  # to the board, which is one stop
        if page.evaluate("document.activeElement.role") == "gridcell":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    visit.wait(1, 1, says="1")
    page.keyboard.press("Home")
    page.keyboard.press("f")
    visit.wait(0, 0, says="flagged")
    page.keyboard.press("f")
    visit.wait(0, 0, says="covered")
    page.keyboard.press("o")
    visit.wait(0, 0, says="covered, certainly a mine")
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("is safe. Why? tells the reason.")
    page.keyboard.press("w")
    expect(page.locator("#why-body strong")).to_contain_text("is safe")
    page.keyboard.press("Space")
    visit.page.locator("#why").wait_for(state="hidden")
    page.keyboard.press("u")
    expect(page.locator("#message")).to_contain_text("Taken back: dig")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.role") != "gridcell"


def test_keys_can_be_changed(visit: Visit) -> None:
    page = visit.open(GAME)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Flag: F. Change").click()
    page.keyboard.press("m")
    page.get_by_role("button", name="Flag: M. Change").wait_for()
    page.get_by_role("button", name="Done").click()
    visit.cell(2, 2).focus()
    page.keyboard.press("f")
    page.keyboard.press("m")
    visit.wait(2, 2, says="flagged")
    visit.settle()
    page.reload()
    visit.wait(2, 2, says="flagged")
    visit.cell(2, 2).focus()
    page.keyboard.press("m")
    visit.wait(2, 2, says="covered")


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_game_by_touch(visit: Visit) -> None:
    page = visit.open(GAME)
    visit.cell(0, 4).tap()
    visit.wait(1, 1, says="1")
    with held(page, visit.cell(0, 0)):
        visit.wait(0, 0, says="flagged")
    visit.says(0, 0, "flagged")
    page.get_by_role("button", name="Flag mode").tap()
    visit.cell(3, 3).tap()
    visit.wait(3, 3, says="flagged")
    with held(page, visit.cell(3, 4)):
        visit.wait(3, 4, says="1")
    expect(page.locator("#message")).to_have_text("4 free cells to go.")
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


def test_mines_are_laid_after_the_first_dig(visit: Visit) -> None:
    page = visit.open()
    expect(page.locator("#bv")).to_have_text("–")
    visit.cell(4, 4).click()
    page.locator('[aria-label^="row 4, column 4, "]:not([aria-label$="covered"])').wait_for(
        state="attached"
    )
    expect(page.locator("#bv")).to_have_text(re.compile(r"\d+"))
    kept = visit.settle()
    layout = play.random_layout("beginner", start=(4, 4), rule="safe", seed=kept["wish"]["seed"])
    assert kept["layout"] == sorted(map(Grid(9, 9).index, layout.mines))
    least = page.locator("#bv").inner_text()
    again = visit.open("#s=" + page.url.split("#s=")[1])
    expect(again.locator("#bv")).to_have_text(least)


@pytest.mark.parametrize(
    ("kind", "title"), [("Torus", "5 × 6 torus, 4 mines"), ("Hexagons", "5 × 6 hex, 4 mines")]
)
def test_boards_of_any_size_are_chosen(visit: Visit, kind: str, title: str) -> None:
    page = visit.open()
    page.get_by_role("button", name="Choose a board").click()
    page.get_by_label("Field").select_option(kind)
    page.get_by_label("Rows").fill("5")
    page.get_by_label("Columns").fill("6")
    page.get_by_label("or per cent").fill("13.4")
    expect(page.locator("#count")).to_have_value("4")
    page.get_by_label("First dig").select_option("zero")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#title")).to_have_text(title)
    visit.cell(2, 2).click()
    visit.wait(2, 2, says="empty")


def test_a_graph_is_played(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Choose a board").click()
    page.get_by_label("Field").select_option("Dodecahedron")
    page.get_by_role("button", name="Start").click()
    cells = page.get_by_role("gridcell")
    expect(cells).to_have_count(20)
    cells.first.click()
    expect(cells.first).not_to_have_attribute("aria-label", re.compile("covered"))
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("sapper.board.active") != 0


def test_a_board_without_guesses(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Choose a board").click()
    page.get_by_label("can be solved without a guess").check()
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Start").click()
    visit.cell(4, 4).click()
    visit.wait(4, 4, says="")
    expect(page.locator("#bv")).to_have_text(re.compile(r"\d+"))
    layout = play.generate("beginner", start=(4, 4), rule="safe", seed=7)
    assert visit.settle()["layout"] == sorted(map(Grid(9, 9).index, layout.mines))


def test_the_puzzle_of_the_day_is_the_same_for_everybody(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_label("Day", exact=True).fill("2026-11-16")  # a Monday
    expect(page.locator("#daily-state")).to_have_text("Grade: easy")
    page.get_by_role("region", name="Puzzle of the day").get_by_role("button").click()
    visit.cell(0, 0).click()
    expect(page.locator("#message")).to_have_text("This board begins at (8, 8).")
    visit.cell(8, 8).click()
    visit.wait(8, 8, says="empty")
    layout = play.generate("intermediate", start=(8, 8), rule="zero", grade="easy", seed=20261116)
    assert visit.settle()["layout"] == sorted(map(Grid(16, 16).index, layout.mines))


def test_a_board_of_a_grade(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_role("button", name="hard", exact=True).click()
    visit.cell(3, 3).click()
    visit.wait(3, 3, says="empty")
    kept = visit.settle()
    mines = [divmod(cell, 9) for cell in kept["layout"]]
    assert play.grade(play.Layout(Grid(9, 9), mines), start=(3, 3)).level == "hard"


def test_one_deduction_is_trained(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_role("button", name="2 numbers").click()
    message = page.locator("#train-message")
    expect(message).to_contain_text("can be proved from 2 numbers")
    easiest = page.evaluate("sapper.training.easiest")
    mine = page.evaluate("sapper.training.findings.chance.findIndex(one => one === 1)")
    if mine >= 0:
        visit.cell(*divmod(mine, 10)).click()
        expect(message).to_contain_text("is certainly a mine")
    visit.cell(*divmod(easiest, 10)).click()
    expect(message).to_contain_text("Right:")
    expect(page.locator("#train-streak")).to_have_text("1")
    expect(page.locator("#why-body")).to_contain_text("is safe: 2 clues force it; no fewer do.")


def test_who_leaves_training_ends_the_search(visit: Visit) -> None:
    page = visit.open()
    visit.hold("create")
    page.evaluate("() => { sapper.training.start(4); }")
    expect(page.locator("#train-message")).to_contain_text("Looking for a position")
    page.get_by_role("button", name="Play", exact=True).first.click()
    visit.until("sapper.training.latest.running === null")
    page.evaluate("release()")
    assert page.evaluate("sapper.training.findings") is None
    expect(page.locator("#title")).to_have_text("Beginner")


def test_a_strategy_is_watched(visit: Visit) -> None:
    page = visit.open(game_link(4, 5, [(1, 1), (3, 2)]))
    page.get_by_role("button", name="Step").click()
    expect(page.locator("#message")).to_contain_text("champion dug")
    page.locator("#watch").click()
    expect(page.locator("#message")).to_contain_text(re.compile("Won|mine"))


_FIELDS = [Grid(6, 7), Torus(5, 6), Hex(6, 6), Graph(networkx.petersen_graph())]


@pytest.mark.parametrize("field", _FIELDS, ids=lambda field: str(field))
def test_the_rules_are_those_of_the_package(visit: Visit, field: Any) -> None:
    """Random moves in both, on the same layout: the same labels, status and 3BV after each."""
    rng = random.Random(str(field))
    page = visit.open()
    for _ in range(6):
        cells = list(field)
        layout = play.Layout(field, rng.sample(cells, len(cells) // 6))
        game = play.Game(layout)
        moves, seen = [], []
        for _ in range(25):
            kind, cell = rng.choice(["dig", "flag", "chord"]), rng.choice(cells)
            if game.status != "playing":
                break
            getattr(game, kind)(cell)
            moves.append([kind, field.index(cell)])
            labels = [
                label if isinstance(label, int) else {"?": -1, "*": -2}[label]
                for _, label in game.position.items()
            ]
            seen.append([labels, game.status, len(game.flagged)])
        found = page.evaluate(
            """async ([spec, mines, moves]) => {
              const rules = await import("/rules.js");
              const {makeField} = await import("/field.js");
              const game = rules.newGame(makeField(spec), mines.length);
              rules.lay(game, mines);
              return moves.map(([kind, cell]) => {
                rules[kind](game, cell);
                return [[...game.labels], game.status, game.flags.reduce((a, b) => a + b, 0)];
              });
            }""",
            [field.spec(), [field.index(cell) for cell in layout.mines], moves],
        )
        assert found == seen
    assert cell_to_json(cells[0]) == page.evaluate(
        "async (spec) => (await import('/field.js')).makeField(spec).names[0]", field.spec()
    )

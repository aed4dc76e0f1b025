"""What players are used to from other pages: files, full boards, fast and strict play, keeping."""

from __future__ import annotations

import base64
import json

import pytest
from playwright.sync_api import Page, expect

from sapper import play
from sapper.field import Grid
from tests.formats.test_damaged_files import finished
from tests.support.replays import WRITERS
from tests.web.browsing import Visit, analysis_link, game_link

MINES = [(0, 0), (3, 1), (3, 3)]
GAME = game_link(4, 5, MINES)


def drop(page: Page, name: str, content: bytes) -> None:
    """Drop a file on the page."""
    page.evaluate(
        """([name, data]) => {
          const dropped = new DataTransfer();
          const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
          dropped.items.add(new File([bytes], name));
          const drop = {dataTransfer: dropped, bubbles: true};
          document.body.dispatchEvent(new DragEvent("drop", drop));
        }""",
        [name, base64.b64encode(content).decode()],
    )


def switch(page: Page, name: str) -> None:
    """Turn an option on or off."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_label(name).click()
    page.get_by_role("button", name="Done").click()


def test_a_full_board_is_played_and_a_replay_is_reviewed(visit: Visit) -> None:
    page = visit.open()
    layout = play.Layout(Grid(4, 5), MINES)
    drop(page, "board.mbf", bytes.fromhex(layout.to("mbf")))
    expect(page.locator("#title")).to_have_text("From mbf")
    visit.cell(0, 4).click()
    visit.wait(2, 2, says="2")
    game = play.Game(layout)
    for cell in ((0, 4), (1, 0), (0, 0)):
        game.dig(cell)
    drop(page, "game.json", json.dumps(game.record).encode())
    visit.wait(0, 0, says="exploded mine")
    expect(page.locator("#review-body")).to_contain_text("Mistake")
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("#review-at")).to_have_text("Before move 3 of 3")
    expect(page.locator("#review-said")).to_contain_text("Dig (0, 0): Mistake")
    visit.wait(0, 0, says="covered, certainly a mine")
    page.get_by_label("Move", exact=True).press("Home")
    expect(page.locator("#review-at")).to_have_text("Before move 1 of 3")
    visit.wait(0, 4, says="covered")
    page.get_by_role("button", name="Back to the end").click()
    visit.wait(0, 0, says="exploded mine")


@pytest.mark.parametrize("name", WRITERS)
def test_replays_are_dropped(visit: Visit, name: str) -> None:
    page = visit.open()
    game = finished()
    drop(page, f"game.{name}", WRITERS[name](game))
    expect(page.locator("#title")).to_have_text(f"From {name}")
    expect(page.locator("#message")).to_contain_text("Won")
    expect(page.locator("#review-at")).to_have_text(f"The end, after {len(game.moves)} moves")


def test_other_formats_are_pasted(visit: Visit) -> None:
    page = visit.open(analysis_link(["??"], 1))
    position = play.Layout(Grid(9, 9), MINES).position()
    for name in ("tatham", "mine", "jsm", "ptta", "json", "line", "text"):
        page.evaluate("text => sapper.reading.read(text)", position.to(name))
        visit.wait(0, 0, says="known mine")
        visit.says(8, 8, "empty")
        page.get_by_role("button", name="Clear").click()
        visit.wait(0, 0, says="covered")
    clues = {"clues": [{"count": 1, "cells": ["u", "v"]}, {"count": 2, "cells": ["v", "w"]}]}
    page.evaluate("text => sapper.reading.read(text)", json.dumps(clues))
    page.get_by_label("cell u, covered, certainly safe").wait_for(state="attached")
    page.get_by_label("cell Σ2, 2").wait_for(state="attached")


def test_a_position_is_taken_along(visit: Visit) -> None:
    page = visit.open(game_link(4, 5, MINES, [["d", 4, 0]]))
    page.get_by_role("button", name="Analyse this").click()
    visit.wait(0, 0, says="covered, certainly a mine")
    visit.cell(0, 0).click()  # who brings a position asks
    expect(page.locator("#why-body strong")).to_contain_text("(0, 0) is a mine")
    visit.cell(0, 0).click(button="right")
    visit.wait(0, 0, says="known mine")
    page.get_by_role("button", name="Play on").click()
    expect(page.locator("#title")).to_have_text("From a position")
    visit.wait(0, 0, says="flagged")
    expect(page.locator("#message")).to_have_text("5 free cells to go.")


def test_a_reason_is_asked_by_choosing_a_cell(visit: Visit) -> None:
    page = visit.open(game_link(4, 5, MINES, [["d", 4, 0]]))
    page.get_by_role("button", name="Why?", exact=True).click()
    visit.cell(1, 0).click()
    expect(page.locator("#why-body strong")).to_contain_text("(1, 0) is safe")
    visit.says(1, 0, "covered, asked about")
    visit.cell(1, 0).click()
    visit.wait(1, 0, says="1")


def test_an_undecided_cell_tells_what_it_may_show(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "???", "???"], 2))
    best = page.locator("#best")
    expect(best).to_contain_text("wins with 73.3 % (11/15) at best play")
    visit.cell(0, 1).click()
    shows = page.get_by_label("What a dig may show")
    expect(shows.get_by_role("listitem")).to_have_text(["140 %", "226.7 %"])
    expect(page.locator("#why-body")).to_contain_text("wins with 2/3")


def test_options_of_play(visit: Visit) -> None:
    page = visit.open(GAME)
    switch(page, "Strict")
    visit.cell(0, 4).click()
    visit.wait(2, 2, says="2")
    visit.cell(3, 1).click()
    expect(page.locator("#message")).to_contain_text("Strict play: (3, 1) is not certainly safe")
    visit.says(3, 1, "covered")
    switch(page, "Strict")
    switch(page, "mines that have no flag")
    visit.cell(3, 1).click(button="right")
    visit.wait(2, 2, says="1")
    page.get_by_role("button", name="Same board").click()
    visit.wait(0, 4, says="covered")
    visit.says(3, 1, "covered")
    switch(page, "Dig by itself")
    page = visit.open(game_link(2, 6, [(0, 0), (0, 2)], [["d", 5, 0]]))
    visit.cell(1, 2).click()  # one number proves a mine, another then two free cells
    visit.wait(1, 1, says="2")
    visit.wait(0, 1, says="2")
    visit.says(0, 2, "covered")
    visit.says(0, 0, "covered")
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Dig by itself")).to_be_checked()


def test_odds_of_an_opening(visit: Visit) -> None:
    page = visit.open(analysis_link(["1?????"], 2))
    page.locator("#odds-analyse").select_option("an opening")
    visit.wait(0, 3, says="covered, 25 per cent, opens an area with 25 per cent")
    visit.wait(0, 2, says="covered, 25 per cent, cannot open an area")
    page.reload()
    visit.wait(0, 5, says="covered, 25 per cent, opens an area with 50 per cent")
    visit.cell(0, 5).hover()
    expect(page.locator("#readout")).to_contain_text("opens an area with 50 %")
    page.get_by_label("total is known").uncheck()
    visit.wait(0, 5, says="covered, 50 per cent, opens an area with 25 per cent")


def test_styles_of_a_strategy_that_is_watched(visit: Visit) -> None:
    # (0, 0) is a mine for sure; with a flag there, a chord at (1, 1) uncovers three cells.
    begun = [["d", cell, 0] for cell in (1, 2, 6, 7, 8)]
    page = visit.open(game_link(5, 6, [(0, 0), (0, 3), (4, 5)], begun))
    for style, kinds in (
        ("few clicks", "flag chord"),
        ("few clicks, no flags", "dig"),
        ("flags certain mines", "flag dig"),
        ("digs only", "dig"),
    ):
        page.locator("#style").select_option(style)
        page.locator("#step").click()
        visit.until("sapper.play.game.moves.slice(5).some(({kind}) => kind !== 'flag')")
        made = page.evaluate("sapper.play.game.moves.slice(5).map(({kind}) => kind).join(' ')")
        assert made.startswith(kinds), (style, made)
        while page.evaluate("sapper.play.game.moves.length") > 5:
            page.locator("#undo").click()


def test_a_board_is_built_from_mines(visit: Visit) -> None:
    page = visit.open(analysis_link(["?"]))
    page.get_by_role("button", name="New…").click()
    page.get_by_label("all open, to set mines into it").check()
    page.get_by_role("button", name="Start").click()
    visit.wait(4, 4, says="empty")
    visit.cell(4, 4).click()
    visit.wait(4, 4, says="known mine")
    visit.wait(3, 3, says="1")
    visit.cell(4, 6).click()
    visit.wait(4, 5, says="2")
    page.locator("#edit-undo").click()
    visit.wait(4, 5, says="1")
    visit.cell(4, 4).click(button="right")
    visit.wait(4, 5, says="empty")


def test_keys_act_below_the_mouse(visit: Visit) -> None:
    page = visit.open(analysis_link(["????", "????"]))
    visit.cell(1, 1).hover()
    page.keyboard.press("2")
    visit.wait(1, 1, says="2")
    page.keyboard.press("3")
    visit.wait(1, 1, says="3")
    visit.cell(0, 3).hover()
    page.keyboard.press("f")
    visit.wait(0, 3, says="known mine")
    page.keyboard.press("f")
    visit.wait(0, 3, says="covered")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("1")
    visit.wait(0, 2, says="1")
    # Who clicks and types goes on from cell to cell, whether or not the hand trembles.
    visit.cell(0, 0).click(button="right")
    for key in "12":
        page.keyboard.press(key)
        box = visit.cell(0, 0).bounding_box()
        page.mouse.move(box["x"] + 3 + int(key), box["y"] + 5)
    visit.wait(0, 0, says="1")
    visit.wait(0, 1, says="2")


def test_odds_of_survival(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "???", "???"], 2))
    visit.wait(0, 1, says="covered, 33 per cent")
    page.locator("#odds-analyse").select_option("survival")
    visit.wait(0, 1, says="covered, 67 per cent to survive")


def test_a_strategy_stops_before_a_guess(visit: Visit) -> None:
    page = visit.open(game_link(2, 4, [(0, 0), (1, 2)], [["d", 7, 0]]))
    page.get_by_label("stop before a guess").check()
    page.locator("#watch").click()
    expect(page.locator("#message")).to_have_text("Nothing is certain: it is your turn.")
    expect(page.locator("#watch")).to_have_text("Play")


def test_positions_are_kept(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "12?", "_1?"], 2))
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_label("Name", exact=True).fill("corner")
    page.get_by_role("button", name="Keep what is on the board").click()
    expect(page.get_by_role("button", name="corner", exact=True)).to_be_attached()
    page.reload()
    visit.wait(1, 1, says="2")
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_role("button", name="corner", exact=True).click()
    expect(page.locator("#boards")).to_be_hidden()
    visit.wait(1, 1, says="2")
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_role("button", name="Forget corner").click()
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    page.get_by_role("button", name="Petersen graph").click()
    expect(page.get_by_role("gridcell")).to_have_count(10)

"""Answers that come late, after the user went on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browsing import Visit, analysis_link, game_link
from tests.web.test_page_comforts import MINES, switch


def test_no_answer_moves_a_button_away_from_the_mouse(visit: Visit) -> None:
    """A list went while the mouse was down: the button below it moved, and the click was lost."""
    page = visit.open(analysis_link(["??"], 1))
    expect(page.locator("#best")).to_contain_text("the champion digs here")
    visit.hold("analyse")
    page.evaluate("text => sapper.reading.read(text)", "*1\n11")
    visit.says(0, 0, "known mine")
    visit.until("held > 0")
    page.evaluate("() => { document.addEventListener('mousedown', () => release()); }")
    page.get_by_role("button", name="Clear").click()
    visit.wait(0, 0, says="covered")


def edit(visit: Visit) -> None:
    visit.cell(0, 0).focus()
    visit.page.keyboard.press("*")


def leave(visit: Visit) -> None:
    visit.page.get_by_role("button", name="Play", exact=True).first.click()


def cancel(visit: Visit) -> None:
    """At once with the answer: the event of a dialog that closes comes only after it."""
    button = visit.page.get_by_role("button", name="Cancel")
    button.evaluate("(button) => { button.click(); release(); }")


def escape(visit: Visit) -> None:
    visit.page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (edit, "known mine"),
        (leave, "covered"),
        (cancel, "covered, 50 per cent"),
        (escape, "covered, 50 per cent"),
    ],
)
def test_a_board_that_is_read_late_is_called_off(
    visit: Visit, act: Callable[[Visit], None], said: str
) -> None:
    page = visit.open(analysis_link(["??"]))
    visit.hold("read")
    if act in (cancel, escape):
        page.get_by_role("button", name="Paste or open").click()
        page.locator("#paste").fill("0?")
        page.locator("#paste-dialog").get_by_role("button", name="Analyse").click()
    else:
        page.evaluate("() => { sapper.reading.read('0?'); }")
    visit.until("held === 1")
    act(visit)
    page.evaluate("release()")
    visit.says(0, 0, said)


def test_strict_play_is_strict_with_quick_clicks(visit: Visit) -> None:
    """The first of two was allowed, since nobody waited for its answer any more."""
    page = visit.open(game_link(4, 5, MINES, [["d", 4, 0]]))
    switch(page, "Strict")
    visit.hold("analyse")
    for number, cell in enumerate([(3, 1), (3, 3)], 1):
        visit.cell(*cell).click()
        visit.until(f"held === {number}")
    page.evaluate("release()")
    expect(page.locator("#message")).to_contain_text("Strict play: (3, 3) is not certainly safe")
    visit.says(3, 1, "covered")


def test_a_late_hint_is_not_given(visit: Visit) -> None:
    page = visit.open(game_link(2, 4, [(0, 0), (1, 2)], [["d", 7, 0]]))
    visit.hold("move")
    page.get_by_role("button", name="Hint").click()
    visit.until("held > 0")
    page.get_by_role("button", name="Undo").click()
    page.evaluate("release()")
    visit.says(1, 3, "covered")
    expect(page.locator("#message")).to_have_text("Taken back: dig at (1, 3).")

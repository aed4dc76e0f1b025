"""Answers that come late, after the user went on."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browsing import Visit, analysis_link


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

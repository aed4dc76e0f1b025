"""Analysing on the page, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browsing import PHONE, Visit, analysis_link

SMALL = ["1??", "12?", "_1?"]


def test_verdicts_and_odds_follow_what_is_typed(visit: Visit) -> None:
    page = visit.open(analysis_link(["???", "???", "???"], 2))
    visit.wait(0, 0, says="covered, 22 per cent")
    visit.cell(0, 0).focus()
    page.keyboard.type("1??12?_1?")
    visit.wait(0, 1, says="covered, certainly a mine")
    visit.says(0, 2, "covered, certainly safe")
    visit.says(1, 2, "covered, 50 per cent")
    visit.says(2, 0, "known free")
    expect(page.locator("#summary")).to_have_text(
        "1 safe · 1 certain mine · 2 undecided · 2 worlds."
    )
    page.keyboard.press("u")
    visit.wait(2, 1, says="covered")


def test_clicks_wheel_and_brushes_edit(visit: Visit) -> None:
    page = visit.open(analysis_link(["???", "???", "???"]))
    visit.cell(0, 0).click()
    visit.wait(0, 0, says="empty")
    visit.cell(0, 0).click()
    visit.wait(0, 0, says="1")
    visit.cell(2, 2).click(button="right")
    visit.wait(2, 2, says="known mine")
    visit.cell(1, 1).click()
    visit.wait(1, 1, says="1")  # the known mine next to it is counted
    visit.cell(1, 1).hover()
    page.mouse.wheel(0, -100)
    visit.wait(1, 1, says="2")
    page.mouse.wheel(0, 100)
    visit.wait(1, 1, says="1")
    page.get_by_role("button", name="Undo").click()
    visit.wait(1, 1, says="2")
    page.get_by_role("button", name="Undo").click()
    visit.wait(1, 1, says="1")
    page.get_by_role("radio", name="known free").check(force=True)
    visit.cell(2, 0).hover()
    page.mouse.down()
    visit.cell(2, 1).hover()
    page.mouse.up()
    visit.wait(2, 0, says="known free")
    visit.wait(2, 1, says="known free")


def test_the_total_can_be_free(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "???", "???"], 2))
    visit.wait(0, 1, says="covered, 33 per cent")
    visit.wait(2, 2, says="covered, 20 per cent")
    page.get_by_label("total is known").uncheck()
    visit.wait(2, 2, says="covered, 50 per cent")
    expect(page.locator(".chart rect")).to_have_count(6)
    expect(page.locator("#chart")).to_contain_text("Most worlds have")
    page.locator("#total").fill("6")
    visit.wait(2, 2, says="covered, certainly a mine")


def test_what_is_not_certain_is_never_shown_as_0_or_100(visit: Visit) -> None:
    rows = ["?" * 20] * 20
    visit.open(analysis_link(rows, 1))
    visit.wait(0, 0, says="covered, less than 1 per cent")
    visit.open(analysis_link(rows, 399))
    visit.wait(0, 0, says="covered, more than 99 per cent")


@pytest.mark.parametrize("visit", [{}, PHONE], indirect=True, ids=["desktop", "phone"])
def test_a_position_is_pasted(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.get_by_role("button", name="Paste or open").click()
    page.locator("#paste").fill("mines: 2\n1??\n12x\n_1?")
    page.locator("#paste-dialog").get_by_role("button", name="Analyse").click()
    problem = page.locator("#paste-dialog [role=alert]")
    expect(problem).to_contain_text("line 3, column 3")
    page.locator("#paste").fill("mines: 2\n1??\n12?\n_1?")
    page.locator("#paste-dialog").get_by_role("button", name="Analyse").click()
    visit.wait(0, 2, says="covered, certainly safe")
    visit.errors = [error for error in visit.errors if "400" not in error]  # the refused text


def test_a_file_is_dropped_and_text_is_pasted_anywhere(visit: Visit) -> None:
    page = visit.open()
    page.evaluate(
        """(text) => {
          const dropped = new DataTransfer();
          dropped.items.add(new File([text], "board.txt"));
          const drop = {dataTransfer: dropped, bubbles: true};
          document.body.dispatchEvent(new DragEvent("drop", drop));
        }""",
        "topology: hex\nmines: 3\n1??1\n?2??\n??1?\n1???",
    )
    expect(page.locator("#title")).to_have_text("4 × 4 hex")
    page.evaluate("text => navigator.clipboard.writeText(text)", "mines: 1\n1?\n??")
    page.locator("#stage").focus()
    page.keyboard.press("Control+v")
    expect(page.locator("#title")).to_have_text("2 × 2 grid")
    visit.wait(0, 1, says="covered, 33 per cent")


def test_a_certain_cell_has_its_reason_in_steps(visit: Visit) -> None:
    page = visit.open(analysis_link(SMALL, 2))
    visit.wait(0, 2, says="covered, certainly safe")
    page.get_by_role("radio", name="Ask why").check(force=True)
    visit.cell(0, 2).click()
    expect(page.locator("#why-body strong")).to_have_text("(0, 2) is safe: 3 clues force it.")
    visit.says(1, 1, "2, part of the reason")
    visit.says(0, 2, "covered, certainly safe, asked about")
    steps = page.locator(".steps button")
    expect(steps).to_have_count(5)
    steps.nth(1).click()
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    visit.says(1, 1, "2")
    visit.says(0, 0, "1, part of the reason")
    page.get_by_role("button", name="Close the explanation").click()
    expect(page.locator("#why")).to_be_hidden()
    visit.says(0, 0, "1")


def test_an_undecided_cell_has_two_worlds_and_a_fraction(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "???", "???"], 2))
    visit.wait(0, 1, says="covered")
    visit.cell(0, 1).focus()
    page.keyboard.press("w")
    expect(page.locator("#why .exact")).to_have_text("1 / 3")
    expect(page.locator(".pair canvas")).to_have_count(2)
    page.get_by_role("button", name="A mine here: show on the board").click()
    visit.wait(0, 1, says="covered, 33 per cent, asked about, a mine in this world")


def test_contradicting_clues_are_shown(visit: Visit) -> None:
    page = visit.open(analysis_link(["2?", "00"]))
    expect(page.locator("#verdict")).to_have_text("Contradiction")
    expect(page.locator("#why-body")).to_contain_text("There is no legal assignment")
    visit.says(0, 0, "2, part of the reason")
    visit.cell(0, 0).focus()
    page.keyboard.press("1")
    expect(page.locator("#why-body")).to_contain_text("contradict")


def test_worlds_are_sampled(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "???", "???"], 2))
    page.get_by_role("button", name="Show a random world").click()
    page.get_by_role("button", name="Another world").wait_for()
    expect(page.locator('[aria-label*="a mine in this world"]')).to_have_count(2)
    page.get_by_role("button", name="Back to the odds").click()
    visit.wait(0, 1, says="covered, 33 per cent")


def test_best_digs_lead_to_their_reasons(visit: Visit) -> None:
    page = visit.open(analysis_link(SMALL, 2))
    best = page.locator("#best button")
    expect(best).to_have_count(1)
    expect(best).to_contain_text("certainly safe")
    best.click()
    expect(page.locator("#why-body strong")).to_contain_text("(0, 2) is safe")


def test_guesses_are_compared(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "???", "???"], 2))
    best = page.locator("#best")
    expect(best).to_contain_text("then something is certain with")
    expect(best).to_contain_text("the champion digs here")
    # By hand: each of the five far cells is a mine with 1/5, and shows 1 or 2 otherwise.
    expect(best.locator("button").first).to_contain_text("survives with 80 %")


def test_the_link_holds_the_position(visit: Visit) -> None:
    page = visit.open(analysis_link(SMALL, 2))
    visit.cell(1, 2).focus()
    page.keyboard.press("*")
    assert visit.settle()["position"]["labels"] == ["1??", "12*", "_1?"]
    visit.open("#s=" + page.url.split("#s=")[1])
    visit.wait(1, 2, says="known mine")


def test_a_graph_is_analysed(visit: Visit) -> None:
    page = visit.open()
    page.evaluate(
        "text => sapper.reading.read(text)",
        '{"topology": {"kind": "graph", "edges": [["hut", "gate"], ["hut", "well"],'
        ' ["hut", "tree"], ["gate", "road"], ["well", "tree"], ["tree", "road"]]},'
        ' "mines": 2, "labels": {"hut": 2}}',
    )
    page.get_by_label("cell road, covered, certainly safe").wait_for(state="attached")
    page.get_by_label("cell gate, covered, 67 per cent").focus()
    page.keyboard.press("w")
    expect(page.locator("#why .exact")).to_have_text("2 / 3")

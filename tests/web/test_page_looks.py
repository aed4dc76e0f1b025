"""How the page looks, weighs and reads: sizes, colours, accessibility, sharing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sapper import play
from sapper.formats import parse
from tests.web.browsing import PHONE, STATIC, TOOLS, Visit, analysis_link, game_link

AXE = TOOLS / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def complaints(page: Page, rules: list[str]) -> list[str]:
    """Return what axe-core finds wrong with the page as it stands."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm): accessibility is not checked")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    found: Any = page.evaluate(
        "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", rules
    )
    return [
        f"{one['id']}: {one['help']}: {node['html'][:120]}"
        for one in found["violations"]
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize(
    ("visit", "rules"),
    [
        ({"color_scheme": "light"}, RULES),
        # What differs between themes is colours.
        ({"color_scheme": "dark"}, ["color-contrast"]),
        ({"contrast": "more"}, ["color-contrast"]),
        (PHONE, RULES),
    ],
    indirect=["visit"],
    ids=["light", "dark", "contrast", "phone"],
)
def test_axe_finds_nothing(visit: Visit, rules: list[str]) -> None:
    page = visit.open(game_link(4, 5, [(0, 0), (3, 1), (3, 3)], [["d", 4, 0]]))
    page.get_by_role("button", name="Odds").click()  # and it stays under the mouse
    page.get_by_role("button", name="Hint").press("Enter")
    expect(page.locator("#message")).to_contain_text("is safe")
    assert complaints(page, rules) == []
    for name, dialog in (("Choose a board", "setup"), ("Share", "share"), ("Settings", "settings")):
        page.get_by_role("button", name=name).click()
        expect(page.locator(f"#{dialog}")).to_be_visible()
        assert complaints(page, rules) == []
        page.keyboard.press("Escape")
    visit.open(analysis_link(["1??", "12?", "_1?"], 2))
    visit.wait(0, 2, says="covered, certainly safe")
    visit.cell(1, 2).focus()
    page.keyboard.press("w")
    expect(page.locator(".pair")).to_be_visible()
    assert complaints(page, rules) == []
    page.mouse.move(0, 0)
    page.get_by_role("button", name="Boards", exact=True).click()
    assert complaints(page, rules) == []


def test_the_page_is_light() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} <= {".html", ".css", ".js", ".svg"}
    assert sum(path.stat().st_size for path in files) < 300_000
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 100_000
    for path in files:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "http:" not in text, path
        assert "https:" not in text, path


def test_a_large_board_is_drawn_scrolled_and_zoomed(visit: Visit) -> None:
    page = visit.open(analysis_link(["?" * 200] * 200, 6000))
    expect(page.locator("#verdict")).to_contain_text("worlds", timeout=30_000)
    assert page.get_by_role("gridcell").count() < 2500
    visit.wait(0, 0, says="covered, 15 per cent")
    visit.cell(0, 0).focus()
    page.keyboard.press("PageDown")
    visit.wait(199, 199, says="covered, 15 per cent")
    seen = page.evaluate("[sapper.board.active, sapper.board.scroller.scrollTop > 1000]")
    assert seen == [39999, True]
    painted = "() => sapper.board.canvas.getContext('2d').getImageData(60, 60, 1, 1).data[3]"
    for _ in range(10):
        page.get_by_role("button", name="Smaller cells").click()
    assert page.evaluate("sapper.board.unit") == 4
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate(painted) == 255


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_nothing_leaves_a_phone_sideways(visit: Visit) -> None:
    page = visit.open(analysis_link(["?" * 30] * 16, 99))
    for mode in ("Play", "Analyse", "Boards"):
        page.get_by_role("button", name=mode, exact=True).first.click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_colours_are_kept(visit: Visit) -> None:
    page = visit.open()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("High contrast").check()
    page.get_by_role("button", name="Done").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "contrast"


def test_boards_are_copied(visit: Visit) -> None:
    mines = [(0, 0), (3, 1), (3, 3)]
    page = visit.open(game_link(4, 5, mines, [["d", 4, 0]]))
    copied = "() => navigator.clipboard.readText()"
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#toast")).to_have_text("Copy link: copied.")
    assert page.evaluate(copied) == page.url
    position = play.Game(play.Layout(parse("?????\n" * 4).topology, mines))  # type: ignore[union-attr]
    position.dig((0, 4))
    for name in ("Text", "JSON"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#toast")).to_have_text(f"{name}: copied.")
        assert parse(page.evaluate(copied)) == position.position
    page.get_by_role("button", name="Tatham ID").click()
    expect(page.locator("#toast")).to_have_text("Tatham ID: copied.")
    assert set(play.Layout.parse(page.evaluate(copied)).mines) == set(mines)
    page.get_by_role("button", name="JSMinesweeper link").click()
    expect(page.locator("#toast")).to_have_text("JSMinesweeper link: copied.")
    assert "analysis=" in page.evaluate(copied)
    page.get_by_role("button", name="PTTA link").click()
    expect(page.locator("#toast")).to_have_text("PTTA link: copied.")
    assert set(play.Layout.parse(page.evaluate(copied)).mines) == set(mines)


def test_pictures_and_files_are_saved(visit: Visit, tmp_path: Path) -> None:
    mines = [(0, 0), (3, 1), (3, 3)]
    page = visit.open(game_link(4, 5, mines, [["d", 4, 0]]))
    page.get_by_role("button", name="Share").click()
    content = {}
    for name in ("SVG", "PNG", "Text file", "MBF", "Game record"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=name, exact=True).click()
        saved.value.save_as(tmp_path / name)
        content[name] = (tmp_path / name).read_bytes()
    assert content["SVG"].startswith(b"<svg")
    assert content["PNG"].startswith(b"\x89PNG")
    assert content["Text file"].startswith(b"mines: 3\n")
    assert set(play.Layout.parse(content["MBF"].hex()).mines) == set(mines)
    assert play.review(json.loads(content["Game record"])).status == "playing"


def test_a_damaged_link_is_told(visit: Visit) -> None:
    page = visit.open("#s=AAAA")
    expect(page.locator("#toast")).to_contain_text("damaged")
    assert json.loads(page.evaluate("JSON.stringify(sapper.play.game.moves)")) == []

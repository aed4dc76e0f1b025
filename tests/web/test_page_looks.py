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
from tests.web.browsing import PHONE, STATIC, TOOLS, Visit, analysis_link, game_link, link

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
    expect(page.locator("#verdict")).to_contain_text("worlds")
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
    for name in ("Save SVG", "Save PNG", "Text file", "MBF", "JSMinesweeper file", "Game record"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=name, exact=True).click()
        saved.value.save_as(tmp_path / name)
        content[name] = (tmp_path / name).read_bytes()
    assert content["Save SVG"].startswith(b"<svg")
    assert content["Save PNG"].startswith(b"\x89PNG")
    assert content["Text file"].startswith(b"mines: 3\n")
    assert set(play.Layout.parse(content["MBF"].hex()).mines) == set(mines)
    assert content["JSMinesweeper file"].startswith(b"5x4x3\nH1000\n")
    assert play.review(json.loads(content["Game record"])).status == "playing"


def test_pictures_are_copied(visit: Visit) -> None:
    page = visit.open(analysis_link(["1??", "12?", "_1?"], 2))
    page.get_by_role("button", name="Share").click()
    copied = """async (type) => {
      const [item] = await navigator.clipboard.read();
      const bytes = new Uint8Array(await (await item.getType(type)).arrayBuffer());
      return String.fromCharCode(...bytes.slice(0, 4));
    }"""
    for name, kind, start in (("PNG", "png", "\x89PNG"), ("SVG", "svg+xml", "<svg")):
        page.get_by_role("button", name=f"Copy {name}").click()
        expect(page.locator("#toast")).to_have_text(f"{name}: copied.")
        assert page.evaluate(copied, f"image/{kind}") == start
    page.evaluate("ClipboardItem.supports = () => false")  # as in other browsers
    page.get_by_role("button", name="Copy SVG").click()
    visit.until("navigator.clipboard.readText().then((text) => text.startsWith('<svg'))")
    page.get_by_role("button", name="Copy PNG").click()
    expect(page.locator("#toast")).to_contain_text("takes no pictures")


GOOD = {"kind": "grid", "width": 2, "height": 1}
HELPED = {"hints": 0, "undone": 0}
WISH = {
    "topology": GOOD, "mines": 1, "rule": "safe", "noGuess": False, "grade": "", "seed": 1,
    "title": "x",
}  # fmt: skip


DAMAGED = [
    "#s=AAAA",
    "#s=%",
    "#s=" + "A" * 5000,
    link(7),
    link({"mode": "analyse"}),
    link({"mode": "analyse", "position": {"topology": GOOD, "mines": 1, "labels": 3}}),
    link({"mode": "analyse", "position": {"topology": GOOD, "mines": 1, "labels": ["?"]}}),
    link({"mode": "analyse", "position": {"topology": GOOD, "mines": "x", "labels": ["??"]}}),
    link({"mode": "analyse", "position": {"topology": GOOD, "mines": 1, "labels": ["?x"]}}),
    link({"mode": "analyse", "position": {"topology": {**GOOD, "width": 1e9}, "labels": []}}),
    link({"mode": "play", "wish": WISH}),
    link({"mode": "play", "wish": WISH, "layout": [9], "moves": [], "helped": HELPED}),
    link({"mode": "play", "wish": WISH, "layout": [0], "moves": [["x", 0]], "helped": HELPED}),
    link({"mode": "play", "wish": WISH, "layout": [0], "moves": [["d", 7]], "helped": HELPED}),
    link({"mode": "play", "wish": {**WISH, "topology": {"kind": "moon"}}, "moves": []}),
    link({"mode": "play", "wish": {**WISH, "topology": {**GOOD, "height": 1e7}}, "moves": []}),
]


def test_a_damaged_link_is_told(visit: Visit) -> None:
    page = visit.open(DAMAGED[0])
    for damaged in DAMAGED:
        page.evaluate("(hash) => { toast.textContent = ''; sapper.share.open(hash); }", damaged)
        expect(page.locator("#toast")).to_contain_text("damaged")
    # What was there before is still there, and can be played.
    expect(page.locator("#title")).to_have_text("Beginner")
    visit.cell(4, 4).click()
    visit.until("sapper.play.game.moves.length === 1")


def test_small_cells_have_signs(visit: Visit) -> None:
    """Without colours, cells that are safe, mines or undecided are still told apart."""
    page = visit.open(analysis_link(["?10?", "110?", "????", "????"], 3))
    visit.wait(2, 2, says="covered, certainly safe")
    shapes = """async (unit) => {
      const {paint} = await import("/paint.js");
      const picture = sapper.picture();
      const canvas = new OffscreenCanvas(4 * unit, 4 * unit);
      const context = canvas.getContext("2d", {willReadFrequently: true});
      const view = {left: 0, top: 0, width: 4 * unit, height: 4 * unit};
      paint(context, picture, sapper.board.theme, unit, view);
      return [1, 2, 3].map((verdict) => {
        const cell = picture.findings.verdict.indexOf(verdict);
        const [column, row] = [cell % 4, Math.floor(cell / 4)];
        const {data} = context.getImageData(column * unit, row * unit, unit, unit);
        const light = (at) => data[4 * at] + data[4 * at + 1] + data[4 * at + 2];
        const bright = [...Array(unit * unit).keys()].map(light);
        const middle = (Math.min(...bright) + Math.max(...bright)) / 2;
        return bright.map((one) => (one > middle ? 1 : 0)).join("");
      });
    }"""
    for unit in (4, 6, 10, 12, 16):
        found = page.evaluate(shapes, unit)
        assert len(set(found)) == 3, (unit, found)


def test_the_numbers_of_steps_can_be_read(visit: Visit) -> None:
    """All but the first were written in the colour of their box."""
    page = visit.open(analysis_link(["1??", "12?", "_1?"], 2))
    page.evaluate(
        """() => {
          const brush = CanvasRenderingContext2D.prototype, { fill, fillText } = brush;
          let box = "";
          window.badges = [];
          brush.fill = function (...all) { box = this.fillStyle; return fill.apply(this, all); };
          brush.fillText = function (...all) {
            if (/^[1-9](,[1-9])*$/.test(all[0])) badges.push([all[0], box, this.fillStyle]);
            return fillText.apply(this, all);
          };
        }"""
    )
    visit.wait(0, 2, says="covered, certainly safe")
    visit.cell(0, 2).focus()
    page.keyboard.press("w")
    visit.until("badges.filter(([steps]) => steps.includes(',')).length >= 2")
    badges = page.evaluate("badges")
    assert all(box != ink for _, box, ink in badges), badges

"""Make the pictures of the page in the docs: ``python -m tests.web.pictures`` (needs Pillow)."""

from __future__ import annotations

import json
from io import BytesIO
from random import Random
from typing import Any, Final

from sapper import play
from tests.web.browsing import ROOT, Visit, browsing, game_link, link, serving

PICTURES: Final = ROOT / "docs" / "assets" / "page"
WIDE: Final = {"viewport": {"width": 1280, "height": 760}, "device_scale_factor": 1.5}
PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
    "color_scheme": "dark",
}


def played(seed: int, rounds: int) -> tuple[play.Game, list[Any]]:
    """Return an Expert game that the champion has begun, and its moves as a link has them."""
    layout = play.random_layout("expert", start=(3, 3), rule="zero", seed=seed)
    game, moves = play.Game(layout), [["d", 93, 0]]
    game.dig((3, 3))
    for _ in range(rounds):
        for cell in play.BuiltIn("champion").choose(play.View(game.position, Random(1))):
            if cell not in layout.mines and cell not in game.uncovered and game.status == "playing":
                game.dig(cell)
                moves.append(["d", layout.topology.index(cell), 0])
    return game, moves


def save(visit: Visit, name: str, wide: int) -> None:
    from PIL import Image

    picture = Image.open(BytesIO(visit.page.screenshot()))
    tall = picture.height * wide // picture.width
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture.resize((wide, tall)).save(PICTURES / f"{name}.webp", quality=82, method=6)


def main() -> None:
    """Visit the page and take the pictures."""
    game, moves = played(5, 14)
    position = json.loads(game.position.to("json"))
    with serving() as address, browsing() as browser:
        visit = Visit(browser, address, **WIDE)
        page = visit.open(link({"mode": "analyse", "position": position}))
        page.locator("#best button").first.click()
        page.locator(".steps button").last.wait_for()
        page.wait_for_timeout(500)
        save(visit, "why", 1400)
        mines: list[Any] = sorted(game.layout.mines, key=str) if game.layout else []
        visit.close()
        visit = Visit(browser, address, **PHONE)
        page = visit.open(game_link(16, 30, mines, moves))
        page.evaluate("sapper.play.wish.title = 'Expert'")
        page.locator("#odds").tap()
        visit.wait(9, 13, says="covered, certainly safe")
        page.locator("#hint").tap()
        page.locator("#message").get_by_text("is safe").wait_for()
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(300)
        save(visit, "phone", 520)
        visit.close()


if __name__ == "__main__":
    main()

"""A real browser on a real server, and links to positions and games that tests begin with."""

from __future__ import annotations

import base64
import json
import shutil
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

ROOT: Final = Path(__file__).parents[2]
STATIC: Final = ROOT / "src" / "sapper" / "web" / "static"
TOOLS: Final = ROOT / "build" / "page-tools" / "node_modules"
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Milliseconds that anything may take: a machine may be slow, and busy with other tests.
PATIENCE: Final = 30_000
expect.set_options(timeout=PATIENCE)

PHONE: Final = {
    "viewport": {"width": 390, "height": 780},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def chromium() -> str:
    """Return the path of a browser; the test is skipped if there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on this machine: the page is not tried (apt install chromium)")
    return found


@contextmanager
def serving() -> Iterator[str]:
    """Run `sapper serve` and give its address."""
    program = str(Path(sys.executable).with_name("sapper"))
    with subprocess.Popen(
        [program, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run a browser without a window."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


class Visit:
    """The page in a browser window, with everything that went wrong in it.

    Parameters
    ----------
    browser, address
        What to visit with, and where.
    options
        Of the window: size, touch, colours.
    """

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        # Without transitions, in the middle of which no colour is as it should be.
        usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        options = {**usual, **options}
        self.address = address
        self.context: BrowserContext = browser.new_context(**options)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.strange: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._sent)

    def _heard(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.errors.append(said.text)

    def _sent(self, request: Request) -> None:
        if not request.url.startswith((self.address, "about:", "blob:", "data:")):
            self.strange.append(request.url)

    def open(self, link: str = "") -> Page:
        """Open the page, with a state after the address if one is given, and wait for its board."""
        self.page.goto("about:blank")
        self.page.goto(self.address + link)
        self.page.get_by_role("gridcell").first.wait_for(state="attached")
        self.until("!sapper.share.reading")
        return self.page

    def cell(self, *name: int) -> Any:
        """Return the cell at a row and a column."""
        return self.page.get_by_label(f"row {name[0]}, column {name[1]},")

    def says(self, row: int, column: int, said: str) -> None:
        """Wait until a screen reader says just this of a cell.

        What has changed is drawn before the next frame. One is waited for, so that what is said
        is not that of the board before: this may be asked of a cell that must stay as it is.
        """
        self.page.evaluate(
            """() => new Promise((done) => {
              sapper.board.painted.push(done);
              sapper.board.schedule();
            })"""
        )
        label = f"row {row}, column {column}, {said}"
        expect(self.cell(row, column)).to_have_attribute("aria-label", label)

    def wait(self, *name: int, says: str) -> None:
        """Wait until what is said of a cell begins like this."""
        start = f"row {name[0]}, column {name[1]}, {says}"
        self.page.locator(f'[aria-label^="{start}"]').wait_for(state="attached")

    def until(self, script: str) -> None:
        """Wait until a script is true; Playwright's own way is against the page's policy."""
        for _ in range(PATIENCE // 20):
            if self.page.evaluate(script):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"never true: {script}")

    def hold(self, question: str) -> None:
        """Hold the engine's answers back until `release()`; `held` of them have come."""
        self.page.evaluate(
            """(question) => {
              const ask = sapper.engine[question];
              const released = new Promise((done) => { window.release = done; });
              window.held = 0;
              sapper.engine[question] = async (...asked) => {
                const answer = await ask(...asked);
                window.held += 1;
                await released;
                return answer;
              };
            }""",
            question,
        )

    def settle(self) -> Any:
        """Wait until the link is that of the state; return the state in it."""
        self.page.evaluate(
            """() => new Promise((done) => {
              const look = () => (sapper.share.settled ? done() : setTimeout(look, 20));
              look();
            })"""
        )
        return state_of(self.page.url)

    def close(self) -> None:
        """Close the window; fail if anything went wrong in it, or it asked anybody else."""
        self.context.close()
        assert not self.errors, self.errors
        assert not self.strange, self.strange


def link(state: object) -> str:
    """Return a link with a state in it, as the page writes it."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#s=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def state_of(address: str) -> Any:
    """Return the state that a link holds."""
    packed = address.split("#s=")[1]
    raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return json.loads(zlib.decompress(raw, wbits=-15))


def analysis_link(
    labels: list[str], mines: int | None = None, kind: str = "grid", **more: Any
) -> str:
    """Return a link to the analysis of a position."""
    topology = {"kind": kind, "width": len(labels[0]), "height": len(labels), **more}
    position = {"topology": topology, "mines": mines, "labels": labels}
    return link({"mode": "analyse", "position": position})


def game_link(
    height: int, width: int, mines: Iterable[tuple[int, int]], moves: list[Any] | None = None
) -> str:
    """Return a link to a game on a given layout."""
    layout = [row * width + column for row, column in mines]
    wish = {
        "topology": {"kind": "grid", "width": width, "height": height},
        "mines": len(layout),
        "rule": "safe",
        "noGuess": False,
        "grade": "",
        "seed": 1,
        "title": "A game",
    }
    helped = {"hints": 0, "undone": 0}
    return link(
        {
            "mode": "play",
            "wish": wish,
            "layout": layout,
            "moves": moves or [],
            "spent": 0,
            "helped": helped,
        }
    )

"""The page in a real browser: from a dig to its paint, from an edit to its answer."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.clients import expert, spent
from benchmarks.harness import MissingDataError, Options, Report, busy, duration, quantile
from sapper import play

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Milliseconds from a click to the end of the frame that shows it.
_DIGS = """async (cells) => {
  const {board, play} = sapper;
  const times = [];
  for (const cell of cells) {
    if (!play.playing || play.game.labels[cell] !== -1) continue;
    const box = board.sheet.getBoundingClientRect();
    const {x, y} = board.picture.field;
    const at = {
      bubbles: true, button: 0, buttons: 1, pointerId: 1, pointerType: "mouse",
      clientX: box.left + board.margin + x[cell] * board.unit,
      clientY: box.top + board.margin + y[cell] * board.unit,
    };
    const start = performance.now();
    board.scroller.dispatchEvent(new PointerEvent("pointerdown", at));
    board.scroller.dispatchEvent(new PointerEvent("pointerup", {...at, buttons: 0}));
    times.push(await ended(start));
  }
  return times;
}"""

# Milliseconds from an edit to the end of the frame with its verdicts and odds.
_EDITS = """async (cells) => {
  const {board, analyse} = sapper;
  const times = [];
  for (const cell of cells) {
    const label = analyse.labels[cell];
    for (const value of [-1, label]) {
      const start = performance.now();
      const shown = new Promise((done) => {
        const show = analyse.show;
        analyse.show = (...found) => {
          analyse.show = show;
          analyse.show(...found);
          done();
        };
      });
      analyse.set(cell, value);
      await shown;
      times.push(await ended(start));
    }
  }
  return times;
}"""

_ENDED = """window.ended = (start) => new Promise((done) => {
  sapper.board.painted.push(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - start);
    channel.port2.postMessage(0);
  });
  sapper.board.schedule();
});"""


def _large(size: int, seed: int) -> dict[str, Any]:
    """Return a position of a large game, half of it open."""
    layout = play.random_layout(
        f"{size}x{size}/{size * size * 3 // 20}", start=(0, 0), rule="zero", seed=seed
    )
    game, rng = play.Game(layout), random.Random(seed)
    opened = set(game.dig((0, 0)))
    free = [cell for cell in layout.topology.cells if cell not in layout.mines]
    for cell in rng.sample(free, len(free) // 2):
        if cell not in opened:
            opened |= game.dig(cell)
    found: dict[str, Any] = json.loads(game.position.to("json"))
    return found


@contextmanager
def _served() -> Iterator[tuple[str, int]]:
    program = str(Path(sys.executable).with_name("sapper"))
    command = [program, "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


class _Run:
    def __init__(self, page: Any, server: int) -> None:
        self.page = page
        self.server = server
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.rows: list[list[str]] = []
        self.raw: list[dict[str, Any]] = []

    def _thread(self) -> float:
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def measure(self, script: str, cells: Sequence[int]) -> tuple[list[float], float, float]:
        """Return the times by the clock, and what page and server took of processors for each."""
        before = self._thread(), spent(self.server)
        times = [one / 1000 for one in self.page.evaluate(script, list(cells))]
        after = self._thread(), spent(self.server)
        number = max(1, len(times))
        return times, (after[0] - before[0]) / number, (after[1] - before[1]) / number

    def report(
        self, what: str, bound: float, found: Sequence[tuple[list[float], float, float]]
    ) -> None:
        times = [one for part in found for one in part[0]]
        page = sum(part[1] * len(part[0]) for part in found) / len(times)
        server = sum(part[2] * len(part[0]) for part in found) / len(times)
        self.rows.append(
            [
                what,
                f"{len(times)}",
                duration(quantile(times, 0.5)),
                duration(quantile(times, 0.95)),
                duration(bound),
                duration(page),
                duration(server),
            ]
        )
        self.raw.append({"what": what, "seconds": times, "page": page, "server": server})


def _measured(address: str, server: int, browser: Any, quick: bool) -> _Run:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(address)
    page.get_by_role("gridcell").first.wait_for(state="attached")
    page.evaluate(_ENDED)
    run = _Run(page, server)
    games = 2 if quick else 6

    found = []
    for seed in range(games):
        layout = play.random_layout("expert", start=(3, 3), rule="zero", seed=seed)
        free = [layout.topology.index(c) for c in layout.topology.cells if c not in layout.mines]
        random.Random(seed).shuffle(free)
        mines = [layout.topology.index(cell) for cell in layout.mines]
        page.evaluate(
            """(mines) => {
              const wish = {topology: {kind: "grid", width: 30, height: 16}, mines: 99, rule: "any",
                noGuess: false, grade: "", seed: 0, title: "A game"};
              const helped = {hints: 0, undone: 0};
              sapper.setMode("play");
              sapper.play.resume({wish, layout: mines, moves: [["d", 93, 0]], spent: 0, helped});
            }""",
            mines,
        )
        found.append(run.measure(_DIGS, free[: 20 if quick else 120]))
    run.report("dig to paint, Expert", 0.05, found[1:] or found)

    def edits(
        positions: Sequence[dict[str, Any]], number: int
    ) -> list[tuple[list[float], float, float]]:
        found = []
        for seed, position in enumerate(positions):
            page.evaluate(
                """async (position) => {
                  sapper.setMode("analyse");
                  sapper.analyse.load(position);
                  const soon = (done) => setTimeout(done, 20);
                  while (!sapper.analyse.findings) await new Promise(soon);
                }""",
                position,
            )
            labels = "".join(position["labels"])
            shown = [at for at, label in enumerate(labels) if label.isdigit()]
            found.append(run.measure(_EDITS, random.Random(seed).sample(shown, number)))
        return found[1:] or found

    boards = [json.loads(body) for body in expert(games)]
    run.report("edit to answer, Expert", 0.1, edits(boards, 5 if quick else 20))
    large = [_large(100, seed) for seed in range(2)]
    run.report("edit to answer, 100 × 100", 0.5, edits(large, 3 if quick else 10))
    return run


def run(options: Options) -> Report:
    """Play and edit on the page, and look at the clock and the processors."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise MissingDataError("Playwright is not installed (pip install playwright)") from None
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        raise MissingDataError("there is no Chromium on this machine")
    with _served() as (address, server), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        done = _measured(address, server, browser, options.quick)
        browser.close()
    return Report(
        name="page",
        title="The page in a browser",
        text="From the click of a dig, or the edit of a label, to the end of the frame that shows"
        " what follows, in Chromium without a window at 1440 × 900. By the clock a frame comes"
        " every 17 ms; the last columns are what the page's thread and the server with its workers"
        " took of a processor for one of them, whatever else the machine did.",
        columns=["what", "number", "median", "95 %", "bound", "page's CPU", "server's CPU"],
        rows=done.rows,
        raw=done.raw,
        packages=["playwright", "starlette", "uvicorn"],
        remarks=[
            "Boards are drawn from fixed seeds; the first of each kind only warms up.",
            busy(),
        ],
    )

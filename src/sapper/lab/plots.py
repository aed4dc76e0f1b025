"""How our figures look: like a paper's, legible in grey and for the colour-blind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from sapper.errors import pip_install
from sapper.lab.games import LabError
from sapper.lab.statistics import Mean
from sapper.limits import load

__all__ = [
    "COLOURS",
    "MARKERS",
    "curve",
    "drawing_library",
    "figure",
    "require_matplotlib",
    "size_axis",
]

# Okabe and Ito, in an order that also steps in lightness.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# As matplotlib writes them, for a dark page: black, white, the darkest of the colours, and the
# light blue, which has to stay apart from the blue.
_FOR_DARK: Final = {
    "#000000": "#e6e6e6",
    "#ffffff": "none",
    "#0072b2": "#4fa8e0",
    "#009e73": "#2fc79a",
    "#56b4e9": "#c3e6ff",
}
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")

_STYLE: Final[Any] = {
    "axes.grid": True,
    "axes.labelsize": 10,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "errorbar.capsize": 1.5,
    "figure.dpi": 100,
    "font.family": "DejaVu Serif",
    "font.size": 9,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.6,
    "mathtext.fontset": "dejavuserif",
    "savefig.bbox": "tight",
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "sapper",
}


def require_matplotlib() -> None:
    """Make sure that figures can be drawn, without loading what draws them.

    Raises
    ------
    LabError
        If matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise LabError(f"figures need matplotlib: {pip_install('sapper[lab]')}")


def drawing_library() -> Any:
    """Return pyplot, set to draw into files.

    Raises
    ------
    LabError
        If matplotlib is not installed.
    """
    require_matplotlib()
    load("matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


@contextmanager
def figure(directory: Path, name: str, columns: int = 1, rows: int = 1) -> Iterator[list[Any]]:
    """Draw a figure and save it as PNG and SVG, and as SVG for dark pages; yields its axes.

    Raises
    ------
    LabError
        If matplotlib is not installed.
    """
    pyplot = drawing_library()
    with pyplot.rc_context(_STYLE):
        drawing, axes = pyplot.subplots(
            rows, columns, figsize=(3.9 * columns + 0.4, 3.0 * rows + 0.2), squeeze=False
        )
        try:
            yield list(axes.flat)
            drawing.tight_layout()
            drawing.savefig(directory / f"{name}.png")
            # No date, so that the same results give the same file.
            drawing.savefig(directory / f"{name}.svg", metadata={"Date": None})
            light = (directory / f"{name}.svg").read_text(encoding="utf-8")
            dark = directory / f"{name}-dark.svg"
            dark.write_text(_for_dark_pages(light), encoding="utf-8")
        finally:
            pyplot.close(drawing)


def _for_dark_pages(text: str) -> str:
    """Return the text of an SVG with the colours that a dark page needs, and no background."""
    for bright, dim in _FOR_DARK.items():
        text = text.replace(bright, dim)
    # Text without a colour is black.
    return text.replace("<defs>", "<style>text { fill: #e6e6e6 }</style>\n <defs>", 1)


def curve(
    axis: Any, places: Sequence[float], means: Sequence[Mean], label: str, number: int, **style: Any
) -> None:
    """Draw means with their standard errors; `number` decides colour and marker."""
    options: dict[str, Any] = {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "elinewidth": 0.8,
        **style,
    }
    axis.errorbar(
        places,
        [mean.value for mean in means],
        yerr=[mean.error for mean in means],
        label=label,
        **options,
    )
    axis.locator_params(axis="x", nbins=6)


def size_axis(axis: Any, sizes: Sequence[int], name: str, base: int = 10) -> None:
    """Let x be sizes, on a logarithmic scale, with a tick at each."""
    axis.set_xscale("log", base=base)
    axis.set_xticks(sizes, [str(size) for size in sizes])
    axis.minorticks_off()
    axis.set_xlabel(name)

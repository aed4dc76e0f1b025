"""Check the built site: ``python -m tests.support.site site``, a part of ``make docs``.

Every link, picture, script and anchor that stays inside the site must be there; addresses outside
must be whole (nothing is fetched); every name that is promised must be in the reference.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from functools import cached_property
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

PROMISED: Final = Path(__file__).parents[2] / "docs" / "theme" / "stability.toml"
ADDRESSES: Final = {"href", "src", "poster", "data"}


class Page(HTMLParser):
    """The anchors of a page and what it points to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what matters of a tag."""
        for name, value in attrs:
            if value is not None and (name == "id" or (tag == "a" and name == "name")):
                self.anchors.add(value)
            elif value is not None and name in ADDRESSES and not (tag == "object" and name == "id"):
                self.links.append((self.getpos()[0], value))
            elif value and name == "srcset":
                self.links += [(self.getpos()[0], one.split()[0]) for one in value.split(",")]


class Site:
    """A folder of pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.pages = {path: Page(path) for path in sorted(self.folder.rglob("*.html"))}

    @cached_property
    def outside(self) -> set[str]:
        """The addresses elsewhere."""
        links = (link for page in self.pages.values() for _, link in page.links)
        return {link for link in links if urlsplit(link).scheme in ("http", "https")}

    def complaints(self) -> Iterable[str]:
        """Yield what is broken, with its page and line."""
        if not self.pages:
            yield f"{self.folder}: no pages"
        for page in self.pages.values():
            for line, link in page.links:
                wrong = self._wrong(page, link)
                if wrong:
                    yield f"{page.path.relative_to(self.folder)}:{line}: {link}: {wrong}"

    def _wrong(self, page: Page, link: str) -> str | None:
        try:
            parts = urlsplit(link)
        except ValueError as error:
            return str(error)
        if parts.scheme in ("http", "https") or (parts.netloc and not parts.scheme):
            return None if "." in parts.netloc and " " not in link else "no whole address"
        if parts.scheme in ("data", "mailto", "javascript"):
            return None
        if parts.scheme:
            return f"a strange kind of address: {parts.scheme}"
        if parts.path.startswith("/"):
            # The page of what was not found is the only one that may be shown at any address.
            return None if page.path.name == "404.html" else "works on one server only"
        target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        if target.is_dir():
            target /= "index.html"
        if not target.exists():
            return "no such file"
        anchor = unquote(parts.fragment)
        if anchor and target in self.pages and anchor not in self.pages[target].anchors:
            return "no such anchor" if not anchor.startswith("__") else None
        return None

    def undocumented(self) -> list[str]:
        """Return the promised names that have no place in the reference."""
        marks = tomllib.loads(PROMISED.read_text(encoding="utf-8"))
        reference = [page for path, page in self.pages.items() if path.parent.name == "reference"]
        places = {tuple(a.split(".")) for page in reference for a in page.anchors}
        named = {(place[1], place[-1]) for place in places if place[0] == "sapper" and place[1:]}
        things = [getattr(import_module(f"sapper.{room}"), name, self) for room, name in named]
        shown = {id(thing) for thing in things}
        missing = []
        for room, standing in marks.items():
            module = import_module("sapper" if room == "sapper" else f"sapper.{room}")
            names = f"{standing.get('stable', '')} {standing.get('provisional', '')}".split()
            missing += [f"{room}.{n}" for n in names if id(getattr(module, n)) not in shown]
        return [name for name in missing if name != "sapper.__version__"]


def main() -> int:
    """Print what is broken and return how the program ends."""
    site = Site(Path(sys.argv[1]))
    complaints = [*site.complaints(), *(f"not in the reference: {n}" for n in site.undocumented())]
    for complaint in complaints:
        print(complaint)
    links = sum(len(page.links) for page in site.pages.values())
    print(
        f"{len(site.pages)} pages, {links:,} links, {len(complaints)} broken; "
        f"{len(site.outside)} addresses elsewhere, not fetched"
    )
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

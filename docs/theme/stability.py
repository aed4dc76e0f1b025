"""Mark every public name of the reference as stable or provisional; the list is stability.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_MARKS = {
    (room, name): standing
    for room, standings in tomllib.loads(
        Path(__file__).with_name("stability.toml").read_text(encoding="utf-8")
    ).items()
    for standing, names in standings.items()
    for name in names.split()
}
# A heading that mkdocstrings made: <h3 id="sapper.play.tournament.tournament" class="doc …">…</h3>
_HEADING = re.compile(
    r'<(h\d) id="sapper\.(\w+)((?:\.[a-z_]\w*)*)\.(\w+)" class="doc.*?(?=</\1>)', re.DOTALL
)
_LINK = re.compile(r'<a class="headerlink".*', re.DOTALL)


def _marked(match: re.Match[str]) -> str:
    standing = _MARKS.get((match[2], match[4]))
    if standing not in ("stable", "provisional"):
        return match[0]
    label = f'<small class="doc doc-label doc-label-{standing}"><code>{standing}</code></small>'
    label = f'<span class="doc doc-labels"><a href="../stability.html">{label}</a></span>'
    link = _LINK.search(match[0])
    end = link.start() if link else len(match[0])
    return match[0][:end] + label + match[0][end:]


def on_page_content(content: str, **_: object) -> str:
    """Mark the headings of a page; called by mkdocs for each."""
    return _HEADING.sub(_marked, content)

"""Typeset `$…$` and `$$…$$` while the site is built, as MathML: browsers draw it, offline too."""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

# What pymdownx.arithmatex leaves in a page: \(…\) in a span, \[…\] in a div.
_FORMULA = re.compile(
    r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>',
    re.DOTALL,
)


def _typeset(match: re.Match[str]) -> str:
    display = "block" if match[1] == "div" else "inline"
    return convert(html.unescape(match[2]), display=display)


def on_page_content(content: str, **_: object) -> str:
    """Replace the formulas of a page; called by mkdocs for each."""
    return _FORMULA.sub(_typeset, content)

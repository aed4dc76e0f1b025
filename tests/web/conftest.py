"""Fixtures of the tests that use a browser.

The browser ends with its module: while Playwright runs, no other test could run an event loop. The
server is started once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import Visit, browsing, chromium, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    chromium()
    with serving() as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A window; `pytest.mark.parametrize("visit", [{…}], indirect=True)` sets its options."""
    options: dict[str, Any] = getattr(request, "param", {})
    made = Visit(browser, address, **options)
    yield made
    made.close()

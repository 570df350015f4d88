"""Pages whose content comes late: they are rendered again, with more time.

crawl4ai's REST API accepts no script (servers since 0.9), so nothing in the page can tell when its
text stops growing. Instead a page that looks unfinished is rendered again with a longer delay, and
what grew is rendered once more. What a site needs is remembered for its other pages.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from scrapy.utils.datatypes import LocalCache

from wikicrawler.errors import Reason, TierInterruptedError
from wikicrawler.tiers.crawl4ai.errors import BrowserUnavailableError
from wikicrawler.tiers.crawl4ai.frames import insert_frames, readable_frames
from wikicrawler.tiers.verdict import judge_response
from wikicrawler.tiers.verdict.markup import MAX_BYTES, read_markup

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wikicrawler.tiers.crawl4ai.protocol import Rendered

    Crawl = Callable[[str, dict[str, Any]], Awaitable[tuple[Rendered, float]]]
    Pause = Callable[[], Awaitable[None]]

logger = logging.getLogger(__name__)

DELAYS = (0.5, 3.0, 10.0)
"""Seconds between a page's DOMContentLoaded and its HTML, for each rendering of it."""
LITTLE_TEXT = 600
"""Characters. A page with scripts and less visible text may be unfinished."""
MAX_FRAMES = 3
"""Number of frames of a page that are read."""
SELECTOR_TIMEOUT = 20.0
"""Seconds that a page's selector is waited for."""
_GROWTH = 1.05  # a page whose text grew by more is rendered once more
_CONFIRMATIONS = 2  # number of pages in a row after which a site's delay is known
_STRONG_CONFIRMATIONS = 10  # the same for pages that say that more comes
_HOPELESS = 3  # number of pages in a row that were no page at their last rendering
_MAX_SITES = 1000
_FORBIDDEN = 403

_UNFINISHED = {
    *(Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.BUSY, Reason.EMPTY, Reason.JS_SHELL),
    Reason.ERROR_PAGE,
}
_BUSY = re.compile(rb' aria-busy="true"| role="progressbar"', re.IGNORECASE)
_LATE_SCRIPT = re.compile(
    rb"setTimeout|setInterval|requestAnimationFrame|fetch\(|XMLHttpRequest|EventSource|WebSocket"
)
_INSERTS = re.compile(
    rb"innerHTML|innerText|textContent|append|insertAdjacent|replaceWith|replaceChild|document\.write"
)
_SHADOW_HOST = re.compile(rb"^<[a-z][a-z0-9]*+-[^\n]* />$", re.MULTILINE)
"""An empty custom element, in a line of the start tags of a document."""


class Look(NamedTuple):
    """What a rendered page looks like."""

    page: Rendered
    text: int
    """Characters of visible text, in the part that is examined."""
    failed: bool
    """True if it is no page: a challenge, a shell, an empty page."""
    unfinished: bool
    """True if it has scripts and may be unfinished."""
    busy: bool
    """True if it says so, or has a script that inserts text later."""
    shadows: bool
    """True if it has elements whose content may be in a shadow root."""
    vendor: str
    """Vendor of the challenge; empty if there is none."""
    flat: bool
    """True if its shadow roots are part of its HTML."""


@dataclass
class _Site:
    """What the pages of a site needed."""

    step: int = 0  # index of DELAYS to begin with, for pages that are shells without scripts
    confirmed: int = 0  # pages that did not grow after it
    failed: int = 0  # pages that were none after all renderings

    def is_known(self, look: Look, first: int) -> bool:
        """Return True if another rendering of a page like *look* is expected to bring nothing.

        :param first: index of the delay of the page's first rendering
        """
        if look.failed:
            return self.failed >= _HOPELESS
        is_strong = look.busy and not first  # a longer first delay is known to suffice
        return self.confirmed >= (_STRONG_CONFIRMATIONS if is_strong else _CONFIRMATIONS)


class LateContent:
    """Renders pages until their content is there. Each crawl has one.

    :param most: maximum number of renderings of a page, up to 3
    :param timeout: deadline of a rendering in seconds
    :param can_flatten: returns True if the server can make shadow roots a part of the HTML
    """

    def __init__(self, most: int, timeout: float, can_flatten: Callable[[], bool]) -> None:
        self._can_flatten = can_flatten
        self._delays = [d for d in DELAYS[:most] if d == DELAYS[0] or d <= timeout / 2]
        self._sites: LocalCache[str, _Site] = LocalCache(_MAX_SITES)

    async def render(
        self,
        url: str,
        crawl: Crawl,
        pause: Pause,
        *,
        selector: str = "",
        was_shell: bool = False,
    ) -> tuple[Rendered, float]:
        """Return the page at *url* and the seconds that it took.

        :param crawl: renders a URL with parameters of crawl4ai's ``CrawlerRunConfig``
        :param pause: waits before the site is asked again
        :param selector: CSS selector of an element that the complete page has
        :param was_shell: True if the page without scripts has no content
        """
        started = monotonic()
        best = None
        if selector:
            best = await self._look_for(selector, url, crawl)
            if best is None or best.failed:
                best = None
                await pause()
        if best is None:
            best = await self._settle(url, crawl, pause, was_shell=was_shell)
        return best.page, monotonic() - started

    async def _settle(self, url: str, crawl: Crawl, pause: Pause, *, was_shell: bool) -> Look:
        """Render the page until its text does not grow, or three times."""
        key = urlsplit(url).netloc
        if key not in self._sites:
            self._sites[key] = _Site()
        site = self._sites[key]
        first = min(site.step, len(self._delays) - 1) if was_shell else 0
        best = look = await self._look(url, crawl, pause, self._delays[first])
        may_grow = was_shell or look.unfinished
        for step in range(first + 1, len(self._delays)):
            if not (look.unfinished if look.failed else may_grow) or site.is_known(look, first):
                break
            later = await self._look_again(best, url, crawl, pause, self._delays[step])
            if later is None:
                break
            later = _passed(look, later)
            best = _better(best, later)
            former, look = look, later
            if look.failed:
                continue
            if look.text <= former.text * _GROWTH:
                site.confirmed += 1
                break
            site.confirmed = 0
            if former.failed:
                site.step = max(site.step, step)
        site.failed = site.failed + 1 if best.failed else 0
        if best.shadows and not best.flat and len(self._delays) > 1:
            flat = await self._look_again(best, url, crawl, pause, self._delays[first])
            best = _better(best, flat) if flat is not None else best
        return best

    async def _look_again(
        self, best: Look, url: str, crawl: Crawl, pause: Pause, delay: float
    ) -> Look | None:
        """Return a look at the page after *delay*, with its shadow roots; None if it failed."""
        try:
            await pause()
            return await self._look(url, crawl, pause, delay, flat=True)
        except TierInterruptedError:
            raise
        except BrowserUnavailableError:
            if best.failed:
                raise
        except Exception as error:  # the page as it was is better than none
            logger.debug("Rendering %s again failed: %s", url, type(error).__name__)
        return None

    async def _look_for(
        self,
        selector: str,
        url: str,
        crawl: Crawl,
    ) -> Look | None:
        """Return the page once it has an element of *selector*; None if it has none in time."""
        parameters = {
            "wait_for": f"css:{selector}",
            "wait_for_timeout": round(SELECTOR_TIMEOUT * 1000),
        }
        try:
            page, _ = await crawl(url, parameters)
        except (TierInterruptedError, BrowserUnavailableError):
            raise
        except Exception as error:
            logger.info("No element %r on %s: %s", selector, url, type(error).__name__)
            return None
        return await asyncio.to_thread(_look_at, page)

    async def _look(
        self,
        url: str,
        crawl: Crawl,
        pause: Pause,
        delay: float,
        *,
        flat: bool = False,
    ) -> Look:
        parameters: dict[str, Any] = {}
        if delay != DELAYS[0]:
            parameters["delay_before_return_html"] = delay
        if flat and self._can_flatten():
            parameters["flatten_shadow_dom"] = True
        page, _ = await crawl(url, parameters)
        frames = []
        if len(self._delays) > 1:
            frames = await asyncio.to_thread(readable_frames, page.html, page.url, MAX_FRAMES)
        if frames:
            bodies: dict[str, str] = {}
            for frame in frames:
                if not frame.url or frame.url in bodies:
                    continue
                try:
                    await pause()
                    bodies[frame.url] = _same_origin(*await crawl(frame.url, {}), url=page.url)
                except (TierInterruptedError, BrowserUnavailableError):
                    raise
                except Exception as error:
                    logger.debug("No frame of %s: %s", url, type(error).__name__)
            html = await asyncio.to_thread(insert_frames, page.html, frames, bodies)
            page = replace(page, html=html)
        return await asyncio.to_thread(_look_at, page, flat=flat)


def _same_origin(page: Rendered, seconds: float, *, url: str) -> str:
    return page.html if urlsplit(page.url)[:2] == urlsplit(url)[:2] else ""


def _look_at(page: Rendered, *, flat: bool = False) -> Look:
    body = page.html.encode("utf-8", "replace")[:MAX_BYTES]
    failure = judge_response(page.status, page.headers, body)
    markup = read_markup(body)
    tags = markup.tags
    has_script = b"<script" in tags
    failed = failure is not None and failure.reason in _UNFINISHED
    late = bool(_LATE_SCRIPT.search(markup.scripts) and _INSERTS.search(markup.scripts))
    busy = has_script and (late or bool(_BUSY.search(tags)))
    little = markup.length < LITTLE_TEXT
    final = failure is not None and not failed
    # A challenge that solves itself may have given way already: the status is still its own.
    unfinished = (
        busy or (has_script and (failed or little)) or (failed and page.status == _FORBIDDEN)
    )
    return Look(
        page,
        markup.length,
        failed or (markup.length == 0 and has_script),
        unfinished and not final,
        busy,
        bool(_SHADOW_HOST.search(tags)) and not final,
        failure.vendor if failure is not None else "",
        flat,
    )


def _passed(former: Look, later: Look) -> Look:
    """Return *later*, as a page if the challenge of *former* gave way to it.

    crawl4ai reports the status and the headers of the challenge.
    """
    if not (former.failed and former.vendor and later.failed):
        return later
    if later.text <= former.text * _GROWTH:
        return later
    kind = {k: v for k, v in later.page.headers.items() if k == "content-type"}
    page = replace(later.page, status=200, headers=kind, error="")
    passed = _look_at(page, flat=later.flat)
    return later if passed.failed or passed.vendor else passed


def _better(former: Look, later: Look) -> Look:
    """Return the look with the page; of two the one with more text."""
    if former.failed != later.failed:
        return later if former.failed else former
    return later if later.text >= former.text else former

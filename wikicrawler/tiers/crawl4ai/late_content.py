"""Pages whose content comes late: they are rendered again, with more time.

crawl4ai's REST API accepts no script (servers since 0.9), so nothing in the page can tell when its
text stops growing. Instead a page that looks unfinished is rendered again with a longer delay, and
what grew is rendered once more. What a site needs is remembered for its other pages.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.utils.datatypes import LocalCache

from wikicrawler.errors import TierInterruptedError
from wikicrawler.tiers.crawl4ai.errors import BrowserUnavailableError, PageNavigatingError
from wikicrawler.tiers.crawl4ai.frames import insert_frames, readable_frames
from wikicrawler.tiers.crawl4ai.looks import Look, better, has_grown, look_at, passed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from wikicrawler.tiers.crawl4ai.protocol import Rendered

    Crawl = Callable[[str, dict[str, Any]], Awaitable[tuple[Rendered, float]]]
    Pause = Callable[[], Awaitable[None]]

logger = logging.getLogger(__name__)

DELAYS = (0.5, 3.0, 10.0)
"""Seconds between a page's DOMContentLoaded and its HTML, for each rendering of it."""
MAX_FRAMES = 3
"""Number of frames of a page that are read."""
SELECTOR_TIMEOUT = 20.0
"""Seconds that a page's selector is waited for."""
_CONFIRMATIONS = 2  # number of pages in a row after which a site's delay is known
_STRONG_CONFIRMATIONS = 10  # the same for pages that say that more comes
_HOPELESS = 3  # number of pages in a row that were no page at their last rendering
_MAX_SITES = 1000


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
        steps = iter(range(first, len(self._delays)))
        first, best = await self._first_look(url, crawl, pause, steps)
        look = best
        may_grow = was_shell or look.unfinished
        while (look.unfinished if look.failed else may_grow) and not site.is_known(look, first):
            found = await self._next_look(best, url, crawl, pause, steps)
            if found is None:
                break
            step, later = found
            later = passed(look, later)
            best = better(best, later)
            former, look = look, later
            if look.failed:
                continue
            if not has_grown(former, look):
                site.confirmed += 1
                break
            site.confirmed = 0
            if former.failed:
                site.step = max(site.step, step)
        site.failed = site.failed + 1 if best.failed else 0
        if best.shadows and not best.flat and len(self._delays) > 1:
            flat = await self._next_look(best, url, crawl, pause, iter((first, first)))
            best = better(best, flat[1]) if flat is not None else best
        return best

    async def _first_look(
        self, url: str, crawl: Crawl, pause: Pause, steps: Iterator[int]
    ) -> tuple[int, Look]:
        """Return the index of the first delay of *steps* with which the page can be rendered, and
        a look at it."""
        step = next(steps)
        while True:
            try:
                return step, await self._look(url, crawl, pause, self._delays[step])
            except PageNavigatingError:
                following = next(steps, None)
                if following is None:
                    raise
            step = following
            await pause()

    async def _next_look(
        self, best: Look, url: str, crawl: Crawl, pause: Pause, steps: Iterator[int]
    ) -> tuple[int, Look] | None:
        """Return the index of the next delay of *steps* with which the page can be rendered, and a
        look at it with its shadow roots; None if there is none.

        :raises BrowserUnavailableError, PageNavigatingError: there is none, and *best* is no page
        """
        failure: Exception | None = None
        for step in steps:
            try:
                await pause()
                return step, await self._look(url, crawl, pause, self._delays[step], flat=True)
            except TierInterruptedError:
                raise
            except (BrowserUnavailableError, PageNavigatingError) as error:
                failure = error
            except Exception as error:  # the page as it was is better than none
                logger.debug("Rendering %s again failed: %s", url, type(error).__name__)
                return None
        if failure is not None and best.failed:
            raise failure
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
        return await asyncio.to_thread(look_at, page)

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
        return await asyncio.to_thread(look_at, page, flat=flat)


def _same_origin(page: Rendered, seconds: float, *, url: str) -> str:
    return page.html if urlsplit(page.url)[:2] == urlsplit(url)[:2] else ""

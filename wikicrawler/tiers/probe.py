"""A probe: a plain GET that tells what a page is, and is the page where that is static."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

PROBE = "http"
"""The tier that probes."""
SECONDS = 3.0
"""Until a probe is given up, from the first byte that is sent to the last that comes."""

_FOR_A_BROWSER = {Reason.JS_SHELL, Reason.EMPTY, Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}


def after_probe(
    reason: Reason, rest: Sequence[str], *, is_wiki: bool, chosen: str = ""
) -> tuple[str, ...]:
    """What to try after a probe that ended with *reason*, where *rest* would come next.

    The API of a wiki first, or a browser where a script or a challenge has to run. A page that was
    only slow gets the time that it needs: at once where plain HTTP is what was *chosen*, else after
    the tier that was.
    """
    if reason == Reason.TIMEOUT:
        place = 0 if chosen in {PROBE, ""} else 1
        return (*rest[:place], PROBE, *rest[place:])
    wanted = "mediawiki" if is_wiki else "browser" if reason in _FOR_A_BROWSER else ""
    return tuple(sorted(rest, key=lambda tier: tier != wanted))

"""What a page's own attempts change in a plan that is adaptive.

A first tier that only probes has little time, and what it finds orders the rest; a challenge has
the browser hide that it is driven; and what was only the network's doing is tried again minutes
later (:mod:`wikicrawler.tiers.wait_rules`) instead of at once.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.politeness.retry import RETRY_TRANSIENT
from wikicrawler.tiers import state as st

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.http import Request

    from wikicrawler.pages import Failure
    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

PROBE_SECONDS = 3.0
"""Time limit of a probe, from the first byte sent to the last received."""

_FOR_A_BROWSER = {Reason.JS_SHELL, Reason.EMPTY, Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}


def prepare(request: Request, state: State, tier: Tier, *, waits: bool) -> None:
    """Set on *request*, which is *tier*'s, what an adaptive plan asks of it.

    *waits*: whether a page that fails because of the network may be asked for again later.
    """
    adaptive = state.get("adaptive")
    if adaptive is None:
        return
    if waits or adaptive["probe"]:
        st.set_for_one(request, **{RETRY_TRANSIENT: False})
    if adaptive["probe"]:
        given = request.meta.get("download_timeout") or inf
        adaptive["hurried"] = given > PROBE_SECONDS
        st.replace_for_one(request, "download_timeout", min(PROBE_SECONDS, given))
    if tier.stealth_key and (adaptive["stealth"] or _was_challenged(state)):
        st.set_for_one(request, **{tier.stealth_key: True})


def reorder(
    state: State, failure: Failure, tiers: Mapping[str, Tier], *, is_wiki: bool, waits: bool
) -> None:
    """Reorder the rest of the plan by how the probe has failed, if the last tier was one.

    *tiers*: those that can be used in this crawl, by name. *is_wiki*: whether the page is of a wiki
    whose API may be asked.
    """
    adaptive = state.get("adaptive")
    if adaptive is None or not adaptive["probe"]:
        return
    adaptive["probe"] = False
    reason = failure.reason
    if reason == Reason.NETWORK and not waits:
        reason = Reason.TIMEOUT  # tried again, with the retries that a probe does not have
    elif reason == Reason.TIMEOUT and not adaptive["hurried"]:
        return  # it had the time that the page has
    state["plan"] = list(
        after_probe(
            state["tier"],
            reason,
            state["plan"],
            tiers,
            is_wiki=is_wiki,
            chosen=adaptive["chosen"],
        )
    )


def after_probe(
    probe: str,
    reason: Reason,
    rest: Sequence[str],
    tiers: Mapping[str, Tier | type[Tier]],
    *,
    is_wiki: bool,
    chosen: str = "",
) -> tuple[str, ...]:
    """What to try after *probe*, a tier, has ended with *reason*, where *rest* would come next.

    The API of a wiki comes first, or a browser where a script or a challenge has to run. A page
    that was only slow gets the time that it needs: at once if the probing tier is the *chosen* one,
    else after that.
    """
    if reason == Reason.TIMEOUT:
        place = 0 if chosen in {probe, ""} else 1
        return (*rest[:place], probe, *rest[place:])

    def comes_later(name: str) -> bool:
        tier = tiers.get(name)
        if tier is None:
            return True
        return not (tier.needs_wiki if is_wiki else tier.renders and reason in _FOR_A_BROWSER)

    return tuple(sorted(rest, key=comes_later))


def _was_challenged(state: State) -> bool:
    return any(attempt["reason"] == Reason.BLOCKED_CAPTCHA for attempt in st.all_attempts(state))

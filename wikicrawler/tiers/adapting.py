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
from wikicrawler.tiers.crawl4ai.handler import STEALTH_META
from wikicrawler.tiers.probe import SECONDS, after_probe

if TYPE_CHECKING:
    from scrapy.http import Request

    from wikicrawler.pages import Failure
    from wikicrawler.tiers.state import State


def prepare(request: Request, state: State, *, waits: bool) -> None:
    """Set on the request of the tier that comes next what the plan asks of it. *waits*: whether a
    page that fails by the network may be asked for again later."""
    adaptive = state.get("adaptive")
    if adaptive is None:
        return
    if waits or adaptive["probe"]:
        st.set_for_one(request, **{RETRY_TRANSIENT: False})
    if adaptive["probe"]:
        given = request.meta.get("download_timeout") or inf
        adaptive["hurried"] = given > SECONDS
        st.replace_for_one(request, "download_timeout", min(SECONDS, given))
    if state["tier"] == "browser" and (adaptive["stealth"] or _was_challenged(state)):
        st.set_for_one(request, **{STEALTH_META: True})


def heed(state: State, failure: Failure, *, is_wiki: bool, waits: bool) -> None:
    """Order what is left of the plan by how the tier on its way has failed."""
    adaptive = state.get("adaptive")
    if adaptive is not None and adaptive["probe"]:
        adaptive["probe"] = False
        reason = failure.reason
        if reason == Reason.NETWORK and not waits:
            reason = Reason.TIMEOUT  # plain HTTP comes again, with the retries that a probe has not
        elif reason == Reason.TIMEOUT and not adaptive["hurried"]:
            return  # it had its time
        rest = after_probe(reason, state["plan"], is_wiki=is_wiki, chosen=adaptive["chosen"])
        state["plan"] = list(rest)


def _was_challenged(state: State) -> bool:
    return any(attempt["reason"] == Reason.BLOCKED_CAPTCHA for attempt in st.all_attempts(state))

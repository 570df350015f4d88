"""Changes to a plan that follow from a page's own attempts.

After a challenge, a browser hides that it is automated. The rest applies to adaptive plans: a probe
has a short time limit, and its result orders the remaining tiers; after a network error the page is
retried minutes later (:mod:`wikicrawler.tiers.wait_rules`), not at once.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.politeness.pauses import is_recognised
from wikicrawler.politeness.retry import RETRY_TRANSIENT
from wikicrawler.politeness.retry_policy import is_by_policy
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


def prepare(request: Request, state: State, tier: Tier, *, can_wait: bool, stealth: str) -> None:
    """Set the meta keys that the plan requires on *tier*'s *request*.

    :param can_wait: True if a page that fails with a network error can be retried later
    :param stealth: the word of ``WIKICRAWLER_STEALTH`` that applies to the page
    """
    if tier.stealth_key and _wants_stealth(state, stealth):
        st.set_tier_meta(request, **{tier.stealth_key: True})
    adaptive = state.get("adaptive")
    if adaptive is None:
        return
    if adaptive["probe"] or (can_wait and not is_by_policy(request)):
        st.set_tier_meta(request, **{RETRY_TRANSIENT: False})
    if adaptive["probe"]:
        given = request.meta.get("download_timeout") or inf
        adaptive["hurried"] = given > PROBE_SECONDS
        st.replace_tier_meta(request, "download_timeout", min(PROBE_SECONDS, given))


def reorder(
    state: State, failure: Failure, tiers: Mapping[str, Tier], *, is_wiki: bool, can_wait: bool
) -> None:
    """Reorder the remaining tiers by the failure of the last one, if that was a probe.

    :param tiers: the tiers that are usable in this crawl, by name
    :param is_wiki: True if the page belongs to a wiki whose API may be used
    :param can_wait: True if a page that fails with a network error can be retried later
    """
    adaptive = state.get("adaptive")
    if adaptive is None or not adaptive["probe"]:
        return
    adaptive["probe"] = False
    reason = failure.reason
    if reason == Reason.NETWORK and not can_wait:
        reason = Reason.TIMEOUT  # repeat the request with the retries that a probe lacks
    elif reason == Reason.TIMEOUT and not adaptive["hurried"]:
        return  # the probe already had the page's full time limit
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
    """Return the tiers to try after the tier *probe* failed with *reason*.

    On a wiki the API comes first. After a challenge or the shell of an application, a browser
    comes first. After a time-out, *probe* itself is repeated with the full time limit: at once if
    it is the *chosen* tier, else after the chosen one.

    :param rest: the remaining tiers of the plan
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


def _wants_stealth(state: State, word: str) -> bool:
    if word != "challenged":
        return word == "always"
    adaptive = state.get("adaptive")
    # By a vendor's mark: a plain 403 may be a page for members.
    return bool(adaptive and adaptive["stealth"]) or is_recognised(st.all_attempts(state))

"""State of a page on its way through the tiers, kept in ``request.meta``.

It contains plain dicts and lists only: with JOBDIR, requests are stored on disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from wikicrawler.errors import Reason
from wikicrawler.pages import CONTENT_KEY, PAGE_KEY
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.http import Request

    from wikicrawler.items import Attempt
    from wikicrawler.pages import Failure
    from wikicrawler.tiers.policy import Plan

STATE = "_tier_state"

#: Set on the request of the response that the spider gets; see docs/meta.md.
TIER = "tier"
ATTEMPTS = "tier_attempts"
PAGE = PAGE_KEY
CONTENT = CONTENT_KEY
WIKI = "tier_wiki"
RESULTS = (TIER, ATTEMPTS, PAGE, CONTENT, WIKI)

#: Keys that Scrapy's middlewares set for one fetch, which do not apply to the next tier's.
_OF_ONE_FETCH = (
    "retry_times",
    "redirect_times",
    "redirect_ttl",
    "redirect_urls",
    "redirect_reasons",
    "download_latency",
)
_SET = "_tier_set"  # the keys that a tier set for its own request only
_REPLACED = "_tier_replaced"  # the values that it replaced for that, by key


_NO_TIER = (Reason.NO_TIER, "no tier in its plan")


class State(TypedDict):
    """The state of one page."""

    asked: str  #: URL that the spider requested
    dont_filter: bool  #: of the spider's own request
    url: str  #: current URL of the page: changes with a redirect
    tier: str  #: the current tier
    sent: str  #: URL of the current tier's request
    plan: list[str]  #: the remaining tiers
    attempts: list[Attempt]
    redirects: int  #: number of redirects across all tiers
    # From wikicrawler.tiers.policy.Plan. Requests stored by older versions lack these keys.
    policy: NotRequired[str]
    propensity: NotRequired[float | None]
    instead: NotRequired[str]
    adaptive: NotRequired[Adaptive | None]  #: None if the plan is fixed
    waits: NotRequired[Waits]


class Adaptive(TypedDict):
    """The state of an adaptive plan."""

    probe: bool  #: True if the current tier is a probe
    hurried: bool  #: True if the probe's time limit is shorter than the page's
    chosen: str
    stealth: bool


class Waits(TypedDict):
    """How often a page was put off, and the attempts before that."""

    errors: int
    pauses: int
    attempts: list[Attempt]


def new_state(request: Request, plan: Plan) -> State:
    """Return the state of a page that *request* requests."""
    return State(
        asked=request.url,
        dont_filter=request.dont_filter,
        url=request.url,
        tier="",
        sent="",
        plan=list(plan.tiers),
        attempts=[],
        redirects=0,
        policy=plan.policy,
        propensity=plan.propensity,
        instead=plan.instead,
        adaptive=_adaptive(plan),
    )


def replan(state: State, plan: Plan, tiers: list[str]) -> None:
    """Continue with *tiers*: the tiers of *plan* that have not failed yet."""
    state["policy"], state["propensity"] = plan.policy, plan.propensity
    state["instead"], state["adaptive"] = plan.instead, _adaptive(plan)
    state["plan"] = tiers
    if state["adaptive"] is not None and tiers[:1] != [*plan.tiers[:1]]:
        state["adaptive"]["probe"] = False


def _adaptive(plan: Plan) -> Adaptive | None:
    if not plan.adaptive:
        return None
    return Adaptive(probe=plan.probe, hurried=False, chosen=plan.chosen, stealth=plan.stealth)


def record_attempt(state: State, failure: Failure | None, status: int | None) -> None:
    """Append the current tier's attempt to the state; *failure* is None for a success."""
    state["attempts"].append(
        {
            "tier": state["tier"],
            "reason": "ok" if failure is None else failure.reason.value,
            "status": status,
            "detail": "" if failure is None else one_line(failure.detail),
        }
    )


def last_failure(state: State) -> tuple[Reason, str]:
    """Return reason and detail of the last attempt, ignoring tiers that are not configured."""
    attempts = state["attempts"]
    failures = [a for a in attempts if a["reason"] != Reason.NO_TIER] or attempts
    return (Reason(failures[-1]["reason"]), failures[-1]["detail"]) if failures else _NO_TIER


def put_off(state: State, errors: int, pauses: int) -> None:
    """Reset the state for a later retry.

    :param errors: number of waits after an error, this one included
    :param pauses: number of waits for a pause of the site, this one included
    """
    state["waits"] = Waits(errors=errors, pauses=pauses, attempts=all_attempts(state))
    state["attempts"], state["plan"] = [], []
    state["tier"] = state["sent"] = ""


def is_put_off(state: State) -> bool:
    """Return True if the page was put off and has no current tier."""
    return not state["tier"]


def all_attempts(state: State) -> list[Attempt]:
    """Return every attempt at the page, including those before it was put off."""
    waits = state.get("waits")
    return [*waits["attempts"], *state["attempts"]] if waits else state["attempts"]


def fresh_copy(request: Request, url: str) -> Request:
    """Return *request* for *url* without what a tier set, so that the next tier has its own
    retries."""
    drop = {*_OF_ONE_FETCH, *RESULTS, _SET, _REPLACED, *request.meta.get(_SET, ())}
    kept = {key: value for key, value in request.meta.items() if key not in drop}
    return request.replace(url=url, meta=kept | request.meta.get(_REPLACED, {}))


def remove_tier_meta(request: Request) -> None:
    """Remove in place what a tier set, and the results: *request* is sent unchanged."""
    for key in (*RESULTS, *request.meta.pop(_SET, ())):
        request.meta.pop(key, None)
    request.meta.update(request.meta.pop(_REPLACED, {}))


def set_tier_meta(request: Request, **meta: object) -> None:
    """Set *meta* for this request of a tier only. Keys that the spider set keep their values."""
    mine = {key: value for key, value in meta.items() if key not in request.meta}
    request.meta.update(mine)
    request.meta[_SET] = [*request.meta.get(_SET, ()), *mine]


def replace_tier_meta(request: Request, key: str, value: object) -> None:
    """Set ``meta[key]`` for this request of a tier only, overriding the spider's value."""
    if key not in request.meta:
        set_tier_meta(request, **{key: value})
        return
    replaced = request.meta.setdefault(_REPLACED, {})
    replaced.setdefault(key, request.meta[key])
    request.meta[key] = value

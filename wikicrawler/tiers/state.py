"""State of a page on its way through the tiers, kept in ``request.meta``.

It contains plain dicts and lists only: with JOBDIR, requests are stored as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from wikicrawler.errors import SERVICE_OUTAGES, Reason
from wikicrawler.operations import CREDITS_KEY, RECORD_KEY
from wikicrawler.pages import CONTENT_KEY, PAGE_KEY, WIKI_KEY
from wikicrawler.process.internals.request_copies import copy_with_meta
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
REASON = "tier_reason"
PAGE = PAGE_KEY
CONTENT = CONTENT_KEY
WIKI = WIKI_KEY
RESULTS = (TIER, ATTEMPTS, REASON, PAGE, CONTENT, WIKI)

#: Keys that Scrapy's middlewares set for one fetch, which do not apply to the next tier's.
_OF_ONE_FETCH = (
    "retry_times",
    "redirect_times",
    "redirect_ttl",
    "redirect_urls",
    "redirect_reasons",
    "download_latency",
    RECORD_KEY,
    CREDITS_KEY,
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
    outage: NotRequired[Outage]
    original: NotRequired[str]  #: of the answer that is kept for the spider
    wiki_redirects: NotRequired[list[str]]  #: redirect pages on the way, as shown by the wiki


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


class Outage(TypedDict):
    """What a page has met of its tiers' services that are down."""

    tiers: list[str]  #: to be tried again
    waited: float  #: seconds, in all waits
    failures: int  #: number of failed requests
    answers: int  #: of the service to other pages, at the last of them
    strikes: int  #: number of failures while the service worked for others


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


def record_outage(state: State, failure: Failure, status: int | None) -> None:
    """Append the attempt of a tier whose service is down, unless the tier's last attempt says the
    same: it may be tried many times."""
    own = [attempt for attempt in state["attempts"] if attempt["tier"] == state["tier"]]
    if not own or own[-1]["reason"] != failure.reason:
        record_attempt(state, failure, status)


def outage_of(state: State) -> Outage:
    """Return the page's part in outages, an empty one if it has none."""
    return state.get("outage") or Outage(tiers=[], waited=0.0, failures=0, answers=0, strikes=0)


def last_failure(state: State) -> tuple[Reason, str]:
    """Return reason and detail of the last attempt, ignoring tiers that are not configured.

    The outage of a tier's service comes before what the other tiers found.
    """
    attempts = state["attempts"]
    failures = [a for a in attempts if a["reason"] != Reason.NO_TIER] or attempts
    of_tiers = {a["tier"]: a for a in failures}.values()
    failures = [a for a in of_tiers if a["reason"] in SERVICE_OUTAGES] or failures
    return (Reason(failures[-1]["reason"]), failures[-1]["detail"]) if failures else _NO_TIER


def put_off(state: State, errors: int, pauses: int) -> None:
    """Reset the state for a later retry.

    :param errors: number of waits after an error, this one included
    :param pauses: number of waits for a pause of the site, this one included
    """
    state["waits"] = Waits(errors=errors, pauses=pauses, attempts=all_attempts(state))
    state["attempts"], state["plan"] = [], []
    if "outage" in state:
        state["outage"]["tiers"] = []
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
    kept |= request.meta.get(_REPLACED, {})
    if url == request.url:
        return copy_with_meta(request, kept)
    return request.replace(url=url, meta=kept)


def copy_fetch_meta(request: Request, own: Request) -> None:
    """Give *own* the keys that Scrapy's middlewares set on *request* for its fetch, as in a
    response without the tiers."""
    for key in _OF_ONE_FETCH:
        if key in request.meta:
            own.meta[key] = request.meta[key]


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

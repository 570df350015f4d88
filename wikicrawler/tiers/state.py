"""How far a page has come through its tiers, as it travels in ``request.meta``.

Plain dicts and lists only: a request waits on disk where JOBDIR is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from wikicrawler.errors import Reason
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.http import Request

    from wikicrawler.items import Attempt
    from wikicrawler.pages import Failure
    from wikicrawler.tiers.policy import Plan

STATE = "_tier_state"

#: Left on the request of the response that is handed to the spider; see docs/meta.md.
TIER = "tier"
ATTEMPTS = "tier_attempts"
PAGE = "tier_page"
CONTENT = "tier_content"
WIKI = "tier_wiki"
RESULTS = (TIER, ATTEMPTS, PAGE, CONTENT, WIKI)

#: What the downloader's own middlewares leave on a request that is not true of the next tier's.
_OF_ONE_FETCH = (
    "retry_times",
    "redirect_times",
    "redirect_ttl",
    "redirect_urls",
    "redirect_reasons",
    "download_latency",
)
_SET = "_tier_set"  # the keys that a tier set for its own request alone
_REPLACED = "_tier_replaced"  # what it replaced for that, by key


_NO_TIER = (Reason.NO_TIER, "no tier in its plan")


class State(TypedDict):
    asked: str  #: URL that the spider asked for
    dont_filter: bool  #: of the spider's own request
    url: str  #: URL of the page now: another after a redirect
    tier: str  #: the tier whose request is on its way
    sent: str  #: URL of that request
    plan: list[str]  #: tiers still to be tried
    attempts: list[Attempt]
    redirects: int  #: that led from one request of its tiers to the next
    # Of the plan (wikicrawler.tiers.policy.Plan); what older versions left on disk has none.
    policy: NotRequired[str]
    propensity: NotRequired[float | None]
    instead: NotRequired[str]
    adaptive: NotRequired[Adaptive | None]  #: None where the plan stands as it is
    waits: NotRequired[Waits]


class Adaptive(TypedDict):
    """What an adaptive plan has yet to do for its page."""

    probe: bool  #: the tier on its way probes
    hurried: bool  #: by less time than a page has
    chosen: str
    stealth: bool


class Waits(TypedDict):
    """How often a page was put off, and what was tried before."""

    errors: int
    pauses: int
    attempts: list[Attempt]


def start(request: Request, plan: Plan) -> State:
    """The state of a page that is asked for by *request*."""
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


def plan_anew(state: State, plan: Plan, tiers: list[str]) -> None:
    """Go on with *tiers*, which are what *plan* says but for those that failed already."""
    state["policy"], state["propensity"] = plan.policy, plan.propensity
    state["instead"], state["adaptive"] = plan.instead, _adaptive(plan)
    state["plan"] = tiers
    if state["adaptive"] is not None and tiers[:1] != [*plan.tiers[:1]]:
        state["adaptive"]["probe"] = False


def _adaptive(plan: Plan) -> Adaptive | None:
    if not plan.adaptive:
        return None
    return Adaptive(probe=plan.probe, hurried=False, chosen=plan.chosen, stealth=plan.stealth)


def note(state: State, failure: Failure | None, status: int | None) -> None:
    """Record how the current tier's try ended; None is success."""
    state["attempts"].append(
        {
            "tier": state["tier"],
            "reason": "ok" if failure is None else failure.reason.value,
            "status": status,
            "detail": "" if failure is None else one_line(failure.detail),
        }
    )


def last_failure(state: State) -> tuple[Reason, str]:
    """The page's reason and its detail: of the last tier that says something of the page."""
    attempts = state["attempts"]
    telling = [a for a in attempts if a["reason"] != Reason.NO_TIER] or attempts
    return (Reason(telling[-1]["reason"]), telling[-1]["detail"]) if telling else _NO_TIER


def put_off(state: State, errors: int, pauses: int) -> None:
    """Begin anew, later: nothing has been tried then. The page has waited so often by then for an
    error to pass, and for its site's pauses to end."""
    state["waits"] = Waits(errors=errors, pauses=pauses, attempts=all_attempts(state))
    state["attempts"], state["plan"] = [], []
    state["tier"] = state["sent"] = ""


def is_put_off(state: State) -> bool:
    """Whether the page begins anew."""
    return not state["tier"]


def all_attempts(state: State) -> list[Attempt]:
    """Every attempt at the page, those before it was put off too."""
    waits = state.get("waits")
    return [*waits["attempts"], *state["attempts"]] if waits else state["attempts"]


def fresh_copy(request: Request, url: str) -> Request:
    """*request* for *url* as no tier has touched it, so that the next has its own retries."""
    drop = {*_OF_ONE_FETCH, *RESULTS, _SET, _REPLACED, *request.meta.get(_SET, ())}
    kept = {key: value for key, value in request.meta.items() if key not in drop}
    return request.replace(url=url, meta=kept | request.meta.get(_REPLACED, {}))


def clean(request: Request) -> None:
    """Undo in place what a tier set, and drop what was found: *request* goes out as it is."""
    for key in (*RESULTS, *request.meta.pop(_SET, ())):
        request.meta.pop(key, None)
    request.meta.update(request.meta.pop(_REPLACED, {}))


def set_for_one(request: Request, **meta: object) -> None:
    """Set *meta* for this request of a tier only; what the spider has set stands."""
    mine = {key: value for key, value in meta.items() if key not in request.meta}
    request.meta.update(mine)
    request.meta[_SET] = [*request.meta.get(_SET, ()), *mine]


def replace_for_one(request: Request, key: str, value: object) -> None:
    """Set ``meta[key]`` for this request of a tier only, whatever it was before."""
    if key not in request.meta:
        set_for_one(request, **{key: value})
        return
    replaced = request.meta.setdefault(_REPLACED, {})
    replaced.setdefault(key, request.meta[key])
    request.meta[key] = value

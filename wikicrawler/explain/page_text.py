"""The explanation of a page as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.explain.columns import budget_text, entry, heading, paragraph, table, time_text
from wikicrawler.learning.model.choice import Probing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.explain.facts import (
        Decision,
        ExplainedHour,
        ExplainedSegment,
        ExplainedTier,
        LeftOutTier,
        PageExplanation,
        Weights,
    )

_HEURISTICS = {
    "domain": "domain",
    "registered_domain": "registered domain",
    "suffix": "suffix",
    "shape": "shape",
    "scheme": "scheme",
    "configured": "configured tier",
}
_LEVELS = ("wiki or not", "suffix", "registered domain", "domain", "shape")
_LEFT_OUT = {
    "not_configured": "the configured order does not contain it",
    "no_wiki": "no wiki is known here",
    "not_worth_it": "a page through it would cost more than it is worth",
}
_LEGEND = (
    "seen: weight of the attempts on pages with the same value (halved after 30 days, less after a "
    "change of the site). used: without those of the next row (except in row suffix), scaled down "
    "to the cap. P(ok) = (prior × P(ok) of the row above + ok used) / (prior + ok + failed used), "
    "above the first row 0.5. 80%: the interval that contains P with that probability."
)
_ATTEMPTS_LEGEND = (
    "weight: current weight. chance: the probability of the policy's choice. P(ok): the estimate "
    "before the attempt."
)


def page_lines(page: PageExplanation) -> Iterator[str]:
    """Yield the lines of the explanation."""
    yield heading(page.url)
    for label, text in page_facts(page):
        yield from entry(label, text)
    yield ""
    for label, text in choice_facts(page):
        yield from entry(label, text)
    if page.tiers:
        yield ""
        yield from _tier_lines(page)
    for tier in page.tiers:
        yield ""
        yield from _level_lines(tier)
    if page.tiers:
        yield from paragraph(_LEGEND)
    yield ""
    yield from _attempt_lines(page)


def page_facts(page: PageExplanation) -> Iterator[tuple[str, str]]:
    """Yield what is known of the page before it is fetched, as pairs of a label and a text."""
    heuristics = (f"{name} {page.heuristics[key] or '-'}" for key, name in _HEURISTICS.items())
    yield "heuristics", ", ".join(heuristics)
    yield "wiki", _wiki(page)
    yield "site", budget_text(page.budget)
    if page.login:
        yield "log-in", page.login
    if page.proxy:
        yield "proxy", page.proxy
    yield "policy", _policy(page)


def choice_facts(page: PageExplanation) -> Iterator[tuple[str, str]]:
    """Yield which tiers are chosen and left out, as pairs of a label and a text."""
    if page.decision is None:
        yield "choice", "none: no tier is usable"
    else:
        yield from _decision(page, page.decision)
    for out in page.left_out:
        yield "left out", f"{out.tier}: {left_out_text(out)}"
    yield "not known", "robots.txt, which is not requested; a crawl obeys it"


def left_out_text(out: LeftOutTier) -> str:
    """Return why a tier is not tried."""
    return out.detail or _LEFT_OUT[out.why]


def _wiki(page: PageExplanation) -> str:
    by = {
        "configuration": "by mediawiki_sites",
        "attempts": "by the latest attempt on its domain",
        "nothing": "nothing indicates one",
    }
    return f"{'yes' if page.is_wiki else 'no'}: {by[page.is_wiki_by]}"


def _policy(page: PageExplanation) -> str:
    if page.decided_by == "learned":
        return f"{page.policy}: a crawl chooses as follows"
    order = ", ".join(page.static_order) or "no tier"
    action = f"tries {order}" if page.decided_by == "static" else "uses that class"
    return f"{page.policy}: a crawl {action}; the policy learned would choose as follows"


def _decision(page: PageExplanation, decision: Decision) -> Iterator[tuple[str, str]]:
    chosen, *others = sorted(page.tiers, key=lambda tier: tier.tier != decision.chosen)
    why = (
        f"{chosen.tier} fetches {_share(chosen.success.mean)} of such pages, at "
        f"{_cost(chosen.cost_index)} plain GETs each"
    )
    for tier in others:
        why += f"; {tier.tier} {_share(tier.success.mean)}, {_cost(tier.cost_index)}"
    yield "choice", f"{', then '.join(decision.order)}: {why}"
    yield "probe", _probe(decision)
    for one in decision.explored:
        share = f"{one.tier} is tried first on {_share(one.probability)} of such pages"
        yield "exploring", f"{share}: it would be cheaper if it worked"
    if not page.explore:
        yield "exploring", "none: WIKICRAWLER_EXPLORE is 0"
    elif not decision.explored:
        yield "exploring", "none: no other tier would be a fifth cheaper if it worked"
    if decision.stealth and (tier_name := decision.stealth_tier):
        text = f"the {tier_name} hides that it is automated from the start"
        yield "stealth", text


def _tier_lines(page: PageExplanation) -> Iterator[str]:
    heads = ("tier", "P(ok)", "80%", "95%", "P(ban)", "cost with bans", "cost of a page", "chosen")
    rows = [
        (
            tier.tier,
            _p(tier.success.mean),
            _interval(tier.success.interval_80),
            _interval(tier.success.interval_95),
            _p(tier.p_ban),
            f"{tier.cost:g} + {_p(tier.p_ban)} × {page.ban_cost:g}",
            _cost(tier.cost_index),
            _share(tier.probability),
        )
        for tier in page.tiers
    ]
    yield from table(heads, rows)


def _probe(decision: Decision) -> str:
    is_above = decision.confidence > decision.confident_above
    confidence = (
        f"the confidence in {decision.chosen} (P(ok) is higher with a probability of 80%) is "
        f"{_p(decision.confidence)}, {'' if is_above else 'not '}above {decision.confident_above:g}"
    )
    match decision.probing:
        case Probing.ITSELF:
            return f"{decision.chosen} itself, which costs no more than a plain GET: {confidence}"
        case Probing.PLAIN_GET:
            return (
                "a plain GET, whose response is the page or orders the remaining tiers: "
                f"{confidence}"
            )
        case Probing.HOPELESS:
            return f"none, because a plain GET fails too often here; {confidence}"
        case Probing.IMPOSSIBLE:
            return f"none, because plain HTTP is not among the tiers; {confidence}"
        case _:
            return f"none: {confidence}"


def _level_lines(tier: ExplainedTier) -> Iterator[str]:
    heads = (
        *(tier.tier, "ok seen", "failed", "banned", "ok used", "failed", "banned"),
        *("cap", "prior", "P(ok)", "80%", "P(ban)"),
    )
    rows: list[tuple[str, ...]] = []
    for name, level in zip(_LEVELS, tier.levels, strict=True):
        if name == _LEVELS[-1]:
            rows += _segment_rows(tier.segment)
        rows.append(
            (
                name,
                *_seen_and_used(level.seen, level.counted),
                f"{level.cap:g}",
                f"{level.strength:g}",
                _p(level.success.mean),
                _interval(level.success.interval_80),
                _p(level.p_ban),
            )
        )
    if tier.hour.weight or tier.hour.trial:
        rows.append(_hour_row(tier.hour))
    yield from table(heads, rows, gap=1)


def _hour_row(hour: ExplainedHour) -> tuple[str, ...]:
    return (
        "hour of day",
        *_seen_and_used(hour.earlier, hour.recent),
        "-",
        f"{hour.strength:g}",
        _p(hour.success.mean),
        f"trial {_p(hour.trial)}" if hour.trial else f"counts {_share(hour.weight)}",
        _p(hour.p_ban),
    )


def _segment_rows(segment: ExplainedSegment) -> Iterator[tuple[str, ...]]:
    p_ok, odds, p_ban = _p(segment.p_ok), f"odds × {segment.odds:.2g}", _p(segment.p_ban)
    is_last = segment.elsewhere is None
    yield (
        "first segment",
        *_seen_and_used(segment.seen, segment.counted),
        f"{segment.cap:g}",
        f"{segment.strength:g}",
        *((p_ok, odds, p_ban) if is_last else ("", odds, "")),
    )
    if not is_last:
        yield (
            f"elsewhere {segment.elsewhere}",
            *_seen_and_used(segment.given, segment.given_counted),
            f"{segment.cap:g}",
            f"{segment.given_strength:g}",
            *(p_ok, "", p_ban),
        )


def _seen_and_used(seen: Weights, used: Weights) -> Iterator[str]:
    return (_weight(w) for x in (seen, used) for w in (x.successes, x.failures, x.bans))


def _attempt_lines(page: PageExplanation) -> Iterator[str]:
    if not page.attempts:
        yield "  No attempts on this domain: the estimates come from other domains."
        return
    heads = (
        "last (UTC)",
        "tier",
        "reason",
        "HTTP",
        "weight",
        "policy",
        "chance",
        "P(ok)",
        "page",
    )
    rows = [
        (
            time_text(one.at),
            one.tier,
            one.reason,
            str(one.status or "-"),
            _weight(one.weight),
            one.policy,
            "-" if one.propensity is None else _share(one.propensity),
            "-" if one.expected is None else _p(one.expected),
            _path(one.url),
        )
        for one in page.attempts
    ]
    yield from table(heads, rows, left={0, 1, 2, 5, 8})
    yield from paragraph(_ATTEMPTS_LEGEND)


def _weight(weight: float) -> str:
    return f"{weight:.2f}" if weight < 1000 else f"{weight:,.0f}"


def _cost(cost: float) -> str:
    return f"{cost:,.2f}"


def _p(p: float) -> str:
    return f"{p:.3f}"


def _share(p: float) -> str:
    return f"{p:.1%}"


def _interval(bounds: tuple[float, float]) -> str:
    return f"{_p(bounds[0])}–{_p(bounds[1])}"


def _path(url: str) -> str:
    """Return the part of *url* after its host."""
    _, _, rest = url.partition("://")
    return rest[rest.find("/") :] if "/" in rest else rest

"""Explanations for a person, in lines of at most :data:`WIDTH` columns."""

from __future__ import annotations

import textwrap
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wikicrawler.learning.choice import Probing
from wikicrawler.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from wikicrawler.learning.explain import Decision, PageExplanation, TierBelief

WIDTH = 100
_LABEL = 12

_LEFT_OUT = {
    "not_configured": "the configured order does not name it",
    "no_wiki": "no wiki is known here",
    "no_server": "CRAWL4AI_URL names no crawl4ai server",
    "not_worth_it": "if its next attempt worked, a page would still cost more than it is worth",
}
_LEVELS = ("wiki or not", "and suffix", "registered domain", "domain", "and shape of path")
_LEGEND = (
    "seen: attempts on pages that share this, weighed by 0.5 ^ (days / 30) and by the changes since. "
    "counted: of these, what the next row does not count again, at most its cap. "
    "P = (strength × P of the row above + ok counted) / (strength + ok and failed counted); above "
    "the first row it is 0.5."
)


def page_lines(page: PageExplanation) -> Iterator[str]:
    """*page*, from what a crawl does to what that comes from."""
    yield _cut(page.url)
    named = {name: value or "none" for name, value in page.heuristics.items()}
    order = "domain", "registered_domain", "suffix", "shape", "scheme", "wiki"
    told = ", ".join(f"{name.replace('_', ' ')} {named[name]}" for name in order)
    yield from _entry("heuristics", told)
    yield from _entry("site", page.site)
    yield from _entry("wiki", _wiki(page))
    yield from _entry("policy", _policy(page))
    yield ""
    if page.decision is None:
        yield from _entry("choice", "none: no tier can be tried")
    else:
        yield from _decision_lines(page, page.decision)
    for out in page.left_out:
        yield from _entry("left out", f"{out.tier}: {_LEFT_OUT[out.why]}")
    yield from _entry("not asked", "robots.txt: a tier that it forbids is passed over in a crawl")
    for tier in page.tiers:
        yield ""
        yield from _level_lines(tier)
    if page.tiers:
        yield from textwrap.wrap(_LEGEND, WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
    yield ""
    yield from _attempt_lines(page)


def _wiki(page: PageExplanation) -> str:
    answer = "yes" if page.is_wiki else "no"
    if page.is_wiki_by == "configuration":
        return f"{answer}: mediawiki_sites names its domain"
    if page.is_wiki_by == "attempts":
        return f"{answer}: so says the latest attempt on its domain"
    return f"{answer}: nothing says so"


def _policy(page: PageExplanation) -> str:
    order = ", ".join(page.static_order) or "none"
    if page.policy == "learned":
        return f"learned: a crawl chooses as follows (configured order: {order})"
    return f"{page.policy}: a crawl goes by {order}; what follows is what learned would choose"


def _decision_lines(page: PageExplanation, decision: Decision) -> Iterator[str]:
    chosen, *others = sorted(page.tiers, key=lambda tier: tier.tier != decision.chosen)
    why = f"a page by {chosen.tier} costs {_cost(chosen.cost_index)} plain GETs"
    for other in others:
        why += f", by {other.tier} {_cost(other.cost_index)}"
    yield from _entry("choice", f"{', then '.join(decision.order)}: {why}")
    yield from _entry("probe", _probe(decision))
    for other in decision.explored:
        share = f"{other.tier} is tried first on {other.probability:.1%} of the pages"
        yield from _entry("exploring", f"{share}: if it works after all, it is cheaper")
    if not decision.explored:
        yield from _entry("exploring", "nothing: no other tier could be cheaper by a fifth")
    rows = [
        (
            tier.tier,
            _p(tier.success.mean),
            _interval(tier.success.interval_80),
            _interval(tier.success.interval_95),
            _p(tier.p_ban),
            f"{_cost(tier.cost)} + {_p(tier.p_ban)} × {page.ban_cost:g}",
            _cost(tier.cost_index),
            f"{tier.probability:.1%}",
        )
        for tier in page.tiers
    ]
    yield ""
    heads = ("tier", "P(ok)", "80 %", "95 %", "P(ban)", "cost + P(ban) × ban", "a page", "chosen")
    yield from _table(heads, rows)


def _probe(decision: Decision) -> str:
    confidence = (
        f"the confidence in {decision.chosen} is {_p(decision.confidence)} (P exceeds that with a "
        f"probability of 80 %)"
    )
    limit = f"{decision.confident_above:g}"
    match decision.probing:
        case Probing.CONFIDENT:
            return f"no: {confidence}, above {limit}"
        case Probing.ITSELF:
            return f"{decision.chosen} itself: {confidence}, not above {limit}"
        case Probing.PLAIN_GET:
            return (
                f"a plain GET comes first: {confidence}, not above {limit}; if it brings the page, "
                "that is it, else what it shows orders the rest"
            )
        case Probing.HOPELESS:
            why = "a plain GET fails too often here"
        case _:
            why = "plain HTTP is none of the tiers"
    return f"no, though {confidence}, not above {limit}: {why}"


def _level_lines(tier: TierBelief) -> Iterator[str]:
    rows = [
        (
            name,
            *map(_weight, (level.seen.successes, level.seen.failures, level.seen.bans)),
            *map(_weight, (level.counted.successes, level.counted.failures)),
            f"{level.cap:g}",
            f"{level.strength:g}",
            _p(level.success.mean),
            _interval(level.success.interval_80),
            _p(level.p_ban),
        )
        for name, level in zip(_LEVELS, tier.levels, strict=True)
    ]
    heads = (
        *(tier.tier, "seen: ok", "failed", "banned", "counted: ok", "failed", "cap"),
        *("strength", "P(ok)", "80 %", "P(ban)"),
    )
    yield from _table(heads, rows)


def _attempt_lines(page: PageExplanation) -> Iterator[str]:
    if not page.attempts:
        yield "  No attempts on this domain are recorded: all of the above comes from other sites."
        return
    rows = [
        (
            f"{one.at:%Y-%m-%d %H:%M:%S}",
            one_line(one.tier, 12),
            one_line(one.reason, 15),
            str(one.status or ""),
            _weight(one.weight),
            one_line(one.policy, 12),
            _or_none(one.propensity),
            _or_none(one.expected),
            one_line(one.url),
        )
        for one in page.attempts
    ]
    heads = ("last attempts", "tier", "reason", "HTTP", "weight", "policy", "chance", "P", "url")
    yield from _table(heads, rows, left={0, 1, 2, 5, 8})


def _entry(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        one_line(text, 2000),
        WIDTH,
        initial_indent=f"  {label:<{_LABEL}}",
        subsequent_indent=" " * (_LABEL + 2),
        break_on_hyphens=False,
    )


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], left: Iterable[int] = (0,)
) -> Iterator[str]:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for number, head in enumerate(heads):
        justify = "left" if number in left else "right"
        table.add_column(Text(head), justify=justify, no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(file=StringIO(), width=WIDTH - 2, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        yield f"  {line}".rstrip()


def _cut(text: str) -> str:
    shown = one_line(text)
    return shown if len(shown) <= WIDTH else shown[: WIDTH - 1] + "…"


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def _weight(weight: float) -> str:
    return f"{weight:.2f}" if weight < 1000 else f"{weight:,.0f}"


def _cost(cost: float) -> str:
    return f"{cost:,.2f}"


def _p(p: float) -> str:
    return f"{p:.3f}"


def _interval(bounds: tuple[float, float]) -> str:
    return f"{_p(bounds[0])}–{_p(bounds[1])}"


def _or_none(p: float | None) -> str:
    return "" if p is None else _p(p)

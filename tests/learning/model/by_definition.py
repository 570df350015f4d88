"""Sample attempts, and a reference implementation of the estimates: sums over all attempts, and the
formulas of the documentation."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.learning.pages import segment_sums
from tests.store.samples import attempt
from wikicrawler.learning.model.features import features_of
from wikicrawler.learning.model.outcomes import outcome_of
from wikicrawler.learning.model.sums import LEVELS, Changed, Observation, sum_observations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wikicrawler.learning.model.segments import SegmentSums
    from wikicrawler.store.attempts import FetchAttempt

DAY = 86_400.0

STRENGTH = (2, 10, 1, 0.5, 0.2)
CAP = (50, 50, 20, 40, 40)


def made(
    at: float, url: str, tier: str, reason: str, *, is_wiki: bool = False, **facts: Any
) -> FetchAttempt:
    """Return an attempt at *url* that ended with *reason*."""
    features = features_of(url, is_wiki=is_wiki, configured="http")
    facts = {"status": 403 if reason.startswith("blocked") else 200, "heuristics": ()} | facts
    banned = reason.startswith("blocked")
    known = features.named() | {"site": features.registered_domain}
    return attempt(
        at=at, url=url, tier=tier, reason=reason, ok=reason == "ok", is_banned=banned,
        **known, **facts,
    )  # fmt: skip


def many(now: float, number: int = 400, seed: int = 1) -> list[FetchAttempt]:
    """Return attempts of all tiers over three months, on sites with several hosts, in order of
    time."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    found = []
    for at in sorted(now - chance.random() * 90 * DAY for _ in range(number)):
        host = f"{chance.choice(['www', 'shop', 'wiki'])}.site{chance.randrange(3)}.com"
        path = chance.choice(["/", "/app/x", "/blog/a.html", "/a.php?b=1"])
        reason = chance.choice(["ok", "ok", "ok", "js_shell", "blocked", "timeout"])
        tier = chance.choice(["mediawiki", "http", "browser"])
        is_wiki = host.startswith("wiki")
        found.append(made(at, f"https://{host}{path}", tier, reason, is_wiki=is_wiki))
    return found


def rows_of(attempts: Iterable[FetchAttempt]) -> list[Observation]:
    return [
        Observation(
            one.at,
            one.tier,
            outcome_of(one.reason, final=one.final),
            {name: getattr(one, name) for names in LEVELS for name in names},
        )
        for one in attempts
    ]


def assert_follows(
    facts: Mapping[str, Any],
    rows: Sequence[Observation],
    at: float,
    changes: Sequence[Changed] = (),
) -> None:
    """Assert that the *facts* of a tier, as explained, follow from *rows*."""
    levels, segment, tier = facts["levels"], facts["segment"], facts["tier"]
    shape = levels[-1]["heuristics"]["shape"]
    like = features_of("https://a.example/", is_wiki=segment["heuristics"]["wiki"] == "wiki")
    domain = levels[-1]["heuristics"]["domain"]
    sums_of_segment = segment_sums(rows, tier, like._replace(shape=shape, domain=domain), at)
    seen = [sum_observations(rows, tier, level["heuristics"], at, changes) for level in levels]
    p_ok, p_ban = 0.5, 0.0
    assert segment["elsewhere"] == sums_of_segment.elsewhere
    for name, of in (("seen", "own"), ("every", "every"), ("given", "given")):
        assert segment[name] == same(dict(zip(NAMES, getattr(sums_of_segment, of), strict=True)))
    for number, (level, sums) in enumerate(zip(levels, seen, strict=True)):
        assert set(level["heuristics"]) == set(LEVELS[number])
        assert level["seen"] == same(dict(zip(NAMES, sums, strict=True)))
        own = list(sums)
        if number in {0, 2, 3}:  # the next level counts these attempts again
            own = [mine - theirs for mine, theirs in zip(sums, seen[number + 1], strict=True)]
        if number == 4:  # the shape
            p_ok, p_ban = shifted(p_ok, p_ban, sums_of_segment)
            assert (segment["p_ok"], segment["p_ban"]) == (same(p_ok), same(p_ban))
        total = own[0] + own[1]
        ok, failed, banned = (x * min(1, CAP[number] / total) if total else 0 for x in own)
        assert level["counted"] == same({"successes": ok, "failures": failed, "bans": banned})
        assert (level["strength"], level["cap"]) == (STRENGTH[number], CAP[number])
        assert level["prior"] == same(p_ok)
        weight = STRENGTH[number] + ok + failed
        assert level["success"]["a"] == same(STRENGTH[number] * p_ok + ok)
        assert level["success"]["b"] == same(STRENGTH[number] * (1 - p_ok) + failed)
        p_ok = (STRENGTH[number] * p_ok + ok) / weight
        p_ban = (STRENGTH[number] * p_ban + banned) / weight
        assert level["success"]["mean"] == same(p_ok)
        assert level["p_ban"] == same(p_ban)


def shifted(p_ok: float, p_ban: float, sums: SegmentSums) -> tuple[float, float]:
    """The estimate for a site, shifted by the effect of a first segment."""
    own, every, given = sums.own, sums.every, sums.given
    seen, whole = own.successes + own.failures, 2 + every.successes + every.failures
    scale = min(1, 50 / seen) if seen else 0
    mean, ban = (1 + every.successes) / whole, every.bans / whole
    mean_own = (10 * mean + scale * own.successes) / (10 + scale * seen)
    ban_own = (10 * ban + scale * own.bans) / (10 + scale * seen)
    odds = p_ok / (1 - p_ok) * mean_own / (1 - mean_own) / (mean / (1 - mean))
    p_ok = odds / (1 + odds)
    p_ban = min(1 - p_ok, max(0, p_ban + ban_own - ban))
    alike = given.successes + given.failures
    if alike:
        scale = min(1, 50 / alike)
        p_ok = (5 * p_ok + scale * given.successes) / (5 + scale * alike)
        p_ban = (5 * p_ban + scale * given.bans) / (5 + scale * alike)
    return p_ok, p_ban


NAMES = ("successes", "failures", "bans")


def same(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-9, rel=1e-9)

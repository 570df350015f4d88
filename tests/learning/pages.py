"""Pages and attempts to learn from."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from wikicrawler.learning.model.features import Features, features_of, segment_of
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.segments import Elsewhere, SegmentSums
from wikicrawler.learning.model.sums import HALF_LIFE, Observation, Sums, sum_observations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DAY = 86_400.0
NOW = 1_700_000_000.0


def page(url: str, *, is_wiki: bool = False) -> Features:
    return features_of(url, is_wiki=is_wiki)


def segment_sums(rows: Iterable[Observation], tier: str, features: Features, at: float):
    """The evidence on the first segment, from all attempts: each part of a site counts as three at
    most, as of its latest one."""
    parts: dict[tuple[str, str], list[Observation]] = {}
    for one in rows:
        if one.outcome is Outcome.NONE or one.tier != tier or one.at > at:
            continue
        if one.heuristics["wiki"] == features.wiki:
            key = segment_of(one.heuristics["shape"]), one.heuristics["domain"]
            parts.setdefault(key, []).append(one)
    elsewhere = _elsewhere(parts, features.segment, features.domain)
    if (features.segment, features.domain) in parts:
        elsewhere = None
    own, every, given = [0.0] * 3, [0.0] * 3, [0.0] * 3
    for (segment, domain), part in parts.items():
        last = max(one.at for one in part)
        sums = sum_observations(part, tier, {}, last)
        scale = min(1, 3 / (sums.successes + sums.failures)) * 0.5 ** ((at - last) / HALF_LIFE)
        totals = [every]
        if segment == features.segment:
            totals.append(own)
            if elsewhere and _elsewhere(parts, segment, domain) == elsewhere:
                totals.append(given)
        for total in totals:
            total[:] = [x + scale * y for x, y in zip(total, sums, strict=True)]
    return SegmentSums(Sums(*own), Sums(*every), elsewhere, Sums(*given))


def _elsewhere(parts: Mapping[tuple[str, str], list[Observation]], segment: str, domain: str):
    """How the parts of the *domain* other than *segment* end."""
    shares = []
    for (other, of), part in parts.items():
        if of == domain and other != segment:
            sums = sum_observations(part, part[0].tier, {}, max(one.at for one in part))
            shares.append(sums.successes / (sums.successes + sums.failures))
    little = 1e-9  # sums are rounded
    endings = {share > 0.5 for share in shares if not 0.25 + little < share < 0.75 - little}
    if len(endings) == 2:
        return Elsewhere.MIXED
    return (Elsewhere.OK if True in endings else Elsewhere.FAILED) if endings else None


def assert_same_segments(kept: SegmentSums, summed: SegmentSums) -> None:
    assert kept.elsewhere is summed.elsewhere
    for name in ("own", "every", "given"):
        assert getattr(kept, name) == pytest.approx(getattr(summed, name), abs=1e-9, rel=1e-9)


def attempts(number: int, seed: int = 1) -> list[tuple[Features, Observation]]:
    """Attempts of three tiers over three half-lives, on sites with several hosts and parts, in the
    order of time."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    times = sorted(NOW - chance.random() * 3 * HALF_LIFE for _ in range(number))
    found = []
    for at in times:
        host = f"{chance.choice(['www', 'shop', 'wiki'])}.site{chance.randrange(4)}.com"
        path = chance.choice(["/", "/app/x", "/blog/a.html", "/a.php?b=1", "/2024/05/x"])
        features = page(f"https://{host}{path}", is_wiki=host.startswith("wiki"))
        tier = chance.choice(["mediawiki", "http", "browser"])
        outcome = chance.choice([Outcome.SUCCESS, Outcome.SUCCESS, Outcome.FAILURE, Outcome.BAN])
        found.append((features, Observation(at, tier, outcome, features.named())))
    return found

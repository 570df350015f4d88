"""Pages and attempts to learn from."""

from __future__ import annotations

import random

from wikicrawler.learning.model.features import Features, features_of
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.sums import HALF_LIFE, Observation

DAY = 86_400.0
NOW = 1_700_000_000.0


def page(url: str, *, is_wiki: bool = False) -> Features:
    return features_of(url, is_wiki=is_wiki)


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

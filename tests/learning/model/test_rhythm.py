"""Evidence on the hour of the day."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.learning.pages import DAY, page
from wikicrawler.learning.model.beta import Beta
from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.estimate import Estimate, at_hour
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.rhythm import (
    HOUR,
    HOURS,
    NO_HOUR,
    HourEffect,
    HourSum,
    Rhythms,
    score_of,
    trials_of,
)
from wikicrawler.learning.model.sums import HALF_LIFE, Observation, Sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OK, FAILED, BANNED = Outcome.SUCCESS, Outcome.FAILURE, Outcome.BAN
MIDNIGHT = 1_700_006_400.0
SITE = page("https://a.example/x")
COSTS = Costs({"http": 1.0, "browser": 15.0}, ban=10.0, page=250.0, probe="http")


def hour(day: int, of_day: int) -> int:
    return int(MIDNIGHT // HOUR) + 24 * day + of_day


def visit(day: int, of_day: int, outcome: Outcome, times: int = 5) -> HourSum:
    won = outcome is OK
    return HourSum(hour(day, of_day), won * times, (not won) * times, (outcome is BANNED) * times)


def by_definition(rows: Iterable[Observation], tier: str, domain: str, at: float):
    """The sums of earlier days and of the last hours, directly from all attempts."""
    hours: dict[int, list[Observation]] = defaultdict(list)
    for row in rows:
        if (row.tier, row.heuristics["domain"]) == (tier, domain):
            hours[int(row.at // 3600)].append(row)
    now, found = int(at // 3600), [[0.0] * 3, [0.0] * 3]
    last = max(hours)
    for one in sorted(hours)[-48:]:
        age, attempts = now - one, hours[one]
        apart = min(abs(now % 24 - one % 24), 24 - abs(now % 24 - one % 24))
        weights = [0.0, 0.0]
        if age >= 12:
            weights[0] = {0: 1, 1: 0.7, 2: 0.4, 3: 0.15}.get(apart, 0)
            weights[0] *= 0.5 ** (age * 3600 / HALF_LIFE)
        weights[1] = {0: 1, 1: 0.3, 2: 0.1}.get(age, 0) if one == last else 0
        cap = min(1, 3 / len(attempts))
        for sums, weight in zip(found, weights, strict=True):
            for number, outcomes in enumerate(({OK}, {FAILED, BANNED}, {BANNED})):
                sums[number] += weight * cap * sum(row.outcome in outcomes for row in attempts)
    return found


def assert_rhythms_as_by_definition(
    evidence: Evidence, rows: Sequence[Observation], at: float
) -> int:
    """Return how many estimates depended on the hour."""
    weighed = 0
    for tier, domain in {(row.tier, row.heuristics["domain"]) for row in rows}:
        effect = evidence.rhythms.effect(page(f"https://{domain}/x"), tier, at)
        if effect is not NO_HOUR:
            earlier, recent = by_definition(rows, tier, domain, at)
            assert effect.earlier == pytest.approx(earlier, abs=1e-9)
            assert effect.recent == pytest.approx(recent, abs=1e-9)
            weighed += effect.weight > 0
    return weighed


def rhythmic(number: int, seed: int) -> list[tuple[object, Observation]]:
    """Attempts on sites of which some fail by day, in order of time."""
    chance, found = Random(seed), []  # noqa: S311 - no secret
    for at in sorted(MIDNIGHT + chance.random() * 20 * DAY for _ in range(number)):
        host = f"s{chance.randrange(4)}.example"
        by_day = int(at // HOUR) % 24 in range(8, 20) and host < "s2"
        outcome = chance.choice([BANNED, FAILED]) if by_day else OK
        outcome = chance.choice([OK, FAILED]) if chance.random() < 0.1 else outcome
        tier = chance.choice(["http", "browser"])
        features = page(f"https://{host}/x")
        found.append((features, Observation(at, tier, outcome, features.named())))
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shuffled", [False, True])
def test_sums_are_those_over_the_attempts(seed: int, *, shuffled: bool) -> None:
    made, evidence = rhythmic(150, seed), Evidence()
    ordered = list(made)
    if shuffled:
        Random(seed).shuffle(ordered)  # noqa: S311 - no secret
    for features, row in ordered:
        evidence.add(features, row.tier, row.outcome, row.at)
    rows = [row for _, row in made]
    hours = range(20 * 24, 21 * 24, 5)
    weighed = [assert_rhythms_as_by_definition(evidence, rows, MIDNIGHT + n * HOUR) for n in hours]
    assert sum(weighed) > 0


def test_parts_add_up_to_the_whole() -> None:
    made, whole, older, newer = rhythmic(200, 3), Evidence(), Evidence(), Evidence()
    for number, (features, row) in enumerate(made):
        for evidence in (whole, older if number < 120 else newer):
            evidence.add(features, row.tier, row.outcome, row.at)
    newer.merge_older(older)
    at = MIDNIGHT + 20.4 * DAY
    for features, row in made:
        effects = [e.rhythms.effect(features, row.tier, at) for e in (newer, whole)]
        assert effects[0] == effects[1]


# Whether the hour decides

BLOCKED_BY_DAY = [
    visit(0, 3, OK), visit(0, 11, BANNED), visit(1, 2, OK), visit(1, 12, BANNED), visit(2, 4, OK)
]  # fmt: skip


@pytest.mark.parametrize(
    ("hours", "score"),
    [
        ([], 0),
        ([visit(0, 3, OK)], 0),
        ([visit(0, 3, OK), visit(0, 11, BANNED)], 0),  # changed, as far as is known
        ([visit(0, 3, OK), visit(0, 11, BANNED), visit(1, 3, OK)], 1),
        ([visit(0, 3, OK), visit(0, 11, BANNED), visit(1, 3, BANNED)], -1),  # it changed
        (BLOCKED_BY_DAY, 3),
        ([*BLOCKED_BY_DAY, visit(2, 12, BANNED), visit(3, 3, OK)], 3),  # at most
        ([visit(d, 3, OK) for d in range(9)], 0),
        ([visit(d, 3, OK if d < 5 else BANNED) for d in range(9)], -1),
        ([visit(d, h, OK if d < 2 else FAILED) for d in range(5) for h in (3, 12)], -1),
    ],
)
def test_how_often_the_hour_was_right_where_the_latest_attempts_were_not(
    hours: list[HourSum], score: int
) -> None:
    assert score_of(hours) == score


def effect_of(*hours: HourSum, day: int, of_day: int, others: Sequence[list[HourSum]] = ()):
    rhythms = Rhythms()
    for number, theirs in enumerate(others):
        rhythms.add_hours("http", f"other{number}.example", "*", theirs)
    rhythms.add_hours("http", SITE.domain, SITE.segment, hours)
    return rhythms.effect(SITE, "http", MIDNIGHT + day * DAY + of_day * HOUR)


@pytest.mark.parametrize(
    "hours",
    [
        [visit(d, 3 * d, OK) for d in range(6)],
        [visit(d, 3, FAILED) for d in range(6)],
        [HourSum(hour(d, 3 * d), 7, 3, 0) for d in range(6)],  # fails at times
    ],
    ids=["works", "fails", "fails at times"],
)
def test_a_site_without_a_rhythm_is_estimated_as_before(hours: list[HourSum]) -> None:
    before = Estimate(Beta(3.0, 2.0), 0.1)
    for of_day in range(24):
        assert at_hour(before, effect_of(*hours, day=7, of_day=of_day))[:2] == before[:2]


def test_a_rhythm_decides() -> None:
    blocked = Estimate(Beta(0.5, 20.0), 0.9)
    at_night = at_hour(blocked, effect_of(*BLOCKED_BY_DAY, day=5, of_day=3))
    assert at_night.success.mean > 0.9
    assert at_night.ban < 0.1
    by_day = at_hour(Estimate(Beta(20.0, 0.5), 0.0), effect_of(*BLOCKED_BY_DAY, day=5, of_day=12))
    assert by_day.success.mean < 0.1
    assert by_day.ban > 0.9


def test_the_last_attempts_outweigh_earlier_days() -> None:
    closed = [*BLOCKED_BY_DAY, visit(5, 3, BANNED, 2)]
    found = at_hour(Estimate(Beta(5.0, 5.0), 0.5), effect_of(*closed, day=5, of_day=3))
    assert found.success.mean < 0.2


def test_a_site_that_changed_has_no_rhythm() -> None:
    days = [visit(d, h, OK if d < 3 else FAILED) for d in range(6) for h in (3, 12, 20)]
    assert effect_of(*days, day=6, of_day=3).weight < 0.1


# Trials


def test_trials_at_unknown_hours_are_counted() -> None:
    assert trials_of(BLOCKED_BY_DAY) == {}
    assert trials_of([visit(0, 12, BANNED), visit(0, 22, OK)]) == {(True, False): (1, 0)}
    assert trials_of([visit(0, 12, FAILED), visit(0, 22, FAILED)]) == {(False, False): (0, 1)}
    known = [visit(0, 12, BANNED), visit(1, 12, OK), visit(1, 13, OK)]
    assert trials_of(known) == {}


@pytest.mark.parametrize("outcome", [FAILED, BANNED])
def test_trials_on_other_sites_say_how_likely_one_succeeds(outcome: Outcome) -> None:
    def trial(then: Outcome, times: int) -> float:
        others = [[visit(0, 12, outcome), visit(0, 22, then)]] * times
        found = effect_of(visit(0, 12, outcome), day=1, of_day=1, others=others)
        assert found.weight == 0
        return found.trial

    assert trial(OK, 0) == pytest.approx(0.25)
    assert trial(OK, 20) == pytest.approx(21 / 24)
    assert trial(outcome, 20) == pytest.approx(1 / 24)
    assert trial(outcome, 10_000) == pytest.approx(1 / 54)


@pytest.mark.parametrize("of_day", [12, 13, 14])
def test_no_trial_is_due_soon_after_an_attempt(of_day: int) -> None:
    assert effect_of(visit(0, 12, FAILED), day=0, of_day=of_day).trial == 0


def test_no_trial_is_due_at_an_hour_that_is_known() -> None:
    assert effect_of(visit(0, 12, FAILED), day=1, of_day=13).trial == 0
    assert effect_of(visit(0, 12, FAILED), day=1, of_day=20).trial > 0


def test_a_trial_is_made_where_it_is_cheap_for_what_it_may_save() -> None:
    learner = Learner(COSTS, Random(1))  # noqa: S311 - no secret
    for n in range(20):
        learner.record(SITE, "http", BANNED, MIDNIGHT + 12 * HOUR + n)
        learner.record(SITE, "browser", OK, MIDNIGHT + 12 * HOUR + n)

    def shares(at: float) -> float:
        chosen = [learner.choose(SITE, ("http", "browser"), at).chosen for _ in range(300)]
        return chosen.count("http") / 300

    assert shares(MIDNIGHT + 12.5 * HOUR) < 0.05
    assert shares(MIDNIGHT + 23 * HOUR) == pytest.approx(0.8, abs=0.1)
    learner.record(SITE, "http", BANNED, MIDNIGHT + 23 * HOUR)
    assert shares(MIDNIGHT + 23 * HOUR + 60) < 0.05
    free = Learner(COSTS._replace(explore=0.0), Random(1), learner.evidence)  # noqa: S311
    at = MIDNIGHT + DAY + 5 * HOUR
    assert learner.choose(SITE, ("http", "browser"), at).options[1].estimate.trial > 0
    assert {free.choose(SITE, ("http", "browser"), at).chosen for _ in range(300)} == {"browser"}


# A site in succession


@pytest.mark.parametrize("first", [0, 5, 8, 17, 22])
@pytest.mark.parametrize("length", [6, 12])
def test_a_site_that_blocks_at_some_hours_is_followed(first: int, length: int) -> None:
    learner, chance = Learner(COSTS, Random(1)), Random(first)  # noqa: S311 - no secret
    right = pages = 0
    for day in range(20):
        for of_day in sorted(chance.sample(range(24), 4)):
            blocks = (of_day - first) % 24 < length
            for n in range(10):
                at = MIDNIGHT + day * DAY + of_day * HOUR + 4 * n
                order = learner.choose(SITE, ("http", "browser"), at).order
                if day >= 10:
                    pages += 1
                    right += order[0] == ("browser" if blocks else "http")
                for tier in order:
                    outcome = BANNED if tier == "http" and blocks else OK
                    learner.record(SITE, tier, outcome, at)
                    if outcome is OK:
                        break
    assert right / pages > 0.85


# Bounds


def test_the_number_of_rhythms_and_hours_is_bounded() -> None:
    rhythms = Rhythms(max_rhythms=20)
    for number in range(500):
        rhythms.add(page(f"https://s{number}.example/"), "http", FAILED, MIDNIGHT)
    assert len(rhythms) == 20
    for number in range(500):
        rhythms.add(SITE, "http", FAILED, MIDNIGHT + number * HOUR)
    assert [len(one.hours) for one in rhythms._rhythms.values()].count(HOURS) == 1
    rhythms.add_hours("http", "more.example", "*", [visit(0, 1, OK)])
    assert len(rhythms) == 20


def test_a_new_site_has_no_rhythm() -> None:
    assert Rhythms().effect(SITE, "http", MIDNIGHT) == HourEffect(
        Sums(0, 0, 0), Sums(0, 0, 0), 0, is_new=False, trial=0
    )


def test_paths_of_different_kinds_make_no_rhythm() -> None:
    """Documents come by day, the shop blocks at night: that is no rhythm of either."""
    rhythms = Rhythms()
    docs, shop = (page(f"https://a.example/{part}/x") for part in ("docs", "shop"))
    for day in range(6):
        rhythms.add(docs, "http", OK, MIDNIGHT + day * DAY + 12 * HOUR)
        rhythms.add(shop, "http", BANNED, MIDNIGHT + day * DAY)
    for of_day in range(24):
        at = MIDNIGHT + 6 * DAY + of_day * HOUR
        assert rhythms.effect(docs, "http", at) is NO_HOUR
        assert rhythms.effect(shop, "http", at).weight == 0

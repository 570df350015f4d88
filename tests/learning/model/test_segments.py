"""Evidence on the first segment of a path, across sites."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tests.learning.pages import DAY, NOW, assert_same_segments, attempts, page, segment_sums
from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.features import segment_of, shape_of
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.segment_effect import NO_EFFECT, Effect, effect_of
from wikicrawler.learning.model.segments import MAX_COMPARED, Elsewhere, Segments, SegmentSums
from wikicrawler.learning.model.sums import Sums

OK, FAILED, BANNED = Outcome.SUCCESS, Outcome.FAILURE, Outcome.BAN
COSTS = Costs({"http": 1.0, "browser": 30.0}, ban=15.0, page=400.0, probe="http")


@pytest.mark.parametrize(
    ("path", "segment"),
    [
        ("/", "*"),
        ("", "*"),
        ("/page", "*"),
        ("/page.html", "*"),
        ("/app/", "*"),  # a list of the application's pages: no page below it
        ("/app/x", "app"),
        ("/app/x/y/z/1/2/3", "app"),
        ("/2024/05/x", "#"),
        ("/A-Title/x", "*"),
        ("/wiki/A/B", "wiki"),
        ("/a-very-long-segment-that-is-a-title/x", "*"),
    ],
)
def test_the_segment_of_a_path(path: str, segment: str) -> None:
    assert segment_of(shape_of(path)) == segment
    assert page(f"https://a.example{path}").segment == segment


def counted(*made: tuple[str, Outcome, int], segments: Segments | None = None) -> Segments:
    segments = Segments() if segments is None else segments
    for url, outcome, times in made:
        for _ in range(times):
            segments.add(page(url), "http", outcome, NOW)
    return segments


def test_a_site_counts_as_three_attempts_at_most() -> None:
    segments = counted(
        ("https://a.example/app/x", FAILED, 1000), ("https://b.example/app/x", OK, 2)
    )
    sums = segments.sums(page("https://c.example/app/y"), "http", NOW)
    assert sums.own == sums.every == pytest.approx((2, 3, 0))


def test_all_paths_below_a_segment_are_one_part() -> None:
    segments = counted(*((f"https://a.example/app/x{'/y' * n}", OK, 2) for n in range(4)))
    assert segments.sums(page("https://c.example/app/y"), "http", NOW).own == (3, 0, 0)


def test_pages_of_wikis_and_other_tiers_count_apart() -> None:
    segments = counted(("https://a.example/wiki/x", OK, 1))
    a = "https://b.example/wiki/x"
    assert segments.sums(page(a), "http", NOW).own.successes == 1
    assert segments.sums(page(a, is_wiki=True), "http", NOW).every.successes == 0
    assert segments.sums(page(a), "browser", NOW).every.successes == 0


def test_a_part_counts_as_of_its_latest_attempt() -> None:
    segments, a = Segments(), page("https://a.example/app/x")
    for day in range(10):
        segments.add(a, "http", OK, NOW - 30 * DAY - day)
    assert segments.sums(a, "http", NOW - 30 * DAY).own.successes == pytest.approx(3)
    assert segments.sums(a, "http", NOW).own.successes == pytest.approx(1.5)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_attempts_does_not_matter(seed: int) -> None:
    made, segments = attempts(200, seed), Segments()
    shuffled = list(made)
    Random(seed).shuffle(shuffled)  # noqa: S311 - no secret
    for features, row in shuffled:
        segments.add(features, row.tier, row.outcome, row.at)
    rows = [row for _, row in made]
    for features in {features for features, _ in made}:
        kept = segments.sums(features, "http", NOW)
        assert_same_segments(kept, segment_sums(rows, "http", features, NOW))


def test_the_number_of_sums_is_bounded() -> None:
    segments = Segments(max_parts=50, max_segments=20)
    for number in range(500):
        url = f"https://s{number}.example/{chr(97 + number % 26)}{chr(97 + number // 26)}/x"
        segments.add(page(url), "http", OK, NOW)
    assert len(segments) == 70
    assert segments.sums(page(url), "http", NOW).own.successes == 1


def test_a_forgotten_part_stays_counted() -> None:
    segments = Segments(max_parts=10)
    counted(*((f"https://s{n}.example/app/x", OK, 1) for n in range(40)), segments=segments)
    assert segments.sums(page("https://x.example/app/x"), "http", NOW).own.successes == 40


def test_a_merge_keeps_the_most_recently_used_parts() -> None:
    older, segments = Segments(), Segments(max_parts=10)
    counted(*((f"https://s{n}.example/app/x", OK, 3) for n in range(40)), segments=older)
    segments.merge_older(older)
    assert [key[3] for key in segments._parts] == [f"s{n}.example" for n in range(30, 40)]
    counted(("https://s39.example/app/x", OK, 3), segments=segments)
    assert segments.sums(page("https://s39.example/app/x"), "http", NOW).own.successes == 120


# What the site's other segments say


def shops(number: int, *made: tuple[str, Outcome, int], segments: Segments) -> Segments:
    """Sites whose plain pages come, and whose shop blocks."""
    for n in range(number):
        own = (("docs/x", OK, 2), ("shop/x", BANNED, 2))
        counted(*((f"https://s{n}.example/{p}", o, t) for p, o, t in own), segments=segments)
    return counted(*made, segments=segments)


def test_a_new_segment_is_judged_by_sites_that_are_alike_elsewhere() -> None:
    segments = shops(5, segments=Segments())
    counted(("https://only.example/shop/x", OK, 3), segments=segments)
    counted(("https://new.example/docs/x", OK, 1), segments=segments)
    counted(("https://blocked.example/docs/x", BANNED, 1), segments=segments)
    found = segments.sums(page("https://new.example/shop/x"), "http", NOW)
    assert (found.elsewhere, found.given) == (Elsewhere.OK, (0, 10, 10))
    found = segments.sums(page("https://blocked.example/shop/x"), "http", NOW)
    assert (found.elsewhere, found.given) == (Elsewhere.FAILED, (0, 0, 0))
    found = segments.sums(page("https://other.example/shop/x"), "http", NOW)
    assert (found.elsewhere, found.given) == (None, (0, 0, 0))


def test_it_says_nothing_of_a_segment_that_was_tried_on_the_site() -> None:
    segments = shops(5, ("https://s0.example/app/x", FAILED, 1), segments=Segments())
    assert segments.sums(page("https://s0.example/shop/x"), "http", NOW).elsewhere is None


def test_what_a_site_became_counts_not_what_it_was() -> None:
    segments = shops(1, ("https://s0.example/docs/x", FAILED, 20), segments=Segments())
    counted(("https://a.example/docs/x", OK, 1), segments=segments)
    counted(("https://b.example/docs/x", FAILED, 1), segments=segments)
    assert segments.sums(page("https://a.example/shop/x"), "http", NOW).given.failures == 0
    assert segments.sums(page("https://b.example/shop/x"), "http", NOW).given.failures == 2
    counted(("https://s0.example/news/x", OK, 1), segments=segments)  # mixed from now on
    assert segments.sums(page("https://b.example/shop/x"), "http", NOW).given.failures == 0


def test_a_site_of_many_segments_is_compared_in_part() -> None:
    names = [f"{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400)]
    segments = counted(*((f"https://a.example/{name}/x", OK, 1) for name in names))
    assert len(segments._compared["http", "page", "a.example"]) == MAX_COMPARED


@pytest.mark.parametrize("seed", range(5))
def test_older_evidence_adds_up_with_newer_one(seed: int) -> None:
    made, older, newer = attempts(200, seed), Segments(), Segments()
    for number, (features, row) in enumerate(made):
        (older if number < 120 else newer).add(features, row.tier, row.outcome, row.at)
    newer.merge_older(older)
    rows = [row for _, row in made]
    for tier in ("mediawiki", "http", "browser"):
        for features in {features for features, _ in made}:
            kept = newer.sums(features, tier, NOW)
            assert_same_segments(kept, segment_sums(rows, tier, features, NOW))


def test_forgotten_parts_are_not_compared() -> None:
    segments = shops(40, segments=Segments(max_parts=10))
    assert sum(map(len, segments._compared.values())) == len(segments._parts) == 10


# The effect


def test_without_evidence_there_is_no_effect() -> None:
    assert effect_of(Segments().sums(page("https://a.example/app/x"), "http", NOW)) == NO_EFFECT
    others = counted(("https://a.example/blog/x", FAILED, 3))
    assert effect_of(others.sums(page("https://a.example/app/x"), "http", NOW)) == NO_EFFECT
    assert NO_EFFECT.shift(0.3, 0.2) == (pytest.approx(0.3), pytest.approx(0.2))


def test_a_segment_like_all_has_no_effect() -> None:
    effect = effect_of(SegmentSums(Sums(6, 3, 3), Sums(65, 32, 33)))
    assert effect.odds == pytest.approx(1)
    assert effect.ban == pytest.approx(0, abs=1e-9)


def test_more_evidence_has_more_effect() -> None:
    every = Sums(100, 100, 50)
    odds = [effect_of(SegmentSums(Sums(0, n, 0), every)).odds for n in (0.1, 1, 3, 10, 50)]
    assert odds[0] == pytest.approx(1, abs=0.05)
    assert all(before > after for before, after in pairwise(odds))
    assert odds[-1] > 0.05  # the cap


@pytest.mark.parametrize("odds", [1e-3, 0.3, 1.0, 4.0, 1e3])
@pytest.mark.parametrize("ban", [-1.0, -0.1, 0.0, 0.5, 1.0])
@pytest.mark.parametrize("mean", [1e-9, 0.02, 0.5, 0.98, 1 - 1e-9])
def test_a_shifted_estimate_is_a_probability(odds: float, ban: float, mean: float) -> None:
    p_ok, p_ban = Effect(odds, ban).shift(mean, (1 - mean) / 2)
    assert 0 < p_ok < 1
    assert 0 <= p_ban <= 1 - p_ok
    assert (p_ok > mean) == (odds > 1) or p_ok == pytest.approx(mean)


def test_sites_that_are_alike_elsewhere_outweigh_the_site_itself() -> None:
    sums = SegmentSums(Sums(5, 5, 5), Sums(50, 50, 5), Elsewhere.OK, Sums(0, 20, 20))
    p_ok, p_ban = effect_of(sums).shift(0.9, 0.05)
    assert p_ok < 0.2
    assert p_ban > 0.7


# The learner


def learner(*made: tuple[str, str, Outcome]) -> Learner:
    learned = Learner(COSTS, Random(1))  # noqa: S311 - no secret
    for url, tier, outcome in made:
        learned.record(page(url), tier, outcome, NOW)
    return learned


def shops_and_docs(number: int) -> list[tuple[str, str, Outcome]]:
    """Sites whose shops refuse plain GETs and whose documents do not."""
    return [
        one
        for n in range(number)
        for one in (
            (f"https://s{n}.example/shop/x", "http", BANNED),
            (f"https://s{n}.example/shop/x", "browser", OK),
            (f"https://s{n}.example/docs/x", "http", OK),
        )
    ]


def test_a_new_site_begins_with_what_its_segment_needs_elsewhere() -> None:
    learned = learner(*shops_and_docs(30))
    firsts = {
        name: learned.choose(page(f"https://new.example/{name}/y"), ("http", "browser"), NOW)
        for name in ("shop", "docs")
    }
    best = {name: choice.options[0].tier for name, choice in firsts.items()}
    assert best == {"shop": "browser", "docs": "http"}


def test_a_failure_at_one_segment_says_little_about_another() -> None:
    learned = learner(*shops_and_docs(30), ("https://new.example/shop/x", "http", BANNED))
    docs, other = (
        learned.estimate(page(f"https://new.example/{name}/x"), "http", NOW)
        for name in ("docs", "other")
    )
    assert docs.success.mean > 2 * other.success.mean
    choice = learned.choose(page("https://new.example/docs/x"), ("http", "browser"), NOW)
    assert choice.options[0].tier == "http"


def test_a_site_soon_speaks_for_itself() -> None:
    url = "https://new.example/shop/x"
    learned = learner(*shops_and_docs(30), *[(url, "http", OK)] * 4)
    assert learned.estimate(page(url), "http", NOW).success.mean > 0.9

"""P(success) of each tier, given any conjunction of heuristics, from a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.learning.model.by_definition import DAY, made, many, rows_of, same
from tests.learning.pages import NOW
from wikicrawler.explain.given import explain_conditions, given_lines
from wikicrawler.learning.model.estimate import estimate_given
from wikicrawler.learning.model.sums import Changed, sum_observations
from wikicrawler.store.attempts import AFTER, Heuristic, add_attempts
from wikicrawler.store.database import Database
from wikicrawler.store.sites import TierChange, add_changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wikicrawler.explain.given import GivenExplanation
    from wikicrawler.store.attempts import FetchAttempt


def explain(
    folder: Path,
    attempts: Sequence[FetchAttempt],
    conditions: Mapping[str, str],
    changes: Sequence[TierChange] = (),
) -> GivenExplanation:
    database = Database(f"sqlite:///{folder}/db.sqlite")
    with database.write() as connection:
        add_attempts(connection, 1, enumerate(attempts, 1))
        add_changes(connection, 1, enumerate(changes, 1))
    with database.read() as connection:
        found = explain_conditions(connection, conditions, NOW, ())
    database.close()
    return found


@pytest.mark.parametrize(
    "conditions",
    [
        {"suffix": ".html"},
        {"wiki": "page", "suffix": ".html"},
        {"registered_domain": "site1.com"},
        {"domain": "shop.site1.com", "suffix": ".html"},
        {"domain": "shop.site1.com", "shape": "/app/*"},
        {"domain": "shop.site1.com", "wiki": "page", "suffix": ".html", "scheme": "https"},
        {"scheme": "https"},
        {"configured": "http"},
    ],
    ids=str,
)
def test_estimates_are_those_over_the_attempts(conditions: dict[str, str], tmp_path: Path) -> None:
    attempts = many(NOW, 500)
    change = TierChange(NOW - 20 * DAY, "site1.com", "shop.site1.com", "http", 0.1, False)
    rows = [
        row._replace(heuristics={**row.heuristics, "scheme": "https", "configured": "http"})
        for row in rows_of(attempts)
    ]
    changed = [Changed(change.at, change.tier, change.domain, change.kept)]
    found = explain(tmp_path, attempts, conditions, [change])
    assert {one.tier for one in found.tiers} == {"mediawiki", "http", "browser"}
    for one in found.tiers:
        expected = estimate_given(
            conditions,
            lambda shared, tier=one.tier: sum_observations(rows, tier, shared, NOW, changed),
        )
        seen = sum_observations(rows, one.tier, conditions, NOW, changed)
        assert (one.success.a, one.success.b) == (
            same(expected.success.a),
            same(expected.success.b),
        )
        assert one.p_ban == same(expected.ban)
        assert (one.seen.successes, one.seen.failures, one.seen.bans) == same(tuple(seen))
    means = [one.success.mean for one in found.tiers]
    assert means == sorted(means, reverse=True)


def test_what_answers_showed_is_a_condition(tmp_path: Path) -> None:
    def answered(number: int, server: str, reason: str) -> FetchAttempt:
        url = f"https://s{number}.example/x"
        return made(NOW, url, "http", reason, heuristics=(Heuristic(AFTER, "server", server),))

    attempts = [answered(n, "nginx", "ok") for n in range(20)]
    attempts += [answered(n, "cloudflare", "blocked") for n in range(20, 40)]
    (nginx,) = explain(tmp_path, attempts, {"server": "nginx"}).tiers
    assert nginx.success.mean > 0.95
    database = Database(f"sqlite:///{tmp_path}/db.sqlite")
    with database.read() as connection:
        (cloudflare,) = explain_conditions(connection, {"server": "cloudflare"}, NOW, ()).tiers
        (harmless,) = explain_conditions(connection, {"server": "cloudflare"}, NOW, {"http"}).tiers
        assert explain_conditions(connection, {"server": "apache"}, NOW, ()).tiers == ()
        assert explain_conditions(connection, {"no such": "x"}, NOW, ()).tiers == ()
    database.close()
    assert cloudflare.success.mean < 0.05
    assert cloudflare.p_ban > 0.9
    assert harmless.p_ban == 0
    assert harmless.seen.failures == 20


def test_attempts_that_are_no_evidence_are_left_out(tmp_path: Path) -> None:
    url = "https://a.example/x"
    attempts = [
        made(NOW - 400 * DAY, url, "http", "ok"),
        made(NOW + DAY, url, "http", "ok"),
        made(NOW, url, "http", "timeout"),
        made(NOW, url, "browser", "missing"),
        made(NOW, url, "http", "of_a_newer_program"),
    ]
    assert explain(tmp_path, attempts, {"domain": "a.example"}).tiers == ()


def test_the_text_shows_each_tier_on_a_line(tmp_path: Path) -> None:
    url = "https://a.example/x.pdf"
    attempts = [made(NOW, url, "http", "ok")] * 4 + [made(NOW, url, "browser", "empty")]
    lines = list(given_lines(explain(tmp_path, attempts, {"suffix": ".pdf"})))
    assert "suffix .pdf" in lines[0]
    http, browser = (next(line for line in lines if tier in line) for tier in ("http", "browser"))
    assert http.split()[-3:] == ["4.00", "0.00", "0.00"]
    assert browser.split()[-3:] == ["0.00", "1.00", "0.00"]

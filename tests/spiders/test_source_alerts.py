"""``scrapy crawl sources`` on a site that blocks, vanishes, fails and recovers: who hears what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f
from sqlalchemy import func, select, update

from tests.servers.mailbox import Mailbox
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.alerts.receiving import alerts_in, deliveries_in, posted, titles, webhook
from tests.sources.watching import Watch, changes, source
from wikicrawler.store.database import Database
from wikicrawler.store.tables import source_states, source_visits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawling import Outcome

DAY = 86_400.0


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=1) as server:
        yield server


@pytest.fixture
def hooks() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/hook")
        yield server


def watch(folder: Path, site: RegulationSite, alerts: Any) -> Watch:
    """One page of *site*, watched; its alerts go to *alerts*."""
    watched = Watch(folder, source(site.url("/1024/1/"), method="scrape"))
    watched.settings["WIKICRAWLER_ALERTS"] = alerts
    watched.settings["WIKICRAWLER_ALERT_TIMEOUT"] = 120  # of a machine that is busy
    return watched


async def scheduled(watched: Watch) -> Outcome:
    """A visit that the schedule began."""
    return await watched.crawl(scheduled="true")


@deferred_f_from_coro_f
async def test_a_blocked_source_is_told_once_and_so_is_its_recovery(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    with Mailbox() as mailbox:
        watched = watch(tmp_path, site, [mailbox.url, webhook(hooks)])
        await watched.crawl()
        site.put("/1024/1/", section(1))
        page = site.documents["/1024/1/"]
        site.remove("/1024/1/", 403)
        for _ in range(3):
            done = await watched.crawl()
        assert done.stats["alerts/repeated_count/blocked"] == 1
        assert mailbox.subjects() == ["[high] reg-x is blocked"]
        alert = alerts_in(watched.database_url)["blocked"]
        assert (alert.severity, alert.times, alert.resolved_at) == ("high", 3, None)
        assert alert.url == site.url("/1024/1/")
        site.documents["/1024/1/"] = page
        done = await watched.crawl()
        assert done.stats["alerts/resolved_count/blocked"] == 1
        await watched.crawl()
    expected = ["[high] reg-x is blocked", "[resolved] reg-x: the source works again"]
    assert mailbox.subjects() == expected
    assert titles(hooks) == expected
    assert mailbox.recipients == [["ops@example.org"]] * 2
    assert [m.get_content_type() for m in mailbox.messages] == ["text/plain"] * 2
    assert "HTTP 403" in mailbox.messages[0].get_content()
    assert [m["type"] for m in posted(hooks)] == ["failure", "info"]
    alert = alerts_in(watched.database_url)["blocked"]
    assert (alert.resolved_at is not None, alert.resolution) == (True, "the source works again")
    assert all(one.delivered_at for one in deliveries_in(watched.database_url))


@deferred_f_from_coro_f
async def test_a_source_that_vanishes_may_have_moved(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, webhook(hooks))
    await watched.crawl()
    page = site.documents["/1024/1/"]
    site.remove("/1024/1/", 404)
    done = await watched.crawl()
    assert changes(done) == {"/1024/1/": "deleted"}  # the visit itself did not fail
    done = await watched.crawl()
    assert changes(done) == {"/1024/1/": "missing"}
    assert titles(hooks) == ["[high] reg-x may have moved"]
    site.documents["/1024/1/"] = page
    await watched.crawl()
    assert titles(hooks)[1:] == ["[resolved] reg-x: the source works again"]


@deferred_f_from_coro_f
async def test_five_scheduled_failures_are_one_message_and_the_recovery_another(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, webhook(hooks))
    page = site.documents["/1024/1/"]
    site.remove("/1024/1/", 500)
    for _ in range(4):
        await scheduled(watched)
    assert titles(hooks) == []
    for _ in range(2):
        await scheduled(watched)
    assert titles(hooks) == ["[high] reg-x is paused"]
    assert "scrapy sources resume reg-x" in posted(hooks)[0]["message"]
    site.documents["/1024/1/"] = page
    await watched.crawl()
    await watched.crawl()
    assert titles(hooks)[1:] == ["[resolved] reg-x: the source works again"]


@deferred_f_from_coro_f
async def test_what_is_blocked_until_it_is_paused_recovers_with_one_message(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, webhook(hooks))
    page = site.documents["/1024/1/"]
    site.remove("/1024/1/", 403)
    for _ in range(5):
        await scheduled(watched)
    site.documents["/1024/1/"] = page
    await watched.crawl()
    assert titles(hooks) == [
        "[high] reg-x is blocked",
        "[high] reg-x is paused",
        "[resolved] reg-x: the source works again",
    ]
    assert posted(hooks)[2]["message"].count("Resolved: ") == 2


@deferred_f_from_coro_f
async def test_a_change_is_told_where_it_is_asked_for_and_never_open(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    hooks.on("/all").on("/info")
    entries = [webhook(hooks), f"all={webhook(hooks, '/all')}", f"info={webhook(hooks, '/info')}"]
    watched = watch(tmp_path, site, " ".join(entries))
    done = await watched.crawl()
    assert "changed" not in alerts_in(watched.database_url), "the first visit is no change"
    for days in (3, 4):
        site.put("/1024/1/", section(1, days=days))
        done = await watched.crawl()
    assert done.stats["alerts/raised_count/changed"] == 1
    assert titles(hooks) == []
    assert titles(hooks, "/all") == titles(hooks, "/info") == ["[info] reg-x has changed"] * 2
    assert alerts_in(watched.database_url)["changed"].resolved_at is not None


@deferred_f_from_coro_f
async def test_a_change_that_a_killed_visit_staged_is_told_by_the_next(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, f"all={webhook(hooks)}")
    await watched.crawl()
    site.put("/1024/1/", section(1, days=3))
    await watched.crawl()
    forget_last_end(watched)
    site.put("/1024/1/", section(1, days=3))
    await watched.crawl()
    assert titles(hooks) == ["[info] reg-x has changed"] * 2
    assert "0 new, 1 modified, 0 deleted" in posted(hooks)[1]["message"]
    await watched.crawl()
    assert len(titles(hooks)) == 2


@deferred_f_from_coro_f
async def test_a_source_without_a_change_for_30_days_is_a_warning_until_it_changes(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, f"no_change={webhook(hooks)}")
    await watched.crawl()
    age(watched, days=29)
    await watched.crawl()
    assert titles(hooks) == []
    age(watched, days=2)
    await watched.crawl()
    await watched.crawl()
    assert titles(hooks) == ["[warning] reg-x has not changed for long"]
    assert "no change was found for 31 days" in posted(hooks)[0]["message"]
    site.put("/1024/1/", section(1, days=3))
    await watched.crawl()
    assert titles(hooks)[1:] == ["[resolved] reg-x: the source has changed"]


@deferred_f_from_coro_f
async def test_a_channel_that_is_down_is_tried_again_by_the_next_crawl(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    hooks.on("/down", *[Reply(500)] * 2, Reply())
    watched = watch(tmp_path, site, [webhook(hooks), webhook(hooks, "/down")])
    site.remove("/1024/1/", 403)
    done = await watched.crawl()
    # Once at once, and once at the end.
    assert done.stats["alerts/failed_count"] == 2
    assert done.stats["alerts/delivered_count"] == 1
    (waiting,) = [one for one in deliveries_in(watched.database_url) if not one.delivered_at]
    assert waiting.attempts == 2
    assert "error=500" in str(waiting.error)
    done = await watched.crawl()
    assert titles(hooks) == titles(hooks, "/down") == ["[high] reg-x is blocked"]


@deferred_f_from_coro_f
async def test_a_channel_that_never_answers_delays_the_crawl_no_longer_than_its_deadline(
    site: RegulationSite, hooks: ScriptedServer, tmp_path: Path
) -> None:
    hooks.on("/slow", Reply(delay=300))
    watched = watch(tmp_path, site, webhook(hooks, "/slow"))
    watched.settings["WIKICRAWLER_ALERT_TIMEOUT"] = 1
    site.remove("/1024/1/", 403)
    done = await watched.crawl()
    assert {x.status for x in hooks.exchanges} == {None}, "the channel has not answered yet"
    assert done.stats["finish_reason"] == "finished"
    (waiting,) = deliveries_in(watched.database_url)
    assert waiting.delivered_at is None


@deferred_f_from_coro_f
async def test_a_crawl_without_channels_keeps_alerts_in_the_database_and_the_log(
    site: RegulationSite, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watched = watch(tmp_path, site, "")
    site.remove("/1024/1/", 403)
    await watched.crawl()
    assert alerts_in(watched.database_url)["blocked"].times == 1
    (line,) = [record for record in caplog.records if "Alert blocked" in record.getMessage()]
    assert line.levelname == "ERROR"
    assert "reg-x: the url of the source cannot be fetched: blocked" in line.getMessage()


def forget_last_end(watched: Watch) -> None:
    """Let the last visit be one that was killed before its end."""
    database = Database(watched.database_url)
    last = select(func.max(source_visits.c.started)).scalar_subquery()
    with database.write() as connection:
        statement = update(source_visits).where(source_visits.c.started == last)
        connection.execute(statement.values(ended=None, ok=None, modified=0))
    database.close()


def age(watched: Watch, days: float) -> None:
    """Let everything that is known of the source have happened *days* earlier."""
    names = ("since", "last_started", "last_success", "last_changed")
    database = Database(watched.database_url)
    with database.write() as connection:
        values = {name: source_states.c[name] - days * DAY for name in names}
        connection.execute(update(source_states).values(**values))
    database.close()

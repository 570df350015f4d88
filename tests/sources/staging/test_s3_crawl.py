"""A whole crawl that stages in a bucket, and one that is killed while it does."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from tests import scrapy_runs
from tests.servers.regulations import RegulationSite, section
from tests.servers.s3 import SECRET, TOKEN, Call, Fault
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.test_killed import crawl
from tests.sources.watching import Watch, changes, source
from wikicrawler.sources.staging.bucket import MARK
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.sources.staging.protocol import ERRORS, INDEX
from wikicrawler.sources.staging.retention import plan, remove
from wikicrawler.sources.staging.verification import verify
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.servers.s3 import RealS3
    from wikicrawler.sources.staging.protocol import Staging

WEBHOOK_SECRET = "whsec_" + "QUFB" * 8


class BucketWatch(Watch):
    """Watches a site, and stages in a new bucket."""

    def __init__(self, folder: Path, s3: RealS3, *sources: dict[str, Any]) -> None:
        super().__init__(folder, *sources)
        location = f"s3://{s3.new_bucket()}/collect/staged"
        self.settings |= {"WIKICRAWLER_STAGING": location, **s3.settings}
        self.staging: Staging = staging_of(Settings(self.settings))

    def index(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.staging.lines(INDEX)]

    def errors(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.staging.lines(ERRORS)]


def command(watched: Watch, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = [
        part for name, value in watched.settings.items() for part in ("-s", f"{name}={value}")
    ]
    return scrapy_runs.run([*arguments, *settings])


@deferred_f_from_coro_f
async def test_exactly_what_changed_is_staged_in_a_bucket(s3: RealS3, tmp_path: Path) -> None:
    with RegulationSite(count=4) as site:
        site.put("/", str(site.documents["/"].body) + "<a href=/missing>Missing</a>")
        watched = BucketWatch(tmp_path, s3, source(site.url("/")))
        first = changes(await watched.crawl())
        assert Counter(first.values()) == {"new": 5, "missing": 1}
        site.put("/1024/2/", section(2, days=3))
        site.remove("/1024/3/")
        second = changes(await watched.crawl())
    assert {path: how for path, how in second.items() if how not in {"unchanged", "missing"}} == {
        "/1024/2/": "modified",
        "/1024/3/": "deleted",
    }
    assert verify(watched.staging) == (7, [], 0)
    modified = next(
        e
        for e in map(watched.staging.read, watched.staging.paths())
        if e["integrity"]["change_type"] == "modified"
    )
    assert modified["integrity"]["change"]["kind"] == "substantive"
    assert [line["url"] for line in watched.errors()] == [site.url("/missing")]
    assert not watched.staged.exists()


@deferred_f_from_coro_f
async def test_what_was_confirmed_is_removed_from_a_bucket_and_the_rest_replayed(
    s3: RealS3, tmp_path: Path
) -> None:
    with RegulationSite(count=2) as site:
        watched = BucketWatch(tmp_path, s3, source(site.url("/")))
        site.put("/1024/1/", section(1, days=5))
        assert Counter(changes(await watched.crawl()).values()) == {"new": 3}
        site.put("/1024/1/", section(1, days=6))
        assert changes(await watched.crawl())["/1024/1/"] == "modified"
        assert len(watched.index()) == 4
    confirmed = command(watched, "staged", "confirm", "--all-before", "2100-01-01T00:00Z")
    assert confirmed.returncode == 0, confirmed.stderr
    database = Database(watched.settings["WIKICRAWLER_DATABASE_URL"])
    later = datetime.now(UTC) + timedelta(days=91)
    planned = plan(watched.staging, database, 90, later)
    assert sum(remove(watched.staging, database, planned, 90, later)) == 1
    assert verify(watched.staging) == (3, [], 1)
    replayed = command(watched, "staged", "replay", "--fail")
    assert replayed.returncode == 0, replayed.stderr
    assert replayed.stdout.startswith("3 envelopes, ")


def test_scrapy_staged_verify_reads_the_bucket(s3: RealS3, tmp_path: Path) -> None:
    with RegulationSite(count=2) as site:
        watched = BucketWatch(tmp_path, s3, source(site.url("/")))
        nothing = command(watched, "staged", "verify")
        assert nothing.returncode == 2
        assert "there is no staging folder" in nothing.stderr
        assert crawl(watched, tmp_path).wait() == 0, (tmp_path / "crawl.log").read_text()
    well = command(watched, "staged", "verify")
    assert (well.returncode, well.stdout) == (0, "3 envelopes: all valid\n")
    lost = watched.index()[1]["path"]
    watched.staging.remove(lost)
    damaged = command(watched, "staged", "verify")
    assert damaged.returncode == 1
    assert f"{lost}: _index.jsonl lists it, and there is no such file" in damaged.stdout
    log = (tmp_path / "crawl.log").read_text()
    for secret in (SECRET, TOKEN):
        assert secret not in log + well.stderr + damaged.stderr


MOMENTS = [(1, False), (1, True), (2, False), (2, True), (3, True)]
"""The write of a crawl at which it is killed, and whether that write is carried out."""


@pytest.mark.timeout(900)
def test_a_crawl_that_is_killed_at_any_write_stages_and_announces_all_once(
    s3: RealS3, tmp_path: Path
) -> None:
    with RegulationSite(count=5) as site, ScriptedServer("127.0.0.3") as consumer:
        consumer.on("/hook", Reply(204, body=""))
        watched = BucketWatch(tmp_path, s3, source(site.url("/")))
        watched.settings |= {
            "WIKICRAWLER_STAGING_WEBHOOK": consumer.url("/hook"),
            "WIKICRAWLER_STAGING_WEBHOOK_SECRET": WEBHOOK_SECRET,
        }
        for at, carried_out in MOMENTS:
            kill_at(s3, watched, tmp_path, at, carried_out=carried_out)
        s3.reset()
        assert crawl(watched, tmp_path).wait() == 0, (tmp_path / "crawl.log").read_text()
    staged = Counter(line["url"] for line in watched.index())
    assert staged == {site.url(path): 1 for path in site.documents}
    assert verify(watched.staging) == (6, [], 0)
    events = {x.headers["webhook-id"]: json.loads(x.body)["data"] for x in consumer.exchanges}
    told = Counter(e["envelope_id"] for event in events.values() for e in event["envelopes"])
    assert told == {line["envelope_id"]: 1 for line in watched.index()}
    assert len({event["run_id"] for event in events.values()}) == len(events) > 1


def kill_at(s3: RealS3, watched: Watch, folder: Path, at: int, *, carried_out: bool) -> None:
    """Crawl, and kill the crawl at its write number *at*."""
    process: list[subprocess.Popen[bytes]] = []
    writes = 0

    def is_moment(call: Call) -> bool:
        return call.method == "PUT" and MARK not in call.path and writes == at

    def kill() -> None:
        process[0].kill()
        process[0].wait()

    def before(call: Call) -> Fault | None:
        nonlocal writes
        writes += call.method == "PUT" and MARK not in call.path
        if is_moment(call) and not carried_out:
            kill()
        return Fault() if process and process[0].poll() is not None else None

    def after(call: Call) -> None:
        if is_moment(call) and carried_out:
            kill()

    s3.before, s3.after = before, after
    process.append(crawl(watched, folder))
    process[0].wait()
    assert writes >= at, "the crawl ended before it could be killed"

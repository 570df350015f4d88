"""``scrapy staged`` and what ``scrapy prove`` says of removed envelopes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests import scrapy_runs
from tests.servers.regulations import RegulationSite, section
from tests.sources.watching import Watch, source
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.lists import add_confirmed, confirmations

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path


def scrapy(watched: Watch, *command: str) -> subprocess.CompletedProcess[str]:
    options = [
        part for name, value in watched.settings.items() for part in ("-s", f"{name}={value}")
    ]
    return scrapy_runs.run([*command, *options])


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=1) as server:
        yield server


async def watch(folder: Path, site: RegulationSite) -> Watch:
    """Three envelopes: two versions of a section, and the page above it."""
    watched = Watch(folder, source(site.url("/")))
    await watched.crawl()
    site.put("/1024/1/", section(1, days=9))
    await watched.crawl()
    return watched


def confirmed(watched: Watch) -> list[str]:
    return list(confirmations(StagingFolder(watched.staged)))


@deferred_f_from_coro_f
async def test_envelopes_are_confirmed_once(site: RegulationSite, tmp_path: Path) -> None:
    watched = await watch(tmp_path, site)
    one, two, three = [line["envelope_id"] for line in watched.index()]
    first = scrapy(watched, "staged", "confirm", one, "nobody\x1b[2J", two)
    assert first.returncode == 1
    assert first.stdout == "2 envelopes confirmed\n"
    assert first.stderr == "scrapy staged: no envelope has the id 'nobody\\x1b[2J'\n"
    assert confirmed(watched) == [one, two], "an unknown id does not keep the others"
    again = scrapy(watched, "staged", "confirm", two)
    assert (again.returncode, again.stdout) == (
        0,
        "0 envelopes confirmed, 1 were confirmed before\n",
    )
    every = scrapy(watched, "staged", "confirm", "--from", str(watched.staged / "_index.jsonl"))
    assert every.stdout == "1 envelope confirmed, 2 were confirmed before\n"
    assert confirmed(watched) == [one, two, three]
    assert len((watched.staged / "_confirmed.jsonl").read_text().splitlines()) == 2


@deferred_f_from_coro_f
async def test_all_that_were_staged_before_a_time_are_confirmed(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = await watch(tmp_path, site)
    early = scrapy(watched, "staged", "confirm", "--all-before", "2020-01-01T00:00Z")
    assert (early.returncode, early.stdout) == (0, "0 envelopes confirmed\n")
    late = scrapy(watched, "staged", "confirm", "--all-before", "2999-01-01T00:00+01:00")
    assert (late.returncode, late.stdout) == (0, "3 envelopes confirmed\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["confirm"], "confirm needs one of"),
        (["confirm", "x", "--from", "y"], "confirm needs one of"),
        (["confirm", "--all-before", "yesterday"], "'yesterday': not a time"),
        (["confirm", "--all-before", "2026-01-01"], "'2026-01-01': not a time"),
        (["confirm", "--from", "missing"], "missing: cannot be read"),
        (["prune", "--days", "0"], "'0': not a number from 1"),
        (["prune", "x"], "prune takes options only"),
        (["replay", "--since", "today"], "'today': not a day"),
        ([], "known: verify, schema, confirm, prune, replay"),
    ],
)
def test_wrong_arguments_are_reported(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = scrapy(Watch(tmp_path), "staged", *arguments)
    assert done.returncode == 2
    assert message in done.stderr + done.stdout


@deferred_f_from_coro_f
async def test_prune_shows_before_it_removes_and_a_proof_tells_of_it(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = await watch(tmp_path, site)
    folder = StagingFolder(watched.staged)
    old = next(x for x in watched.index() if x["url"].endswith("/1024/1/"))
    size = len(folder.read_bytes(old["path"]))
    at = datetime.now(UTC) - timedelta(days=91)
    add_confirmed(folder, [line["envelope_id"] for line in watched.index()], at)
    shown = scrapy(watched, "staged", "prune")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == [
        f"would go: 1 envelope, {size:,} bytes, the oldest staged {old['staged_at']}",
        "stay: 2 envelopes: latest version of its document",
        "nothing was removed (--apply removes)",
    ]
    longer = scrapy(watched, "staged", "prune", "--days", "92")
    assert longer.stdout.splitlines() == [
        "would go: 0 envelopes",
        "stay: 2 envelopes: latest version of its document",
        "stay: 1 envelope: confirmed less than 92 days ago",
    ]
    listed = scrapy(watched, "staged", "prune", "--json")
    assert [json.loads(x)["goes"] for x in listed.stdout.splitlines()] == [True, False, False]
    assert old["path"] in set(folder.paths())
    done = scrapy(watched, "staged", "prune", "--apply")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 envelope removed")
    assert old["path"] not in set(folder.paths())
    assert scrapy(watched, "staged", "verify").stdout == "2 envelopes, 1 removed: all valid\n"
    proof = tmp_path / "proof.json"
    day = datetime.now(UTC).date().isoformat()
    proven = scrapy(watched, "prove", "--source", "reg-x", "--date", day, "-o", str(proof))
    assert proven.returncode == 0, proven.stderr
    lines = proven.stdout.splitlines()
    outcome = lines.index(f"  staged_path: {old['path']}")
    assert lines[outcome + 1].startswith(f"  the staged file was removed: {day}T")
    assert f"  envelope_id: {old['envelope_id']}" in lines
    checked = scrapy(watched, "prove", "--check", str(proof))
    assert "the staged file was removed" in checked.stdout
    assert "sound: " in checked.stdout
    assert scrapy(watched, "audit", "verify", "--sums").returncode == 0

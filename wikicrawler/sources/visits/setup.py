"""What a crawl over watched sources needs, by its settings and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from wikicrawler import options
from wikicrawler.content.form import Form
from wikicrawler.errors import ConfigError
from wikicrawler.politeness.gate import Gate
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.agenda.timing import timing_of
from wikicrawler.sources.envelopes.build import Visit
from wikicrawler.sources.manifest.tier_names import unknown_tiers
from wikicrawler.sources.staging.announcer import Announcer
from wikicrawler.sources.staging.failures import KeptFailures
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.sources.staging.stager import Stager
from wikicrawler.sources.visits.run import Limits, SourcesRun
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.sources.visits.waiting import Waiting
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler

_PATIENCE = 30.0
"""Seconds for which a crawl waits for a database that is busy or away."""


def prepare(
    crawler: Crawler,
    *,
    manifest_file: str | None,
    only: Collection[str],
    force: bool,
    scheduled: bool,
    job: str | None,
) -> SourcesRun:
    """Return the run of *crawler*. The arguments are those of the spider ``sources``.

    :param job: id of the scheduler's job, if there is one
    :raises ConfigError: the manifest, a source, the staging folder or a setting cannot be used
    :raises StoreError: the database is unavailable
    """
    settings = crawler.settings
    database = Database.from_settings(settings, patience=_PATIENCE)
    manifest = manifest_of(database, manifest_file)
    staging = staging_of(settings)
    sources = chosen_sources(manifest, only)
    if lines := unknown_tiers(settings, sources):
        raise ConfigError("the manifest names tiers that do not exist:\n  " + "\n  ".join(lines))
    at_once = options.SOURCES_AT_ONCE.read(settings)
    agenda = Agenda(database, sources, timing_of(settings), at_once=at_once)
    announcer = Announcer.from_settings(settings, database, str(staging), agenda.owner)
    staging.prepare()
    visit = Visit(
        run_id=str(uuid4()),
        manifest_version=manifest.version,
        job_id=_uuid(job),
        operator="system" if scheduled else "manual",
        environment=options.ENVIRONMENT.read(settings),
        form=Form.from_settings(settings),
    )
    limits = Limits(
        at_once,
        options.SOURCE_MAX_PAGES.read(settings),
        options.SOURCE_FULL_GET.read(settings),
        settings.getint("URLLENGTH_LIMIT"),
    )
    patience = options.SOURCES_WAIT.read(settings)
    return SourcesRun(
        crawler,
        agenda,
        Stager(database, staging, visit, agenda.owner if announcer is not None else ""),
        limits,
        kept=KeptFailures(staging, options.SOURCE_KEPT_FAILURES.read(settings)),
        announcer=announcer,
        forced=agenda.ids() if force else (),
        scheduled=scheduled,
        gate=Gate.over_database(crawler, Database.from_settings(settings)),
        waiting=Waiting(patience if scheduled else None),
    )


def _uuid(job: str | None) -> str | None:
    try:
        return str(UUID(job)) if job else None
    except ValueError:
        return None

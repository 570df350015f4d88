"""What a crawl over watched sources needs, by its settings and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from wikicrawler import options
from wikicrawler.config import project_root
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.envelopes.build import Visit
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.stager import Stager
from wikicrawler.sources.visits.run import Limits, SourcesRun
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler


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
    database = Database.from_settings(settings)
    manifest = manifest_of(database, manifest_file)
    folder = StagingFolder(project_root() / (options.STAGING.read(settings) or "staged"))
    folder.prepare()
    visit = Visit(
        run_id=str(uuid4()),
        manifest_version=manifest.version,
        job_id=_uuid(job),
        operator="system" if scheduled else "manual",
        environment=options.ENVIRONMENT.read(settings),
    )
    limits = Limits(
        options.SOURCES_AT_ONCE.read(settings),
        options.SOURCE_MAX_PAGES.read(settings),
        options.SOURCE_FULL_GET.read(settings),
        settings.getint("URLLENGTH_LIMIT"),
    )
    sources = chosen_sources(manifest, only)
    return SourcesRun(
        crawler,
        Agenda(database, sources),
        Stager(database, folder, visit),
        limits,
        forced=[source.id for source in sources] if force else (),
        scheduled=scheduled,
    )


def _uuid(job: str | None) -> str | None:
    try:
        return str(UUID(job)) if job else None
    except ValueError:
        return None

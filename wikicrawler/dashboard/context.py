"""What all screens share: the settings, the database and the rights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from wikicrawler import options
from wikicrawler.dashboard.verifying import Verifying
from wikicrawler.errors import ConfigError
from wikicrawler.explain.kept_evidence import PageExplanations
from wikicrawler.sources.agenda.timing import timing_of
from wikicrawler.sources.manifest.activation import find_active, stored_reading
from wikicrawler.sources.overview.directory import SourceDirectory
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from starlette.requests import Request

    from wikicrawler.sources.manifest.model import Manifest
    from wikicrawler.sources.schedule.timing import Timing
    from wikicrawler.sources.staging.protocol import Staging
    from wikicrawler.store.manifests import Activation


@dataclass
class Dashboard:
    """The project that a dashboard shows.

    Its methods block; the pages run in threads.

    :param read_only: refuse all changes
    """

    settings: BaseSettings
    read_only: bool = False

    @cached_property
    def database(self) -> Database:
        """The database, to read. Screens show an empty state while it has no tables."""
        return Database.from_settings(self.settings, read_only=True)

    @cached_property
    def writable(self) -> Database:
        """The database, for controls."""
        return Database.from_settings(self.settings, patience=5.0)

    @cached_property
    def staging(self) -> Staging:
        return staging_of(self.settings)

    @cached_property
    def timing(self) -> Timing:
        return timing_of(self.settings)

    @cached_property
    def verifying(self) -> Verifying:
        """The verification of the audit log."""
        return Verifying(self.database)

    @cached_property
    def redis(self) -> str:
        """The URL of the Redis in which workers share crawls, with its password; empty where the
        project names none."""
        return options.FRONTIER.read(self.settings)

    @cached_property
    def explanations(self) -> PageExplanations:
        return PageExplanations(self.settings, self.database)

    @cached_property
    def directory(self) -> SourceDirectory:
        """The sources of the active manifest, with what is known of them."""
        return SourceDirectory(self.database, self.timing)

    def __post_init__(self) -> None:
        self._manifest: tuple[Activation, Manifest] | None = None

    def manifest(self) -> tuple[Activation, Manifest] | None:
        """Return the active manifest, which is read again when another one is activated; None if
        none is active.

        :raises ConfigError: the manifest that is stored has faults by now
        :raises StoreError: the database is unavailable
        """
        active = find_active(self.database)
        if active is None:
            return None
        if self._manifest is None or self._manifest[0] != active:
            with self.database.read() as connection:
                reading = stored_reading(connection, active)
            if reading.manifest is None:
                faults = "\n".join(f"{reading.name}:{fault}" for fault in reading.faults)
                raise ConfigError(f"the active manifest has faults:\n{faults}")
            self._manifest = active, reading.manifest
        return self._manifest

    def close(self) -> None:
        self.verifying.stop()
        self.database.close()
        self.writable.close()


def dashboard_of(request: Request) -> Dashboard:
    """Return the dashboard that *request* is for."""
    return cast("Dashboard", request.app.state.dashboard)

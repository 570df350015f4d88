"""Processes and jobs of Scrapyd that crawl on their own."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Thread
from time import time
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

from wikicrawler import options
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.data_folder import data_folder
from wikicrawler.store.database import Database
from wikicrawler.store.jobs import KEPT, end_job, end_unbegun
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

_NOT_SHARED = {"LOG_FILE", "LOG_ENABLED", "LOG_FILE_APPEND", "JOBDIR"}


def log_path(job: str) -> Path:
    """Return the file of the log of *job*."""
    return data_folder() / "jobs" / f"{job}.log"


def launch_child(settings: BaseSettings, job: str, arguments: Mapping[str, str], log: Path) -> int:
    """Start a crawl over watched sources as a process in a session of its own, and return its id.
    It goes on when this process ends.

    Settings of the command line of this process are passed on.

    :param arguments: of the spider
    :param log: gets its output
    :raises StoreError: it cannot be started
    """
    command = _command(settings, arguments)
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        _remove_old(log.parent)
        with log.open("ab") as output:
            process = subprocess.Popen(  # noqa: S603 - our own
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, options.JOB_ID.name: job},
            )
    except OSError as error:
        raise StoreError(f"the crawl cannot be started: {error.strerror}") from error
    Thread(target=_wait, args=(process, settings, job), name="job", daemon=True).start()
    return process.pid


def _command(settings: BaseSettings, arguments: Mapping[str, str]) -> list[str]:
    """Return the command line of a crawl with the project's spider, or ours."""
    name = ["due"] if "scheduled" in arguments else ["sources", "run", "--all"]
    command = [sys.executable, "-m", "scrapy", *name]
    if manifest := arguments.get("manifest"):
        command += ["--manifest", manifest]
    for argument, value in arguments.items():
        command += ["-a", f"{argument}={value}"]
    for setting in shared_settings(settings):
        command += ["-s", setting]
    return command


def shared_settings(settings: BaseSettings) -> Iterator[str]:
    """Yield the settings of the command line, as its option ``-s`` takes them."""
    for name in settings:
        is_given = settings.getpriority(str(name)) == SETTINGS_PRIORITIES["cmdline"]
        value = settings[str(name)]
        if is_given and isinstance(value, str) and name not in _NOT_SHARED:
            yield f"{name}={value}"


def _remove_old(folder: Path) -> None:
    """Remove the oldest logs, as those of the jobs are that are not kept."""
    logs = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime)
    for file in logs[: max(0, len(logs) - KEPT)]:
        file.unlink(missing_ok=True)


def _wait(process: subprocess.Popen[bytes], settings: BaseSettings, job: str) -> None:
    """Wait for the end of *process*, so that none is left as a zombie, and note it where the crawl
    could not."""
    code = process.wait()
    reason = f"ended with the exit code {code}" if code >= 0 else f"killed by signal {-code}"
    try:
        database = Database.from_settings(settings, patience=10.0)
        try:
            with database.write() as connection:
                if not end_unbegun(connection, job, time(), f"{reason} before it began"):
                    end_job(connection, job, time(), reason)
        finally:
            database.close()
    except (StoreError, ConfigError):  # then its silence says so
        return


def launch_scrapyd(settings: BaseSettings, job: str, arguments: Mapping[str, str]) -> str:
    """Start a crawl over watched sources as a job of Scrapyd, and return Scrapyd's id of it.

    :raises StoreError: Scrapyd cannot be used
    """
    from wikicrawler.sources.scheduler.scrapyd import ScrapydJobs  # noqa: PLC0415 - not for others

    shared = [*shared_settings(settings), f"{options.JOB_ID.name}={job}"]
    project = one_line(settings["BOT_NAME"], 200)
    return ScrapydJobs(options.SCRAPYD_URL.read(settings), project, arguments, shared).add()

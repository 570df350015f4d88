"""A process that uses every control again and again, until it is killed: ``URL FOLDER SEED``."""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from pathlib import Path

from tests.control.steering import Project
from wikicrawler.control.alerts import resolve_alerts
from wikicrawler.control.jobs import list_jobs, stop_job
from wikicrawler.control.manifests import activate_manifest
from wikicrawler.control.runs import request_run
from wikicrawler.control.scheduler import pause_scheduler, resume_scheduler
from wikicrawler.control.sites import pause_site, release_site
from wikicrawler.control.sources import override_sources, pause_sources, resume_sources
from wikicrawler.errors import ControlRefused
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.store.alerts import raise_alert


def main(url: str, folder: str, seed: str) -> None:
    """Never return."""
    project = Project(url, Path(folder))
    context, everything = project.context, project.everything()
    chance = random.Random(seed)  # noqa: S311
    text = project.file.read_text()

    def alert() -> None:
        with context.database.write() as connection:
            facts = {"severity": "high", "message": "m", "url": None, "now": 1.0}
            raised = raise_alert(connection, "failed", "a", **facts)  # type: ignore[arg-type]
        resolve_alerts(context, [raised.id])

    def activate() -> None:
        version = f"1.0.{chance.randrange(10**6)}"
        reading = read_manifest(text.replace("1.0.0", version, 1).encode())
        activate_manifest(context, reading, check=None, force=True)

    def stop() -> None:
        stop_job(context, chance.choice(list_jobs(context.database)).id)

    controls = [
        lambda: pause_sources(context, everything, "r"),
        lambda: resume_sources(context, everything),
        lambda: override_sources(context, everything, chance.uniform(0, 1e9)),
        lambda: pause_site(context, "example.com", seconds=3600),
        lambda: release_site(context, "example.com"),
        lambda: pause_scheduler(context),
        lambda: resume_scheduler(context),
        lambda: request_run(context, everything),
        stop,
        alert,
        activate,
    ]
    print("ready", flush=True)  # noqa: T201
    while True:
        with suppress(ControlRefused, IndexError):
            chance.choice(controls)()


if __name__ == "__main__":
    main(*sys.argv[1:])

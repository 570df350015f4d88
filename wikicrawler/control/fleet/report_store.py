"""Where the workers of a fleet put what they say of themselves."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.exchange import as_bytes
from wikicrawler.frontier.redis.frontier import TTL
from wikicrawler.frontier.redis.server import connect, prefix_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.control.fleet.worker_report import WorkerReport
    from wikicrawler.frontier.redis.client import Client

    Script = Callable[[str, list[Any]], list[Any]]

JOBS = "{wikicrawler:jobs}:heard"
"""Key of the jobs in a Redis. No job has this name: its keys have a spider's."""
MAX_JOBS = 1_000
"""Number of jobs that a Redis knows by name."""
MAX_WORKERS = 1_000
"""Number of workers of a job whose reports are kept, the last heard of."""


class ReportStore:
    """The reports of the workers of the crawl *job* (``SPIDER:JOB``) in the Redis at *url*. The
    methods block; call them in one thread."""

    def __init__(self, url: str, job: str, *, max_workers: int = MAX_WORKERS) -> None:
        self._url = url
        self._job = job
        self._max_workers = max_workers
        self._client: Client | None = None
        self._scripts: tuple[Script, Script] | None = None

    def put(self, worker: str, report: WorkerReport) -> None:
        """Store the *report* of *worker* instead of its last one.

        :raises StoreError: Redis is unavailable
        """
        ttl = round(TTL)
        try:
            if self._scripts is None:
                self._client = self._client or connect(self._url)
                self._scripts = script(self._client, "report"), script(self._client, "jobs")
            put, add_job = self._scripts
            key = f"{prefix_of(self._job)}about"
            put(key, [worker, report.to_json(), ttl, self._max_workers])
            add_job(JOBS, [as_bytes(self._job), ttl, MAX_JOBS])
        except (AwayError, FrontierError) as error:
            raise StoreError(f"Redis: {error}") from None

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        client, self._client, self._scripts = self._client, None, None
        if client is not None:
            client.close()


def script(client: Client, name: str) -> Script:
    """Return a function that runs the script *name* of this package."""
    text = files("wikicrawler").joinpath(f"control/fleet/{name}.lua").read_text("utf-8")
    return client.script(text)

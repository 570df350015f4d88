"""Crawls that run as jobs of a Scrapyd."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import requests
import urllib3

from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import without_login

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

logger = logging.getLogger(__name__)

SPIDER = "sources"
MAX_ANSWER = 10_000_000
"""Maximum size in bytes of an answer."""
_TIMEOUT = 30.0
_ERRORS = (requests.RequestException, urllib3.exceptions.HTTPError, ValueError)


class ScrapydJobs:
    """Schedules the spider ``sources`` by the Scrapyd at *url*.

    :param url: may contain a user and a password
    :param project: name of the project in Scrapyd
    :param arguments: of the spider
    :param settings: like ``NAME=VALUE``
    :raises ConfigError: *url* is not a URL of a server
    """

    def __init__(
        self,
        url: str,
        project: str,
        arguments: Mapping[str, str],
        settings: Sequence[str] = (),
    ) -> None:
        try:
            parts = urlsplit(url)
            is_right = parts.scheme in {"http", "https"} and bool(parts.hostname)
            is_right = is_right and not (parts.query or parts.fragment) and parts.port != 0
        except ValueError:
            is_right = False
        if not is_right:
            raise ConfigError(
                "--scrapyd: not a URL of a Scrapyd (right would be http://127.0.0.1:6800/)"
            )
        self._url = url.rstrip("/") + "/"
        self._shown = one_line(without_login(self._url))
        self._project = project
        self._form = [
            ("project", project),
            ("spider", SPIDER),
            *arguments.items(),
            *(("setting", one) for one in settings),
        ]

    def start(self) -> int:
        """Schedule a job, unless one is pending or running; return 1 if Scrapyd cannot be used."""
        try:
            jobs = self._ask("GET", "listjobs.json", params={"project": self._project})
            if job := _unfinished(jobs):
                logger.info("The job %s of Scrapyd has not ended", one_line(job, 100))
                return 0
            answer = self._ask("POST", "schedule.json", data=self._form)
        except _ERRORS as error:
            logger.error("Scrapyd at %s cannot be used: %s", self._shown, self._told(error))
            return 1
        job = one_line(answer.get("jobid"), 100)
        logger.info("Scrapyd at %s has the job %s", self._shown, job)
        return 0

    def add(self) -> str:
        """Schedule a job, whatever runs, and return its id.

        :raises StoreError: Scrapyd cannot be used
        """
        try:
            answer = self._ask("POST", "schedule.json", data=self._form)
        except _ERRORS as error:
            why = self._told(error)
            raise StoreError(f"Scrapyd at {self._shown} cannot be used: {why}") from error
        return one_line(answer.get("jobid"), 100)

    def stop(self) -> None:
        """Do nothing: the jobs are Scrapyd's."""

    kill = stop

    def _ask(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        """Return the answer of Scrapyd.

        :raises RequestException, HTTPError: there is none, or it cannot be decoded
        :raises ValueError: it is an error, or not an answer of Scrapyd
        """
        with requests.request(
            method,
            self._url + path,
            timeout=_TIMEOUT,
            allow_redirects=False,
            stream=True,
            **content,
        ) as response:
            body = response.raw.read(MAX_ANSWER + 1, decode_content=True)
        if len(body) > MAX_ANSWER:
            raise ValueError(f"HTTP {response.status_code} with more than {MAX_ANSWER:,} bytes")
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("status") != "ok":
            said = answer.get("message") if isinstance(answer, dict) else None
            told = f": {one_line(said, 300)}" if said else ""
            raise ValueError(f"HTTP {response.status_code} for {path}{told}")
        return answer

    def _told(self, error: Exception) -> str:
        return one_line(str(error).replace(self._url, self._shown), 300)


def _unfinished(jobs: Mapping[str, Any]) -> str:
    """Return the id of a job of the spider that is pending or running; empty if there is none."""
    for state in ("running", "pending"):
        found = jobs.get(state)
        for job in found if isinstance(found, list) else ():
            if isinstance(job, dict) and job.get("spider") == SPIDER:
                return str(job.get("id"))
    return ""

"""The check of robots.txt in a process of its own, for programs without an engine of Scrapy."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from wikicrawler.control.launch import shared_settings
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.manifest.activation import ActivationRefused
from wikicrawler.sources.manifest.robots_check import Disallowed
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.manifest.model import Source

LONGEST = 300.0
"""Maximum duration of the check in seconds."""
_MAX_MESSAGE = 2_000


class RobotsByProcess:
    """A check of robots.txt for :mod:`wikicrawler.control.manifests`: it runs ``scrapy manifest
    robots`` and blocks for at most :data:`LONGEST` seconds."""

    def __init__(self, settings: BaseSettings, longest: float = LONGEST) -> None:
        self._settings = settings
        self._longest = longest

    def __call__(self, sources: Sequence[Source]) -> list[Disallowed] | None:
        """Return those of *sources* that robots.txt disallows; None if it is not obeyed.

        :raises ActivationRefused: it could not be checked
        """
        command = [sys.executable, "-m", "scrapy", "manifest", "robots", "--json"]
        for setting in shared_settings(self._settings):
            command += ["-s", setting]
        with tempfile.TemporaryDirectory(prefix="wikicrawler-robots-") as folder:
            file = Path(folder) / "manifest.json"
            file.write_text(json.dumps(_manifest(sources)), "utf-8")
            try:
                done = subprocess.run(  # noqa: S603 - our own
                    [*command, str(file)],
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    timeout=self._longest,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise ActivationRefused(
                    f"robots.txt was not checked within {self._longest:.0f} s: nothing was "
                    "activated (try again, or activate without the check)"
                ) from None
        if done.returncode not in {ExitCode.OK, ExitCode.FAILED}:
            said = done.stderr[-_MAX_MESSAGE:].decode("utf-8", "replace")
            last = safe_lines(said.strip().rpartition("\n")[2])
            raise ActivationRefused(f"robots.txt could not be checked: {last}")
        return _found(done.stdout)


def _manifest(sources: Sequence[Source]) -> dict[str, object]:
    at = "2026-01-01T00:00:00Z"
    fields = [dict(source.fields) for source in sources]
    return {"version": "1.0.0", "created": at, "updated": at, "vertical": "x", "sources": fields}


def _found(output: bytes) -> list[Disallowed] | None:
    """
    :raises ActivationRefused: *output* is not that of the command
    """
    try:
        last = json.loads(output.strip().rpartition(b"\n")[2])
        disallowed = last["disallowed"]
        return None if disallowed is None else [Disallowed(*one) for one in disallowed]
    except (ValueError, LookupError, TypeError):
        raise ActivationRefused("robots.txt was not checked to the end") from None

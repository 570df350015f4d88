"""Whole crawls of private wikis, from the command line, in folders of their own."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests import scrapy_runs

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

ACCOUNT = "Reader"
PASSWORD = "an-account's-p&ssword+%41"  # noqa: S105 - with all that encodings change
BOT = "0123456789abcdefghijklmnopqrstuv"
"""Password of the bot ``Reader@crawler``."""
VARIABLE = "PRIVATE_WIKI_PASSWORD"


@dataclass
class Project:
    """A project in the folder *root*."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    def configure(self, sources: str) -> None:
        (self.root / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
        (self.root / "config").mkdir(exist_ok=True)
        (self.root / "config" / "sources.yml").write_text(sources)

    def _environment(self) -> dict[str, str]:
        own = {"CRAWL4AI_URL": "", "PYTHONPATH": str(scrapy_runs.ROOT)}
        return os.environ | own | self.environment

    def scrapy(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = self._environment()
        return scrapy_runs.run(list(command), cwd=self.root, env=environment)

    def crawl(
        self, seeds: str, *arguments: str, settings: dict[str, object] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """``scrapy crawl wiki`` with all that keeps files, and a log at the level DEBUG."""
        return self.scrapy(*self._command(seeds, arguments, settings or {}))

    @contextmanager
    def crawling(
        self, seeds: str, *arguments: str, settings: dict[str, object] | None = None
    ) -> Iterator[scrapy_runs.Running]:
        """The same, while it runs."""
        environment = self._environment()
        with (self.root / "output").open("wb") as output:
            command = self._command(seeds, arguments, settings or {})
            crawl = scrapy_runs.Running(
                command, cwd=self.root, env=environment, stdout=output, stderr=output
            )
            try:
                yield crawl
            finally:
                crawl.kill()
                crawl.wait()

    @staticmethod
    def _command(seeds: str, arguments: Sequence[str], settings: Mapping[str, object]) -> list[str]:
        given = {
            "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60_000,
            "WIKICRAWLER_CONTENT_WORKERS": 0,
            "WIKICRAWLER_SKIPPED_FILE": "skipped.jsonl",
            "WIKICRAWLER_AUDIT": True,
            "WIKICRAWLER_TIER_POLICY": "shadow",
            "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
            "LOG_LEVEL": "DEBUG",
            "LOG_FILE": "crawl.log",
            "COOKIES_DEBUG": True,
            **settings,
        }
        options = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
        command = ("crawl", "wiki", "-a", f"seeds={seeds}", *arguments, *options)
        return [*command, "-o", "pages.jsonl"]

    def records(self) -> list[dict[str, Any]]:
        return self._lines("pages.jsonl")

    def skipped(self) -> list[dict[str, Any]]:
        return self._lines("skipped.jsonl")

    def log(self) -> str:
        return (self.root / "crawl.log").read_text("utf-8")

    def _lines(self, name: str) -> list[dict[str, Any]]:
        file = self.root / name
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [json.loads(line) for line in lines]

    def files_with(self, text: str) -> list[str]:
        """The files of the project that contain *text*, as it is or as a form or JSON has it."""
        forms = spellings(text)
        return [
            str(file.relative_to(self.root))
            for file in self.root.rglob("*")
            if file.is_file() and any(form in file.read_bytes() for form in forms)
        ]


def spellings(text: str) -> set[bytes]:
    """The bytes that stand for *text* in a form, in a header with a login, and in JSON."""
    from base64 import b64encode
    from urllib.parse import quote, quote_plus

    plain = {text, quote(text, safe=""), quote_plus(text), json.dumps(text)[1:-1]}
    encoded = {b64encode(text.encode()[start:]).rstrip(b"=")[:-2] for start in range(3)}
    return {form.encode() for form in plain} | encoded


def wiki_entry(host: str, api: str, login: str) -> str:
    """An entry of ``mediawiki_sites``."""
    return f'  "{host}":\n    api: {api}\n    login: {login}\n'


def bot_login(variable: str = VARIABLE) -> str:
    return f"{{user: {ACCOUNT}@crawler, password: {{env: {variable}}}}}"


def account_login(variable: str = VARIABLE) -> str:
    return f"{{user: {ACCOUNT}, password: {{env: {variable}}}}}"

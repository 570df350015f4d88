"""A project in which strangers filled each field that they can: the texts of pages, answers and
manifests are attempts to run scripts, to reach another server, or to leave the place they are at.

A source for each text is visited for real. What no crawl on this machine brings (names of jobs and
of models, feeds, alerts) is written with the functions that crawls write it with.
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from unicodedata import category
from urllib.parse import quote

from tests import scrapy_runs
from tests.audit.samples import operation
from tests.audit.samples import write as write_audit
from tests.dashboard.naughty import NAUGHTY
from tests.dashboard.preview.payloads import payloads
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import manifest_of, source
from wikicrawler import options
from wikicrawler.store.alert_deliveries import add_deliveries
from wikicrawler.store.alerts import raise_alert, resolve_alert
from wikicrawler.store.attempts import FetchAttempt, add_attempts
from wikicrawler.store.audit_chain import KeptResponse
from wikicrawler.store.database import Database
from wikicrawler.store.jobs import JobRow, add_job
from wikicrawler.store.model_usage import ModelUsage, add_usage
from wikicrawler.store.site_holds import SiteHold, save_hold
from wikicrawler.store.sites import SitePause, TierChange, add_changes, note_sites
from wikicrawler.store.switches import Switch, save_switch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SETTINGS = {
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "WIKICRAWLER_TIERS": "http",
    "WIKICRAWLER_DISCOVER_WIKIS": "False",
    "WIKICRAWLER_RECORD_ATTEMPTS": "True",
    "WIKICRAWLER_AUDIT": "True",
    "WIKICRAWLER_RETRY": json.dumps({"500": [0.01], "network": [0.01], "timeout": [0.01]}),
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "DOMAIN_THROTTLE_MAX_DELAY": "0",
    "WIKICRAWLER_CONTENT_WORKERS": "0",
    "WIKICRAWLER_DASHBOARD_RESULTS": "feeds",
    "LOG_LEVEL": "ERROR",
}
_STATUSES = (200, 200, 404, 200, 500, 403)
"""Of the sources that are visited, in turn."""


def hostile_texts(origin: str) -> list[str]:
    """All texts; *origin* is the server that none of them may reach."""
    return [*payloads(origin).values(), *NAUGHTY]


class HostileProject:
    """The project in *folder*; *texts* fill it. The dashboard is not started."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        self.dashboard = RealDashboard(folder, SETTINGS)
        self.folder = folder
        self.texts = texts
        self.database = Database(str(self.dashboard.settings[options.DATABASE_URL.name]))

    def fill(self) -> None:
        """Write everything."""
        with ScriptedServer() as site:
            self._serve(site, edition=1)
            self._activate(site, self.texts[0])
            self._activate(site, "".join(self.texts[:5]), version="1.0.1")
            self._run("sources", "run", *self.visited())
            self._serve(site, edition=2)
            self._run("sources", "run", *self.visited()[::4])
        for number in range(1, len(self.texts), 50):
            why = _argument(self.texts[number])
            self._run("sources", "pause", f"s-{number}", f"--why={why}")
        with self.database.write() as connection:
            for number, text in enumerate(self.texts):
                self._write(connection, number, _stored(text))
            save_switch(
                connection, Switch("scheduler", time.time(), time.time(), *self._words(3, 2))
            )
        self._write_audit()
        self._write_feeds()
        self.database.close()

    def visited(self) -> list[str]:
        """The ids of the sources that are visited; each page has the texts of two sources."""
        return [f"s-{number}" for number in range(0, len(self.texts), 2)]

    def _run(self, *command: str) -> None:
        done = scrapy_runs.run(self.dashboard.command(*command)[3:], cwd=self.folder)
        assert done.returncode in (0, 1), done.stderr[-4000:]

    def _words(self, number: int, count: int) -> tuple[str, ...]:
        return tuple(_stored(self.texts[number + n]) for n in range(count))

    def _serve(self, site: ScriptedServer, edition: int) -> None:
        robots = "".join(f"# {_line(text)}\nDisallow: /{_line(text)}\n" for text in self.texts[:9])
        site.on("/robots.txt", Reply(headers={"Content-Type": "text/plain"}, body=robots))
        for number, text in enumerate(self.texts):
            status = _STATUSES[number // 2 % len(_STATUSES)]
            value = _line(text).encode("ascii", "replace").decode()
            headers = {"X-Hostile": value, "Server": value, "Via": value, "ETag": f'"{edition}"'}
            other = self.texts[number - 1]
            links = f'<a href="/p/{number}?q={quote(text)}">{other}</a>'
            prose = f"The rule {number} has applied since its edition {edition}. " * 12
            body = (
                f"<!doctype html><title>{text}</title><main><h1>{text}</h1><p>{prose}</p>"
                f"<p>{other}</p><h2>{other}</h2><pre>{text}</pre>{links}</main>"
            )
            site.on(f"/p/{number}", Reply(status, headers, body.encode("utf-8", "replace")))
            site.on(f"/p/{number}?q={quote(text)}", Reply(200, headers, body.encode()))

    def _activate(self, site: ScriptedServer, why: str, version: str = "1.0.0") -> None:
        sources = []
        for number, text in enumerate(self.texts):
            accepted = "".join(c for c in text if category(c) != "Cc" or c == "\n")
            line = _line(accepted)[:300].strip() or "empty"
            sources.append(
                source(
                    site.url(
                        f"/p/{number}?q={quote(text)}" if number % 12 == 0 else f"/p/{number}"
                    ),
                    f"s-{number}",
                    name=line,
                    description=accepted,
                    regulatory_domain=line,
                    citation=line,
                    method="crawl" if number % 12 == 2 else "scrape",
                    metadata={"agency": line, "notes": accepted},
                )
            )
        file = self.folder / "manifest.json"
        file.write_text(json.dumps(manifest_of(*sources) | {"version": version}))
        arguments = ("activate", str(file), "--offline", f"--why={_argument(why)}")
        self._run("manifest", *arguments)

    def _write(self, connection: Any, number: int, text: str) -> None:
        now = time.time() - number
        day = datetime.fromtimestamp(now, UTC).date().isoformat()
        counts = {text: number, "ok": 1}
        progress = {
            "items": text if number % 2 else number,
            "pages_left": number,
            "pages_left_precision": text,
            **dict.fromkeys(("pages_by_tier", "documents", "skipped", "delays", "pauses"), counts),
        }
        is_over = number % 3 != 0
        add_job(
            connection,
            JobRow(
                id=f"job-{number}" if number % 5 else text.replace("/", "_")[:36],
                spider=text,
                arguments=json.dumps({text: text, "seeds": text, "only": text}),
                requested_at=now,
                requested_by=text,
                via=text,
                owner=None,
                pid=None,
                host=text,
                started=now,
                heartbeat=time.time(),
                ended=now + 1 if is_over else None,
                finish_reason=text if is_over else None,
                log_file=text.replace("\0", ""),
                progress=json.dumps(progress),
                stop_requested_by=text,
            ),
        )
        add_usage(connection, [ModelUsage(day, text, text.replace("/", "_"), 1, 0, 10, 10, 0.5)])
        alert = raise_alert(
            connection, text[:60], text, severity="critical", message=text, url=text, now=now
        )
        add_deliveries(
            connection, alert.id, "new", [text], severity="critical", title=text, body=text, now=now
        )
        if number % 2:
            resolve_alert(connection, alert.id, now=now, why=text)
        host = text.replace("/", "_")
        pause = SitePause(now, host, time.time() + 9_000, 1, text)
        note_sites(connection, [(host, now)], [pause])
        save_hold(connection, SiteHold(host, now, text, time.time() + 9_000, text))
        add_changes(connection, 9_000, [(number, TierChange(now, host, host, text, 0.5, False))])
        attempt = FetchAttempt(
            at=now,
            url=f"https://evil.test/{quote(text)}",
            domain=host,
            registered_domain=host,
            suffix=text,
            shape=text,
            scheme=text,
            wiki=text,
            configured=text,
            tier=text,
            ok=False,
            reason=text,
            final=True,
            is_banned=True,
            status=403,
            latency=0.1,
            size=1,
            cost=1.0,
            policy=text,
            propensity=None,
            step=0,
            site=host,
        )
        add_attempts(connection, 9_000, [(number, attempt)])

    def _write_audit(self) -> None:
        entries = []
        for number, text in enumerate(map(_stored, self.texts), 1):
            kept = KeptResponse([(text, text), ("Server", text)], text.encode(), len(text))
            entries.append(
                operation(
                    number,
                    run="hostile",
                    url=f"https://evil.test/{text}",
                    at=datetime.now(UTC),
                    source=f"s-{number}" if number % 2 else text,
                    engine=text,
                    operation=text,
                    status=None,
                    error=text,
                    credits_consumed=1,
                    response=kept,
                )
            )
        write_audit(self.database, *entries, run="hostile")

    def _write_feeds(self) -> None:
        folder = self.folder / "feeds"
        folder.mkdir()
        pages = "".join(json.dumps(_page(text)) + "\n" for text in self.texts)
        reports = "".join(json.dumps(_report(text)) + "\n" for text in self.texts)
        (folder / "pages.jsonl").write_text(pages)
        (folder / "reports.jsonl").write_text(reports)
        for text in self.texts[::7]:
            name = text.replace("/", "_").replace("\0", "")[:60] or "x"
            (folder / f"{name}.jsonl").write_text(pages[: pages.index("\n") + 1])


def _line(text: str) -> str:
    """*text* as it may stand in a line."""
    return " ".join(text.replace("\r", " ").replace("\0", " ").split())


def _stored(text: str) -> str:
    """*text* as a database takes it."""
    return text.replace("\0", " ")


def _argument(text: str) -> str:
    """*text* as an argument of a command."""
    return text.replace("\0", " ")


def _page(text: str) -> dict[str, Any]:
    place = {"url": text, "start": 7, "end": 7 + len(text), "text": text}
    evidence = {**place, "method": text, "path": text, "score": 1}
    finding = {"field": text, "value": text, "url": text, "marks": [text], "evidence": evidence}
    return {
        "type": "page",
        "url": text,
        "data": {text: text, "other": {text: [text]}},
        "findings": [finding, {"field": text, "reason": text, "rejected": {text: text}}],
        "conflicts": [finding],
        **dict.fromkeys(("error", "partial", "tier"), text),
        "content": f"before {text} after",
    }


def _report(text: str) -> dict[str, Any]:
    names = ("provider", "content_type", "title", "form", "filed", "note", "url", "path")
    candidate = dict.fromkeys(names, text)
    return {
        "type": "report",
        "company": {"name": text, "ticker": text, "cik": text},
        "year": 2023,
        **dict.fromkeys(("error", "local_path", "sha256"), text),
        "evidence": [text],
        "candidates": [candidate, candidate],
        "attempts": [{"rank": 1, "outcome": text, "detail": text}, {"rank": 2, "outcome": "ok"}],
        "searches": [{"provider": text, "outcome": text, "detail": text, "found": 1}],
    }

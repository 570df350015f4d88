"""What a crawl for fields remembers beside its requests, so that it can be resumed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.fields.models import Finding, Usage
from wikicrawler.frontier.scheduler import frontier_of, lease_of
from wikicrawler.store.chain_text import canonical_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy import Request, Spider

    from wikicrawler.fields.models import FieldDefinition, ScrapeResult

_PART = "fields"
_JOB, _PAGES, _WRITTEN = "fields_job", "fields_pages", "fields_written"


class KnownPage(NamedTuple):
    """A page that was read, or that could not be."""

    url: str
    depth: int
    is_read: bool
    is_done: bool
    """False: it is to be asked for once more, because the run had to stop."""
    findings: tuple[Finding, ...]
    links: tuple[str, ...]
    """Those that the page led to."""
    usage: Usage
    number: int
    """How many pages the job had before it."""


class FieldMemory:
    """The pages of a job, as they were read.

    With the add-on's scheduler and ``JOBDIR`` it is kept with the requests, so that it agrees with
    them after a kill, too. With another scheduler it is kept in ``spider.state``.
    """

    def __init__(self, spider: Spider) -> None:
        self._frontier = frontier_of(spider.crawler)
        kept = getattr(spider, "state", None)
        self._state: dict[str, Any] = kept.setdefault(_PART, {}) if isinstance(kept, dict) else {}
        self._count = 0
        self.is_resumed = False
        """Whether an earlier run began the job."""
        self.spent = Usage()
        """What the pages cost that :meth:`pages` has returned, each time that they were read."""

    def begin(self, start: Sequence[str], fields: Sequence[FieldDefinition], mode: str) -> bool:
        """Remember what the job is; return False if it is a resumed one that was begun with
        others."""
        job = canonical_text({"mode": mode, "start": list(start), "fields": _plain(fields)})
        known = self._noted(_JOB)
        self.is_resumed = bool(known)
        if not known:
            self._note(_JOB, job)
        return not known or job in known

    def pages(self) -> list[KnownPage]:
        """Return the pages of the job in the order in which they were read; the last state of
        each."""
        pages = sorted((_page(text) for text in self._noted(_PAGES)), key=lambda one: one.number)
        self._count = pages[-1].number + 1 if pages else 0
        for page in pages:
            self.spent += page.usage
        return list({page.url: page for page in pages}.values())

    def add(
        self,
        request: Request | None,
        result: ScrapeResult,
        *,
        url: str,
        depth: int = 0,
        links: Iterable[str] = (),
        keeps_findings: bool = False,
        is_done: bool = True,
    ) -> None:
        """Remember the page of *request*, when that is done; None: now."""
        findings = result.findings if keeps_findings else ()
        page = {
            "number": self._count,
            "url": url,
            "depth": depth,
            "is_read": result.success,
            "is_done": is_done,
            "findings": [one.model_dump(mode="json") for one in findings],
            "links": list(links),
            "usage": result.usage.model_dump(),
        }
        self._count += 1
        self._note(_PAGES, json.dumps(page), request)

    @property
    def is_written(self) -> bool:
        """Whether the record of the whole crawl was written."""
        return bool(self._noted(_WRITTEN))

    def written(self, after: Request | None) -> None:
        """Remember that the record of the whole crawl was written, when *after* is done."""
        self._note(_WRITTEN, "1", after)

    def _note(self, name: str, text: str, after: Request | None = None) -> None:
        if self._frontier is not None:
            lease = lease_of(after) if after is not None else None
            self._frontier.note(name, text.encode(), after=lease)
        elif text not in (kept := self._state.setdefault(name, [])):
            kept.append(text)

    def _noted(self, name: str) -> list[str]:
        if self._frontier is not None:
            return [value.decode() for value in self._frontier.noted(name)]
        return list(self._state.get(name, ()))


def _plain(fields: Sequence[FieldDefinition]) -> list[dict[str, Any]]:
    return [json.loads(field.model_dump_json()) for field in fields]


def _page(text: str) -> KnownPage:
    values = json.loads(text)
    values["findings"] = tuple(Finding.model_validate(one) for one in values["findings"])
    values["links"] = tuple(values["links"])
    values["usage"] = Usage.model_validate(values["usage"])
    return KnownPage(**values)

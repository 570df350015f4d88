"""What the spider ``sources`` does with the answer to a request for a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.errors import ContentError, Reason
from wikicrawler.pages import Failure
from wikicrawler.politeness.retry_policy import retry_count
from wikicrawler.sources.visits.reading import Answer
from wikicrawler.spiders.source_items import document_item
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.http.tier import HttpTier
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from wikicrawler.audit.recorder import AuditRecorder
    from wikicrawler.sources.staging.stager import Outcome
    from wikicrawler.sources.visits.run import SourcesRun
    from wikicrawler.sources.visits.visit import SourceVisit, Target


class SourceDocuments:
    """Hands documents to *run*, and what became of them to the audit log.

    :param audit: None if the crawl is not audited
    """

    def __init__(self, run: SourcesRun, audit: AuditRecorder | None) -> None:
        self._run = run
        self._audit = audit

    async def take(
        self, visit: SourceVisit, url: str, response: Response, answer: Answer
    ) -> dict[str, Any]:
        """Return the item of the document at *url*, which *response* brought."""
        tier = response.meta.get(st.TIER) or HttpTier.name
        record = document_item(visit.source.id, url, tier, response.status)
        problem = answer.problem
        if problem is None:
            try:
                found = await self._run.take(visit, url, answer, headers_of(response))
            except ContentError as error:
                found, problem = None, Failure(error.reason, error.detail)
            if found is not None:
                self._note(response, found)
                return record | _facts(found) | {"change_class": found.kind}
            status = response.status
            problem = problem or Failure(Reason.MISSING, f"HTTP {status}", status=status)
        assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
        await self.report(visit, url, problem, response.request, tier=tier, response=response)
        return record | {"reason": problem.reason.value, "detail": one_line(problem.detail)}

    async def confirm(self, visit: SourceVisit, target: Target) -> dict[str, Any]:
        """Return the item of a document that has not changed, and was not fetched."""
        outcome = "failed"
        try:
            found = await self._run.take(visit, target.url, Answer(unchanged=True), {})
            assert found is not None  # noqa: S101 - it was there before
            outcome = found.change_type
        finally:
            visit.ended(outcome)
        return document_item(visit.source.id, target.url, found.page.tier, None) | _facts(found)

    async def report(
        self,
        visit: SourceVisit,
        url: str,
        problem: Failure,
        request: Request,
        *,
        tier: str | None = None,
        response: Response | None = None,
    ) -> None:
        """Record that *request* did not bring the document at *url*."""
        if self._audit is not None:
            self._audit.add_outcome(request, error=one_line(f"{problem.reason}: {problem.detail}"))
        await self._run.failed(
            visit,
            url,
            problem,
            response,
            retry_count=retry_count(request),
            engine=tier,
            http_status=problem.status,
        )

    def _note(self, response: Response, outcome: Outcome) -> None:
        if self._audit is not None and response.request is not None:
            changed = outcome.change_type != "unchanged"
            self._audit.add_outcome(
                response.request,
                content_hash=outcome.page.content_hash,
                content_changed=changed,
                staged_path=outcome.page.path if changed else None,
            )


def _facts(outcome: Outcome) -> dict[str, Any]:
    return {
        "change_type": outcome.change_type,
        "content_hash": outcome.page.content_hash,
        "path": outcome.page.path,
    }

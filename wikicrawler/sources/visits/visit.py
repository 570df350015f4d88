"""The URLs of one visit to a source."""

from __future__ import annotations

from collections import Counter, deque
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.visits.admission import Dropped, refusal
from wikicrawler.sources.visits.error_kinds import error_kind
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.pages import Failure
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.store.source_pages import PageState

MAX_URLS = 100_000
"""Maximum number of URLs that a visit looks at."""


CHANGES = ("new", "modified", "deleted")


class Target(NamedTuple):
    """A URL to fetch."""

    url: str
    depth: int
    last: PageState | None
    """What is known of it from earlier visits."""


class SourceVisit:
    """Decides which URLs of a source are fetched, and counts what they bring.

    :param max_pages: maximum number of URLs to fetch
    :param max_url: maximum number of characters of a URL; 0: no limit
    """

    def __init__(self, source: Source, max_pages: int, max_url: int = 0) -> None:
        self.source = source
        self.started = time()
        self.counts: Counter[str] = Counter()
        """``found``, ``fetched``, ``new``, ``modified``, ``unchanged``, ``deleted``, ``failed``."""
        self.dropped: Counter[Dropped] = Counter()
        self.error = ""
        """Why the url of the source itself failed; empty if it did not."""
        self.error_kind: VisitError | None = None
        """The same for the schedule."""
        self.is_gone = False
        """Whether the url of the source was there before, and is no longer."""
        self.retry_after: float | None = None
        self.is_limited = False
        """Whether any document was answered by HTTP 429 after all retries."""
        self.kept = 0
        """Number of responses that were kept of documents beside the url of the source."""
        self.complete_until = 0.0
        """Until when all links of the documents were followed."""
        self.outstanding = 0
        """Number of requests without an answer."""
        self._staged_before: Counter[str] = Counter()
        self._known: dict[str, PageState] = {}
        self._max_pages = max_pages
        self._max_url = max_url
        self._seen: set[str] = set()
        self._admitted = 0
        self._waiting: deque[Target] = deque()

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to fetch."""
        return not self.outstanding and not self._waiting

    @property
    def is_known(self) -> bool:
        """Whether an earlier visit went to its end, and found something."""
        return bool(self._known and self.complete_until)

    def remember(self, known: dict[str, PageState], complete_until: float) -> None:
        """Take over what earlier visits found, by URL. What is still there is fetched again.

        :param complete_until: when the last visit ended that was not killed
        """
        self._known = known
        self.complete_until = complete_until
        for page in known.values():
            if (page.last_changed or 0.0) > complete_until:
                self._staged_before[_change_of(page, complete_until)] += 1

    def changes(self) -> Counter[str]:
        """Return the numbers of documents that are ``new``, ``modified`` and ``deleted``, with
        those that a visit staged which was killed since the last one that was not."""
        return Counter({name: self.counts[name] for name in CHANGES}) + self._staged_before

    def begin(self) -> None:
        """Offer the source's own url, and what earlier visits found."""
        self.offer(self.source.url, 0)
        if self.source.method == "crawl":
            for page in sorted(self._known.values(), key=lambda page: page.first_seen):
                if page.present:
                    self.offer(page.url, page.depth)

    def offer(self, url: str, depth: int) -> Dropped | None:
        """Add *url* to the visit; return why it is dropped, None if it is not."""
        if url in self._seen:
            self.dropped[Dropped.DUPLICATE] += 1
            return Dropped.DUPLICATE
        if len(self._seen) >= MAX_URLS:
            self.dropped[Dropped.LIMIT] += 1
            return Dropped.LIMIT
        self._seen.add(url)
        self.counts["found"] += 1
        why = refusal(self.source, url, depth)
        if 0 < self._max_url < len(url):
            why = Dropped.LENGTH
        if why is None and self._admitted >= self._max_pages:
            why = Dropped.LIMIT
        if why is not None:
            self.dropped[why] += 1
            return why
        self._admitted += 1
        self._waiting.append(Target(url, depth, self._known.get(url)))
        return None

    def targets(self) -> Iterator[Target]:
        """Yield the URLs to fetch now. Each one counts as outstanding."""
        while self._waiting:
            self.outstanding += 1
            yield self._waiting.popleft()

    def known(self, url: str) -> PageState | None:
        """Return what earlier visits found at *url*."""
        return self._known.get(url)

    def ended(self, outcome: str) -> None:
        """Count an answer: ``new``, ``modified``, ``unchanged``, ``deleted``, ``failed``, or empty
        for a request that is not for a document."""
        self.outstanding -= 1
        if outcome:
            self.counts["fetched"] += 1
            self.counts[outcome] += 1

    def fail(self, url: str, failure: Failure) -> None:
        """Store that *url* failed: the visit fails if it is that of the source itself."""
        kind = error_kind(failure)
        if kind is VisitError.RATE_LIMITED:
            self.is_limited = True
            self.wait_for(failure.retry_after)
        if url == self.source.url:
            self.error = one_line(f"{failure.reason}: {failure.detail}")
            self.error_kind = kind
            self.wait_for(failure.retry_after)

    def wait_for(self, seconds: float | None) -> None:
        """Store that the server asked for no visit before so many seconds."""
        if seconds is not None:
            self.retry_after = max(seconds, self.retry_after or 0.0)

    def refuse(self) -> None:
        """Fetch nothing: the source's own url counts as failed."""
        self._waiting.clear()
        self.counts["failed"] += 1

    def abandon(self) -> None:
        """Wait for no more answers: the requests were dropped."""
        self.outstanding = 0
        self.error = self.error or "requests were dropped"
        self.error_kind = self.error_kind or VisitError.OTHER

    def summary(self) -> dict[str, Any]:
        """Return the counts of the visit as a record."""
        names = ("found", "fetched", "new", "modified", "unchanged", "deleted", "failed")
        return {
            "source": self.source.id,
            "url": self.source.url,
            **{name: self.counts[name] for name in names},
            "dropped": {why.value: self.dropped[why] for why in sorted(self.dropped)},
            "seconds": round(time() - self.started, 1),
            "error": self.error or None,
        }


def _change_of(page: PageState, since: float) -> str:
    """Return how *page* has changed since that moment."""
    if not page.present:
        return "deleted"
    return "new" if page.first_seen > since else "modified"

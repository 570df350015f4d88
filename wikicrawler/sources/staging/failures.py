"""Responses of failed fetches, kept in the staging folder for diagnosis.

Each one is a JSON file ``_failures/{source}__{time}__{hash of the URL}.json``. The oldest of a
source are removed.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from scrapy.http import TextResponse

from wikicrawler.audit.record import header_pairs
from wikicrawler.audit.redaction import redact_headers, redact_url
from wikicrawler.sources.envelopes.build import timestamp
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response

    from wikicrawler.sources.staging.protocol import Staging

FOLDER = "_failures"
MAX_BODY = 1 << 20
"""Maximum number of bytes of a body that are kept."""
_SHARE = 5
"""A visit may use one in so many of the places of its source for documents beside its own url, so
that those of the visits before remain."""
_MAX_NUMBER = 1_000


@dataclass(frozen=True, slots=True)
class FailedFetch:
    """A response that brought no document."""

    source_id: str
    url: str
    error: str
    kind: str
    """As the schedule sees it: a word of ``VisitError``."""
    needs_review: bool
    """Whether the content could not be read, so that a person has to look at it."""
    response: Response


class KeptFailures:
    """The kept responses of a staging folder. The methods block; call them in a thread.

    :param most: maximum number of responses of a source; 0: none is kept
    """

    def __init__(self, staging: Staging, most: int) -> None:
        self._staging = staging
        self._most = most

    @property
    def share(self) -> int:
        """Maximum number of responses of a visit that are not for the source's own url."""
        return -(-self._most // _SHARE)

    def keep(self, failed: FailedFetch) -> str | None:
        """Keep the response of *failed* and return its path in the folder; None if none is kept.

        :raises OSError: the folder cannot be written
        """
        if not self._most:
            return None
        now = datetime.now(UTC)
        data = json.dumps(_described(failed, now), ensure_ascii=False, indent=1)
        path = self._staging.write(_paths(failed, now), data.encode("utf-8", "replace"))
        for old in self.paths_of(failed.source_id)[: -self._most]:
            self._staging.remove(old)
        return path

    def paths_of(self, source_id: str) -> list[str]:
        """Return the paths of the kept responses of a source, the oldest first."""
        return self._staging.with_prefix(f"{FOLDER}/{source_id}__")

    def read(self, path: str) -> dict[str, Any]:
        """Return the kept response at *path*.

        :raises OSError, ValueError: there is none, or it is damaged
        """
        return self._staging.read(path)


def _paths(failed: FailedFetch, now: datetime) -> Iterator[str]:
    digest = sha256(failed.url.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    start = f"{FOLDER}/{failed.source_id}__{now:%Y%m%dT%H%M%S.%fZ}__{digest}"
    yield f"{start}.json"
    for number in range(2, _MAX_NUMBER):
        yield f"{start}-{number}.json"


def _described(failed: FailedFetch, now: datetime) -> dict[str, Any]:
    response = failed.response
    request = response.request
    sent = None
    if request is not None:
        sent = {
            "method": request.method,
            "url": redact_url(request.url),
            "headers": redact_headers(header_pairs(request.headers)),
        }
    return {
        "kept_at": timestamp(now),
        "manifest_id": failed.source_id,
        "url": redact_url(failed.url),
        "error": one_line(failed.error),
        "kind": failed.kind,
        "needs_review": failed.needs_review,
        "request": sent,
        "response": {
            "status": response.status,
            "url": redact_url(response.url),
            "headers": redact_headers(header_pairs(response.headers)),
            "size": len(response.body),
            "truncated": len(response.body) > MAX_BODY,
            **_body(response),
        },
    }


def _body(response: Response) -> dict[str, str | None]:
    """Return the body as text if it is text, else in Base64."""
    data = response.body[:MAX_BODY]
    encoding = response.encoding if isinstance(response, TextResponse) else "utf-8"
    try:
        # A character at the cut may lack its last bytes.
        text = data.decode(encoding, "strict" if len(data) < MAX_BODY else "ignore")
    except (UnicodeDecodeError, LookupError):
        text = None
    if text is None or "\x00" in text:
        encoded = base64.b64encode(data).decode("ascii")
        return {"encoding": None, "body": None, "body_base64": encoded}
    return {"encoding": encoding, "body": text, "body_base64": None}

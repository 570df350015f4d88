"""Signed POST requests, as Standard Webhooks (https://www.standardwebhooks.com) describes them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import logging
import threading
import time
from math import inf
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import requests

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line
from wikicrawler.version import PRODUCT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

PATIENCE = 10.0
# On the level DEBUG the paths of URLs are logged, and that of a webhook may be a secret.
if logging.getLogger("urllib3").level == logging.NOTSET:
    logging.getLogger("urllib3").setLevel(logging.WARNING)

_PREFIX = "whsec_"
_STEP = 0.1
"""Seconds after which a waiting thread notices that it is stopped."""
_PASSING = frozenset({408, 425, 429})


class Problem(NamedTuple):
    """Why an event was not confirmed."""

    reason: str
    may_pass: bool
    """Whether the receiver may confirm another event, or this one later."""


class Webhook:
    """The receiver at *url*.

    The methods block, for a bounded time.

    :param key: the bytes of the secret
    :param retry_delays: seconds before each retry
    :param patience: seconds that an attempt may take, from the look-up of the host to the headers
        of the answer
    """

    def __init__(
        self, url: str, key: bytes, retry_delays: Sequence[float], patience: float = PATIENCE
    ) -> None:
        self._url = url
        self._key = key
        self._delays = retry_delays
        self._patience = patience
        self._stopped = threading.Event()
        self._end = inf

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Webhook | None:
        """Return the receiver that the settings name; None if they name none.

        :raises ConfigError: a setting is wrong
        """
        url = options.STAGING_WEBHOOK.read(settings)
        delays = options.STAGING_WEBHOOK_RETRY_DELAYS.read(settings)
        if not url:
            return None
        if not _is_url(url):
            raise ConfigError(
                f"{options.STAGING_WEBHOOK.source(settings)}: not a URL; "
                "right would be https://consumer.example.org/staged"
            )
        return cls(url, _key_of(settings), delays)

    @property
    def longest(self) -> float:
        """Maximum number of seconds that :meth:`send` takes."""
        return sum(self._delays) + self._patience * (len(self._delays) + 1)

    def __str__(self) -> str:
        """Return the host, for logs: the rest of a URL may be a secret."""
        return one_line(urlsplit(self._url).hostname, 200)

    def stop(self, seconds: float) -> None:
        """Begin no attempt any more, and give up the one that is under way after *seconds*."""
        self._end = time.monotonic() + seconds
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def send(self, event_id: str, body: bytes) -> Problem | None:
        """Send an event; return why it was not confirmed, None if it was."""
        problem = Problem("the crawl is being stopped", may_pass=True)
        for delay in (0.0, *self._delays):
            if self._stopped.wait(delay):
                break
            status, reason = self._attempt(event_id, body)
            if not reason:
                return None
            problem = Problem(reason, _may_pass(status))
            if not problem.may_pass:
                break
        return problem

    def _attempt(self, event_id: str, body: bytes) -> tuple[int | None, str]:
        """Return the status of one attempt and what is wrong with it."""
        result: list[tuple[int | None, str]] = []

        def post() -> None:
            try:
                result.append(self._post(event_id, body))
            except Exception as error:  # its message may have the URL
                result.append((None, type(error).__name__))

        # A thread of its own because the time-outs of the library are for each read: a receiver
        # that sends a byte now and then would never end. A daemon does not delay the exit.
        thread = threading.Thread(target=post, name="webhook", daemon=True)
        began = time.monotonic()
        thread.start()
        while thread.is_alive() and time.monotonic() < min(began + self._patience, self._end):
            thread.join(min(self._patience, _STEP))
        waited = min(self._patience, time.monotonic() - began)
        return result[0] if result else (None, f"no answer in {waited:.3g} s")

    def _post(self, event_id: str, body: bytes) -> tuple[int | None, str]:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": PRODUCT,
            **signed_headers(self._key, event_id, int(time.time()), body),
        }
        with requests.post(
            self._url,
            data=body,
            headers=headers,
            timeout=self._patience,
            allow_redirects=False,  # the signature is for this receiver
            stream=True,  # the body of the answer is not read
        ) as answer:
            status = answer.status_code
        return status, "" if 200 <= status < 300 else f"HTTP {status}"


def signed_headers(key: bytes, event_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers by which a receiver recognises *body*."""
    signed = f"{event_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def _may_pass(status: int | None) -> bool:
    """Return whether an attempt a little later may have another result."""
    return status is None or status >= 500 or status in _PASSING


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _key_of(settings: BaseSettings) -> bytes:
    setting = options.STAGING_WEBHOOK_SECRET
    text = setting.read(settings)
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not 24 <= len(key) <= 64:
        wrong = "is not such a secret" if text else "is needed with a webhook"
        raise ConfigError(
            f"{setting.source(settings)} {wrong}: right would be {_PREFIX} and 24 to 64 bytes in "
            f"base64 (printf '{_PREFIX}%s\\n' \"$(openssl rand -base64 32)\")"
        )
    return key

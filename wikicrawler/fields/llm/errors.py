"""The ways in which a call of a model fails.

``details`` of each have ``reason``, a value of :class:`Failure`, ``requests``, the number of HTTP
requests that were sent, and ``status`` where there was a response.
"""

from __future__ import annotations

from enum import StrEnum

from wikicrawler.fields.errors import AllKeysExhaustedError, ConfigError, ExtractionError


class Failure(StrEnum):
    """Why a call failed."""

    CONTEXT = "context_length_exceeded"
    TOO_LARGE = "request_too_large"
    BAD_REQUEST = "bad_request"
    NO_MODEL = "model_not_found"
    KEYS_REFUSED = "keys_refused"
    NO_QUOTA = "insufficient_quota"
    RATE_LIMITED = "rate_limited"
    SERVER = "server_error"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    BAD_ANSWER = "unreadable_response"
    ANSWER_TOO_LARGE = "response_too_large"


class ContextTooLongError(ExtractionError):
    """The prompt is longer than the model, or the server, accepts: a smaller chunk may do."""


class ModelNotFoundError(ExtractionError, ConfigError):
    """The server does not have the model, or no such API at its base URL."""


class QuotaExhaustedError(AllKeysExhaustedError):
    """The account has no money or credits left: no further call will succeed."""

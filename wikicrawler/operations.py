"""Meta keys with which a request says what it is for. The audit log records their values."""

from __future__ import annotations

OPERATION_KEY = "audit_operation"
"""Meta key of a request (str): the kind of operation, as ``robots``, ``sitemap`` or ``api``."""
MANIFEST_KEY = "manifest_id"
"""Meta key of a request (str): the watched source that it belongs to."""
CREDITS_KEY = "credits_consumed"
"""Meta key of a request (number): what a service charged for it. The component that sends the
request to the service sets it (:func:`wikicrawler.audit.wire.note_credits`)."""
RECORD_KEY = "audit_record"
"""Meta key of a request that was sent (str): its record in the audit log, see
:meth:`wikicrawler.audit.recorder.AuditRecorder.add_outcome`."""

PAGE, ROBOTS, SITEMAP, API, BROWSER, MAP = "page", "robots", "sitemap", "api", "browser", "map"
LOGIN = "login"
"""Kinds of operations."""

"""What came back: a page, or something that only looks like one.

The rules judge by facts that a page about the same subject would not show: a challenge's own
scripts and form targets, not its words. A page that is an article *about* captchas is an article.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.tiers.base import Action, Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

# Only the head of a document is searched: challenges are small and state their vendor early.
_HEAD = 64 * 1024

#: What other kinds of file begin with, whatever their label says.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "PDF"),
    (b"\x89PNG\r\n", "PNG"),
    (b"GIF8", "GIF"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x7fELF", "ELF"),
)

#: Marks of block pages: (reason, vendor, pattern in the markup).
_BLOCKS: tuple[tuple[Reason, str, re.Pattern[bytes]], ...] = (
    (
        Reason.BLOCKED_CAPTCHA,
        "Cloudflare challenge",
        re.compile(rb"/cdn-cgi/challenge-platform/[^\"']{0,200}orchestrate|window\._cf_chl_opt\b"),
    ),
    (Reason.BLOCKED, "Cloudflare block", re.compile(rb'id="cf-error-details"|cf-error-code')),
    (
        Reason.BLOCKED_CAPTCHA,
        "DataDome",
        re.compile(rb"(?:geo|ct)\.captcha-delivery\.com/(?:captcha|c\.js|i\.js)"),
    ),
    (Reason.BLOCKED_CAPTCHA, "PerimeterX", re.compile(rb'id="px-captcha"')),
    (Reason.BLOCKED, "Imperva", re.compile(rb"_Incapsula_Resource\?[^\"']{0,500}incident_id")),
    (Reason.BLOCKED_CAPTCHA, "Anubis", re.compile(rb'id="anubis_challenge"')),
)

#: With less text than this a page may be the empty shell of an application.
_SHELL_TEXT = 200
_SHELL = re.compile(
    rb"<div\s[^<>]{0,300}id=[\"']?(?:root|app|__next|__nuxt|svelte)[\"' >]"
    rb"|<noscript>[^<]{0,300}(?:enable|requires?|need)[^<]{0,300}javascript",
    re.IGNORECASE,
)


def judge_response(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    """Why an HTTP answer holds no page, by what is cheap to see; None where it may hold one.

    *headers* have lower-case names.
    """
    return _judge_block(status, headers, body) or judge_status(status) or _judge_kind(headers, body)


def judge_status(status: int) -> Failure | None:
    """Why an answer of that HTTP *status* holds no page; None for 2xx."""
    if status in {404, 410}:
        return Failure(Reason.MISSING, f"HTTP {status}", Action.FINAL, status)
    if status in {429, 503}:
        return Failure(Reason.BUSY, f"HTTP {status}", status=status)
    if status in {401, 403}:
        return Failure(Reason.BLOCKED, f"HTTP {status}", status=status)
    if status >= 300:
        return Failure(Reason.HTTP_ERROR, f"HTTP {status}", status=status)
    return None


def judge_text(text: str, body: bytes) -> Failure | None:
    """Why an HTML page whose content is *text* is none after all."""
    text = text.strip()
    if len(text) < _SHELL_TEXT and _SHELL.search(body[:_HEAD]) and b"<script" in body:
        return Failure(Reason.JS_SHELL, f"{len(text)} characters of text in a script's shell")
    if not text:
        return Failure(Reason.EMPTY, "no text on the page")
    return None


def _judge_kind(headers: Mapping[str, str], body: bytes) -> Failure | None:
    for magic, kind in _MAGIC:
        if body.startswith(magic):
            return Failure(Reason.NOT_HTML, kind, Action.FINAL)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and kind not in {"text/html", "application/xhtml+xml"}:
        # Servers that do not know say text/plain or nothing; the page itself then decides.
        guessed = kind in {"text/plain", "application/octet-stream"}
        if not (guessed and b"<html" in body[:1024].lower()):
            safe = re.sub(r"[^a-z0-9.+/-]", "?", kind)[:60]
            return Failure(Reason.NOT_HTML, safe, Action.FINAL)
    return None


def _judge_block(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    if headers.get("cf-mitigated") == "challenge":
        return Failure(Reason.BLOCKED_CAPTCHA, f"Cloudflare challenge, HTTP {status}")
    head = body[:_HEAD]
    for reason, vendor, pattern in _BLOCKS:
        if pattern.search(head):
            return Failure(reason, f"{vendor}, HTTP {status}", status=status)
    return None

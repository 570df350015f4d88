"""The verdict on a response: a page, or something that only looks like one."""

from __future__ import annotations

import time

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.errors import Reason
from wikicrawler.pages import Action
from wikicrawler.tiers.verdict import (
    has_enough_content,
    judge_early,
    judge_page,
    judge_response,
    judge_text,
)
from wikicrawler.tiers.verdict.conditions import RuleInput
from wikicrawler.tiers.verdict.full_verdict import full_verdict
from wikicrawler.tiers.verdict.rules import shipped_rules

HTML = {"content-type": "text/html; charset=utf-8"}
PAGE = b"<!doctype html><html><title>A page</title><body><p>Words.</p></body></html>"
CLOUDFLARE = (
    b"<title>Just a moment...</title><script>window._cf_chl_opt={cvId:'3'}</script>"
    b'<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>'
)


@pytest.mark.parametrize(
    ("status", "reason", "action"),
    [
        (404, Reason.MISSING, Action.FINAL),
        (410, Reason.MISSING, Action.FINAL),
        (401, Reason.BLOCKED, Action.NEXT),
        (403, Reason.BLOCKED, Action.NEXT),
        (429, Reason.BUSY, Action.NEXT),
        (503, Reason.BUSY, Action.NEXT),
        (400, Reason.HTTP_ERROR, Action.NEXT),
        (500, Reason.HTTP_ERROR, Action.NEXT),
        (304, Reason.HTTP_ERROR, Action.NEXT),
    ],
)
def test_an_error_status_has_a_reason(status: int, reason: Reason, action: Action) -> None:
    found = judge_response(status, HTML, PAGE)
    assert found is not None
    assert (found.reason, found.action, found.status) == (reason, action, status)


@pytest.mark.parametrize("status", [200, 403, 503])
def test_a_challenge_is_recognised_with_any_status(status: int) -> None:
    found = judge_response(status, HTML, CLOUDFLARE)
    assert found is not None
    assert found.reason is Reason.BLOCKED_CAPTCHA
    assert "Cloudflare" in found.detail
    header = judge_response(status, HTML | {"cf-mitigated": "challenge"}, PAGE)
    assert header is not None
    assert header.reason is Reason.BLOCKED_CAPTCHA


def wiki_page(revision: int, text: bytes) -> bytes:
    return (
        b'<!doctype html><html class="client-nojs"><meta name="generator" content="MediaWiki 1.43">'
        b'<script>RLCONF={"wgPageName":"A","wgNamespaceNumber":0,"wgRevisionId":%d};</script>%b'
        b'<body class="mediawiki"><h1 id="firstHeading">A</h1><div id="mw-content-text">'
        b'<div class="mw-parser-output"><p>%b</p></div></div></body></html>'
        % (revision, CLOUDFLARE, text)
    )


def test_a_page_is_one_whose_wiki_states_the_revision_that_it_shows() -> None:
    assert full_verdict(200, HTML, wiki_page(5, b"A word.")).word == "ok"
    assert full_verdict(200, HTML, wiki_page(0, b"A word.")).reason is Reason.BLOCKED_CAPTCHA


@pytest.mark.parametrize(
    ("status", "text", "reason"),
    [
        (403, b"A word.", Reason.BLOCKED_CAPTCHA),
        (200, b"", Reason.BLOCKED_CAPTCHA),
        (200, b'<b class="noarticletext">No text.</b>', Reason.BLOCKED_CAPTCHA),
        (200, b"Fatal error: Uncaught Error in /a.php on line 3", Reason.ERROR_PAGE),
    ],
)
def test_a_stated_revision_is_not_all(status: int, text: bytes, reason: Reason) -> None:
    assert full_verdict(status, HTML, wiki_page(5, text)).reason is reason


def test_a_document_is_examined_if_its_content_is_short() -> None:
    assert judge_early(200, HTML, CLOUDFLARE) is None
    for text in ("", "Just a moment...", "[a](https://wiki.example/" + "a" * 9000 + ")"):
        found = judge_page(200, HTML, CLOUDFLARE, text)
        assert found is not None
        assert found.reason is Reason.BLOCKED_CAPTCHA
    assert judge_page(200, HTML, CLOUDFLARE, "Many words. " * 900) is None
    assert judge_page(200, HTML, CLOUDFLARE, "\u4e2d\u6587 " * 3000) is None


@pytest.mark.parametrize("status", [403, 200])
def test_status_headers_and_file_type_are_judged_early(status: int) -> None:
    blocked = judge_early(status, HTML | {"cf-mitigated": "challenge"}, PAGE)
    assert blocked is not None
    assert blocked.reason is Reason.BLOCKED_CAPTCHA
    assert judge_early(200, {"content-type": "image/png"}, b"") is not None
    found = judge_early(403, HTML, CLOUDFLARE)
    assert found is not None
    assert "Cloudflare" in found.detail


def test_a_long_stack_trace_is_no_page_but_an_article_around_it_is() -> None:
    trace = "java.lang.IllegalStateException: closed\n" + "\n".join(
        f"\tat org.wiki.page.Store.load(Store.java:{line})" for line in range(300)
    )
    found = judge_page(200, HTML, PAGE, f"```\n{trace}\n```")
    assert found is not None
    assert found.reason is Reason.ERROR_PAGE
    prose = "The store was closed by the thread that wrote the index, while this one read it.\n"
    assert judge_page(200, HTML, PAGE, f"{prose}```\n{trace}\n```\n{prose * 5}") is None


@pytest.mark.parametrize(
    "piece",
    [
        "Fatal error: x ",
        "Warning: a in b on line 3 ",
        "java.lang.Exception: \n",
        "at a.b(c:3) ",
        "could not connect to ",
        "An error occurred. Please try again. ",
        "a.rb:3:in `b' ",
        "x/y.go:3 ",
    ],
)
def test_the_time_for_a_diagnostic_is_linear(piece: str) -> None:
    def text(size: int) -> str:
        return f"Exception SQLSTATE[ Warning: {piece * (size // len(piece))}"[:size]

    def judge(text: str) -> None:
        for rule in shipped_rules().on_content:
            rule.evidence(RuleInput(content=text))

    assert growth(judge, text, 6_000) < LIMIT


@pytest.mark.parametrize(
    ("text", "is_enough"),
    [
        ("word " * 2000, True),
        ("word " * 900, False),
        (" " * 9_000 + "word " * 1200, True),
        ("word " * 900 + f"[a]({'b' * 9_000})", False),
        ("word " * 900 + f"https://w.example/{'b' * 9_000}", False),
        ("b" * 9_000, True),
        (f"[a]({'b' * 9_000}) " + "word " * 1100, True),
    ],
)
def test_urls_are_no_text_wherever_they_are(text: str, is_enough: bool) -> None:
    assert has_enough_content(text) is is_enough


def test_every_markdown_is_measured_quickly() -> None:
    start = time.thread_time()
    for piece in ("](", "[](", "](a", "https://", "](https://a|", " "):
        has_enough_content(piece * (2**20 // len(piece)))
    assert time.thread_time() - start < 5


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.7 \xe2", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"GIF89a", "GIF"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"PK\x03\x04", "ZIP"),
        (b"\x7fELF\x02", "ELF"),
    ],
)
def test_a_file_labelled_html_is_not_a_page(body: bytes, kind: str) -> None:
    found = judge_response(200, HTML, body)
    assert found is not None
    assert (found.reason, found.detail) == (Reason.NOT_HTML, kind)


@pytest.mark.parametrize(
    "kind", ["application/json", "image/png", "application/rss+xml", "text/css", "x\r\nforged"]
)
def test_another_file_type_is_not_a_page_and_its_name_is_safe_to_log(kind: str) -> None:
    found = judge_response(200, {"content-type": kind}, b"{}")
    assert found is not None
    assert found.reason is Reason.NOT_HTML
    assert found.detail.isprintable()


@pytest.mark.parametrize(
    "headers",
    [
        HTML,
        {"content-type": "application/xhtml+xml"},
        {"content-type": "text/plain"},
        {"content-type": "application/octet-stream"},
        {},
    ],
)
def test_a_page_with_a_generic_content_type_is_a_page(headers: dict[str, str]) -> None:
    assert judge_response(200, headers, PAGE) is None


def test_an_article_about_challenges_is_an_article() -> None:
    body = (
        b"<p>Cloudflare shows <q>Just a moment...</q> and asks to verify you are human, often by a "
        b"captcha; DataDome, PerimeterX and Imperva do likewise. Access denied pages follow.</p>"
    )
    assert judge_response(200, HTML, body * 5) is None
    assert judge_text("Cloudflare shows a captcha. " * 20, body) is None


@pytest.mark.parametrize("root", ["root", "app", "__next"])
def test_the_empty_shell_of_an_application_is_no_page(root: str) -> None:
    body = f'<html><body><div id="{root}"></div><script src="a.js"></script>'.encode()
    found = judge_text("", body)
    assert found is not None
    assert found.reason is Reason.JS_SHELL


def test_a_short_page_without_a_script_is_a_page() -> None:
    assert judge_text("Short.", b'<div id="root">Short.</div>') is None


def test_no_text_is_empty() -> None:
    found = judge_text(" \n", b"<p> </p>")
    assert found is not None
    assert found.reason is Reason.EMPTY


@pytest.mark.parametrize(
    "hostile",
    [
        b"<div " * 13_000,
        b"<noscript>enable " * 4_000,
        b"/cdn-cgi/challenge-platform/" * 2_400,
        b"_Incapsula_Resource?" * 3_300,
    ],
)
def test_hostile_markup_is_read_quickly(hostile: bytes) -> None:
    begun = time.thread_time()
    judge_response(200, HTML, hostile)
    judge_text("", hostile + b"<script")
    assert time.thread_time() - begun < 5  # some hundredths; minutes where it is quadratic

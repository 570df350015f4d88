"""The requests of a log-in to a MediaWiki, and what its answers mean."""

from __future__ import annotations

import json

import pytest
from scrapy.http import HtmlResponse

from wikicrawler.credentials.logins import WikiLogin
from wikicrawler.credentials.references import SecretRef
from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.login import (
    denial_of,
    is_stale,
    login_form,
    read_login,
    read_token,
    shows_member,
)

API = "https://wiki.example.org/w/api.php"
REF = SecretRef("env", "P")


def test_a_bot_and_an_account_log_in_by_modules_of_their_own() -> None:
    form, secret = login_form(WikiLogin("R@bot", REF), API, "t+\\")
    assert (form["action"], form["lgname"], form["lgtoken"]) == ("login", "R@bot", "t+\\")
    assert secret.startswith("lg")
    form, secret = login_form(WikiLogin("R", REF), API, "t+\\")
    assert (form["action"], form["username"], form["logintoken"]) == ("clientlogin", "R", "t+\\")
    assert not secret.startswith("lg")


def test_a_token() -> None:
    body = b'{"query": {"tokens": {"logintoken": "abc+\\\\"}}}'
    assert read_token(body, {}, 200) == "abc+\\"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"{}", 200, Reason.API_ERROR),
        (b'{"query": {"tokens": {"logintoken": 7}}}', 200, Reason.API_ERROR),
        (b'{"query": {"tokens": {"logintoken": "a\\nb"}}}', 200, Reason.API_ERROR),
        (b'{"query": {"tokens": []}}', 200, Reason.API_ERROR),
        (b"", 503, Reason.BUSY),
        (b"<html>", 200, Reason.API_OFF),
    ],
)
def test_an_answer_without_a_token(body: bytes, status: int, reason: Reason) -> None:
    found = read_token(body, {}, status)
    assert isinstance(found, Failure)
    assert found.reason is reason


@pytest.mark.parametrize(
    "answer",
    [{"login": {"result": "Success"}}, {"clientlogin": {"status": "PASS", "username": "R"}}],
)
def test_a_success(answer: dict[str, object]) -> None:
    assert read_login(json.dumps(answer).encode(), {}, 200) is None


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        ({"login": {"result": "Failed", "reason": "p4ss"}}, "Failed: the user or the password"),
        ({"login": {"result": "Throttled", "wait": 9}}, "Throttled: there were too many"),
        ({"login": {"result": "Aborted", "reason": "p4ss"}}, "Aborted: more than a password"),
        (
            {"clientlogin": {"status": "FAIL", "messagecode": "wrongpassword", "message": "p4ss"}},
            "wrongpassword: the user or the password",
        ),
        ({"clientlogin": {"status": "UI", "requests": []}}, "UI: more than a password"),
        (
            {"clientlogin": {"status": "UI", "messagecode": "oathauth-login"}},
            "oathauth-login: more than a password",
        ),
    ],
)
def test_a_refusal_is_told_by_the_api_s_own_words(answer: dict[str, object], detail: str) -> None:
    found = read_login(json.dumps(answer).encode(), {}, 200)
    assert found is not None
    assert found.reason is Reason.LOGIN
    assert found.detail.startswith(detail)
    assert "p4ss" not in found.detail


@pytest.mark.parametrize("word", ["", "p4ss word", "x" * 61, None, 7, ["Failed"]])
def test_a_result_that_is_no_word_of_the_api_is_not_repeated(word: object) -> None:
    found = read_login(json.dumps({"login": {"result": word}}).encode(), {}, 200)
    assert found is not None
    assert found.reason is Reason.API_ERROR
    assert "p4ss" not in found.detail


@pytest.mark.parametrize(
    "answer", [{"login": {"result": "WrongToken"}}, {"error": {"code": "badtoken"}}]
)
def test_a_stale_token_is_worth_another_try(answer: dict[str, object]) -> None:
    found = read_login(json.dumps(answer).encode(), {}, 200)
    assert found is not None
    assert is_stale(found)


ANONYMOUS = '<html><script>RLCONF={"wgCanonicalSpecialPageName":"%s","wgUserName":null};</script>'


@pytest.mark.parametrize(
    ("body", "headers", "denial"),
    [
        ('{"error":{"code":"assertuserfailed"}}', {}, "assertuserfailed"),
        ('{"error": {"code": "readapidenied"}}', {}, "readapidenied"),
        ("{}", {"MediaWiki-API-Error": "readapidenied"}, "readapidenied"),
        (
            "{}",
            {"MediaWiki-API-Error": "mwoauth-invalid-authorization-wrong-wiki"},
            "mwoauth-invalid-authorization-wrong-wiki",
        ),
        (ANONYMOUS % "Badtitle", {}, "log-in page"),
        (ANONYMOUS % "Userlogin", {}, "log-in page"),
        ('{"error":{"code":"missingtitle"}}', {}, ""),
        ("{}", {"MediaWiki-API-Error": "maxlag"}, ""),
        ("{}", {"MediaWiki-API-Error": "mwoauth-invalid-authorization\x1b[2J"}, ""),
        ("{}", {"MediaWiki-API-Error": "mwoauth-invalid-authorization" + "-x" * 99}, ""),
        (ANONYMOUS % "Recentchanges", {}, ""),  # a page that everybody may read
        (ANONYMOUS.replace("null", '"R"') % "Badtitle", {}, ""),  # a title that is really bad
        ('{"parse":{"text":"{\\"error\\":{\\"code\\":\\"readapidenied\\"}}"}}', {}, ""),
        ("", {}, ""),
    ],
)
def test_an_answer_to_nobody(body: str, headers: dict[str, str], denial: str) -> None:
    response = HtmlResponse(API, body=body.encode(), headers=headers)
    assert denial_of(response) == denial


def test_a_page_shows_its_member() -> None:
    assert shows_member(HtmlResponse(API, body=b'<script>RLCONF={"wgUserName":"R"}</script>'))
    assert not shows_member(HtmlResponse(API, body=b'<script>RLCONF={"wgUserName":null}</script>'))

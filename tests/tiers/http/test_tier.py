"""The HTTP tier's input to the verdict."""

from __future__ import annotations

from scrapy.http import HtmlResponse

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.http.tier import HttpTier
from wikicrawler.tiers.response_headers import headers_of

URL = "https://wiki.example/wiki/A"


def test_headers_keep_all_cookies_and_the_last_of_other_values() -> None:
    headers = {"Set-Cookie": ["sec_cpt=1; Path=/", "b=2"], "X-Twice": ["a", "b"]}
    response = HtmlResponse(URL, headers=headers)
    assert headers_of(response) == {"set-cookie": "sec_cpt=1; Path=/, b=2", "x-twice": "b"}


def test_a_challenge_is_a_failure_that_names_vendor_and_rule() -> None:
    response = HtmlResponse(URL, 403, headers={"CF-Mitigated": "challenge"}, body=b"<p>x")
    found = HttpTier().read(response, URL)
    assert isinstance(found, Failure)
    assert found.reason is Reason.BLOCKED_CAPTCHA
    assert found.detail == "Cloudflare (cloudflare-header), HTTP 403"

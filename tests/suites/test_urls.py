"""URLs: what is taken means what it means to a browser; the rest is refused."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from tests.suites.data import suite
from wikicrawler.content.links import LinkResolver
from wikicrawler.guard.private_hosts import host_and_port
from wikicrawler.urls.addresses import parse_url
from wikicrawler.urls.sites import host_of, without_login

CASES = suite("urls")
WEB = ("http:", "https:")
# Where the base is of no web, but the URL needs none, it stands on a page of the other scheme.
LINKS = [(case, case["base"]) for case in CASES if (case["base"] or "").startswith(WEB)] + [
    (case, "http://base.test/" if case["href"].startswith("https:") else "https://base.test/")
    for case in CASES
    if not (case["base"] or "").startswith(WEB) and case.get("href", "").startswith(WEB)
]

# Taken although browsers take them not, for the name of the host: what is ASCII is not decoded, and
# the DNS has no such name.
UNDECODED = "xn--pokxncvks"


def web(href: str | None) -> str | None:
    """What is asked for when a browser goes to *href*; None where it is of no web server."""
    return href.partition("#")[0] if (href or "").startswith(WEB) else None


def written_alike(url: str | None) -> str | None:
    """*url* without the differences that are meant: an empty path or query, a login, and characters
    that need not be encoded."""
    if url is None:
        return None
    parts = urlsplit(without_login(url))
    plain = parts._replace(path=parts.path or "/").geturl().removesuffix("?")
    for encoded, char in (("%5B", "["), ("%5D", "]"), ("%60", "`"), ("%7B", "{"), ("%7D", "}")):
        plain = plain.replace(encoded, char)
    return plain


def test_a_seed_is_what_a_browser_makes_of_it_or_refused() -> None:
    taken = 0
    for case in CASES:
        try:
            url = parse_url(case["input"])
        except ValueError as error:
            assert str(error).isprintable()  # noqa: PT017 - an error is one outcome of two
            continue
        if UNDECODED in url:
            continue
        taken += 1
        assert written_alike(url) == written_alike(web(case.get("href"))), case
        assert host_of(url) == urlsplit(case["href"]).hostname
    assert taken > 80


def test_a_link_leads_where_a_browser_goes_or_nowhere() -> None:
    leads = 0
    for case, base in LINKS:
        url = LinkResolver(base).resolve(case["input"])
        if url is None or url.startswith("mailto:"):
            continue
        leads += 1
        assert written_alike(web(url)) == written_alike(web(case.get("href"))), case
    assert leads > 160


# Browsers go there, and no link of ours does.
_REFUSED = {
    "a place on the page itself": ("", "  \t", "#", "#/", "#\\", "#;?", "#β", "#link"),
    "an address in another form than 192.0.2.1": (
        *("http://%30%78%63%30%2e%30%32%35%30.01", "http://%30%78%63%30%2e%30%32%35%30.01%2e"),
        *("http://０Ｘｃ０．０２５０．０１", "http://192.168.257", "http://192.168.257."),
        *("http://256", "http://999999999", "http://999999999.", "http://4294967295"),
        *("http://0xffffffff", "http://192.0x00A80001", "https://0x.0x.0"),
    ),
    "a scheme without two slashes": (
        *("https:/example.com/", "https:example.com/", "http:/example.com/", "http:example.com/"),
        *("http:@www.example.com", "http:/@www.example.com", "http:a:b@www.example.com"),
        *("http:/a:b@www.example.com", "http::b@www.example.com", "http:/:b@www.example.com"),
        *("http:a:@www.example.com", "http:/a:@www.example.com"),
    ),
    "a host that no name server knows": (
        *("http://./", "http://../", "http://!\"$&'()*+,-.;=_`{}~/", "http://foo.09.."),
        "https://%e2%98%83",  # nor is it decoded
    ),
    "a bracket in a password": ("http://&a:foo(b]c@d:2/", "https://user:pass[\x7f@foo/bar"),
}


def test_no_other_link_is_lost() -> None:
    refused = {
        case["input"]
        for case, base in LINKS
        if web(case.get("href")) and LinkResolver(base).resolve(case["input"]) is None
    }
    assert refused == {text for texts in _REFUSED.values() for text in texts}


@pytest.mark.parametrize("case", [c for c in CASES if web(c.get("href"))], ids=lambda c: c["href"])
def test_the_guard_sees_the_place_that_a_browser_goes_to(case: dict[str, str]) -> None:
    parts = urlsplit(case["href"])
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    assert host_and_port(case["href"]) == ((parts.hostname or "").rstrip("."), port)

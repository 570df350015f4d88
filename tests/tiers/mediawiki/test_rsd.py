"""Discovery of a wiki's API from a page."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from wikicrawler.content import convert
from wikicrawler.content.edit_uri import read_edit_uri
from wikicrawler.tiers.mediawiki.rsd import read_rsd, rsd_address

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "https://en.wiki.example.org/wiki/Orc"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            '<link rel="EditURI" type="application/rsd+xml" '
            'href="https://en.wiki.example.org/api.php?action=rsd"/>',
            "https://en.wiki.example.org/api.php?action=rsd",
        ),
        ("<link href='/w/api.php?action=rsd' rel='EditURI'>", "/w/api.php?action=rsd"),
        ("<LINK HREF=/api.php?action=rsd REL=edituri>", "/api.php?action=rsd"),
        ('<link rel="alternate edituri" href="/a?b=1&amp;action=rsd">', "/a?b=1&action=rsd"),
        (
            '<link\n rel = "EditURI"\n href = "//api.example.org/a.php?action=rsd#x"\n>',
            "https://api.example.org/a.php?action=rsd",
        ),
        (
            '<link rel="stylesheet" href="/x"><link rel="EditURI" href="/a.php?action=rsd">',
            "/a.php?action=rsd",
        ),
        (
            '<link rel="EditURI" href="https://me:pw@en.wiki.example.org/?action=rsd">',
            "/?action=rsd",
        ),
        # none, or none to follow
        ('<link rel="EditURI" href="/xmlrpc.php?rsd" title="RSD">', None),  # a blog's
        ('<link rel="stylesheet" href="/api.php?action=rsd">', None),
        ('<link rel="EditURI">', None),
        ('<link rel="EditURI" href="">', None),
        ('<link rel="EditURI" href="https://victim.test/api.php?action=rsd">', None),
        ('<link rel="EditURI" href="http://127.0.0.1/api.php?action=rsd">', None),
        ('<link rel="EditURI" href="https://en.wiki.example.org@victim.test/">', None),
        ('<link rel="EditURI" href="javascript:alert(1)">', None),
        ('<link rel="EditURI" href="https://[">', None),
        ('<link rel="EditURI" href="https://en.wiki.example.org:99999/">', None),
        ("<p>no link</p>", None),
        ("", None),
    ],
)
def test_edit_uri_of_a_page(head: str, expected: str | None) -> None:
    page = f"<!DOCTYPE html><html><head>{head}</head><body><p>An orc.</p>".encode()
    if expected and expected.startswith("/"):
        expected = "https://en.wiki.example.org" + expected
    named = read_edit_uri(page, PAGE)
    assert rsd_address(named, PAGE) == expected
    assert convert(page, PAGE).metadata.get("edit_uri", "") == named
    assert convert(page, PAGE, wiki=True).metadata.get("edit_uri", "") == named


def test_edit_uri_is_resolved_by_the_base() -> None:
    head = '<base href="/w/"><link rel="EditURI" href="api.php?action=rsd">'
    assert read_edit_uri(head.encode(), PAGE) == "https://en.wiki.example.org/w/api.php?action=rsd"


def test_edit_uri_is_not_read_from_text() -> None:
    link = '<link rel="EditURI" href="/api.php?action=rsd">'
    for page in (f"<!-- {link} -->", f"<script>'{link}'</script>", f"<p title='{link}'>"):
        assert read_edit_uri(f"{page}<p>An orc.</p>".encode(), PAGE) == ""


def test_edit_uri_of_a_page_that_is_not_converted_is_searched_in_the_head_only() -> None:
    link = b'<link rel="EditURI" href="/api.php?action=rsd">'
    assert read_edit_uri(b" " * 1000 + link, PAGE) != ""
    assert read_edit_uri(b" " * 64 * 1024 + link, PAGE) == ""


@pytest.mark.parametrize(
    "hostile",
    [
        b"<link rel=edituri " + b"a" * 60_000 + b">",
        b"<link rel=edituri " + b"a " * 30_000 + b">",
        b"<link rel=edituri " + b" ".join(b"%x" % n for n in range(12_000)) + b">",
        b"<link rel=edituri" * 4_000,
        b"<link rel='edituri" + b"-=" * 30_000,
        b"edituri" + b"<b>" * 20_000,
    ],
    ids=range(6),
)
def test_a_hostile_head_is_searched_quickly(hostile: bytes) -> None:
    begun = time.thread_time()
    assert read_edit_uri(hostile, PAGE) == ""
    assert time.thread_time() - begun < 5  # CPU seconds; a few ms, 0.2 s at worst


RSD = """<?xml version="1.0"?><rsd version="1.0" xmlns="http://archipelago.phrasewise.com/rsd">
<service><apis><api name="{name}" preferred="true" apiLink="{link}" blogID=""><settings>
<setting name="OAuth" xml:space="preserve">false</setting></settings></api></apis>
<engineName xml:space="preserve">MediaWiki</engineName></service></rsd>"""


def rsd(link: str, name: str = "MediaWiki") -> bytes:
    return RSD.format(name=name, link=link).encode()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (rsd("https://en.wiki.example.org/api.php"), "https://en.wiki.example.org/api.php"),
        (rsd("//api.example.org/w/api.php"), "https://api.example.org/w/api.php"),
        (rsd("/w/api.php"), "https://en.wiki.example.org/w/api.php"),
        (b"\n" + rsd("/w/api.php?x=1#y"), "https://en.wiki.example.org/w/api.php"),
        # a blog's, of another site, no address, no RSD
        (rsd("/xmlrpc.php", "WordPress"), None),
        (rsd("https://victim.test/api.php"), None),
        (rsd("http://169.254.169.254/api.php"), None),
        (rsd("file:///etc/passwd"), None),
        (rsd(""), None),
        (b"", None),
        (b"<html><body>Not found</body></html>", None),
        (b"<rsd><api name='MediaWiki'/></rsd>", None),
        (b"{}", None),
        (b"\x00\xff", None),
        (rsd("/w/api.php")[:-20], None),
        (rsd("/w/api.php") + b"<!-- " + b"x" * 64 * 1024 + b" -->", None),
    ],
)
def test_api_in_an_rsd_document(body: bytes, expected: str | None) -> None:
    assert read_rsd(body, PAGE) == expected


def test_rsd_document_reads_no_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("/w/api.php")
    declared = f'<!DOCTYPE rsd [<!ENTITY x SYSTEM "{file.as_uri()}">]>'
    body = rsd("&x;").replace(b'<?xml version="1.0"?>', declared.encode())
    assert read_rsd(body, PAGE) is None


@pytest.mark.parametrize("place", [b"/w/api.php", b">false<"])
def test_an_rsd_document_with_entity_expansion_is_refused(place: bytes) -> None:
    entities = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    declared = f'<!DOCTYPE rsd [<!ENTITY a0 "ha">{entities}]>'
    body = rsd("/w/api.php").replace(b'<?xml version="1.0"?>', declared.encode())
    assert read_rsd(body.replace(place, place[:1] + b"&a12;" + place[-1:]), PAGE) is None

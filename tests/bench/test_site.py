"""The site that is crawled, and what is read of the records."""

from __future__ import annotations

import json
import os
import signal
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Timer
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from bench.crawls.corpus import Corpus, Page, numbered, saved, start_page
from bench.crawls.judge import fidelity, read_records
from bench.crawls.site import Site
from wikicrawler.content import convert
from wikicrawler.scope.traps import family_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = [Page("/wiki/A", b"<p>a</p>"), Page("/wiki/A/B%3F_%C3%A6", b"<p>b</p>")]


def test_a_page_is_served_at_its_path_and_told_in_the_log(mediawiki, tmp_path: Path) -> None:
    del mediawiki  # where that is, nginx is
    with Site(tmp_path) as site:
        for page in PAGES:
            site.add(page)
        for page in PAGES:
            with urlopen(site.url + page.path) as answer:  # noqa: S310 - our own
                assert answer.read() == page.html
        assert [(status, path) for _, status, path in site.times()] == [
            (200, page.path) for page in PAGES
        ]


@contextmanager
def one_request_unanswered(site: Site) -> Iterator[None]:
    """nginx is stopped and has a request for /robots.txt, which it will answer and log soon."""
    connection = HTTPConnection("127.0.0.1", site.port)
    resume = Timer(0.5, os.killpg, (site.pid, signal.SIGCONT))
    os.killpg(site.pid, signal.SIGSTOP)
    try:
        connection.request("GET", "/robots.txt")
        resume.start()
        yield
    finally:
        resume.cancel()
        os.killpg(site.pid, signal.SIGCONT)
        connection.close()


def test_the_log_is_read_and_emptied_when_nginx_has_written_it(mediawiki, tmp_path: Path) -> None:
    del mediawiki
    with Site(tmp_path) as site:
        with one_request_unanswered(site):
            assert [path for _, _, path in site.times()] == ["/robots.txt"]
        with one_request_unanswered(site):
            site.clear_log()
        assert site.times() == []


def test_a_page_stays_in_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="leaves the site's folder"):
        Site(tmp_path).add(Page("/wiki/../../../elsewhere", b""))


def test_saved_pages_are_where_their_links_expect_them(tmp_path: Path) -> None:
    script = '<script>RLCONF={"wgPageName":"En/Caf\\u00e9_\\"X\\"","wgTitle":"x"}</script>'
    (tmp_path / "1.html").write_text(script)
    (tmp_path / "2.html").write_text('<link rel="canonical" href="https://x.example/wiki/B">')
    (tmp_path / "3.html").write_text("<p>no name</p>")
    (tmp_path / "4.html").write_text('<script>RLCONF={"wgPageName":"Help:Not_followed"}</script>')
    assert [page.path for page in saved(tmp_path)] == [
        "/wiki/En/Caf%C3%A9_%22X%22",
        "/wiki/B",
        "/wiki/3",
    ]


def test_the_start_page_links_to_all() -> None:
    text = start_page(PAGES).decode()
    assert all(f'href="{page.path}"' in text for page in PAGES)


LED_TO = ("/wiki/Page_2", "/wiki/Page_1?x=1", "/wiki/Other")


def test_numbered_pages_are_one_family_and_link_to_each_other(tmp_path: Path) -> None:
    text = (
        '<div class="mw-parser-output"><a href="/wiki/B%26C#x">b</a> <a href="/wiki/A?x=1">a</a>'
        ' <a href="/wiki/Other">o</a></div>'
        '<script>RLCONF={"wgNamespaceNumber":0,"wgRevisionId":7}</script>'
    )
    pages = [Page("/wiki/A", text.encode()), Page("/wiki/B%26C", b"<p>b</p>")]
    moved = numbered(Corpus("saved", "Saved", "2 pages", pages, tmp_path))
    one, two = moved.pages
    assert moved.api is None, "its answers are of the pages at their old URLs"
    assert (one.path, two.path) == ("/wiki/Page_1", "/wiki/Page_2")
    host = "http://127.0.0.1:8000"
    assert family_of(host + one.path) == family_of(host + two.path) is not None
    content = convert(one.html, host + one.path)
    assert content.links == tuple(host + path for path in LED_TO)
    assert content.metadata["wiki"]
    assert content.metadata["revid"] == 7
    assert "namespace" not in content.metadata


def test_records_are_told_from_missing_empty_and_repeated_ones(tmp_path: Path) -> None:
    host = "http://127.0.0.1:8000"
    records = [
        {"url": f"{host}/", "markdown": "start"},
        {"url": f"{host}/wiki/A", "markdown": "a"},
        {"url": f"{host}/wiki/A", "markdown": "again"},
        {"url": f"{host}/wiki/A/B%3f_æ", "content": "b"},
        {"url": f"{host}/wiki/C", "content": " "},
    ]
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    found = read_records(file, [*PAGES, Page("/wiki/C", b""), Page("/wiki/D", b"")])
    assert found.markdown == {"/wiki/A": "a", "/wiki/A/B%3F_%C3%A6": "b"}
    assert found.pages == 2
    assert found.repeated == 1
    assert found.missing == ["/wiki/C", "/wiki/D"]


WITH_ICON = (
    '<div class="mw-parser-output"><table class="wikitable"><tr><td><img alt="Coal > 3" src="/c">'
    " five</td><td>Wood</td></tr></table><p>Some words.</p></div>"
)


@pytest.mark.parametrize("icon", ["", "![Coal](/c)"])
def test_images_count_neither_on_the_page_nor_in_the_markdown(icon: str) -> None:
    markdown = f"| {icon} five | Wood |\n| --- | --- |\n\nSome words.\n"
    page = Page("/wiki/A", WITH_ICON.encode())
    scores = fidelity({page.path: markdown}, [page], "http://127.0.0.1:8000")
    assert scores["cells"] == scores["words"] == 1

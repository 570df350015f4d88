"""What an answer shows of the site behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from wikicrawler.learning.signs import signs_of


def signs(body: bytes = b"", **headers: str) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return dict(signs_of(HtmlResponse("https://example.org/", headers=named, body=body)))


@pytest.mark.parametrize(
    ("said", "product"),
    [
        ("nginx/1.18.0 (Ubuntu)", "nginx"),
        ("cloudflare", "cloudflare"),
        ("Apache", "apache"),
        ("ATS/9.1.4", "ats"),
        ("Google Frontend", "google frontend"),
    ],
)
def test_a_server_is_known_by_its_name_without_the_version(said: str, product: str) -> None:
    assert signs(Server=said) == {"server": product}


@pytest.mark.parametrize(
    ("tag", "product"),
    [
        ('<meta name="generator" content="MediaWiki 1.39.1"/>', "mediawiki"),
        ("<META content='WordPress 6.4.2' NAME=generator>", "wordpress"),
        ("<meta name=generator content=Hugo>", "hugo"),
        ("<meta name='generator' content=\"Drupal 10 (https://www.drupal.org)\">", "drupal"),
        ('<meta name="generator">', ""),
        ('<meta name="description" content="generator">', ""),
    ],
)
def test_a_generator_is_what_the_page_names(tag: str, product: str) -> None:
    page = f"<!doctype html><head><title>T</title>{tag}</head>".encode()
    assert signs(page).get("generator", "") == product


@pytest.mark.parametrize(
    ("mark", "framework"),
    [
        ('<script src="/_next/static/chunks/main.js">', "next"),
        ('<div id="___gatsby">', "gatsby"),
        ('<app-root ng-version="17.0.1">', "angular"),
        ('<link href="https://a.example/wp-content/themes/x.css">', "wordpress"),
    ],
)
def test_a_framework_is_known_by_its_marks(mark: str, framework: str) -> None:
    assert signs(f"<!doctype html><body>{mark}".encode())["framework"] == framework


def test_json_is_not_looked_into() -> None:
    body = b'{"parse": "<meta name=generator content=Hugo>"}'
    found = signs(body, Content_Type="application/json; charset=utf-8")
    assert found == {"content_type": "application/json"}


def test_a_content_type_that_is_none_is_left_out() -> None:
    assert signs(Content_Type="text/html<script>") == {}


@given(st.text(max_size=300), st.text(max_size=300))
def test_whatever_is_said_is_one_short_line(server: str, generator: str) -> None:
    page = f'<meta name="generator" content="{generator}">'.encode("utf-8", "surrogatepass")
    said = {"Server": server.encode("utf-8", "surrogatepass")}
    response = HtmlResponse("https://example.org/", headers=said, body=page)
    for _, value in signs_of(response):
        assert value.isprintable()
        assert value.encode()
        assert 0 < len(value) <= 700

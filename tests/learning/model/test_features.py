"""Heuristics of a URL."""

from __future__ import annotations

import pytest

from wikicrawler.learning.model.features import features_of


def test_the_features_of_a_url() -> None:
    features = features_of(
        "https://News.Example.co.uk:8443/blog/some-title.HTML?page=2",
        is_wiki=False,
        configured="http",
    )
    assert features.named() == {
        "domain": "news.example.co.uk",
        "registered_domain": "example.co.uk",
        "suffix": ".html",
        "shape": "/blog/*.html?",
        "scheme": "https",
        "wiki": "page",
        "configured": "http",
    }


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("", "/"),
        ("/", "/"),
        ("/about", "/*"),
        ("/wiki/Main_Page", "/wiki/*"),
        ("/2024/05/17/a-title", "/#/#/#/*"),
        ("/a/b/c/d/e/f/g", "/a/*/*/*/…"),
        ("//app//x/", "/app/*"),
        ("/%C3%A9t%C3%A9/x", "/*/*"),
    ],
)
def test_pages_of_one_kind_have_one_shape(path: str, shape: str) -> None:
    assert features_of(f"http://a.example{path}", is_wiki=False).shape == shape


def test_a_wiki_title_has_no_suffix() -> None:
    features = features_of("https://w.example/wiki/Node.js", is_wiki=True)
    assert (features.suffix, features.shape, features.wiki) == ("", "/wiki/*", "wiki")


def test_an_invalid_url_has_no_domain() -> None:
    assert features_of("http://[broken/x", is_wiki=False).domain == ""

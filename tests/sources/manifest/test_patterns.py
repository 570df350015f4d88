"""Globs over the paths of URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.sources.manifest.patterns import MAX_GLOB, PathFilter, compile_glob, path_of

SITE = "https://www.consumerfinance.gov"


def matches(glob: str, path: str) -> bool:
    return compile_glob(glob).search(path_of(SITE + path)) is not None


@pytest.mark.parametrize(
    ("glob", "path", "found"),
    [
        ("/1024/*", "/rules-policy/regulations/1024/5/", True),
        ("/1024/*", "/1024/", True),
        ("/1024/*", "/rules/11024/5/", False),
        ("/1024/*", "/rules/1024", False),
        ("/1024/*/interp*", "/rules/1024/5/interp-2/", True),
        ("/1024/*/interp*", "/rules/1024/5/", False),
        ("/1024/5", "/rules/1024/5/", True),
        ("/1024/5", "/rules/1024/5/a", False),
        ("/1024/5/", "/rules/1024/5", True),
        ("*.pdf", "/files/a.pdf", True),
        ("*.pdf", "/files/a.pdfx", False),
        ("*.pdf", "/files/axpdf", False),
        ("/a/*/c", "/a/b/b/c", True),
        ("/Foo_(bar)", "/wiki/Foo_(bar)", True),
        ("/Größe/*", "/Gr%C3%B6%C3%9Fe/a", True),
        ("/Gr%C3%B6%C3%9Fe/*", "/Größe/a", True),
        ("/a b/*", "/a%20b/c", True),
        ("/1024/*", "/x/../1024/5?page=/1025/", True),
        ("*", "/", True),
        ("/*", "", True),
    ],
)
def test_a_glob_matches_from_a_slash_to_the_end_of_the_path(
    glob: str, path: str, found: bool
) -> None:
    assert matches(glob, path) is found


@pytest.mark.parametrize(
    ("glob", "words"),
    [
        ("1024/*", "does not start with / or * (write '/1024/*')"),
        ("", "does not start with / or *"),
        (f"{SITE}/1024/*", "is a URL (write the path alone"),
        ("/a?page=*", "has a query or a fragment"),
        ("/a#b", "has a query or a fragment"),
        ("/(?i)a", "looks like a regular expression"),
        ("/1024/.*", "looks like a regular expression at '/.*'"),
        ("/[0-9]+/", "looks like a regular expression at '['"),
        ("/a|/b", "looks like a regular expression at '|'"),
        ("/a$", "looks like a regular expression at '$'"),
        ("/" * (MAX_GLOB + 1), "has 501 characters (at most 500)"),
    ],
)
def test_what_is_no_glob_is_refused_with_what_would_be_right(glob: str, words: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is checked below
        compile_glob(glob)
    assert words in str(raised.value)


def test_a_path_is_admitted_if_it_is_included_and_not_excluded() -> None:
    paths = PathFilter.of(["/1024/*", "/1026/*"], ["/1024/*/interp*"])
    assert paths.admits(f"{SITE}/1026/5/interp/")
    assert paths.admits(f"{SITE}/1024/5/")
    assert not paths.admits(f"{SITE}/1024/5/interp/")
    assert not paths.admits(f"{SITE}/1025/5/")
    assert PathFilter().admits(f"{SITE}/1025/5/")


def test_no_glob_backtracks() -> None:
    # A backtracking matcher would try some 200,000 ** 125 ways.
    glob = "/" + "*a*b" * 124
    assert not matches(glob, "/" + "ab" * 60 + "a" * 200_000)
    assert matches(glob, "/" + "ab" * 100_000)


@given(st.text(), st.text())
def test_any_text_is_a_glob_or_refused_and_matches_or_not(glob: str, path: str) -> None:
    try:
        compiled = compile_glob(glob)
    except ValueError:
        return
    compiled.search(path_of(f"{SITE}/") + path.encode("utf-8", "replace"))


@given(st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1))
def test_a_glob_without_a_star_matches_its_own_path(text: str) -> None:
    assert matches(f"/{text}", f"/before/{text}/")

"""Each function that meets the text of strangers on the event loop, or in a thread or a worker of a
crawl over sources, takes linear time."""

from __future__ import annotations

import ast
import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import wikicrawler
from tests.growth import LIMIT, growth
from tests.strangers.functions import CASES, NOT_OF_STRANGERS
from tests.strangers.texts import texts
from wikicrawler.tiers.crawl4ai.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.strangers.case import Case

PACKAGE = Path(wikicrawler.__file__).parent
LARGE = 16_000
"""Characters. At a billionth of a second for each step, quadratic time takes 0.25 s."""
QUICK = 0.05
"""Seconds of CPU; what takes less for a large text is not measured again."""
EXPECTED = (ValueError, BrowserError, LookupError, OSError)
"""What a function may raise for a text that it rejects."""
ROOMS = (
    *("text", "urls", "scope", "guard", "politeness", "tiers", "console", "learning/signs.py"),
    *("fields", "sources", "documents", "audit", "spending"),
)
PARSERS = {
    *("compile", "match", "fullmatch", "search", "sub", "findall", "finditer"),
    *("urlsplit", "urljoin", "urlparse", "parse_qsl", "parse_qs", "split_url", "unescape", "loads"),
    *("normalize", "fromstring", "parsedate_to_datetime", "unquote", "unquote_to_bytes"),
}
"""Names of functions that parse text."""


def _cases() -> list[object]:
    return [
        pytest.param(case, id=f"{module}-{number}")
        for module, cases in CASES.items()
        for number, case in enumerate(cases)
    ]


def _quiet(function: Callable[[str], object]) -> Callable[[str], object]:
    def call(text: str) -> None:
        with contextlib.suppress(*EXPECTED):
            function(text)

    return call


def _is_quick(function: Callable[[str], object], text: str) -> bool:
    for _ in range(2):  # the first call may read rules and compile patterns
        started = time.thread_time()
        function(text)
        if time.thread_time() - started < QUICK:
            return True
    return False


@pytest.mark.parametrize("case", _cases())
def test_the_time_is_linear(case: Case) -> None:
    function = _quiet(case.function)
    slow = []
    for name, text in texts(*case.starts):
        if _is_quick(function, text(LARGE)):
            continue
        if (found := growth(function, text, LARGE // 8)) >= LIMIT:
            slow.append(f"{name}: {found:.0f} times")
    assert slow == []


def modules() -> dict[str, ast.Module]:
    """Return the syntax trees of the modules in the rooms, by name relative to the package."""
    files = [
        file
        for room in ROOMS
        for file in ((PACKAGE / room).rglob("*.py") if "." not in room else [PACKAGE / room])
    ]
    return {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts): ast.parse(file.read_text())
        for file in files
    }


def parses_text(tree: ast.Module) -> bool:
    """Return True if a module calls a function that parses text."""
    names = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(
        (name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")) in PARSERS
        for name in names
    )


def test_each_module_that_parses_text_is_measured_or_has_a_reason() -> None:
    found = {name for name, tree in modules().items() if parses_text(tree)}
    assert found - CASES.keys() - NOT_OF_STRANGERS.keys() == set()


def test_each_named_module_exists() -> None:
    existing = {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts) for file in PACKAGE.rglob("*.py")
    }
    assert (CASES.keys() | NOT_OF_STRANGERS.keys()) - existing == set()
    assert CASES.keys() & NOT_OF_STRANGERS.keys() == set()


def test_a_module_that_parses_text_is_noticed() -> None:
    assert parses_text(ast.parse("import re\nX = re.compile('a+b')"))
    assert parses_text(ast.parse("def f(url):\n    return urlsplit(url).path"))
    assert not parses_text(ast.parse("def f(url):\n    return url.lower()"))


@pytest.mark.parametrize("body", [b"<title>&#%s;</title>", b"<p>&#%s;", b'<a title="&#%s;">'])
def test_a_reference_of_many_digits_is_read(body: bytes) -> None:
    from wikicrawler.tiers.verdict import explain_response, judge_page

    page = body % (b"9" * 5000)
    assert explain_response(200, {}, page) is not None
    judge_page(200, {}, page, "text")


def test_references_are_those_of_html() -> None:
    from wikicrawler.text.references import unescape

    assert unescape("&#" + "0" * 5000 + "65;b") == "Ab"
    assert unescape("&#" + "9" * 5000 + ";b") == "\ufffdb"
    assert unescape("&#" + "0" * 5000 + "b") == "\ufffdb"
    assert unescape("&amp;&#228;&#xe4;&lt") == "&ää<"

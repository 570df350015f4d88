"""The time for hostile documents grows with their size."""

# ruff: noqa: E501 - tables of examples

from __future__ import annotations

import random
from functools import partial

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.sources.changes import compare, normalise

PIECES = [
    "a", "[", "[a](", "![a](b ", '[](a "', "](a(b(", "*a ", "*a_b* ", "*", "`a``", "<b ", "<!--",
    "a | ", "| \n", " ", "1.", "Posted 2 hours ago ", "(2 hours ago ", "We use cookies ",
    "https cookie. A", "a\u0301\u0323", "&amp;", "&#1", "(a) x.\n\n", "(a)", "- [a](b)\n", "a:\n ",
    "> ", "Last updated ", "csrf_token=", "https://a/(", " #", "Home > ", "```\n", "|-", "- ", "# a\n",
    "Last updated May\n", "\u0323\u0301", "\\", "- 1 -\n", "Related articles\n\n- [a](b)\n",
    "[page 1]\n", "CHAPTER 1 A\n\n", "\f1\n", "Print ", "Viewed 5 times ", "4.1 ", "`a` ", "1,2", "# a [edit](b) ",
    " " * 30 + "1\n\n",
    "37 agents are online now. ", "Retrieved on 3 May 2024 at 10:44:51\n\n", "Views of this page: 5\n\n", "10:44:51 ",
    "a | Build 1 · ", "[Kontakt](a) · ", "We use cookies. Accept\n\n", "closed for x ", "Wait time now 5 minutes ", "★ 4.8 (5 votes) ",
    "Today is May 3, 2024. ", "Poll of the day: a? Yes 5%, ", "Tip: a. ", "Wait at a: 5 minutes. ", "1.2.3.4 ", "Select another area: a\n\n", "\"a b c\" A B. ",
]  # fmt: skip
DATA = {"<a>": ["<b ", '<b c="', "<b c='", "<![CDATA[", "<p>x</p>", "<?", "<script>"], "[": ["[", '[{"a":', "1,"], "a: b\n": ['"a', "- - - ", " ", "a: "]}  # fmt: skip
STARTED = [("", piece) for piece in PIECES] + [
    (start, piece) for start, pieces in DATA.items() for piece in pieces
]


def repeated(start: str, piece: str, size: int) -> str:
    return start + piece * (size // len(piece)) + {"<a>": ">"}.get(start, "x")


@pytest.mark.parametrize(("start", "piece"), STARTED)
def test_text_is_normalised_in_linear_time(start: str, piece: str) -> None:
    assert growth(normalise, partial(repeated, start, piece), 10_000) < LIMIT


def words(vocabulary: int, seed: int, size: int) -> str:
    choice = random.Random(seed)  # noqa: S311
    return " ".join(f"w{choice.randrange(vocabulary)}" for _ in range(size // 4))


@pytest.mark.parametrize("vocabulary", [2, 50, 100_000])
def test_large_documents_with_nothing_in_common_are_compared(vocabulary: int) -> None:
    """Below the bound of comparisons the time grows faster, so both sizes are beyond it."""

    def changed(old: str) -> object:
        change = compare(old, words(vocabulary, 2, len(old)))
        assert change is not None
        assert change.truncated
        return change

    assert growth(changed, partial(words, vocabulary, 1), 125_000) < LIMIT


@pytest.mark.parametrize(
    ("old", "new"),
    [("# a\n", "# b\n"), ("(a) x.\n\n", "(b) x.\n\n"), ("a b ", "b a "), ("x\n\n", "y\n\n")],
)
def test_repetitions_are_compared_in_linear_time(old: str, new: str) -> None:
    def changed(text: str) -> object:
        return compare(text, new * (len(text) // len(new)))

    assert growth(changed, lambda size: old * (size // len(old)), 60_000) < LIMIT

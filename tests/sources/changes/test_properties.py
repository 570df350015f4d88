"""Noise never changes the hash; a digit or a word always does."""

# ruff: noqa: E501 - tables of examples

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from wikicrawler.sources.changes import change_hash, compare

WORDS = [
    "the",
    "servicer",
    "must",
    "not",
    "make",
    "a",
    "first",
    "notice",
    "or",
    "filing",
    "until",
    "borrower",
    "is",
    "more",
    "than",
    "days",
    "delinquent",
    "loan",
    "limit",
    "lender",
    "may",
    "request",
    "fee",
    "escrow",
    "account",
    "rule",
    "notice",
    "income",
    "property",
]
NUMBERS = st.one_of(
    st.integers(0, 9_999_999).map("{:,}".format),
    st.integers(0, 999).map("{}%".format),
    st.integers(1, 99_999).map("${:,}".format),
    st.builds("{}-{:02d}".format, st.integers(2000, 2030), st.integers(1, 30)),
    st.builds("§ {}.{}".format, st.integers(1001, 1100), st.integers(1, 50)),
    st.builds(
        "{:02d}/{:02d}/{}".format, st.integers(1, 12), st.integers(1, 28), st.integers(2000, 2030)
    ),
)
SENTENCE = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from(WORDS), NUMBERS), min_size=4, max_size=25
).map(lambda words: "The " + " ".join(words) + ".")
HEADING = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(
    lambda words: "## " + " ".join(words)
)
DOCUMENT = st.lists(st.one_of(SENTENCE, SENTENCE, HEADING), min_size=1, max_size=8).map(
    lambda blocks: ["# Title", *blocks]
)

DATES = st.builds(
    "{} {}, {}".format,
    st.sampled_from(["May", "June", "Sept."]),
    st.integers(1, 28),
    st.integers(2000, 2030),
) | st.dates().map(str)
NOISE_BLOCKS = st.one_of(
    st.builds("{} {} {} ago".format, st.sampled_from(["Posted", "Updated"]), st.integers(1, 59), st.sampled_from(["hours", "days", "min"])),
    DATES.map("Last updated: {}".format),
    DATES.map("**Page last reviewed** {}".format),
    DATES.map("Last modified\n\n{}".format),
    st.integers(0, 10**7).map("{:,} views".format),
    st.integers(0, 10**4).map("Page {} of 12345".format),
    st.text("0123456789abcdef", min_size=8, max_size=40).map("csrf_token: {}1".format),
    st.sampled_from(
        [
            "Share this page",
            "Print | Email | Share",
            "Was this page helpful?\n\n- Yes\n- No",
            "Advertisement",
            "An official website of the United States government",
            "We use cookies to improve your experience. Accept all cookies",
            "Home › News › Articles",
            "- [Home](/)\n- [About us](/about)\n- [Contact](/c)",
            "Related articles\n\n- [One](https://a.gov/1)\n- [Two](https://a.gov/2)",
            "Complete a survey",
            "Skip to main content",
        ]
    ),
)  # fmt: skip
ADDRESS_NOISE = st.one_of(
    st.builds("?{}={}".format, st.sampled_from(["v", "itok", "utm_source", "utm_campaign", "csrf", "sid", "_ga"]), st.text("abc123", min_size=1, max_size=12)),
    st.text("ABC123", min_size=1, max_size=20).map(";jsessionid={}".format),
)  # fmt: skip


def body(blocks: list[str]) -> str:
    return "\n\n".join(blocks) + "\n"


@settings(max_examples=100, deadline=None)
@given(DOCUMENT, st.lists(st.tuples(st.integers(0, 20), NOISE_BLOCKS), max_size=5))
def test_noise_between_blocks_does_not_change_the_hash(
    blocks: list[str], noise: list[tuple[int, str]]
) -> None:
    noisy = list(blocks)
    for place, text in noise:
        noisy.insert(place % (len(noisy) + 1), text)
    assert change_hash(body(noisy)) == change_hash(body(blocks))
    assert compare(body(blocks), body(noisy)) is None


@settings(max_examples=100, deadline=None)
@given(SENTENCE, st.data())
def test_white_space_and_quotation_marks_do_not_change_the_hash(
    sentence: str, data: st.DataObject
) -> None:
    def spelled(found: re.Match[str]) -> str:
        return data.draw(st.sampled_from([" ", "  ", "\u00a0", "\u2009", "\t", " \u200b", "\n"]))

    # Only before a word: a line that begins with "§" or "-" begins a paragraph or a list.
    noisy = re.sub(" (?=[a-z])", spelled, sentence)
    text = '# Title\n\n%s\n\nThe borrower\'s "note" is due.\n'
    curly = "# Title\n\n%s\n\nThe borrower’s “note” is due.\n"
    assert change_hash(curly.replace("%s", noisy)) == change_hash(text.replace("%s", sentence))


@settings(max_examples=60, deadline=None)
@given(SENTENCE, ADDRESS_NOISE, ADDRESS_NOISE)
def test_sessions_and_tokens_in_addresses_do_not_change_the_hash(
    sentence: str, one: str, other: str
) -> None:
    def page(rule: str, chart: str) -> str:
        return f"{sentence} See [the rule](https://a.gov/a.pdf{rule}) and ![x](/x.png{chart}).\n"

    assert (
        change_hash(page(one, other)) == change_hash(page(other, one)) == change_hash(page("", ""))
    )


@settings(max_examples=150, deadline=None)
@given(DOCUMENT, st.lists(st.tuples(st.integers(0, 20), NOISE_BLOCKS), max_size=3), st.data())
def test_a_changed_digit_in_a_sentence_always_changes_the_hash(
    blocks: list[str], noise: list[tuple[int, str]], data: st.DataObject
) -> None:
    blocks = [*blocks, "The limit is $766,550 in 2024."]
    places = [
        (at, i) for at, block in enumerate(blocks) for i, c in enumerate(block) if c.isdigit()
    ]
    at, place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from("0123456789".replace(blocks[at][place], "")))
    changed = list(blocks)
    changed[at] = blocks[at][:place] + digit + blocks[at][place + 1 :]
    for where, text in noise:
        changed.insert(where % (len(changed) + 1), text)
    change = compare(body(blocks), body(changed))
    assert change is not None
    assert change.kind == "substantive"


@settings(max_examples=150, deadline=None)
@given(DOCUMENT, st.sampled_from(["remove", "replace", "insert"]), st.data())
def test_a_changed_word_in_a_sentence_always_changes_the_hash(
    blocks: list[str], how: str, data: st.DataObject
) -> None:
    blocks = [*blocks, "A servicer must not charge a fee."]
    at = data.draw(st.sampled_from([at for at, block in enumerate(blocks) if block[0] != "#"]))
    words = blocks[at].split()
    place = data.draw(st.integers(1, len(words) - 2))
    words[place : place + (how != "insert")] = {"remove": [], "replace": ["unlikely"], "insert": ["not"]}[how]  # fmt: skip
    changed = [*blocks[:at], " ".join(words), *blocks[at + 1 :]]
    change = compare(body(blocks), body(changed))
    assert change is not None
    assert change.kind == "substantive"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_compared(old: str, new: str) -> None:
    change = compare(old, new)
    assert (change is None) == (change_hash(old) == change_hash(new))
    assert compare(old, old) is None

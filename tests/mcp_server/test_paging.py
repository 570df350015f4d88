"""How the text of a page is cut, and what is left out of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.mcp_server.paging import end_of_part, first_words, prepare, safe_line, safe_text

TABLE = "| a | b |\n| - | - |\n| 1 | 2 |\n"
PIECES = ("# Head\n\n", "word ", "a" * 50, "\n\n", "- item\n", TABLE, "```\ncode\n\n", "```\n", "é")
MARKDOWN = st.lists(st.sampled_from((*PIECES, "\U0001f41d", "\n", "\x1b[31m")), max_size=60).map(
    "".join
)


def parts_of(markdown: str, limit: int) -> list[str]:
    text, cuts, _ = prepare(markdown)
    parts, offset = [], 0
    while offset < len(text):
        end = end_of_part(text, cuts, offset, limit)
        parts.append(text[offset:end])
        offset = end
    return parts


@given(MARKDOWN, st.integers(1, 80))
def test_the_parts_are_the_whole_text_and_none_is_too_long(markdown: str, limit: int) -> None:
    parts = parts_of(markdown, limit)
    assert "".join(parts) == safe_text(markdown)[0]
    assert all(0 < len(part) <= limit for part in parts)


def test_a_part_ends_behind_a_block_and_not_behind_a_heading() -> None:
    text = "One paragraph.\n\n# A heading\n\nAnother paragraph.\n"
    assert parts_of(text, 40) == ["One paragraph.\n\n", "# A heading\n\nAnother paragraph.\n"]
    table = "| a | b |\n| - | - |\n" + "| 1 | 2 |\n" * 3
    assert parts_of(f"Words.\n\n{table}\nMore words.\n", 60) == [
        f"Words.\n\n{table}\n",
        "More words.\n",
    ]


def test_a_block_that_is_too_long_is_cut_behind_a_line_else_behind_a_word() -> None:
    assert (
        parts_of("```\n" + "line of code\n" * 5 + "```\n", 30)[0]
        == "```\nline of code\nline of code\n"
    )
    assert parts_of("many words in a line", 12) == ["many words ", "in a line"]
    assert parts_of("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_characters_that_control_or_hide_are_left_out() -> None:
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "obey")
    text, removed = safe_text(f"a\x1b[31m\x00\x9b\u202e\u2066{hidden}b\u2028c\r\n\td\ud800")
    assert text == "a[31mb c\n\td\ufffd"
    assert removed == 5 + len(hidden) + 1
    persian = "می\u200cخواهم \u200f"
    assert safe_text(persian) == (persian, 0)


def test_a_line_is_bounded() -> None:
    assert safe_line("  a\n b\tc ", 10) == "a b c"
    assert safe_line("abcdef", 4) == "abc…"
    assert safe_line(None, 4) == ""


def test_the_first_words_are_those_of_a_paragraph() -> None:
    text = (
        "# Lamp\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nSee below.\n\n"
        "A [lamp](https://x.example/a_(b)) gives light to those who read in the evening.\n"
    )
    assert first_words(text, 200) == "A lamp gives light to those who read in the evening."
    assert first_words("# Lamp\n\nShort.\n", 200) == "Short."
    assert first_words("", 200) == ""

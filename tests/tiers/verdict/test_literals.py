"""Strings that a pattern requires."""

from __future__ import annotations

import re
import warnings
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
import re2
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikicrawler.tiers.verdict.conditions import CONDITIONS, GROUPS, pattern_sets
from wikicrawler.tiers.verdict.literals import required_literals
from wikicrawler.tiers.verdict.markup import read_markup

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = files("wikicrawler.tiers.verdict") / "rules.yml"


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        ("loading", {"loading"}),
        ("(load|start)ing", {"loading", "starting"}),
        ("colou?r", {"color", "colour"}),
        ("^[Nn]ot found$", {"Not found", "not found"}),
        ("page [0-9]+ of the book", {" of the book"}),
        ("(please )?wait", {"please wait", "wait"}),
        ("(please )*wait", {"wait"}),
        ("(please )+do", {"please "}),
        (r"\berror\b", {"error"}),
        ("one|[a-z]{3}s", None),
        ("a+|b+", None),
        ("", None),
        ("at", None),
        ("[abcdefg]ext", {"ext"}),
        ("(?s).{0,40}captcha", {"captcha"}),
        ("[a-z]{3,9} shop|the (store|.{1,9}house)", {" shop", "store", "house"}),
        (r"\p{Han}text\pL", {"text"}),
        ("[[:alpha:]]text[]a]{2}", {"text"}),
        ("[.-]text[0-9]", {".text", "-text"}),
        ("[^.]text.text", {"text"}),
        (r"\x{2019}s own (?i:text){2,}(?P<name>x)??", {"\u2019s own "}),
        (r"(?s)a\.b\tc{1}\x41{0,1}(?:d){0}", {"a.b\tc", "a.b\tcA"}),
        ("(?=text)", None),
        (r"\Qtext", None),
        ("[text", None),
    ],
)
def test_one_of_the_literals_is_required(pattern: str, literals: set[str] | None) -> None:
    assert required_literals(pattern) == literals


def test_literals_that_are_words_have_no_other_signs() -> None:
    pattern = '<form [^>]*action="https://(consent|guce).[^"]*collectConsent"'
    assert required_literals(pattern) == {'action="https://consent', 'action="https://guce'}
    assert required_literals(pattern, words=True) == {"collectConsent"}


def test_a_part_with_many_alternatives_does_not_multiply() -> None:
    found = required_literals("[abc][abc][abc][abc][abc]x(tail|head)")
    assert found is not None
    assert len(found) <= 32
    assert all(one.endswith(("xtail", "xhead")) for one in found)


def _patterns(value: Any) -> Iterator[tuple[str, str]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if isinstance(inner, str) and key in pattern_sets():
            yield key, inner
        elif isinstance(inner, dict | list) and (key in GROUPS or isinstance(key, int)):
            yield from _patterns(inner)


def _of_re(pattern: str) -> re.Pattern[str] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return re.compile(pattern, re.IGNORECASE)
        except re.error:
            return None


SHIPPED = [
    (key, pattern, compiled)
    for key, pattern in _patterns(yaml.safe_load(RULES.read_bytes()))
    if (compiled := _of_re(pattern)) is not None
]


def test_the_conditions_of_the_shipped_rules_are_found() -> None:
    assert {key for key, *_ in SHIPPED} == set(pattern_sets()) <= set(CONDITIONS)
    assert len(SHIPPED) > 240


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_text_that_a_shipped_pattern_matches_is_possible(data: st.DataObject) -> None:
    key, pattern, compiled = data.draw(st.sampled_from(SHIPPED))
    text = data.draw(st.from_regex(compiled)).encode("utf-8", "replace")
    options = re2.Options()
    options.case_sensitive = False
    patterns = pattern_sets()[key]
    number = patterns.add(pattern)
    if key == "tag":
        references = data.draw(st.booleans())
        markup = read_markup(_with_references(text) if references else text)
        if re2.compile(pattern.encode(), options).search(markup.tags) is not None:
            assert number in patterns.possible_in(markup.raw_tags)
    elif re2.compile(pattern.encode(), options).search(text) is not None:
        assert number in patterns.possible_in(text)


def _with_references(tags: bytes) -> bytes:
    """Write the values of attributes as character references."""

    def written(value: re.Match[bytes]) -> bytes:
        return b'"' + b"".join(b"&#%d;" % ord(sign) for sign in value[1].decode()) + b'"'

    return re.sub(rb'"([^"<>]*)"', written, tags)

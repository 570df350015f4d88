"""The regular expressions that meet the text of strangers are RE2's, or linear by their syntax."""

from __future__ import annotations

import ast
import importlib
import re
from typing import NamedTuple

import pytest

from tests.strangers.functions import CASES, NOT_OF_STRANGERS
from tests.strangers.syntax import why_not_linear
from tests.strangers.test_linear import modules

USES = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
ONE_PLACE = {"match", "fullmatch"}

ALLOWED = {
    "audit.redaction:_SECRET_NAME": "a whole name of at most 100 characters",
    "sources.envelopes.hints:_TABLE": "begins at a line's start, and gives back within the line",
    "sources.manifest.answer:_FENCE": "begins at a line's start, and gives back within the line",
    "sources.manifest.answer:_YAML": "begins at one place, and the lines before are possessive",
    "sources.manifest.json_text:_COMMENT": "alternatives that differ in the second character",
    "console.log_secrets:_ASSIGNMENT": "begins at a word's boundary; the rest is possessive",
    "console.log_secrets:_BROKEN_LOGIN": "begins with ://, and does not go on behind another /",
    "console.log_secrets:_NESTED_NAME": "the name of a setting's key, which the operator wrote",
    "console.log_secrets:_SECRET_NAME": "the name of a setting, which the operator wrote",
    "fields.answers.reading:_FENCE": "possessive, and each attempt that reads far succeeds",
    "fields.injection.unrendered:_ATTRIBUTE": "bounded up to the value; a quotation that is not"
    " closed is the last of its kind",
    "fields.injection.unrendered:_TAG": "ends at a < outside of quotations: of the attempts under"
    " way at one, the others are in quotations of either kind",
    "learning.signs:_PRODUCT": "200 characters",
    "scope.traps:_NUMBER": "alternatives of one class, of which each attempt succeeds",
    "scope.traps:_PARAMETER": "begins with &, and does not go on behind another",
    "scope.traps:_SESSION": "begins with ?, &, ; or /(, and gives back only what it read",
    "text.safe:_BEFORE_HOST": "possessive, and a match begins only where the one before has ended",
    "text.safe:_ENCODED_LOGIN": "begins with %3A%2F%2F, and does not go on behind another %2F",
    "text.safe:_LOGIN": "possessive up to a colon or bracket; a match begins only behind a space",
    "text.safe:_URL_LOGIN": "begins with ://, and does not go on behind another /",
    "tiers.crawl4ai.frames:_ATTRIBUTE": "possessive, and each attempt succeeds",
    "tiers.crawl4ai.frames:_HIDDEN": "possessive, and in the spaces no other match begins",
    "tiers.crawl4ai.looks:_SHADOW_HOST": "one attempt a line, tried from behind",
    "tiers.crawl4ai.protocol:_PERMANENT": "a message of 200 characters",
    "tiers.mediawiki.html:_PAGE_NAME": "64 KB; ends at the quote with which another match begins",
    "tiers.mediawiki.tier:_CLASS": "2,000 characters",
    "tiers.mediawiki.tier:_LANG": "2,000 characters",
    "tiers.mediawiki.tier:_TEXT": "begins with >, with which an attempt ends; possessive",
    "tiers.mediawiki.titles:_ILLEGAL": "begins with &, and does not go on behind another",
    "tiers.verdict.judge:_DESTINATION": "possessive, and each attempt that reads far succeeds",
    "tiers.verdict.markup:_ATTRIBUTE": "possessive, and each attempt succeeds",
    "urls.addresses:_NUMBER": "253 characters",
    "urls.addresses:_SCHEME": "tried once; the look-around reads digits once",
    "urls.addresses:_USERINFO": "tried once, at the start; the parts have no character in common",
    "urls.views:_ANY_PAGE": "ends at & or #, and each attempt that reads far succeeds",
}
"""Patterns that the check does not show to be linear, with the bound of the text, or the reason why
they are linear. Their modules are measured."""


class Pattern(NamedTuple):
    name: str
    pattern: str | bytes
    flags: int
    anchored: bool


def patterns() -> list[Pattern]:
    """Return the patterns of :mod:`re` in the rooms: named ones, and literals in calls."""
    found = []
    for name, tree in modules().items():
        if name in NOT_OF_STRANGERS:
            continue
        module = importlib.import_module(f"wikicrawler.{name}")
        for attribute, value in vars(module).items():
            if isinstance(value, re.Pattern):
                uses = {
                    node.attr
                    for node in ast.walk(tree)
                    if isinstance(node, ast.Attribute)
                    and isinstance(node.value, ast.Name)
                    and node.value.id == attribute
                }
                anchored = bool(uses) and uses <= ONE_PLACE | {"pattern"}
                found.append(Pattern(f"{name}:{attribute}", value.pattern, value.flags, anchored))
        found += _literals(name, tree)
    return found


def _literals(name: str, tree: ast.Module) -> list[Pattern]:
    return [
        Pattern(
            f"{name}:{node.args[0].value!r}", node.args[0].value, 0, node.func.attr in ONE_PLACE
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in USES
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str | bytes)
    ]


def test_each_pattern_is_linear_or_has_a_reason() -> None:
    found = patterns()
    assert len(found) > 40
    slow = {
        p.name: why
        for p in found
        if (why := why_not_linear(p.pattern, p.flags, anchored=p.anchored))
        and p.name not in ALLOWED
    }
    assert slow == {}


def test_each_allowed_pattern_exists_and_needs_it() -> None:
    needed = {p.name for p in patterns() if why_not_linear(p.pattern, p.flags, anchored=p.anchored)}
    assert ALLOWED.keys() - needed == set()
    assert {name.partition(":")[0] for name in ALLOWED} - CASES.keys() == set()


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$", "(a|a)*b", "a*a*b", r"\s+$", ".*x", "<[^>]*x", "(?:a|b)*[ab]c+d", r"\w+@\w",
        r"<div\b[^>]*\bclass=[^>]*\bx\b[^>]*>", "(?=a+b)a", "(a*)*b", "x[^y]*x[^y]*z", "(?:ab?)*bc",
    ],
)  # fmt: skip
def test_a_slow_pattern_is_found(pattern: str) -> None:
    assert why_not_linear(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a+",
        "[^x]+",
        "<[^<>]*>",
        r"\\+",
        "a{1,60}b{1,60}",
        "x[0-9]*y",
        "=[^&=]*&",
        "(a|b)+",
        r"/\d++",
    ],
)
def test_a_linear_pattern_is_none(pattern: str) -> None:
    assert why_not_linear(pattern) == ""

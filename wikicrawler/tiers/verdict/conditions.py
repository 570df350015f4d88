"""The conditions of rules, compiled from YAML to functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import re2
import yaml

from wikicrawler.text.lazy_pattern import LazyPattern
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.tiers.verdict.markup import Markup
from wikicrawler.tiers.verdict.pattern_sets import PatternSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wikicrawler.text.yaml import Value

_IN_ONE_PASS = ("start", "title", "text", "tag", "script", "noscript", "content")
"""Conditions with a pattern, which is tried on texts alone that may match it."""
MARKUP = ("title", "text", "tag", "script", "noscript", "text_rest")
CONTENT = ("content_max", "start", "content", "content_rest")
GROUPS = ("all", "any", "none")
START = 1_000
"""Characters of the content that the condition ``start`` examines."""
_REST_OF = {"text_rest": "text", "content_rest": "content"}
# In order of evaluation, whatever the order in the file: cheap ones first.
CONDITIONS = (
    *("status", "header", "text_max", "content_max", "start", "title", "text", "tag", "script"),
    *("noscript", "content", *GROUPS, *_REST_OF),
)
_LONGEST = {"text_max": 10_000, "content_max": 50_000}

_OPTIONS = re2.Options()
_OPTIONS.case_sensitive = False
_OPTIONS.log_errors = False  # RE2 would log to stderr

_SENTENCE = LazyPattern(
    rb"(?:[\pL\pM'\x{2019}-]+[,;:]? ){5}[\pL\pM'-]+(?: [^\n.!?]{0,300})?[.!?]"
    rb"|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\x{3001}\x{FF0C}]{16}",
    _OPTIONS,
)
"""Six words before a full stop, or a long run of a script without spaces: somebody's prose."""


@dataclass(frozen=True, slots=True)
class RuleInput:
    """The facts about a response that rules can examine."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers by lower-case name."""
    markup: Markup = field(default_factory=Markup)
    content: str | None = None
    """The page as Markdown; None before the conversion."""
    _possible: dict[PatternSet, frozenset[int]] = field(default_factory=dict, init=False)

    def possible(self, key: str, patterns: PatternSet) -> frozenset[int]:
        """Return the numbers of the *patterns* that the part *key* of the page may match."""
        found = self._possible.get(patterns)
        if found is None:
            text = self.markup.raw_tags if key == "tag" else _FIELDS[key](self)
            found = self._possible[patterns] = patterns.possible_in(text)
        return found


if TYPE_CHECKING:
    Test = Callable[[RuleInput], list[str] | None]
    """Returns the evidence if the condition holds, else None."""


def entries(value: Value) -> list[Value]:
    """Return the items of a list."""
    if not isinstance(value.node, yaml.SequenceNode):
        value.wrong("is not a list")
        return []
    return [
        type(value)(node, f"{value.key}[{index}]", value.problems)
        for index, node in enumerate(value.node.value)
    ]


def pattern_sets() -> dict[str, PatternSet]:
    """Return a set for the patterns of each condition that has one."""
    sets = {key: PatternSet(_OPTIONS) for key in _IN_ONE_PASS}
    # Its patterns are for tags that are written anew. Only words are the same in those of the page.
    return sets | {"tag": PatternSet(_OPTIONS, words=True)}


def read_tests(
    fields: Mapping[str, Value], needs: dict[str, int], sets: Mapping[str, PatternSet]
) -> list[Test]:
    """Compile the conditions in *fields*.

    :param needs: receives the names of the conditions; for limits, with the largest value
    :param sets: receive the patterns of the conditions that are their keys
    """
    tests: list[Test] = []
    for key in CONDITIONS:
        if key not in fields:
            continue
        if key in GROUPS:
            groups = [
                read_tests(entry.fields(CONDITIONS, "a condition"), needs, sets)
                for entry in entries(fields[key])
            ]
            tests.append(_GROUP_TESTS[key](groups))
        else:
            needs.setdefault(key, 0)
            tests += _read_condition(key, fields[key], needs, sets)
    return tests


def _read_condition(
    key: str, value: Value, needs: dict[str, int], sets: Mapping[str, PatternSet]
) -> list[Test]:
    if key == "status":
        statuses = [entry.integer(100, 599, "an HTTP status") for entry in entries(value)]
        return [_status_test(frozenset(s for s in statuses if s is not None))]
    if key == "header":
        return [
            _header_test(str(name.node.value).lower(), compiled)
            for name, pattern in value.items("a mapping of header names to patterns")
            if (compiled := _pattern(pattern)) is not None
        ]
    if key in _REST_OF:
        return _read_rest(key, value)
    if key in _LIMIT_TESTS:
        limit = value.integer(1, _LONGEST[key], "a number of characters")
        if limit is None:
            return []
        needs[key] = max(needs[key], limit)
        return [_LIMIT_TESTS[key](limit)]
    compiled = _pattern(value)
    return [] if compiled is None else [_pattern_test(key, compiled, sets[key])]


def _read_rest(key: str, value: Value) -> list[Test]:
    fields = value.fields(("without", "max"), "a mapping with without and max")
    if len(fields) < 2:
        value.wrong("lacks without or max")
        return []
    removed = _pattern(fields["without"])
    limit = fields["max"].integer(0, 10_000, "a number of letters and digits")
    return [] if removed is None or limit is None else [_rest_test(key, removed, limit)]


def _pattern(value: Value) -> Any:
    text = value.text("a regular expression (put it in quotes)")
    if text is None:
        return None
    if value.problems.tested:
        return LazyPattern(text.encode(), _OPTIONS)
    try:
        return re2.compile(text.encode(), _OPTIONS)
    except re2.error as error:
        value.wrong(f"{quoted(text)} is not an RE2 pattern: {one_line(error, 120)}")
        return None


def _status_test(statuses: frozenset[int]) -> Test:
    return lambda facts: [f"status {facts.status}"] if facts.status in statuses else None


def _header_test(name: str, pattern: Any) -> Test:
    def test(facts: RuleInput) -> list[str] | None:
        value = facts.headers.get(name)
        if value is None or pattern.search(value.encode("utf-8", "replace")) is None:
            return None
        return [f"header {name}: {one_line(value, 80)}"]

    return test


_FIELDS: dict[str, Callable[[RuleInput], bytes]] = {
    "title": lambda facts: facts.markup.title,
    "text": lambda facts: facts.markup.text,
    "tag": lambda facts: facts.markup.tags,
    "script": lambda facts: facts.markup.scripts,
    "noscript": lambda facts: facts.markup.noscript,
    "content": lambda facts: (facts.content or "").encode("utf-8", "replace"),
    "start": lambda facts: (facts.content or "")[:START].encode("utf-8", "replace"),
}


def _pattern_test(key: str, pattern: Any, patterns: PatternSet) -> Test:
    part = _FIELDS[key]
    number = patterns.add(pattern.pattern.decode())

    def test(facts: RuleInput) -> list[str] | None:
        if number not in facts.possible(key, patterns):
            return None
        found = pattern.search(part(facts))
        if found is None:
            return None
        return [f"{key} {one_line(found[0].decode('utf-8', 'replace'), 80)}"]

    return test


def _rest_test(key: str, removed: Any, limit: int) -> Test:
    part, most = _FIELDS[_REST_OF[key]], _LONGEST[f"{_REST_OF[key]}_max"]

    def test(facts: RuleInput) -> list[str] | None:
        whole = part(facts)
        if len(whole) > 4 * most:  # bytes: no limit of the rule applies to this part
            return None
        first = removed.search(whole)
        if first is None:
            return None
        rest = removed.sub(b" ", whole)
        length = sum(map(str.isalnum, rest.decode("utf-8", "replace")))
        if length > limit or _SENTENCE.search(rest) is not None:
            return None
        found = one_line(first[0].decode("utf-8", "replace"), 80)
        return [f"{key} {found}", f"{length} other letters and digits (limit {limit})"]

    return test


def _text_max_test(limit: int) -> Test:
    def test(facts: RuleInput) -> list[str] | None:
        length = facts.markup.length
        return [f"{length} characters of text (limit {limit})"] if length <= limit else None

    return test


def _content_max_test(limit: int) -> Test:
    def test(facts: RuleInput) -> list[str] | None:
        length = len(facts.content or "")
        return [f"{length} characters of content (limit {limit})"] if length <= limit else None

    return test


_LIMIT_TESTS = {"text_max": _text_max_test, "content_max": _content_max_test}


def _all_test(groups: Sequence[list[Test]]) -> Test:
    def test(facts: RuleInput) -> list[str] | None:
        found: list[str] = []
        for tests in groups:
            for part in tests:
                evidence = part(facts)
                if evidence is None:
                    return None
                found += evidence
        return found

    return test


def _any_test(groups: Sequence[list[Test]]) -> Test:
    alternatives = [_all_test([tests]) for tests in groups]

    def test(facts: RuleInput) -> list[str] | None:
        return next((e for e in (part(facts) for part in alternatives) if e is not None), None)

    return test


def _none_test(groups: Sequence[list[Test]]) -> Test:
    excluded = _any_test(groups)
    return lambda facts: [] if excluded(facts) is None else None


_GROUP_TESTS = {"all": _all_test, "any": _any_test, "none": _none_test}

"""The rules of the judge: data, read once and checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import re2
import yaml

from wikicrawler.errors import Reason
from wikicrawler.safe_text import one_line, quoted
from wikicrawler.tiers.verdict.markup import Markup
from wikicrawler.yaml_lines import Problems, Value, compose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MARKUP = ("title", "text", "tag", "script", "noscript")
_CONDITIONS = ("status", "header", *_MARKUP, "text_max", "content", "content_max")
_GROUPS = ("all", "any", "none")
_OWN = ("id", "vendor", "reason", "final")

_OPTIONS = re2.Options()
_OPTIONS.case_sensitive = False
_OPTIONS.log_errors = False  # it would write lines of its own to stderr


@dataclass(frozen=True, slots=True)
class Sight:
    """All that rules may look at."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """By lower-case name."""
    markup: Markup = field(default_factory=Markup)
    content: str | None = None
    """The Markdown of the page; None before the conversion."""


if TYPE_CHECKING:
    Test = Callable[[Sight], list[str] | None]
    """The evidence where the condition holds; None where it does not."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the judge's law."""

    id: str
    vendor: str
    reason: Reason
    final: bool
    """Whether it is true of the page itself, so that no other tier would do better."""
    needs: frozenset[str]
    """The conditions that it uses."""
    text_max: int
    tests: tuple[Test, ...]

    def evidence(self, sight: Sight) -> tuple[str, ...] | None:
        """What speaks for the rule in *sight*; None where it does not apply."""
        found: list[str] = []
        for test in self.tests:
            part = test(sight)
            if part is None:
                return None
            found += part
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in the order in which they are asked, by when that can be."""

    on_response: tuple[Rule, ...]
    on_content: tuple[Rule, ...]
    enough_text: int
    """Visible text beyond which no rule on responses applies, in characters."""
    enough_content: int

    @property
    def all(self) -> tuple[Rule, ...]:
        return self.on_response + self.on_content


@cache
def shipped_rules() -> Rules:
    """The rules of ``wikicrawler/data/verdict.yml``."""
    name = "data/verdict.yml"
    return parse_rules(files("wikicrawler").joinpath(name).read_bytes(), name)


def parse_rules(data: bytes, name: str) -> Rules:
    """The rules in a YAML file's *data*.

    :raises ConfigError: with every line that is wrong, and why.
    """
    problems = Problems(name)
    top = compose(data, problems)
    rules: list[Rule] = []
    if top is not None:
        seen: set[str] = set()
        for value in _entries(top):
            rule = _rule(value)
            if rule is None:
                continue
            if rule.id in seen:
                value.wrong(f"the id {rule.id} is there twice")
            seen.add(rule.id)
            rules.append(rule)
    problems.report()
    on_content = tuple(r for r in rules if r.needs & {"content", "content_max"})
    on_response = tuple(r for r in rules if r not in on_content)
    return Rules(
        on_response,
        on_content,
        max((r.text_max for r in on_response), default=0),
        max((r.text_max for r in on_content), default=0),
    )


def _entries(value: Value) -> list[Value]:
    if not isinstance(value.node, yaml.SequenceNode):
        value.wrong("is not a list")
        return []
    return [
        Value(node, f"{value.key}[{index}]", value.problems)
        for index, node in enumerate(value.node.value)
    ]


def _rule(value: Value) -> Rule | None:
    fields = value.fields((*_OWN, *_CONDITIONS, *_GROUPS), "a rule")
    missing = [key for key in ("id", "vendor", "reason") if key not in fields]
    if missing:
        value.wrong(f"lacks {', '.join(missing)}")
        return None
    name = fields.pop("id").text("a name")
    vendor = fields.pop("vendor").text("a name")
    reason = fields.pop("reason").word([*Reason])
    final = fields.pop("final").flag() if "final" in fields else False
    needs: dict[str, int] = {}
    tests = _tests(fields, needs)
    if name is None or vendor is None or reason is None or final is None:
        return None
    limit = needs.get("content_max", 0) if needs.keys() & {"content", "content_max"} else None
    if limit is None:
        limit = needs.get("text_max", 0)
        if needs.keys() & set(_MARKUP) and not limit:
            value.wrong("lacks text_max (a page that says more is content)")
    elif not limit:
        value.wrong("lacks content_max (a page that says more is content)")
    if not tests:
        value.wrong("has no condition")
    return Rule(name, vendor, Reason(reason), final, frozenset(needs), limit, tuple(tests))


def _tests(fields: dict[str, Value], needs: dict[str, int]) -> list[Test]:
    """The conditions in *fields*; *needs* gets their names, of limits with the largest value."""
    tests: list[Test] = []
    # Cheap ones first, whatever the order in the file.
    for key in (*_CONDITIONS, *_GROUPS):
        if key not in fields:
            continue
        value = fields[key]
        if key in _GROUPS:
            groups = [
                _tests(entry.fields((*_CONDITIONS, *_GROUPS), "a condition"), needs)
                for entry in _entries(value)
            ]
            tests.append(_GROUP_TESTS[key](groups))
        elif key == "header":
            needs.setdefault(key, 0)
            for name, pattern in value.items("a mapping of header names to patterns"):
                if (compiled := _pattern(pattern)) is not None:
                    tests.append(_header_test(str(name.node.value).lower(), compiled))
        elif key == "status":
            needs.setdefault(key, 0)
            statuses = [entry.whole(100, 599, "an HTTP status") for entry in _entries(value)]
            tests.append(_status_test(frozenset(s for s in statuses if s is not None)))
        elif key in ("text_max", "content_max"):
            limit = value.whole(1, 10_000, "a number of characters")
            if limit is not None:
                needs[key] = max(needs.get(key, 0), limit)
                tests.append(_LIMIT_TESTS[key](limit))
        elif (compiled := _pattern(value)) is not None:
            needs.setdefault(key, 0)
            tests.append(_pattern_test(key, compiled))
    return tests


def _pattern(value: Value) -> Any:
    text = value.text("a regular expression (put it in quotes)")
    if text is None:
        return None
    try:
        return re2.compile(text.encode(), _OPTIONS)
    except re2.error as error:
        value.wrong(f"{quoted(text)} is no RE2 pattern: {one_line(error, 120)}")
        return None


def _status_test(statuses: frozenset[int]) -> Test:
    return lambda sight: [f"status {sight.status}"] if sight.status in statuses else None


def _header_test(name: str, pattern: Any) -> Test:
    def test(sight: Sight) -> list[str] | None:
        value = sight.headers.get(name)
        if value is None or pattern.search(value.encode("utf-8", "replace")) is None:
            return None
        return [f"header {name}: {one_line(value, 80)}"]

    return test


_FIELDS: dict[str, Callable[[Sight], bytes]] = {
    "title": lambda sight: sight.markup.title,
    "text": lambda sight: sight.markup.text,
    "tag": lambda sight: sight.markup.tags,
    "script": lambda sight: sight.markup.scripts,
    "noscript": lambda sight: sight.markup.noscript,
    "content": lambda sight: (sight.content or "").encode("utf-8", "replace"),
}


def _pattern_test(key: str, pattern: Any) -> Test:
    part = _FIELDS[key]

    def test(sight: Sight) -> list[str] | None:
        found = pattern.search(part(sight))
        if found is None:
            return None
        return [f"{key} {one_line(found[0].decode('utf-8', 'replace'), 80)}"]

    return test


def _text_max_test(limit: int) -> Test:
    def test(sight: Sight) -> list[str] | None:
        length = sight.markup.length
        return [f"{length} characters of text (limit {limit})"] if length <= limit else None

    return test


def _content_max_test(limit: int) -> Test:
    def test(sight: Sight) -> list[str] | None:
        length = len(sight.content or "")
        return [f"{length} characters of content (limit {limit})"] if length <= limit else None

    return test


_LIMIT_TESTS = {"text_max": _text_max_test, "content_max": _content_max_test}


def _all_test(groups: Sequence[list[Test]]) -> Test:
    def test(sight: Sight) -> list[str] | None:
        found: list[str] = []
        for tests in groups:
            for part in tests:
                evidence = part(sight)
                if evidence is None:
                    return None
                found += evidence
        return found

    return test


def _any_test(groups: Sequence[list[Test]]) -> Test:
    alternatives = [_all_test([tests]) for tests in groups]

    def test(sight: Sight) -> list[str] | None:
        return next((e for e in (part(sight) for part in alternatives) if e is not None), None)

    return test


def _none_test(groups: Sequence[list[Test]]) -> Test:
    excluded = _any_test(groups)
    return lambda sight: [] if excluded(sight) is None else None


_GROUP_TESTS = {"all": _all_test, "any": _any_test, "none": _none_test}

"""The rules of the verdict: loaded once from YAML, and validated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.text.yaml import Problems, Value, compose
from wikicrawler.tiers.verdict.conditions import (
    CONDITIONS,
    CONTENT,
    MARKUP,
    entries,
    pattern_sets,
    read_tests,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.tiers.verdict.conditions import RuleInput, Test
    from wikicrawler.tiers.verdict.pattern_sets import PatternSet

_OWN = ("id", "vendor", "reason", "final")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the verdict."""

    id: str
    vendor: str
    reason: Reason
    final: bool
    """True if the failure is the page's own: no other tier could succeed."""
    needs: frozenset[str]
    """Names of the conditions that it uses."""
    starts: bool
    """True if the whole rule requires a ``start``: most pages cost it one short search."""
    text_max: int
    tests: tuple[Test, ...]

    def evidence(self, facts: RuleInput) -> tuple[str, ...] | None:
        """Return the matches of the rule in *facts*; None if it does not apply."""
        found: list[str] = []
        for test in self.tests:
            part = test(facts)
            if part is None:
                return None
            found += part
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in order of evaluation, separated by the stage that they apply to."""

    on_response: tuple[Rule, ...]
    """Rules for the response, before the conversion."""
    on_content: tuple[Rule, ...]
    """Rules that need the converted content."""
    on_long: tuple[Rule, ...]
    """Those of ``on_content`` that begin with the content's start and need no markup: they are
    cheap, so they also apply to content beyond ``enough_content``."""
    enough_text: int
    """Length of visible text, in characters, above which no rule on responses applies."""
    enough_content: int
    """Length of Markdown, in characters, above which no rule on content applies but those of
    ``on_long``."""

    @property
    def all(self) -> tuple[Rule, ...]:
        return self.on_response + self.on_content


@cache
def shipped_rules() -> Rules:
    """Return the rules of ``wikicrawler/tiers/verdict/rules.yml``."""
    name = "rules.yml"
    data = files("wikicrawler.tiers.verdict").joinpath(name).read_bytes()
    return parse_rules(data, name, tested=True)


def parse_rules(data: bytes, name: str, *, tested: bool = False) -> Rules:
    """Parse the rules in a YAML file's *data*.

    :param tested: as that of :class:`~wikicrawler.text.yaml.Problems`: patterns are not compiled
        before they are used
    :raises ConfigError: the file is invalid; the message lists all errors with their lines
    """
    problems = Problems(name, tested=tested)
    top = compose(data, problems)
    rules: list[Rule] = []
    sets = pattern_sets()
    if top is not None:
        seen: set[str] = set()
        for value in entries(top):
            rule = _rule(value, sets)
            if rule is None:
                continue
            if rule.id in seen:
                value.wrong(f"the id {rule.id} is not unique")
            seen.add(rule.id)
            rules.append(rule)
    problems.raise_if_any()
    on_content = tuple(r for r in rules if r.needs & set(CONTENT))
    on_response = tuple(r for r in rules if r not in on_content)
    on_long = tuple(r for r in on_content if r.starts and not r.needs & set(MARKUP))
    return Rules(
        on_response,
        on_content,
        on_long,
        max((r.text_max for r in on_response), default=0),
        max((r.text_max for r in on_content if r not in on_long), default=0),
    )


def _rule(value: Value, sets: Mapping[str, PatternSet]) -> Rule | None:
    fields = value.fields((*_OWN, *CONDITIONS), "a rule")
    missing = [key for key in ("id", "vendor", "reason") if key not in fields]
    if missing:
        value.wrong(f"lacks {', '.join(missing)}")
        return None
    name = fields.pop("id").text("a name")
    vendor = fields.pop("vendor").text("a name")
    reason = fields.pop("reason").choice([*Reason])
    final = fields.pop("final").flag() if "final" in fields else False
    needs: dict[str, int] = {}
    tests = read_tests(fields, needs, sets)
    if name is None or vendor is None or reason is None or final is None:
        return None
    limit = needs.get("content_max", 0) if needs.keys() & set(CONTENT) else None
    if limit is None:
        limit = needs.get("text_max", 0)
        # At top level, not in a group: longer documents are not examined at all.
        if needs.keys() & set(MARKUP) and "text_max" not in fields:
            value.wrong("lacks text_max (a document with more text is a page)")
    elif not limit:
        value.wrong("lacks content_max (a document with more content is a page)")
    if not tests:
        value.wrong("has no condition")
    return Rule(
        *(name, vendor, Reason(reason), final),
        *(frozenset(needs), "start" in fields, limit, tuple(tests)),
    )

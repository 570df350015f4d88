"""The rules of the judge: data, read once and checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.text.yaml import Problems, Value, compose
from wikicrawler.tiers.verdict.conditions import CONDITIONS, GROUPS, MARKUP, entries, read_tests

if TYPE_CHECKING:
    from wikicrawler.tiers.verdict.conditions import Sight, Test

_OWN = ("id", "vendor", "reason", "final")


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
    """The rules of ``wikicrawler/tiers/verdict/rules.yml``."""
    name = "rules.yml"
    return parse_rules(files("wikicrawler.tiers.verdict").joinpath(name).read_bytes(), name)


def parse_rules(data: bytes, name: str) -> Rules:
    """The rules in a YAML file's *data*.

    :raises ConfigError: with every line that is wrong, and why.
    """
    problems = Problems(name)
    top = compose(data, problems)
    rules: list[Rule] = []
    if top is not None:
        seen: set[str] = set()
        for value in entries(top):
            rule = _rule(value)
            if rule is None:
                continue
            if rule.id in seen:
                value.wrong(f"the id {rule.id} is there twice")
            seen.add(rule.id)
            rules.append(rule)
    problems.raise_if_any()
    on_content = tuple(r for r in rules if r.needs & {"content", "content_max"})
    on_response = tuple(r for r in rules if r not in on_content)
    return Rules(
        on_response,
        on_content,
        max((r.text_max for r in on_response), default=0),
        max((r.text_max for r in on_content), default=0),
    )


def _rule(value: Value) -> Rule | None:
    fields = value.fields((*_OWN, *CONDITIONS, *GROUPS), "a rule")
    missing = [key for key in ("id", "vendor", "reason") if key not in fields]
    if missing:
        value.wrong(f"lacks {', '.join(missing)}")
        return None
    name = fields.pop("id").text("a name")
    vendor = fields.pop("vendor").text("a name")
    reason = fields.pop("reason").choice([*Reason])
    final = fields.pop("final").flag() if "final" in fields else False
    needs: dict[str, int] = {}
    tests = read_tests(fields, needs)
    if name is None or vendor is None or reason is None or final is None:
        return None
    limit = needs.get("content_max", 0) if needs.keys() & {"content", "content_max"} else None
    if limit is None:
        limit = needs.get("text_max", 0)
        # Not in a group: of a page that says more, nothing else is read.
        if needs.keys() & set(MARKUP) and "text_max" not in fields:
            value.wrong("lacks text_max (a page that says more is content)")
    elif not limit:
        value.wrong("lacks content_max (a page that says more is content)")
    if not tests:
        value.wrong("has no condition")
    return Rule(name, vendor, Reason(reason), final, frozenset(needs), limit, tuple(tests))

"""Parsing of the rules file: accepted conditions, and errors with their lines."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import pytest

from wikicrawler.errors import ConfigError, Reason
from wikicrawler.tiers.verdict.conditions import RuleInput
from wikicrawler.tiers.verdict.markup import read_markup
from wikicrawler.tiers.verdict.rules import parse_rules, shipped_rules

HEAD = b"- id: x\n  vendor: V\n  reason: blocked\n"


def applies(conditions: str, sight: RuleInput) -> bool:
    data = HEAD + b"".join(b"  " + line.encode() + b"\n" for line in conditions.splitlines())
    return parse_rules(data, "rules.yml").all[0].evidence(sight) is not None


PAGE = RuleInput(
    403, {"server": "Edge"}, read_markup(b"<title>No</title><p id=a>Go away</p>"), "Go"
)


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ("status: [403]", True),
        ("status: [401, 404]", False),
        ("header: {Server: '^edge$'}", True),
        ("header: {server: '^x$'}", False),
        ("header: {via: '.'}", False),
        ("title: '^no$'\ntext_max: 10", True),
        ("title: '^no$'\ntext_max: 6", False),
        ("tag: '<p id=\"a\"'\ntext: 'away$'\ntext_max: 99", True),
        ("tag: '<p id=\"b\"'\ntext: 'away$'\ntext_max: 99", False),
        ("content: '^go$'\ncontent_max: 2", True),
        ("content_max: 1", False),
        ("start: '^go$'\ncontent_max: 2", True),
        ("start: 'away'\ncontent_max: 2", False),
        ("content_rest: {without: 'g', max: 1}\ncontent_max: 2", True),
        ("content_rest: {without: 'g', max: 0}\ncontent_max: 2", False),
        ("content_rest: {without: 'x', max: 9}\ncontent_max: 2", False),
        ("text_rest: {without: 'go', max: 4}\ntext_max: 99", True),
        ("text_rest: {without: 'go', max: 3}\ntext_max: 99", False),
        ("any:\n- status: [200]\n- header: {server: 'edge'}", True),
        ("any:\n- status: [200]\n- header: {server: 'edge'}\n  status: [200]", False),
        ("all:\n- status: [403]\n- header: {server: 'no'}", False),
        ("status: [403]\nnone:\n- header: {server: 'edge'}", False),
        ("status: [403]\nnone:\n- header: {server: 'no'}", True),
    ],
)
def test_conditions(conditions: str, expected: bool) -> None:
    assert applies(conditions, PAGE) is expected


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (HEAD + b"  title: 'x'\n", "rules.yml:1: [0]: lacks text_max"),
        (HEAD + b"  any:\n  - {title: 'x', text_max: 5}\n", "rules.yml:1: [0]: lacks text_max"),
        (HEAD + b"  content: 'x'\n", "rules.yml:1: [0]: lacks content_max"),
        (HEAD + b"  text_rest: {without: x, max: 1}\n", "rules.yml:1: [0]: lacks text_max"),
        (HEAD + b"  start: 'x'\n", "rules.yml:1: [0]: lacks content_max"),
        (HEAD + b"  content_rest: {max: 1}\n", "[0].content_rest: lacks without or max"),
        (HEAD + b"  content_rest: 'x'\n", "a mapping with without and max"),
        (HEAD, "has no condition"),
        (HEAD + b"  titel: 'x'\n", "did you mean title?"),
        (
            HEAD + b"  title: '('\n  text_max: 5\n",
            "rules.yml:4: [0].title: '(' is not an RE2 pattern",
        ),
        (HEAD + b"  title: '(?=x)'\n  text_max: 5\n", "is not an RE2 pattern"),
        (HEAD + b"  status: [99]\n", "an HTTP status"),
        (HEAD + b"  status: 403\n", "is not a list"),
        (HEAD.replace(b"blocked", b"banned") + b"  status: [403]\n", "'banned' is unknown"),
        (b"- id: x\n  status: [403]\n", "lacks vendor, reason"),
        ((HEAD + b"  status: [403]\n") * 2, "the id x is not unique"),
        (b"id: x\n", "is not a list"),
    ],
)
def test_errors_are_reported_with_their_line(data: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_rules(data, "rules.yml")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Error 7. Why not?", True),
        ("Error 7. A quern is a mill of two round stones.", False),
        ("Error 7. Eine Handmühle hat zwei Steine für das Korn.", False),
        ("Error 7. " + "石臼は穀物を挽くための道具で、二つの石からなる。" * 2, False),
    ],
)
def test_a_sentence_beside_a_message_makes_a_page(content: str, expected: bool) -> None:
    conditions = "content_rest: {without: 'error 7', max: 99}\ncontent_max: 99"
    assert applies(conditions, RuleInput(content=content)) is expected


def test_only_cheap_rules_apply_to_long_content() -> None:
    first = HEAD + b"  start: x\n  content_max: 40000\n"
    second = HEAD.replace(b": x", b": y") + b"  start: x\n  title: x\n  content_max: 9\n"
    rules = parse_rules(first + second, "rules.yml")
    assert [rule.id for rule in rules.on_content] == ["x", "y"]
    assert [rule.id for rule in rules.on_long] == ["x"]
    assert rules.enough_content == 9


def test_rules_are_separated_by_stage() -> None:
    first = HEAD + b"  text_max: 7\n  title: x\n"
    second = HEAD.replace(b": x", b": y") + b"  content_max: 9\n  title: x\n"
    rules = parse_rules(first + second, "rules.yml")
    assert [rule.id for rule in rules.on_response] == ["x"]
    assert [rule.id for rule in rules.on_content] == ["y"]
    assert (rules.enough_text, rules.enough_content) == (7, 9)
    assert rules.all[0].reason is Reason.BLOCKED


def test_the_shipped_rules_are_valid_though_a_crawl_does_not_check_them() -> None:
    data = files("wikicrawler.tiers.verdict").joinpath("rules.yml").read_bytes()
    checked, shipped = parse_rules(data, "rules.yml"), shipped_rules()
    assert [replace(rule, tests=()) for rule in checked.all] == [
        replace(rule, tests=()) for rule in shipped.all
    ]
    assert (checked.enough_text, checked.enough_content, len(checked.on_long)) == (
        *(shipped.enough_text, shipped.enough_content, len(shipped.on_long)),
    )

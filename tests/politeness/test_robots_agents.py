"""Of a long list of agents in a robots.txt, those that concern the crawl are read."""

from __future__ import annotations

import pytest
from scrapy.robotstxt import ProtegoRobotParser

from wikicrawler.politeness.robots_agents import MAX_AGENTS, with_own_agents

OWN = "wikicrawler/0.1 (+https://a.example)"
MANY = "".join(f"User-agent: bot{n}\n" for n in range(500))


def allowed(text: str, url: str = "http://a.example/x/1", agent: str = OWN) -> bool:
    parser = ProtegoRobotParser(with_own_agents(text.encode(), {OWN}), None)  # type: ignore[arg-type]
    return parser.allowed(url, agent)


@pytest.mark.parametrize("name", ["wikicrawler", "WikiCrawler", "*", "wiki*", "  wikicrawler # us"])
@pytest.mark.parametrize(
    "line", ["User-agent: {}", "user-agent {}", "Useragent:{}", "User agent: {}"]
)
def test_own_rules_stand_behind_many_agents(name: str, line: str) -> None:
    own = line.format(name)
    assert not allowed(f"{MANY}{own}\nDisallow: /x\n")
    assert not allowed(f"{MANY}Allow: /\n\n{own}\nDisallow: /x\n")
    assert not allowed(f"{own}\n{MANY}Disallow: /x\n")


def test_rules_of_other_agents_do_not_become_own() -> None:
    assert allowed(f"User-agent: *\nDisallow: /y\n\n{MANY}Disallow: /x\n")
    assert allowed(f"User-agent: *\nAllow: /\nUser-agent: other\nDisallow: /x\n{MANY}")


def test_a_short_list_is_unchanged() -> None:
    body = b"User-agent: a\n" * MAX_AGENTS + b"Disallow: /"
    assert with_own_agents(body, {OWN}) is body


def test_rules_for_many_agents_take_little_room() -> None:
    agents = "".join(f"User-agent: {n}\n" for n in range(10_000))
    body = with_own_agents((agents + "Disallow: /x\n" * 10_000).encode(), {OWN})
    agents_left = {line for line in body.splitlines() if line.startswith(b"User-agent")}
    assert len(agents_left) <= MAX_AGENTS + 1

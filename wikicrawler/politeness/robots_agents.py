"""The User-agent lines of a robots.txt that concern a crawl."""

from __future__ import annotations

import re

MAX_AGENTS = 20
"""Number of User-agent lines from which those of other crawlers are replaced."""
_AGENT = re.compile(r"\s*+(?:user-agent|useragent|user agent)[\s:]++([^#]*+)", re.IGNORECASE)
_OTHER = "User-agent: -"


def with_own_agents(body: bytes, agents: set[str]) -> bytes:
    """Return the robots.txt *body* with few User-agent lines: those that apply to a crawler named
    as one of *agents*, and one name for all other crawlers.

    A parser stores the rules of a group for each of its agents, so that the memory for a file of
    500 KB with a thousand agents may exceed 1 GB. A short list is returned as it is.
    """
    if body.lower().count(b"agent") <= MAX_AGENTS:
        return body
    own = [agent.lower() for agent in agents]
    kept: set[str] = set()
    lines = body.decode("utf-8-sig", "ignore").splitlines()
    for number, line in enumerate(lines):
        found = _AGENT.match(line)
        if found is None:
            continue
        name = found[1].strip().lower()
        if name in kept or name == "*":
            continue
        plain = name.replace("*", "")
        if plain and len(kept) < MAX_AGENTS and any(plain in agent for agent in own):
            kept.add(name)
        else:
            lines[number] = _OTHER
    return "\n".join(lines).encode()

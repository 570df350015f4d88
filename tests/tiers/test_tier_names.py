"""No module refers to a tier by name, except its own folder and the configuration's defaults."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import wikicrawler
from wikicrawler.config import TIER_CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(wikicrawler.__file__).parent
NAME_ALL = {"config.py", "options/tiers.py"}
"""Modules that may name any tier: the registry, and the defaults of settings."""
OWN = {name: path.rpartition(".")[0].rpartition(".")[0] for name, path in TIER_CLASSES.items()}
"""The package of each tier."""
ELSEWHERE = {
    "http": {  # a scheme
        "addon.py",
        "audit/wire.py",  # what sends a request that no tier sends
        "content/__main__.py",
        "credentials/proxies.py",
        "dashboard/access/entry.py",  # the type of a connection
        "dashboard/access/guard.py",
        "dashboard/access/origins.py",
        "dashboard/api/document.py",  # a kind of OpenAPI's security
        "dashboard/links.py",
        "fields/llm/requests.py",
        "fields/models.py",  # a backend, as its users name it
        "fields/providers.py",
        "fields/report/escaping.py",
        "fields/values/formats.py",
        "guard/operator_services.py",
        "guard/private_hosts.py",
        "guard/redirects.py",
        "options/fields.py",
        "politeness/robots.py",
        "sources/scheduler/scrapyd.py",
        "sources/staging/webhook.py",
        "tiers/mediawiki/addresses.py",
        "tiers/mediawiki/titles.py",
        "tiers/service/install.py",
        "urls/addresses.py",
    },
    "browser": {
        "fields/models.py",  # a backend
        "options/fields.py",
        "operations.py",  # a kind of operation
    },
    "mediawiki": {"content/metadata.py"},  # a class of MediaWiki's <body>
}


def names_in(source: str) -> Iterator[str]:
    """Yield the names of tiers among the string constants of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in TIER_CLASSES:
            yield node.value


def test_the_checker_finds_a_name() -> None:
    source = 'def f(tier):\n    """The tier http."""\n    return tier == "browser"\n'
    assert list(names_in(source)) == ["browser"]


def test_no_tier_is_known_by_name() -> None:
    found = {
        (file.relative_to(PACKAGE).as_posix(), name)
        for file in PACKAGE.rglob("*.py")
        for name in names_in(file.read_text("utf-8"))
    }
    allowed = {
        (path, name)
        for path, name in found
        if path in NAME_ALL
        or path.startswith("demo/")
        or f"wikicrawler/{path}".startswith(OWN[name].replace(".", "/") + "/")
        or path in ELSEWHERE.get(name, ())
    }
    assert found - allowed == set()


def test_each_listed_exception_still_applies() -> None:
    for name, paths in ELSEWHERE.items():
        for path in paths:
            assert name in set(names_in((PACKAGE / path).read_text("utf-8"))), path

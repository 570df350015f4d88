"""The public suffix list that ships with tldextract, without its library for nearly all hosts.

tldextract imports requests, which no crawl needs, and builds two trees of all suffixes: together a
tenth of the start of a crawl. For hosts of plain letters a set of the rules will do.

Undocumented: the file ``.tld_set_snapshot`` of tldextract. Where it is missing tldextract decides.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract

_PLAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_FILE = ".tld_set_snapshot"


def registered_domain(host: str) -> str:
    """Return the registered domain of *host*, a name in lower case; empty if it has none.

    A crawl does not fetch a newer list, so that its results are reproducible. Private domains count
    (alice.github.io and bob.github.io have two), but wiki farms are not in the list: all wikis of
    fandom.com have one, as its operator would want.
    """
    rules = _rules()
    if not rules or not _PLAIN.fullmatch(host) or "xn--" in host:
        return str(_extract().extract_str(host).top_domain_under_public_suffix)
    labels = host.split(".")
    first = _first_of_suffix(labels, rules)
    return ".".join(labels[first - 1 :]) if 0 < first < len(labels) else ""


def is_suffix(host: str) -> bool:
    """Return whether *host* is a public suffix."""
    rules = _rules()
    if not rules or not _PLAIN.fullmatch(host) or "xn--" in host:
        return not _extract().extract_str(host).domain
    return _first_of_suffix(host.split("."), rules) == 0


def _first_of_suffix(labels: list[str], rules: frozenset[str]) -> int:
    """Return the index of the first label of the public suffix; the number of labels without one.

    As tldextract does it, a wildcard does not count for a label below which there are other rules.
    """
    first, suffix = len(labels), ""
    for index in range(len(labels) - 1, -1, -1):
        above, label = suffix, labels[index]
        suffix = f"{label}.{above}" if above else label
        if suffix in rules:
            first = index
        elif f"*.{above}" in rules and not any(rule.endswith(f".{suffix}") for rule in rules):
            return index + 1 if f"!{suffix}" in rules else index
    return first


@cache
def _rules() -> frozenset[str]:
    spec = find_spec("tldextract")
    return read_rules(Path(str(spec and spec.origin)).with_name(_FILE))


def read_rules(path: Path) -> frozenset[str]:
    """Return the rules of the public suffix list in the file at *path*; none without it."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return frozenset()
    return frozenset(line.split()[0] for line in lines if line and not line.startswith("//"))


@cache
def _extract() -> TLDExtract:
    from tldextract import TLDExtract  # noqa: PLC0415 - as above

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)

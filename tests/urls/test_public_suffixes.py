"""The registered domains of hosts are those that tldextract finds with the same list."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tldextract import TLDExtract

from wikicrawler.urls.public_suffixes import is_suffix, read_rules, registered_domain

if TYPE_CHECKING:
    from pathlib import Path

REFERENCE = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
ODD = (
    *("a.b.ck", "www.ck", "x.www.ck", "ck", "a.ck", "city.kawasaki.jp", "a.city.kawasaki.jp"),
    *("x.y.kawasaki.jp", "kawasaki.jp", "localhost", "a.internal", "a_b.example.com", "-a.com"),
    *("xn--55qx5d.cn", "a.xn--55qx5d.cn", "b\u00fccher.de", "a..com", ".com", "com.", "10.0.0.1"),
    *("1.2.3", "fandom.com", "en.wikipedia.org", "alice.github.io", "github.io", "com"),
    *("b.c.compute.amazonaws.com", "a.b.c.compute.amazonaws.com", ""),
)


def found(host: str) -> tuple[str, bool]:
    return registered_domain(host), is_suffix(host)


def expected(host: str) -> tuple[str, bool]:
    parts = REFERENCE.extract_str(host)
    return parts.top_domain_under_public_suffix, not parts.domain


def test_each_rule_of_the_list_counts_as_in_tldextract() -> None:
    rules = [rule.lstrip("!").replace("*.", "any.") for rule in REFERENCE.tlds]
    assert len(rules) > 5_000
    parents = {rule.partition(".")[2] for rule in rules} - {""}
    hosts = [f"{below}{rule}" for rule in {*rules, *parents} for below in ("", "a.", "b.a.")]
    assert [host for host in hosts if found(host) != expected(host)] == []


@pytest.mark.parametrize("host", ODD)
def test_odd_hosts(host: str) -> None:
    assert found(host) == expected(host)


def test_without_the_file_there_are_no_rules(tmp_path: Path) -> None:
    assert read_rules(tmp_path / "list") == frozenset()
    (tmp_path / "list").write_text("// a comment\n\nco.uk\n*.ck  // another\n!www.ck\n")
    assert read_rules(tmp_path / "list") == {"co.uk", "*.ck", "!www.ck"}


def test_tldextract_is_not_imported_for_plain_hosts() -> None:
    code = (
        "import sys; from wikicrawler.urls.sites import site_of\n"
        "assert site_of('https://a.b.co.uk/') == 'b.co.uk'\n"
        "print('tldextract' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

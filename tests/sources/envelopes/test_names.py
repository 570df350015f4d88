"""Paths of envelopes are safe and tell documents apart."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import islice
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.sources.envelopes.names import folder_of, paths_of, slug_of

DAY = datetime(2026, 2, 13, 23, 59, tzinfo=UTC)
HASH = "sha256:" + "a1b2c3d4" * 8


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("https://www.consumerfinance.gov/rules-policy/regulations/1024/5/", "1024-5"),
        ("https://www.hud.gov/part-214", "part-214"),
        ("https://www.hud.gov/", "index"),
        ("https://www.hud.gov/docs/4000.1hsgh.PDF?x=1", "docs-4000-1hsgh"),
        ("https://www.hud.gov/../../etc/passwd", "etc-passwd"),
        ("https://www.hud.gov/%2e%2e%2fetc%2fpasswd", "etc-passwd"),
        ("https://www.hud.gov/a\x00b/ä€", "a-b"),
        ("https://www.hud.gov/.pdf", "pdf"),
    ],
)
def test_slugs(url: str, slug: str) -> None:
    assert slug_of(url) == slug


@given(st.text(max_size=300))
def test_any_url_makes_a_safe_name(path: str) -> None:
    folder = folder_of("hud.gov", DAY)
    url = f"https://hud.gov/{path}"
    for name in islice(paths_of(folder, "hud-9902", url, HASH), 4):
        assert re.fullmatch(r"hud\.gov/2026-02-13/[a-z0-9_-]{1,120}\.json", name)


@given(st.text(max_size=300))
def test_any_domain_makes_a_safe_folder(domain: str) -> None:
    folder = PurePosixPath(folder_of(domain, DAY))
    assert len(folder.parts) == 2
    assert ".." not in folder.parts
    assert not folder.is_absolute()


def test_the_names_of_other_documents_are_others() -> None:
    one, two = (
        list(islice(paths_of("x/d", "s", f"https://x/page/?n={n}", HASH), 3)) for n in (1, 2)
    )
    assert one[0] == two[0] == "x/d/s__page__a1b2c3d4.json"
    assert not {*one[1:]} & {*two[1:]}
    assert len({*one}) == 3

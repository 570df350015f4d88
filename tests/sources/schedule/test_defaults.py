"""The frequency of a source that names none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.schedule.clock import watched
from wikicrawler.sources.manifest.model import Source
from wikicrawler.sources.manifest.reader import read_file
from wikicrawler.sources.schedule.defaults import default_frequency

EXAMPLE = Path(__file__).parents[3] / "config" / "manifest-fthb.json"


@pytest.mark.parametrize(
    ("url", "jurisdiction", "frequency"),
    [
        ("https://www.federalregister.gov/api/v1/documents.json", "federal", "daily"),
        ("https://www.consumerfinance.gov/compliance/circulars/", "federal", "weekly"),
        ("https://www.ecfr.gov/current/title-12/chapter-X/part-1024", "federal", "weekly"),
        ("https://selling-guide.fanniemae.com/", "federal", "biweekly"),
        ("https://guide.freddiemac.com/app/guide/", "federal", "biweekly"),
        ("https://www.hud.gov/hudclips/handbooks/housing", "federal", "weekly"),
        ("https://www.calhfa.ca.gov/homebuyer/", "state:CA", "monthly"),
        ("https://housing.example.com/", "state:TX", "monthly"),
        ("https://www.nchec.org/", "industry", "monthly"),
        ("https://www.va.gov/", "federal", "weekly"),
        ("https://www.example.com/", "federal", "monthly"),
        ("https://fakehud.gov/", "state:NY", "monthly"),
        ("https://hud.gov.example.org/", "federal", "monthly"),
    ],
)
def test_the_kind_of_source_decides(url: str, jurisdiction: str, frequency: str) -> None:
    assert default_frequency(watched(url=url, jurisdiction=jurisdiction)) == frequency


def test_a_source_without_a_frequency_has_its_default() -> None:
    fields = dict(watched().fields)
    del fields["frequency"]
    assert default_frequency(Source(fields)) == "weekly"


def test_the_defaults_agree_with_most_of_the_example() -> None:
    manifest = read_file(EXAMPLE).manifest
    assert manifest is not None
    same = [one for one in manifest.sources if default_frequency(one) == one.frequency]
    assert len(same) > len(manifest.sources) / 2

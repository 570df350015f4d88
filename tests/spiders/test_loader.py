"""The project's spiders are found by name, as Scrapy's own loader finds them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.settings import BaseSettings
from scrapy.spiderloader import SpiderLoader

from wikicrawler.spiders.loader import PACKAGE, SPIDERS, NamedSpiderLoader
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

OWN = """
from scrapy import Spider

class Theirs(Spider):
    name = "{name}"
    allowed_domains = ["theirs.example"]
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of spiders beside the project's, to be written."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "loaded_spiders", raising=False)
    return tmp_path / "loaded_spiders.py"


def loader(*modules: str) -> NamedSpiderLoader:
    return NamedSpiderLoader.from_settings(BaseSettings({"SPIDER_MODULES": [*modules]}))


def test_the_table_has_the_spiders_that_scrapy_finds() -> None:
    scrapys = SpiderLoader.from_settings(BaseSettings({"SPIDER_MODULES": [PACKAGE]}))
    assert {name: loader(PACKAGE).load(name) for name in SPIDERS} == {
        name: scrapys.load(name) for name in scrapys.list()
    }


def test_spiders_of_other_packages_are_found_beside_them(package: Path) -> None:
    package.write_text(OWN.format(name="theirs"))
    both = loader(PACKAGE, "loaded_spiders")
    assert both.list() == [*SPIDERS, "theirs"]
    assert both.load("theirs").__module__ == "loaded_spiders"
    assert both.load("wiki") is WikiSpider
    assert both.find_by_request(Request("https://theirs.example/a")) == ["theirs"]


def test_without_our_package_there_are_none_of_ours(package: Path) -> None:
    package.write_text(OWN.format(name="theirs"))
    assert loader("loaded_spiders").list() == ["theirs"]
    with pytest.raises(KeyError, match="wiki"):
        loader("loaded_spiders").load("wiki")


def test_scrapy_decides_between_spiders_of_the_same_name(package: Path) -> None:
    package.write_text(OWN.format(name="wiki"))
    with pytest.warns(UserWarning, match="several spiders with the same name"):
        both = loader(PACKAGE, "loaded_spiders")
    assert sorted(both.list()) == [*SPIDERS]
    assert both.load("wiki").__module__ == "loaded_spiders"

"""The arguments of crawls as their jobs have them."""

from __future__ import annotations

from scrapy import Spider

from wikicrawler.console.job_arguments import MAX_ARGUMENT, arguments_of
from wikicrawler.spiders.fields import FieldsSpider
from wikicrawler.spiders.wiki import WikiSpider


def test_what_was_given_is_text() -> None:
    spider = WikiSpider(seeds="http://127.0.0.1/", follow=r"/wiki/ \d+", max_pages="5")
    found = arguments_of(spider)
    assert found.keys() == {"seeds", "follow", "max_pages"}
    assert "http://127.0.0.1/" in found["seeds"]
    assert found["max_pages"] == "5"
    assert "/wiki/" in found["follow"]


def test_each_spider_has_arguments() -> None:
    spider = FieldsSpider(url="http://127.0.0.1/", fields="price: number", exclude="/old/")
    assert {"url", "fields", "exclude"} <= arguments_of(spider).keys()


def test_secrets_are_hidden_and_long_texts_cut() -> None:
    class Other(Spider):
        name = "other"

    given = {"token": "hush", "start": "http://a.example/?key=hush", "text": "x" * 3 * MAX_ARGUMENT}
    spider = Other(**given)
    found = arguments_of(spider)
    assert "hush" not in str(found)
    assert found["start"].startswith("http://a.example/?key=")
    assert len(found["text"]) <= MAX_ARGUMENT + 1

"""The pipeline that adds Markdown to items."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
import scrapy
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.defer import deferred_f_from_coro_f, maybe_deferred_to_future
from scrapy.utils.test import get_crawler

from tests.content.rendering import page
from wikicrawler.content.pipeline import MarkdownPipeline
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ConfigError

URL = "https://wiki.example/wiki/T"
HTML = page('<p>See <a href="/wiki/B">b</a>.</p>')
MARKDOWN = "See [b](https://wiki.example/wiki/B)."


@dataclass
class Record:
    url: str
    html: str = ""
    content: str | None = None
    title: str = ""
    links: list[str] = field(default_factory=list)


@dataclass
class NoContent:
    url: str
    html: str


class ScrapyItem(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field()
    content = scrapy.Field()


@pytest.fixture
def crawler():
    return get_crawler(settings_dict={"WIKICRAWLER_CONTENT_WORKERS": 0})


@deferred_f_from_coro_f
async def test_a_record_gets_markdown_title_and_links(crawler):
    pipeline = MarkdownPipeline.from_crawler(crawler)
    item = await pipeline.process_item(Record(URL, HTML))
    assert item == Record(URL, HTML, MARKDOWN, "T", ["https://wiki.example/wiki/B"])
    assert crawler.stats.get_value("markdown/converted_count") == 1


@deferred_f_from_coro_f
async def test_items_of_other_types_get_only_what_they_declare(crawler):
    pipeline = MarkdownPipeline.from_crawler(crawler)
    assert await pipeline.process_item({"url": URL, "html": HTML, "title": ""}) == {
        "url": URL,
        "html": HTML,
        "content": MARKDOWN,
        "title": "T",
    }
    assert dict(await pipeline.process_item(ScrapyItem(url=URL, html=HTML.encode()))) == {
        "url": URL,
        "html": HTML.encode(),
        "content": MARKDOWN,
    }


@deferred_f_from_coro_f
async def test_filled_fields_and_unsuitable_items_are_left_unchanged(crawler):
    pipeline = MarkdownPipeline.from_crawler(crawler)
    kept = Record(URL, HTML, None, "Own title", ["own"])
    assert (await pipeline.process_item(kept)).title == "Own title"
    assert kept.links == ["own"]
    for item in (
        Record(URL, HTML, "content"),
        Record(URL),
        Record("", HTML),
        {"name": "no page"},
        NoContent(URL, HTML),
        None,  # an earlier pipeline returned nothing
        "no item",
        object(),
    ):
        before = repr(item)
        assert await pipeline.process_item(item) is item
        assert repr(item) == before


@deferred_f_from_coro_f
async def test_a_page_without_text_is_dropped_with_the_reason(crawler):
    pipeline = MarkdownPipeline.from_crawler(crawler)
    with pytest.raises(DropItem, match="empty"):
        await pipeline.process_item(Record(URL, "<p></p>"))
    assert crawler.stats.get_value("markdown/dropped_count/empty") == 1


def test_the_pipeline_can_be_disabled():
    crawler = get_crawler(settings_dict={"WIKICRAWLER_MARKDOWN_ENABLED": False})
    with pytest.raises(NotConfigured):
        MarkdownPipeline.from_crawler(crawler)


class PagesSpider(scrapy.Spider):
    name = "pages"
    start_urls = ("data:,x",)

    def parse(self, response):
        yield Record(URL, HTML)


@deferred_f_from_coro_f
async def test_a_crawl_converts_in_a_worker_process():
    pipeline = "wikicrawler.content.pipeline.MarkdownPipeline"
    settings = {"ITEM_PIPELINES": {pipeline: 100}, "WIKICRAWLER_CONTENT_WORKERS": 1}
    crawler = get_crawler(PagesSpider, settings)
    items = []
    crawler.signals.connect(
        lambda item, **_: items.append(item), scrapy.signals.item_scraped, weak=False
    )
    await maybe_deferred_to_future(crawler.crawl())
    assert [item.content for item in items] == [MARKDOWN]


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("setting", "content"),
    [
        ({}, "3 Fuel"),
        ({"WIKICRAWLER_IMAGES": "alt"}, "3 Fuel"),
        ({"WIKICRAWLER_IMAGES": "markdown"}, "3 ![Fuel](https://wiki.example/f.png)"),
    ],
)
@deferred_f_from_coro_f
async def test_the_setting_of_images_reaches_the_conversion(setting, content, workers):
    crawler = get_crawler(settings_dict={"WIKICRAWLER_CONTENT_WORKERS": workers, **setting})
    pipeline = MarkdownPipeline.from_crawler(crawler)
    html = page('<p>3 <img src="/f.png" alt="Fuel"></p>')
    item = await pipeline.process_item({"url": URL, "html": html})
    await ConversionPool.for_crawler(crawler).close()
    assert item["content"] == content


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("inline", "[b](https://wiki.example/b)"),
        ("references", "[b][1]\n\n[1]: https://wiki.example/b"),
        ("relative", "[b](/b)"),
        ("text", "b"),
    ],
)
@deferred_f_from_coro_f
async def test_the_setting_of_links_reaches_the_conversion(form, content, workers):
    setting = {"WIKICRAWLER_CONTENT_WORKERS": workers, "WIKICRAWLER_LINKS": form}
    crawler = get_crawler(settings_dict=setting)
    pipeline = MarkdownPipeline.from_crawler(crawler)
    item = {"url": URL, "html": page('<p><a href="/b">b</a>'), "links": None}
    item = await pipeline.process_item(item)
    await ConversionPool.for_crawler(crawler).close()
    assert item["content"] == content
    assert item["links"] == ["https://wiki.example/b"]


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_the_setting_of_comments_reaches_the_conversion(workers):
    text = f"<article>{'<p>The ferry left at nine, and it came back at noon.</p>' * 9}</article>"
    item = {"url": URL, "html": f"<main>{text}<div id=comments>I was there.</div></main>"}
    found = []
    for setting in ({}, {"WIKICRAWLER_COMMENTS": True}):
        crawler = get_crawler(settings_dict={"WIKICRAWLER_CONTENT_WORKERS": workers, **setting})
        pipeline = MarkdownPipeline.from_crawler(crawler)
        found.append((await pipeline.process_item(dict(item)))["content"])
        await ConversionPool.for_crawler(crawler).close()
    assert found[1] == f"{found[0]}\n\nI was there."


def test_another_word_for_images_is_an_error():
    crawler = get_crawler(settings_dict={"WIKICRAWLER_IMAGES": "html"})
    with pytest.raises(
        ConfigError, match="WIKICRAWLER_IMAGES is 'html': alt or markdown is needed"
    ):
        MarkdownPipeline.from_crawler(crawler)

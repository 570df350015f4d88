"""A scraper of a scripted site, with a scripted model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.crawling import FAST
from tests.servers.scripted import Reply
from wikicrawler.fields import Scraper

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.servers.openai_model import ScriptedModel
    from tests.servers.openai_twists import Answer

KEY = "sk-one"
SETTINGS: dict[str, Any] = FAST | {
    "WIKICRAWLER_FIELDS_CACHE": "",
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
}


def page(title: str, *links: str, text: str = "") -> Reply:
    """A page with *title*, *links*, and lines of *text*."""
    words = "This is the text of a page that is long enough to be read as one by anybody."
    paragraphs = [words, *text.splitlines(), *(f'<a href="{one}">Go to {one}</a>' for one in links)]
    body = "".join(f"<p>{one}</p>" for one in paragraphs)
    return Reply(body=f"<!doctype html><title>{title}</title><main><h1>{title}</h1>{body}</main>")


def arguments(model: ScriptedModel, **overrides: Any) -> dict[str, Any]:
    """Arguments of a scraper, and of the functions that make one."""
    given = {"model": "any", "base_url": model.base_url, "api_keys": [KEY], "settings": SETTINGS}
    return {**given, **overrides}


def scraper(model: ScriptedModel, **overrides: Any) -> Scraper:
    return Scraper(**arguments(model, **overrides))


def held(waits: Callable[[], object]) -> Callable[[Answer], None]:
    """A twist: the model answers when *waits* returns."""

    def twist(_: Answer) -> None:
        waits()

    return twist

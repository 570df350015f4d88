"""The form of the Markdown."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from wikicrawler import options
from wikicrawler.content.form import DEFAULT, IMAGE_FORMS, LINK_FORMS, Form
from wikicrawler.errors import ConfigError


def test_the_form_is_that_of_the_settings():
    assert Form.from_settings(Settings()) == DEFAULT == Form("alt", "inline", comments=False)
    chosen = Settings(
        {
            "WIKICRAWLER_IMAGES": "markdown",
            "WIKICRAWLER_LINKS": "text",
            "WIKICRAWLER_COMMENTS": "True",
        }
    )
    assert Form.from_settings(chosen) == Form("markdown", "text", comments=True)


def test_the_words_are_those_of_the_settings():
    assert (options.IMAGES.words, options.LINKS.words) == (IMAGE_FORMS, LINK_FORMS)


def test_a_wrong_setting_is_an_error():
    with pytest.raises(ConfigError, match="WIKICRAWLER_COMMENTS is 'some': True or False"):
        Form.from_settings(Settings({"WIKICRAWLER_COMMENTS": "some"}))
    with pytest.raises(ConfigError, match="LINKS is 'x': inline, references, relative or text"):
        Form.from_settings(Settings({"WIKICRAWLER_LINKS": "x"}))


def test_the_name_of_a_form_is_what_differs_from_the_default():
    assert DEFAULT.name == ""
    assert Form("markdown").name == "-markdown"
    assert Form(comments=True).name == "-comments"
    assert Form("markdown", comments=True).name == "-markdown-comments"
    assert Form(links="text").name == "", "watched documents have links inline in any form"

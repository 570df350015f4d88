"""robots.txt: what Google's own parser allows is allowed."""

from __future__ import annotations

from scrapy.settings import Settings
from scrapy.utils.misc import load_object

import wikicrawler.settings
from tests.suites.data import suite

# One product token has no space in it (RFC 9309, section 2.2.1): "Foo Bar" is no name of "Foo".
# Google's parser ends the name at the space.
NAMES_WITH_SPACE = "foo bar"


def test_each_case_of_googles_suites() -> None:
    settings = Settings()
    settings.setmodule(wikicrawler.settings)
    parser = load_object(settings["ROBOTSTXT_PARSER"])
    differ = [
        case
        for case in suite("robots")
        if parser(case["robots"].encode(), None).allowed(case["url"], case["agent"])
        is not case["allowed"]
    ]
    assert [case for case in differ if NAMES_WITH_SPACE not in case["robots"].lower()] == []
    assert len(differ) == 14

"""The project's spiders by name, each imported when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.settings import BaseSettings
from scrapy.spiderloader import SpiderLoader
from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    import builtins
    from typing import Self

    from scrapy import Request, Spider

PACKAGE = "wikicrawler.spiders"
SPIDERS = {
    "fields": f"{PACKAGE}.fields.FieldsSpider",
    "reports": f"{PACKAGE}.reports.ReportsSpider",
    "sources": f"{PACKAGE}.sources.SourcesSpider",
    "wiki": f"{PACKAGE}.wiki.WikiSpider",
}
"""Class of each spider of this package."""


class NamedSpiderLoader:
    """Loader for ``SPIDER_LOADER_CLASS`` that imports a spider of this package when it is used.

    Scrapy's loader imports all of them for each command, with the libraries of each. Spiders of
    other packages in ``SPIDER_MODULES`` are found by Scrapy's loader, and all spiders if one of
    those has a name of ours: Scrapy says so, and decides which is meant.
    """

    def __init__(self, settings: BaseSettings) -> None:
        packages = settings.getlist("SPIDER_MODULES")
        self._paths = SPIDERS if PACKAGE in packages else {}
        others = {
            "SPIDER_MODULES": [package for package in packages if package != PACKAGE],
            "SPIDER_LOADER_WARN_ONLY": settings.getbool("SPIDER_LOADER_WARN_ONLY"),
        }
        self._others = SpiderLoader.from_settings(BaseSettings(others))
        if self._paths.keys() & set(self._others.list()):
            self._paths, self._others = {}, SpiderLoader.from_settings(settings)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        return cls(settings)

    def load(self, spider_name: str) -> type[Spider]:
        """Return the class of a spider.

        :raises KeyError: there is no such spider
        """
        if spider_name in self._paths:
            spider: type[Spider] = load_object(self._paths[spider_name])
            return spider
        return self._others.load(spider_name)

    def find_by_request(self, request: Request) -> builtins.list[str]:
        """Return the names of the spiders that state that they crawl the site of *request*."""
        ours = [name for name in self._paths if self.load(name).handles_request(request)]
        return ours + self._others.find_by_request(request)

    def list(self) -> builtins.list[str]:
        return [*self._paths, *self._others.list()]

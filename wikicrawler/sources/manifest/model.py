"""A manifest that has been read: its sources, with defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wikicrawler.sources.manifest.patterns import PathFilter
from wikicrawler.sources.manifest.schema import resolved, schema
from wikicrawler.sources.schedule.defaults import default_frequency
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from collections.abc import Mapping

Version = tuple[int, int, int]


@dataclass(frozen=True)
class Source:
    """One watched source.

    The attributes are what a crawl needs of :attr:`fields`.
    """

    fields: Mapping[str, Any]
    """All fields, as ``docs/manifest.md`` describes them, with the defaults for those that the file
    lacks."""

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    @property
    def url(self) -> str:
        """The url as it is requested."""
        return parse_url(self.fields["url"])

    @property
    def domain(self) -> str:
        return str(self.fields["domain"])

    @property
    def method(self) -> str:
        """``scrape`` or ``crawl``."""
        return str(self.fields["method"])

    @property
    def content_type(self) -> str:
        return str(self.fields["content_type"])

    @property
    def frequency(self) -> str:
        return str(self.fields["frequency"])

    @property
    def priority(self) -> str:
        """``high``, ``medium`` or ``low``."""
        return str(self.fields["priority"])

    @property
    def is_active(self) -> bool:
        """Whether the source is visited."""
        return bool(self.fields["status"] == "active")

    @property
    def max_depth(self) -> int:
        """Maximum number of links from the url to a page; 0 with the method ``scrape``."""
        return int(self.fields["scrape_config"]["max_depth"]) if self.method == "crawl" else 0

    @property
    def tiers(self) -> tuple[str, ...]:
        """Names of the tiers that fetch its pages, in order; empty: those of the project."""
        return tuple(self.fields["scrape_config"]["tiers"] or ())

    @property
    def wait_for_selector(self) -> str | None:
        selector = self.fields["scrape_config"]["wait_for_selector"]
        return str(selector) if selector else None

    @property
    def headers(self) -> dict[str, str]:
        """Additional headers of the requests."""
        return dict(self.fields["scrape_config"]["custom_headers"])

    @property
    def ignore_changes(self) -> tuple[str, ...]:
        """RE2 patterns of lines whose changes do not make a new version."""
        return tuple(self.fields["scrape_config"]["ignore_changes"])

    @cached_property
    def paths(self) -> PathFilter:
        """The links that a crawl of the source follows."""
        config = self.fields["scrape_config"]
        return PathFilter.of(config["include_patterns"], config["exclude_patterns"])


@dataclass(frozen=True)
class Manifest:
    """A valid manifest."""

    version: str
    created: str
    updated: str
    vertical: str
    sources: tuple[Source, ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Manifest:
        """Return the manifest of the values *data*, which have no faults."""
        filled = with_defaults(data, schema())
        return cls(
            version=filled["version"],
            created=filled["created"],
            updated=filled["updated"],
            vertical=filled["vertical"],
            sources=tuple(map(Source, map(_with_frequency, filled["sources"]))),
        )

    @property
    def active(self) -> tuple[Source, ...]:
        """The sources that are visited."""
        return tuple(source for source in self.sources if source.is_active)

    def find(self, source_id: str) -> Source | None:
        """Return the source with the id *source_id*, or None."""
        return next((source for source in self.sources if source.id == source_id), None)


def _with_frequency(fields: dict[str, Any]) -> dict[str, Any]:
    """Return *fields* of a source with a frequency, in the order of the schema."""
    filled = {"frequency": default_frequency(Source(fields))} | fields
    known = schema()["$defs"]["source"]["properties"]
    return {key: filled[key] for key in known if key in filled}


def parse_version(text: str) -> Version:
    """Return the numbers of a version ``MAJOR.MINOR.PATCH``."""
    major, minor, patch = map(int, text.split("."))
    return major, minor, patch


def with_defaults(value: Any, part: Mapping[str, Any]) -> Any:
    """Return *value* with the defaults of *part* of the schema for the keys that are missing."""
    part = resolved(part)
    if isinstance(value, dict):
        known = part.get("properties", {})
        filled = {
            key: with_defaults(value.get(key, resolved(below).get("default")), below)
            for key, below in known.items()
            if key in value or "default" in resolved(below)
        }
        return filled | {key: found for key, found in value.items() if key not in known}
    if isinstance(value, list) and isinstance(part.get("items"), dict):
        return [with_defaults(item, part["items"]) for item in value]
    return value

"""Registry of a project's tiers, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.config import TIER_CLASSES
from wikicrawler.errors import ConfigError
from wikicrawler.spending.limits import check_limits
from wikicrawler.text.safe import quoted
from wikicrawler.tiers.tier import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from wikicrawler.tiers.mediawiki.directory import WikiDirectory

_SETTING = options.TIERS.name


class TierRegistry:
    """The classes of all tiers, and their default order.

    The tiers are those in :data:`~wikicrawler.config.TIER_CLASSES`, and those that
    ``WIKICRAWLER_TIERS`` names by import path.
    """

    def __init__(
        self, classes: Mapping[str, type[Tier]], order: Iterable[str], missing: Mapping[str, str]
    ) -> None:
        self.classes = classes
        self.order = tuple(order)
        """Names in the order of ``WIKICRAWLER_TIERS``."""
        self._missing = missing

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Load the tiers that *settings* name.

        :raises ConfigError: ``WIKICRAWLER_TIERS`` or a setting of a tier is wrong
        """
        classes = {name: load_tier(path) for name, path in TIER_CLASSES.items()}
        order = []
        for entry in options.TIERS.read(settings):
            name = entry
            if "." in entry:
                tier = load_tier(entry)
                name = tier.name
                if classes.setdefault(name, tier) is not tier:
                    raise ConfigError(f"{_SETTING}: {entry!r} has the name of another tier: {name}")
            order.append(name)
        missing = {name: tier.missing(settings) for name, tier in classes.items()}
        registry = cls(classes, order, missing)
        registry.check(registry.order, _SETTING)
        check_limits(settings, [name for name, tier in classes.items() if tier.charges_credits])
        return registry

    def check(self, names: Iterable[str], where: str) -> None:
        """Check that *names* is a non-empty list of tier names.

        :param where: source of the names, for the error message
        :raises ConfigError: a name is unknown, or there is none
        """
        names = tuple(names)
        unknown = [name for name in names if name not in self.classes]
        if unknown or not names:
            what = f"no such tier: {', '.join(map(repr, unknown))}" if unknown else "no tier"
            raise ConfigError(f"{where}: {what} (expected some of {', '.join(self.classes)})")

    def missing(self, name: str) -> str:
        """Return what the settings lack for the tier to be usable; empty if nothing."""
        return self._missing[name]

    def available(self) -> Iterator[type[Tier]]:
        """Return the classes of the tiers that are usable with these settings."""
        return (tier for name, tier in self.classes.items() if not self._missing[name])

    def make(self, crawler: Crawler, wikis: WikiDirectory) -> dict[str, Tier]:
        """Create the usable tiers of a crawl, by name."""
        return {tier.name: tier.from_crawler(crawler, wikis) for tier in self.available()}

    def applicable(self, names: Iterable[str], *, is_wiki: bool) -> tuple[str, ...]:
        """Return *names* without the tiers that need a wiki, unless *is_wiki*."""
        return tuple(name for name in names if is_wiki or not self.classes[name].needs_wiki)

    @property
    def probe(self) -> str:
        """Name of the tier that probes."""
        return next(name for name, tier in self.classes.items() if tier.is_probe)

    @property
    def harmless(self) -> frozenset[str]:
        """Names of the tiers whose blocks do not put our own address at risk."""
        return frozenset(name for name, tier in self.classes.items() if not tier.risks_ban)

    def forced_by(self, meta: Mapping[str, object]) -> str | None:
        """Return the name of the only tier that a request with *meta* may use, if it names one."""
        keys = ((name, tier.meta_key) for name, tier in self.classes.items())
        return next((name for name, key in keys if key and meta.get(key)), None)

    def sends_elsewhere(self, meta: Mapping[str, object]) -> bool:
        """Return True if another program fetches the page of a tier's request with *meta*."""
        forced = self.forced_by(meta)
        return forced is not None and self.classes[forced].sends_elsewhere


def load_tier(path: str) -> type[Tier]:
    """Return the tier class at the import path *path*.

    :raises ConfigError: *path* does not name a tier class
    """
    try:
        tier = load_object(path)
    except (ImportError, NameError, ValueError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"{_SETTING}: {quoted(path)} is not a tier ({error}); expected some of "
            f"{', '.join(TIER_CLASSES)}, or the import path of a subclass of "
            "wikicrawler.tiers.tier.Tier"
        ) from error
    if not isinstance(tier, type) or not issubclass(tier, Tier) or not hasattr(tier, "name"):
        raise ConfigError(
            f"{_SETTING}: {quoted(path)} is not a subclass of wikicrawler.tiers.tier.Tier with a "
            "name"
        )
    return tier

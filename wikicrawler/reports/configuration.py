"""The operator's providers of reports, ``config/providers.yml``."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.config import project_root
from wikicrawler.errors import ConfigError
from wikicrawler.reports.providers.base import ReportProvider
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import MAX_BYTES, Problems, Value, compose, suggest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrapy.settings import BaseSettings

PROVIDER_CLASSES = {
    "sec_edgar": "wikicrawler.reports.providers.edgar.SecEdgarProvider",
    "catalogue": "wikicrawler.reports.providers.catalogue.CatalogueProvider",
    "gri": "wikicrawler.reports.providers.gri.GriProvider",
    "company_ir": "wikicrawler.reports.providers.company_ir.CompanyIrProvider",
}
"""Class of each provider that ships with the package, by name."""
_DEFAULT_FILE = Path("config", "providers.yml")
_PACKAGED = "packaged providers.yml"
_MAX_PROVIDERS = 100


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """A provider of the file."""

    name: str
    import_path: str
    tier: int
    enabled: bool
    options: Mapping[str, Any]
    where: str
    """File and line."""

    def load(self, user_agent: str, folder: Path | None) -> ReportProvider:
        """Return the provider.

        :param folder: of the file
        :raises ConfigError: the class cannot be imported, or an option is wrong
        """
        try:
            found = load_object(self.import_path)
        except (ImportError, NameError, ValueError) as error:
            why = one_line(error, 200)
            raise ConfigError(f"{self.where}: {self.name}: class: {why}") from error
        if not (isinstance(found, type) and issubclass(found, ReportProvider)):
            raise ConfigError(
                f"{self.where}: {self.name}: class: {self.import_path} is not a subclass of"
                " wikicrawler.reports.ReportProvider"
            )
        try:
            provider = found(self.tier, self.options, user_agent=user_agent)
        except ConfigError as error:
            what = str(error).removeprefix(f"{self.name}: ")
            raise ConfigError(f"{self.where}: {self.name}: {what}") from None
        provider.folder = folder
        return provider


@dataclass(frozen=True, slots=True)
class ProviderFile:
    """The providers, in the order of the file."""

    entries: tuple[ProviderEntry, ...]
    folder: Path | None
    """Of the file; None: it is the one in the package."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> ProviderFile:
        """Return the file of ``WIKICRAWLER_REPORTS_PROVIDERS``; without the setting
        ``config/providers.yml`` beside ``scrapy.cfg``, else the one in the package.

        :raises ConfigError: it cannot be read, or something in it is wrong
        """
        named = options.REPORTS_PROVIDERS.read(settings)
        path = project_root() / (named or _DEFAULT_FILE)
        if named is None and not path.is_file():
            data = files("wikicrawler").joinpath("data/providers.yml").read_bytes()
            return cls(tuple(_entries(data, _PACKAGED)), None)
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise ConfigError(f"{one_line(path)}: cannot be read: {why}") from None
        return cls(tuple(_entries(data, one_line(path))), path.absolute().parent)


def user_agent_of(settings: BaseSettings) -> str:
    """Return the User-Agent of the crawl with the operator's contact, which the add-on adds only
    after the spider was made."""
    agent, contact = str(settings.get("USER_AGENT") or ""), options.CONTACT.read(settings)
    return agent if not contact or contact in agent else f"{agent} (+{contact})"


def _entries(data: bytes, name: str) -> Iterator[ProviderEntry]:
    problems = Problems(name)
    root = compose(data, problems)
    problems.raise_if_any()
    if root is None:
        raise ConfigError(f"{name}: is empty (expected a mapping with the key providers)")
    listed = root.fields(("providers",), "a mapping with the key providers").get("providers")
    found = []
    if listed is not None:
        for key, value in listed.items("a mapping of providers"):
            if (entry := _entry(key.node.value, value, name)) is not None:
                found.append(entry)
            if len(found) > _MAX_PROVIDERS:
                value.wrong(f"there are more than {_MAX_PROVIDERS} providers")
                break
    if not found:
        root.wrong("no providers (write one line each, like: sec_edgar: {tier: 1})")
    problems.raise_if_any()
    return iter(found)


def _entry(name: str, value: Value, file: str) -> ProviderEntry | None:
    import_path, tier, enabled = PROVIDER_CLASSES.get(name), None, True
    given: dict[str, Any] = {}
    for key, part in value.items("a mapping, like {tier: 1}"):
        match key.node.value:
            case "class":
                import_path = part.text("an import path, like package.module.Class")
            case "tier":
                tier = part.integer(1, 3, "a quality tier")
            case "enabled":
                enabled = bool(part.flag())
            case other:
                given[other] = part.plain()
    if not value.is_mapping():
        return None
    if import_path is None:
        value.wrong(
            f"{quoted(name, 40)} is unknown ({suggest(name, tuple(PROVIDER_CLASSES))}), and it has"
            " no class (write class: package.module.Class)"
        )
    if tier is None:
        value.wrong("lacks tier (write tier: 1, 2 or 3; 1 is the best)")
    if import_path is None or tier is None:
        return None
    return ProviderEntry(name, import_path, tier, enabled, given, f"{file}:{value.line}")

"""Kinds of settings: how a value is read, and what the error says where it is wrong."""

from __future__ import annotations

import json
import os
from dataclasses import KW_ONLY, dataclass, replace
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

T = TypeVar("T")
# Without a default of its own a setting reads as None where it is unset.
WholeT = TypeVar("WholeT", int, int | None)
NamesT = TypeVar("NamesT", tuple[str, ...], tuple[str, ...] | None)


@dataclass(frozen=True, eq=False)
class Setting(Generic[T]):
    """A Scrapy setting: its name, its default, what is right, and one line on its effect."""

    name: str
    default: T
    _: KW_ONLY
    help: str
    unset: str = ""
    """What applies where the setting is unset, if the default does not say it."""
    names_service: bool = False
    """Whether the value is the URL of a server that only the crawl itself may use, and from which
    no page is fetched."""
    environment: str = ""
    """Environment variable for the value where the setting is unset or None; empty: none."""

    def read(self, settings: BaseSettings) -> T:
        """Return the value in *settings*; where it is unset or None, that of the environment
        variable, else the default.

        :raises ConfigError: the value is wrong; the message has the name of the setting or of the
            variable, the value, and what would be right
        """
        value = settings.get(self.name)
        if value is not None:
            return self.parse(value)
        variable = self.variable()
        return (
            replace(self, name=self.source(settings)).parse(variable) if variable else self.default
        )

    def source(self, settings: BaseSettings) -> str:
        """Return the name of what the value comes from, for messages: the setting, or the
        environment variable."""
        if settings.get(self.name) is None and self.variable():
            return f"{self.environment} (environment variable)"
        return self.name

    def parse(self, value: Any) -> T:
        """Return *value*, from a settings file or (as a string) the command line, as its type.

        :raises ConfigError: as :meth:`read`
        """
        raise NotImplementedError

    def text(self, value: Any) -> str:
        """Return *value* as one writes it on the command line."""
        return str(value)

    def variable(self) -> str:
        """Return the value of the environment variable without white space around it, empty where
        it is unset."""
        return os.environ.get(self.environment, "").strip()

    def wrong(self, value: object, needed: str) -> ConfigError:
        """Return the error for a wrong *value*; *needed* says what would be right."""
        like = f", like {self.text(self.default)}" if self.default else ""
        like = f" (unset: {self.unset})" if self.unset else like
        return ConfigError(f"{self.name} is {value!r}: {needed} is needed{like}")


class Flag(Setting[bool]):
    """A switch. The values are those of Scrapy's ``getbool``."""

    def parse(self, value: Any) -> bool:
        if value in ("True", "true"):
            return True
        if value in ("False", "false"):
            return False
        try:
            return bool(int(value))
        except (TypeError, ValueError, OverflowError):
            raise self.wrong(value, "True or False") from None

    def wrong(self, value: object, needed: str) -> ConfigError:
        return ConfigError(f"{self.name} is {value!r}: {needed} is needed")


@dataclass(frozen=True, eq=False)
class Whole(Setting[WholeT]):
    """A whole number of at least *low*. Where it has no default an empty value is unset, too."""

    low: int = 0
    unit: str = ""

    def parse(self, value: Any) -> WholeT:
        if self.default is None and value == "":
            return self.default
        try:
            number = -1 if isinstance(value, bool) else int(value)
        except (TypeError, ValueError, OverflowError):
            number = -1
        if number < self.low:
            raise self.wrong(value, f"a whole number, {self.low} or more,")
        return number


@dataclass(frozen=True, eq=False)
class Number(Setting[float]):
    """A finite number: from *low* to *high*, or above *low*."""

    low: float = 0.0
    high: float = inf
    above: bool = False
    """Whether *low* itself is wrong."""
    noun: str = "a number"
    unit: str = ""

    def parse(self, value: Any) -> float:
        number = to_float(value)
        if not self.low <= number <= self.high or (self.above and number == self.low):
            raise self.wrong(value, self._needed())
        return number

    def text(self, value: Any) -> str:
        return f"{value:g}"

    def _needed(self) -> str:
        if isfinite(self.high):
            return f"{self.noun} from {self.low:g} to {self.high:g}"
        if self.above:
            return f"{self.noun} above {self.low:g}"
        return f"{self.noun}, {self.low:g} or more,"


@dataclass(frozen=True, eq=False)
class Seconds(Number):
    """A number of seconds."""

    noun: str = "a number of seconds"
    unit: str = "s"


@dataclass(frozen=True, eq=False)
class Share(Number):
    """A share of a whole; *noun* says of what."""

    high: float = 1.0

    def _needed(self) -> str:
        return f"{self.noun}, {self.low:g} to {self.high:g},"


@dataclass(frozen=True, eq=False)
class Delays(Setting[tuple[float, ...]]):
    """Seconds before the first, second… retry: a list, or a string with commas; may be empty."""

    high: float = inf
    unit: str = "s"

    def parse(self, value: Any) -> tuple[float, ...]:
        entries = to_entries(value)
        delays = tuple(to_float(entry) for entry in entries or () if entry != "")
        if entries is None or not all(0 <= seconds <= self.high for seconds in delays):
            raise self.wrong(value, "a list of seconds, one for each retry,")
        return delays

    def text(self, value: Any) -> str:
        return ",".join(f"{seconds:g}" for seconds in value)


class Names(Setting[NamesT]):
    """Names: a list, or a string with commas; may be empty. Which there are is checked by the
    module that uses them."""

    def parse(self, value: Any) -> NamesT:
        entries = to_entries(value)
        if entries is None:
            raise self.wrong(value, "a list, or names with commas between them,")
        return tuple(str(entry).strip() for entry in entries)

    def text(self, value: Any) -> str:
        return ",".join(value)


class Secrets(Setting[tuple[str, ...]]):
    """Secrets: a list, or a string with commas. No message shows them. The module that uses them
    checks them."""

    def parse(self, value: Any) -> tuple[str, ...]:
        entries = to_entries(value)
        if entries is None:
            raise ConfigError(f"{self.name}: a list, or texts with commas between them, is needed")
        return tuple(str(entry).strip() for entry in entries)


class SecretUrls(Setting[tuple[str, ...]]):
    """URLs that contain secrets: a list, or a string with white space between them. No message
    shows them. The module that uses them checks them."""

    def parse(self, value: Any) -> tuple[str, ...]:
        entries: list[Any]
        try:
            entries = value.split() if isinstance(value, str) else list(value or ())
        except TypeError:
            entries = [None]
        if not all(isinstance(entry, str) for entry in entries):
            raise ConfigError(
                f"{self.name}: a list of URLs, or URLs with white space between them, is needed"
            )
        return tuple(entry.strip() for entry in entries if entry.strip())


class Text(Setting[str]):
    """A text without white space around it."""

    def parse(self, value: Any) -> str:
        return str(value).strip()


@dataclass(frozen=True, eq=False)
class Choice(Text):
    """One of several words."""

    words: tuple[str, ...] = ()

    def parse(self, value: Any) -> str:
        word = super().parse(value)
        if word not in self.words:
            raise self.wrong(value, f"{', '.join(self.words[:-1])} or {self.words[-1]}")
        return word


class FilePath(Setting[Path | None]):
    """The path of a file; an empty value is unset."""

    def parse(self, value: Any) -> Path | None:
        try:
            return Path(value) if value else None
        except TypeError:
            raise self.wrong(value, "the path of a file") from None


@dataclass(frozen=True, eq=False)
class Table(Setting["Mapping[Any, Any]"]):
    """A dict, or JSON of one; an empty value is an empty dict. The entries are checked by the
    module that uses them."""

    like: str = "{}"
    """An example, for messages of errors."""

    def parse(self, value: Any) -> Mapping[Any, Any]:
        if isinstance(value, str) and value.strip():
            try:
                value = json.loads(value)
            except ValueError as error:
                raise ConfigError(f"{self.name} is not JSON: {error}; {self.right}") from None
        if not value or (isinstance(value, str) and not value.strip()):
            return {}
        if not hasattr(value, "items"):
            raise ConfigError(f"{self.name} is {value!r}; {self.right}")
        return dict(value)

    @property
    def right(self) -> str:
        """The part of an error that says what would be right."""
        return f"right would be {self.like}"

    def text(self, value: Any) -> str:
        return json.dumps(dict(value))


class Component(Setting[Any]):
    """A class, or its import path; an empty value is unset."""

    def parse(self, value: Any) -> Any:
        return value or self.default


def to_float(value: Any) -> float:
    """Return *value* as a finite float, -inf where it is none (a boolean is none)."""
    try:
        number = -inf if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return -inf
    return number if isfinite(number) else -inf


def to_entries(value: Any) -> list[Any] | None:
    """Return the entries of a list or of a string with commas, None where it is neither."""
    if not value:
        return []
    if isinstance(value, str):
        return value.split(",")
    try:
        return list(value)
    except TypeError:
        return None

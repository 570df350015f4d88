"""The channels of ``WIKICRAWLER_ALERTS``: URLs of apprise, and which events each gets.

An entry is ``URL`` or ``FILTER=URL``. The filter has severities, events or ``all``, with ``+``
between them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.sources.alerts.events import SENT, AlertEvent, Severity
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apprise import Apprise
    from scrapy.settings import BaseSettings

_ALL = "all"
_WORDS = frozenset({_ALL, *AlertEvent, *Severity})
_RIGHT = "right would be mailtos://user:password@example.org?to=ops@example.org or high=jsons://host/path"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel."""

    name: str
    """Its scheme and server, without anything secret."""
    url: str = field(repr=False)
    words: frozenset[str] = frozenset()
    """Of the filter; empty: there is none."""

    def accepts(self, event: AlertEvent, severity: Severity) -> bool:
        """Return whether the channel gets messages about *event*."""
        if not self.words:
            return event in SENT
        return not self.words.isdisjoint({_ALL, event.value, severity.value})


def read_channels(settings: BaseSettings) -> list[Channel]:
    """Return the channels in the order of the setting.

    :raises ConfigError: one of them is wrong, or apprise is not installed
    """
    entries = options.ALERTS.read(settings)
    source = options.ALERTS.source(settings)
    channels = [
        _channel(entry, f"{source}: entry {number}") for number, entry in enumerate(entries, 1)
    ]
    return list(_with_names_of_their_own(channels))


def open_channel(url: str) -> Apprise:
    """Return the service behind *url*. It has nothing in it if *url* is wrong.

    :raises ImportError: apprise is not installed
    """
    from apprise import Apprise, AppriseAsset  # noqa: PLC0415 - most crawls have no channel

    asset = AppriseAsset(
        app_id="wikicrawler",
        app_desc="wikicrawler",
        app_url="",
    )
    service = Apprise(asset=asset)
    service.add(url)
    return service


def _channel(entry: str, place: str) -> Channel:
    url, words = entry, frozenset[str]()
    before, equals, after = entry.partition("=")
    if equals and "://" in after and "://" not in before:
        url, words = after, frozenset(word.strip() for word in before.split("+"))
    for word in sorted(words - _WORDS):
        raise ConfigError(
            f"{place}: {quoted(word, 40)} is no severity and no event (expected some of "
            f"{', '.join((*Severity, *AlertEvent, _ALL))}, with + between them)"
        )
    scheme = one_line(url.partition("://")[0], 20) if "://" in url else ""
    if not scheme:
        raise ConfigError(f"{place} is not a URL; {_RIGHT}")
    try:
        service = open_channel(url)
    except ImportError:
        raise ConfigError(f"{place}: needs apprise (pip install 'wikicrawler[alerts]')") from None
    if not len(service):
        raise ConfigError(f"{place}, {scheme}://…, is not a URL that apprise can use; {_RIGHT}")
    return Channel(_name(service, scheme), url, words)


def _name(service: Apprise, scheme: str) -> str:
    """Return a name without secrets. What many services have in the place of the host is one."""
    plugin: Any = service[0]  # the types lack what services have in common
    has_host = any("{host}" in template for template in plugin.templates)
    if not has_host or not plugin.host:
        return f"{scheme}://"
    port = f":{plugin.port}" if plugin.port else ""
    return one_line(f"{scheme}://{plugin.host}{port}", 100)


def _with_names_of_their_own(channels: list[Channel]) -> Iterator[Channel]:
    seen = Counter[str]()
    for channel in channels:
        seen[channel.name] += 1
        number = seen[channel.name]
        name = f"{channel.name} #{number}" if number > 1 else channel.name
        yield Channel(name, channel.url, channel.words)

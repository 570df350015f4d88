"""The frequency of a source whose manifest names none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS = {
    "federalregister.gov": "daily",  # publishes rules and notices on each working day
    "consumerfinance.gov": "weekly",
    "ecfr.gov": "weekly",  # updated as rules become final
    "fanniemae.com": "biweekly",  # bulletins appear now and then
    "freddiemac.com": "biweekly",
    "hud.gov": "weekly",
}
"""Frequency by host, for the hosts below it too."""
STATE = "monthly"
"""Frequency of sources whose ``jurisdiction`` begins with ``state:``."""
SUFFIXES = {"gov": "weekly", "org": "monthly"}
"""Frequency by the last label of other hosts."""
REST = "monthly"
"""Frequency of all other sources."""


class Described(Protocol):
    """A source as a manifest describes it."""

    @property
    def fields(self) -> Mapping[str, Any]: ...


def default_frequency(source: Described) -> str:
    """Return the frequency of *source* if its manifest names none."""
    host = host_of(str(source.fields["url"]))
    for known, frequency in HOSTS.items():
        if host == known or host.endswith(f".{known}"):
            return frequency
    if str(source.fields.get("jurisdiction", "")).startswith("state:"):
        return STATE
    return SUFFIXES.get(host.rpartition(".")[2], REST)

"""Options of the provider in the configuration."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_RATE = 8.0
"""SEC allows ten requests a second; this provider keeps a distance."""
MAX_SILENCE = 86_400.0
_MAIL = re.compile(r"[^\s@()<>,;:/]+@[^\s@()<>,;:/]+")
_BASES = {
    "www": "https://www.sec.gov",
    "data": "https://data.sec.gov",
    "efts": "https://efts.sec.gov",
}
_KEYS = (*_BASES, "requests_per_second", "silence")


@dataclass(frozen=True, slots=True)
class EdgarOptions:
    www: str = _BASES["www"]
    """Base URLs of SEC's hosts, without a trailing slash."""
    data: str = _BASES["data"]
    efts: str = _BASES["efts"]
    requests_per_second: float = MAX_RATE
    """Over all hosts together."""
    silence: float = 600.0
    """Seconds without any request after a block."""

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> EdgarOptions:
        """Return the options that *values* has.

        :raises ConfigError: a key is unknown or its value invalid
        """
        for key in values:
            if key not in _KEYS:
                guess = nearest(str(key), _KEYS)
                raise ConfigError(
                    f"{one_line(key)}: is not an option of sec_edgar"
                    + (f" (did you mean {guess}?)" if guess else f" (it has {', '.join(_KEYS)})")
                )
        return cls(
            **{key: _base(key, values.get(key, base)) for key, base in _BASES.items()},
            requests_per_second=_number(
                values, "requests_per_second", MAX_RATE, "SEC blocks above ten"
            ),
            silence=_number(values, "silence", MAX_SILENCE, "seconds", default=600.0),
        )


def check_contact(user_agent: str) -> None:
    """Check that SEC can reach the operator.

    :raises ConfigError: *user_agent* has no e-mail address
    """
    if not _MAIL.search(user_agent):
        raise ConfigError(
            f"sec_edgar: SEC refuses a User-Agent without an e-mail address, and "
            f"{quoted(user_agent)} has none: set {options.CONTACT.name} to yours, like "
            f"-s {options.CONTACT.name}=you@example.org, or name it in USER_AGENT"
        )


def _base(key: str, value: object) -> str:
    try:
        url = parse_url(value if isinstance(value, str) else "")
    except ValueError:
        raise ConfigError(
            f"{key}: {quoted(str(value))} is not an http or https URL (like {_BASES[key]})"
        ) from None
    if "?" in url:
        raise ConfigError(f"{key}: a base URL has no query (like {_BASES[key]})")
    return url.rstrip("/")


def _number(
    values: Mapping[str, Any], key: str, limit: float, why: str, default: float | None = None
) -> float:
    value = values.get(key, limit if default is None else default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not 0 < value <= limit:
        raise ConfigError(
            f"{key}: {quoted(str(value))} is not a number above 0 and at most {limit:g} ({why})"
        )
    return float(value)

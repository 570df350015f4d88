"""Settings that nobody reads because their names are mistyped."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from scrapy.settings import default_settings

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.names import nearest, similarity
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

_OWN = ("WIKICRAWLER_", "DOMAIN_THROTTLE_")
"""Prefixes that only this package uses."""
_SHARED = (
    "RATE_LIMIT_",
    *sorted(
        {
            f"{setting.name.partition('_')[0]}_"
            for setting in options.ALL
            if not setting.name.startswith(_OWN)
        }
    ),
)
"""Prefixes of settings and environment variables that other software may use too."""
_MISTYPED = 0.75
"""Similarity, after the prefix, of a name that can only be a mistake."""
_SIMILAR = {_OWN: 0.6, _SHARED: 0.7}
"""Similarity, after the prefix, of a name that may be a mistake."""
_ALMOST_EQUAL = 0.9
"""Similarity of whole names, where the prefix may be mistyped."""
_SCRAPYS = vars(default_settings)
_NAMES = {setting.name: setting.name for setting in options.ALL}
_VARIABLES = {setting.environment: setting.name for setting in options.ALL if setting.environment}


def check_setting_names(settings: BaseSettings) -> None:
    """Report mistyped names of this package's settings.

    A name with a prefix of this package that is similar to one of its settings is an error, as a
    wrong value is: without the setting the crawl would run for hours as nobody wanted. Any other
    name may belong to somebody else, so the crawl only logs a warning: for an unknown name with a
    prefix of this package, and for a name that is similar to one of its settings. Environment
    variables are compared with those that it reads.

    :raises ConfigError: there is such a name; the message has each, and the name that was meant
    """
    wrong = []
    for name in settings:
        if not isinstance(name, str) or name in _NAMES or name in _SCRAPYS:
            continue
        if not settings.getpriority(name):
            continue  # nobody has typed it
        score, meant = _meant(name)
        if not meant and not name.startswith(_OWN):
            continue
        hint = f"did you mean {meant}?" if meant else "docs/settings.md has their names"
        message = f"{one_line(name, 100)} is not a setting of wikicrawler: {hint}"
        if name.startswith(_OWN) and score >= _MISTYPED:
            wrong.append(message)
        else:
            logger.warning("%s", message)
    if wrong:
        raise ConfigError("\n".join(wrong))
    _check_variables(os.environ)


def _meant(name: str) -> tuple[float, str]:
    """Return how similar *name* is to the setting that it is meant to be, and that setting; an
    empty name if none is similar enough."""
    known = _NAMES | _VARIABLES
    for prefixes, at_least in _SIMILAR.items():
        for prefix in prefixes:
            if name.startswith(prefix):
                rest = name.removeprefix(prefix)
                scores = {  # the prefix may stand before another one
                    one: max(similarity(rest, one.removeprefix(prefix)), similarity(rest, one))
                    for one in known
                }
                best = max(scores, key=lambda one: scores[one])
                return (scores[best], known[best]) if scores[best] >= at_least else (0.0, "")
    found = nearest(name, known, _ALMOST_EQUAL)
    return (_ALMOST_EQUAL, known[found]) if found else (0.0, "")


def _check_variables(environment: Iterable[str]) -> None:
    for name in environment:
        if name in _VARIABLES or not name.startswith(_SHARED):
            continue
        meant = nearest(name, _VARIABLES, _ALMOST_EQUAL)
        if meant and meant not in environment:
            logger.warning(
                "The environment variable %s is not read: did you mean %s?",
                one_line(name, 100),
                meant,
            )

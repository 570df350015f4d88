"""Every setting of the project, once: name, kind, default, bounds and effect.

A module reads a setting by its constant here, ``options.LONGEST_WAIT.read(settings)``, and a
message names it as ``options.LONGEST_WAIT.name``. ``docs/settings.md`` has them for users.
"""

from __future__ import annotations

from typing import Any

from wikicrawler.options.crawls import *  # noqa: F403
from wikicrawler.options.dashboard import *  # noqa: F403
from wikicrawler.options.fields import *  # noqa: F403
from wikicrawler.options.kinds import Setting
from wikicrawler.options.mcp import *  # noqa: F403
from wikicrawler.options.reports import *  # noqa: F403
from wikicrawler.options.services import *  # noqa: F403
from wikicrawler.options.sources import *  # noqa: F403
from wikicrawler.options.tiers import *  # noqa: F403

ALL: tuple[Setting[Any], ...] = tuple(
    value for value in tuple(globals().values()) if isinstance(value, Setting)
)
"""All settings."""

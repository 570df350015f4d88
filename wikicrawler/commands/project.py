"""The project in which a command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.utils.misc import load_object
from scrapy.utils.project import inside_project

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_ADDON = "wikicrawler.addon.WikiCrawler"


def require_addon(settings: BaseSettings) -> None:
    """Scrapy offers a command of an entry point everywhere; refuse it where it has no meaning.

    :raises UsageError: outside of a project, or in one that does not use the add-on
    """
    if not inside_project():
        raise UsageError("run it within a Scrapy project (no scrapy.cfg found)", print_help=False)
    addons = settings.getdict("ADDONS")
    if not any(order is not None and _is_ours(name) for name, order in addons.items()):
        raise UsageError(
            "this project does not use wikicrawler: its settings need ADDONS = "
            f'{{"{_ADDON}": 500}}',
            print_help=False,
        )


def _is_ours(name: Any) -> bool:
    try:
        cls = load_object(name)
    except Exception:  # whatever the module of another add-on raises: not ours to report
        return False
    return any(f"{base.__module__}.{base.__qualname__}" == _ADDON for base in cls.__mro__)

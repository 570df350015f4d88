"""The screens, a module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.dashboard.screens import overview

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

ROUTES: tuple[BaseRoute, ...] = (*overview.ROUTES,)
"""All routes, besides those of logging in."""

"""The screens, a module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.dashboard.screens import (
    fields,
    overview,
    previews,
    reports,
    source,
    source_controls,
    versions,
)

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

ROUTES: tuple[BaseRoute, ...] = (
    *overview.ROUTES,
    *source_controls.ROUTES,
    *versions.ROUTES,
    *source.ROUTES,
    *previews.ROUTES,
    *fields.ROUTES,
    *reports.ROUTES,
)
"""All routes, besides those of logging in."""

"""The screens, a module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.dashboard.screens import (
    alerts,
    audit,
    audit_summary,
    audit_verification,
    costs,
    errors,
    fields,
    fleet,
    manifest,
    overview,
    previews,
    reports,
    runs,
    sites,
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
    *errors.ROUTES,
    *manifest.ROUTES,
    *runs.ROUTES,
    *fleet.ROUTES,
    *sites.ROUTES,
    *costs.ROUTES,
    *alerts.ROUTES,
    *audit.ROUTES,
    *audit_summary.ROUTES,
    *audit_verification.ROUTES,
    *fields.ROUTES,
    *reports.ROUTES,
)
"""All routes, besides those of logging in."""

"""Manifests for tests."""

from __future__ import annotations

import json
from typing import Any

#: The example of the specification, without its comments.
EXAMPLE = """{
  "$schema": "https://rori.dev/schemas/scrape-manifest-v1.json",
  "version": "1.0.0",
  "created": "2026-02-13T00:00:00Z",
  "updated": "2026-02-13T00:00:00Z",
  "vertical": "fthb",
  "sources": [
    {
      "id": "cfpb-reg-x",
      "name": "CFPB Regulation X (RESPA)",
      "description": "Real Estate Settlement Procedures Act implementing regulation",
      "url": "https://www.consumerfinance.gov/rules-policy/regulations/1024/",
      "domain": "consumerfinance.gov",
      "regulatory_domain": "RESPA",
      "citation": "12 C.F.R. Part 1024",
      "jurisdiction": "federal",
      "source_type": "regulation",
      "content_type": "html",
      "method": "crawl",
      "frequency": "weekly",
      "priority": "high",
      "status": "active",
      "scrape_config": {
        "include_patterns": ["/1024/*"],
        "exclude_patterns": ["/1024/*/interp*"],
        "max_depth": 3,
        "wait_for_selector": null,
        "custom_headers": {}
      },
      "metadata": {
        "agency": "CFPB",
        "last_known_update": "2024-10-01",
        "update_source": "Federal Register",
        "corroboration_status": "verified",
        "notes": "Includes appendices and supplements"
      },
      "swagger": null
    }
  ]
}
"""


def source(**fields: Any) -> dict[str, Any]:
    """Return a valid source with *fields*."""
    return {
        "id": "hud",
        "name": "HUD",
        "url": "https://www.hud.gov/",
        "domain": "hud.gov",
        "regulatory_domain": "FHA",
        "jurisdiction": "federal",
        "source_type": "guidance",
        "content_type": "html",
        "method": "crawl",
        "frequency": "weekly",
        "priority": "high",
        "status": "active",
    } | fields


def manifest(*sources: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a valid manifest of *sources* with *fields*."""
    return {
        "version": "1.0.0",
        "created": "2026-02-13T00:00:00Z",
        "updated": "2026-02-13T00:00:00Z",
        "vertical": "fthb",
        "sources": list(sources) or [source()],
    } | fields


def encoded(data: Any) -> bytes:
    """Return *data* as JSON, one value a line."""
    return json.dumps(data, indent=2).encode()

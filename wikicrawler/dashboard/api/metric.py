"""A figure for Prometheus."""

from __future__ import annotations

from typing import NamedTuple


class Metric(NamedTuple):
    """A metric with its samples: labels and value."""

    name: str
    kind: str
    help: str
    samples: list[tuple[dict[str, str], float]]

"""The error for a Redis that does not answer."""

from __future__ import annotations


class AwayError(Exception):
    """Redis cannot be used at the moment. Its text says why."""

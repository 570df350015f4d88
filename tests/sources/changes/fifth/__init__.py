"""Pairs of versions by one more author who had no sight of the rules; see ``README.md``."""

from __future__ import annotations

from pathlib import Path

DOCUMENTS = Path(__file__).parent / "documents"

"""Pairs of versions by a sixth author, with noise of listed kinds marked; see ``README.md``."""

from __future__ import annotations

from pathlib import Path

DOCUMENTS = Path(__file__).parent / "documents"

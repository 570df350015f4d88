"""Sizes below which a file is no report, whatever it says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Floors:
    """Minimum sizes. They are low: what a file says decides, and these spare the reading of stubs.

    A one-page notice has less than 2,000 letters and digits of text, the shortest annual reports
    (a 40-F that wraps its exhibits) about 5,000.
    """

    pdf: int = 2_000
    """Bytes of a PDF."""
    html: int = 2_000
    """Bytes of an HTML or text document."""
    json: int = 100
    """Bytes of a JSON document."""
    text: int = 2_500
    """Letters and digits of the text of a document."""

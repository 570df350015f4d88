"""Proof that a downloaded file is the document that was offered."""

from wikicrawler.reports.documents.floors import Floors
from wikicrawler.reports.documents.verification import Verified, verify

__all__ = ["Floors", "Verified", "verify"]

"""Filings of the U.S. Securities and Exchange Commission: annual reports in EDGAR."""

from wikicrawler.reports.providers.edgar.provider import SecEdgarProvider

__all__ = ["SecEdgarProvider"]

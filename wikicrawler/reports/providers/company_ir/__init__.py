"""Reports on a company's own site: its investor relations pages."""

from wikicrawler.reports.providers.company_ir.provider import CompanyIrProvider

__all__ = ["CompanyIrProvider"]

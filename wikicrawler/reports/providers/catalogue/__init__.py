"""Reports listed in a catalogue: a CSV or JSON file of the operator or on the web."""

from wikicrawler.reports.providers.catalogue.provider import CatalogueProvider

__all__ = ["CatalogueProvider"]

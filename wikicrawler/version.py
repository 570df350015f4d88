"""The version of the package."""

__version__ = "0.1.0"

PRODUCT = f"wikicrawler/{__version__}"
"""The package in a User-Agent."""

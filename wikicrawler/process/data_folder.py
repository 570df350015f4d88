"""The project's folder for data."""

from __future__ import annotations

from pathlib import Path

from scrapy.exceptions import NotConfigured
from scrapy.utils.project import data_path

DATABASE = "wikicrawler.sqlite"
"""Default file of the database in the folder."""


def data_folder() -> Path:
    """Return the project's folder for data (``.scrapy``), which may not exist yet."""
    try:
        return Path(data_path("")).absolute()
    except (NotConfigured, OSError):  # no scrapy.cfg though a project; a folder that is read-only
        return Path(".scrapy").absolute()

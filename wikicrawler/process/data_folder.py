"""The project's folder for data."""

from __future__ import annotations

from pathlib import Path

from scrapy.exceptions import NotConfigured
from scrapy.utils.conf import closest_scrapy_cfg, get_config
from scrapy.utils.project import DATADIR_CFG_SECTION, data_path

DATABASE = "wikicrawler.sqlite"
"""Default file of the database in the folder."""


def data_folder() -> Path:
    """Return the project's folder for data (``.scrapy``), which may not exist yet."""
    try:
        return Path(data_path("")).absolute()
    except (NotConfigured, OSError):  # no scrapy.cfg though a project; a folder that is read-only
        return Path(".scrapy").absolute()


def has_default_database() -> bool:
    """Return whether the default database exists. Unlike :func:`data_folder` it makes no folder."""
    config, file = get_config(), closest_scrapy_cfg()
    if config.has_option(DATADIR_CFG_SECTION, "default"):
        folder = Path(config.get(DATADIR_CFG_SECTION, "default"))
    else:
        folder = (Path(file).parent if file else Path()) / ".scrapy"
    return (folder / DATABASE).exists()

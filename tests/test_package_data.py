"""Files of the package that are not modules are installed with it."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_INSTALLED = Path("demo/wikitext")  # the demonstration wiki was recorded from it


def test_each_data_file_is_named_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["wikicrawler"]
    package = ROOT / "wikicrawler"
    files = {
        file.relative_to(package)
        for file in package.rglob("*")
        if file.is_file() and file.suffix not in {".py", ".pyc"}
    }
    data = {file for file in files if not file.is_relative_to(NOT_INSTALLED)}
    assert {str(file) for file in data if not any(map(file.match, patterns))} == set()

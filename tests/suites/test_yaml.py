"""YAML: whatever a file holds, the outcome is a configuration or an error with file and line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.suites.data import suite
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

CASES = suite("yaml")
# What PyYAML reads all the same. Their keys are not the configuration's, and are left alone.
READ_BY_PYYAML = {"9C9N", "DK95:1", "QB6E", "S98Z", "SU5Z"}


def outcome(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    try:
        Config.from_file(path)
    except ConfigError as error:
        return str(error)
    return ""


def test_no_file_of_the_suite_raises_anything_but_errors_with_a_line(tmp_path: Path) -> None:
    path = tmp_path / "sources.yml"
    indented = ("domains:\n" + "".join(f"  {x}\n" for x in c["yaml"].split("\n")) for c in CASES)
    for text in (*(case["yaml"] for case in CASES), *indented):
        for line in outcome(path, text).split("\n"):
            assert not line or re.match(re.escape(str(path)) + r":( \D|\d+: )", line), line
            assert line.isprintable()


def test_what_is_no_yaml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sources.yml"
    accepted = {case["id"] for case in CASES if case["fail"] and not outcome(path, case["yaml"])}
    assert accepted <= READ_BY_PYYAML

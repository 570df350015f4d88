"""Messages in ASCII in the C locale, in real processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WRITE = """
import sys
from wikicrawler.console.c_locale import respect_c_locale
respect_c_locale()
sys.stderr.write("Größe…")
"""
LOCALE = {"LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING"}


@pytest.mark.parametrize(
    ("environment", "written"),
    [
        ({"LC_ALL": "C"}, rb"Gr\xf6\xdfe\u2026"),
        ({"LC_ALL": "POSIX"}, rb"Gr\xf6\xdfe\u2026"),
        ({"LC_ALL": "C", "PYTHONUTF8": "1"}, "Größe…".encode()),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, "Größe…".encode()),
        ({"LC_ALL": "C.UTF-8"}, "Größe…".encode()),
        ({}, "Größe…".encode()),
    ],
)
def test_only_the_c_locale_that_was_asked_for_is_ascii(
    environment: dict[str, str], written: bytes
) -> None:
    inherited = {name: value for name, value in os.environ.items() if name not in LOCALE}
    done = subprocess.run(
        [sys.executable, "-c", WRITE],
        env=inherited | environment,
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert done.stderr == written

"""Scrapy's tests, from the source distribution of the version that is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

_CACHE = Path(__file__).parents[2] / ".cache" / "scrapy-tests"
_PARTS = ("tests", "conftest.py", "pyproject.toml")  # not the package: the installed one is tested
_NEEDED = ("pyftpdlib>=2.0.1",)  # of their FTP server, which is imported beside others
SITE = "site"
"""The folder beside the tests with the packages that only they need."""


class SourceError(Exception):
    """The tests cannot be downloaded."""


def source() -> Path:
    """Return the folder with Scrapy's tests; download it once.

    :raises SourceError: PyPI cannot be reached
    """
    name = f"scrapy-{version('scrapy')}"
    folder = _CACHE / name
    if folder.exists():
        return folder
    downloads = _CACHE / "downloads"
    package = f"scrapy=={version('scrapy')}"
    _pip("download", "--no-binary", ":all:", "--no-deps", "--dest", str(downloads), package)
    unpacked = _CACHE / f"{name}.new"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(downloads / f"{name}.tar.gz") as archive:
        for member in archive.getmembers():
            if "".join(member.name.split("/")[1:2]) in _PARTS:
                archive.extract(member, unpacked, filter="data")
    _pip("install", "--target", str(unpacked / name / SITE), *_NEEDED)
    (unpacked / name).rename(folder)
    shutil.rmtree(unpacked)
    return folder


def _pip(command: str, *arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", command, "--quiet"]
    done = subprocess.run([*pip, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise SourceError(f"Scrapy's tests cannot be downloaded from PyPI: {last}")

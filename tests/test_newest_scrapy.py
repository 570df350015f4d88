"""``make test`` runs a selection of the tests with a newer Scrapy, where there is one."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
# Instead of an environment with that Scrapy; installing it takes minutes.
ENVIRONMENT = """#!/bin/sh
echo "$@" >> {log}
case "$*" in -c*) echo 99.0;; esac
"""


@pytest.fixture
def index() -> Iterator[ScriptedServer]:
    """A package index."""
    with ScriptedServer() as server:
        yield server


def publish(index: ScriptedServer, release: str) -> None:
    """Have *index* offer Scrapy *release*, besides an old one and a preview."""
    links = ""
    for found in ("1.0", release, "100.0rc1"):
        name = f"scrapy-{found}-py3-none-any.whl"
        links += f'<a href="/{name}">{name}</a>'
        index.on(f"/{name}", Reply(body=wheel(found)))
    index.on("/scrapy/", Reply(headers={"Content-Type": "text/html"}, body=links))


def wheel(release: str) -> bytes:
    file, folder = BytesIO(), f"scrapy-{release}.dist-info"
    with ZipFile(file, "w") as archive:
        metadata = f"Metadata-Version: 2.1\nName: Scrapy\nVersion: {release}\n"
        archive.writestr(f"{folder}/METADATA", metadata)
        tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{folder}/WHEEL", tag)
        archive.writestr(f"{folder}/RECORD", "")
    return file.getvalue()


def run(url: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(ENVIRONMENT.format(log=folder / "log"))
    python.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and k != "CI"}
    return subprocess.run(
        ["scripts/test-newest-scrapy", "--if-newer"],
        cwd=ROOT,
        env={
            **kept,
            "PYTHON": sys.executable,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": url,
            "NEWEST_SCRAPY_VENV": str(folder),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_is_run_where_the_newest_is_installed(
    index: ScriptedServer, tmp_path: Path
) -> None:
    publish(index, version("scrapy"))
    done = run(index.url(""), tmp_path)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.endswith(f"nothing to do, no release of Scrapy is newer than {version('scrapy')}")
    assert not (tmp_path / "log").exists()


def test_a_newer_release_is_installed_and_tested(index: ScriptedServer, tmp_path: Path) -> None:
    publish(index, "99.0")
    done = run(index.url(""), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "testing with Scrapy 99.0, which is newer than" in done.stdout.splitlines()[0]
    calls = (tmp_path / "log").read_text().splitlines()
    assert "install --upgrade scrapy==99.0" in calls[2]
    assert calls[-1].startswith("-m pytest -q tests/")


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)], ids=["local", "ci"])
def test_without_pypi_nothing_is_run_which_fails_in_ci(
    index: ScriptedServer, tmp_path: Path, ci: str, status: int
) -> None:
    done = run(index.url("/nowhere"), tmp_path, CI=ci)
    assert done.returncode == status
    assert "not run: PyPI does not say which release of Scrapy is the newest" in done.stderr
    assert not (tmp_path / "log").exists()

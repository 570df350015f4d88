"""The package with its conversion compiled, as ``pip`` builds it from the checkout."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
_FOLDER = ROOT / ".cache" / "compiled"
_FILES = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "scrapy.cfg")


class BuildError(Exception):
    """The package cannot be built here; the message has the end of pip's."""


def compiled_package() -> Path:
    """Return a folder with the compiled package and a ``scrapy.cfg``; build it if it has changed.

    pip gets the compiler from its index, and a C compiler has to be installed. It takes a minute
    and a half.

    :raises BuildError: pip could not
    """
    sources = sorted(path for path in (ROOT / "wikicrawler").rglob("*.py"))
    stamp = sha256(sys.version.encode())
    for path in [ROOT / "setup.py", ROOT / "pyproject.toml", *sources]:
        stamp.update(path.read_bytes())
    folder = _FOLDER / stamp.hexdigest()[:16]
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with (_FOLDER / "lock").open("w") as lock:  # of the processes that test at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for old in _FOLDER.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            _build(folder)
    return folder


def _build(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=_FOLDER) as scratch:
        # A copy, because setuptools builds in the folder of the sources.
        source, wheels, installed = (Path(scratch, name) for name in ("source", "wheels", "new"))
        source.mkdir()
        for name in _FILES:
            shutil.copy(ROOT / name, source)
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / "wikicrawler", source / "wikicrawler", ignore=ignored)
        _pip("wheel", "--no-deps", "--wheel-dir", str(wheels), str(source))
        (wheel,) = wheels.iterdir()
        _pip("install", "--no-deps", "--target", str(installed), str(wheel))
        shutil.copy(ROOT / "scrapy.cfg", installed)
        installed.rename(folder)


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    environment = os.environ | {"WIKICRAWLER_COMPILE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr)[-3000:]
        raise BuildError(f"pip {arguments[0]} failed with exit code {done.returncode}: …{said}")

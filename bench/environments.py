"""An environment of its own for each peer, in ``.cache/bench/venvs``."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "bench" / "peers"
CACHE = ROOT / ".cache" / "bench"
VENVS = CACHE / "venvs"
_VERSIONS = (
    "import sys, importlib.metadata as m\nfor name in sys.argv[1:]: print(name, m.version(name))"
)


class InstallError(Exception):
    """A peer cannot be installed here; the message says why."""


@dataclass(frozen=True)
class Environment:
    """The packages of the ``requirements.txt`` in a folder of ``bench/peers``.

    :param minor: the least minor version of Python 3 that they need
    """

    folder: str
    minor: int = 0

    @property
    def path(self) -> Path:
        return VENVS / self.folder

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.path / "bin" / "python")

    @property
    def requirements(self) -> list[str]:
        """The lines of its ``requirements.txt`` that name a package."""
        lines = (PEERS / self.folder / "requirements.txt").read_text("utf-8").splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def prepare(self) -> None:
        """Make it, where it is not yet as its ``requirements.txt`` says.

        :raises InstallError: there is no such Python, or pip could not
        """
        base = self._base
        stamp = sha256("\n".join([*self.requirements, platform.python_version()]).encode())
        done = self.path / "installed"
        if done.is_file() and done.read_text() == stamp.hexdigest():
            return
        print(f"bench: installing {self.folder}", flush=True)
        pip = [self.python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        try:
            subprocess.run([base, "-m", "venv", "--clear", str(self.path)], check=True)
            subprocess.run([*pip, *self.requirements], check=True)
        except subprocess.CalledProcessError as error:
            raise InstallError(f"{self.folder} could not be installed: {error}") from error
        done.write_text(stamp.hexdigest())

    def versions(self) -> dict[str, str]:
        """Version by name of what its ``requirements.txt`` names."""
        names = [line.split("==")[0].split(">")[0].split("[")[0] for line in self.requirements]
        return versions_of(self.python, names)

    @cached_property
    def _base(self) -> str:
        """The interpreter to make it with."""
        if sys.version_info.minor >= self.minor:
            return sys.executable
        named = [f"python3.{minor}" for minor in range(self.minor, self.minor + 4)]
        built = Path.home().glob(".pyenv/versions/3.*/bin/python")
        for python in [*named, *sorted(map(str, built))]:
            if _minor_of(python) >= self.minor:
                return python
        raise InstallError(f"{self.folder} needs Python 3.{self.minor} or later")


def versions_of(python: str, names: list[str]) -> dict[str, str]:
    """Version by name of packages of the interpreter *python*."""
    told = subprocess.run([python, "-c", _VERSIONS, *names], check=True, capture_output=True)
    return dict(line.split(" ", 1) for line in told.stdout.decode().splitlines())


def own_environment() -> dict[str, str]:
    """The environment without what would change a run: proxies, and settings of ours."""
    foreign = {"pythonpath", "crawl4ai_url", "rate_limit_requests_per_minute"}
    return {
        name: value
        for name, value in os.environ.items()
        if name.lower() not in foreign and not name.lower().endswith("_proxy")
    }


def _minor_of(python: str) -> int:
    code = "import sys; print(sys.version_info.minor * (sys.version_info.major == 3))"
    try:
        told = subprocess.run([python, "-c", code], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(told.stdout)

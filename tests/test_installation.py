"""pip, as the oldest Python brings it, can resolve what the package and its extras need."""

from __future__ import annotations

import ensurepip
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PIP = sorted(Path(ensurepip.__file__).with_name("_bundled").glob("pip-*.whl"))
NEEDED = {
    # What the packages state themselves. The two spellings of lxml's extra are one.
    "trafilatura": ("2.3.1", ["justext>=3.0.2", "htmldate>=1.11.0", "lxml>=6.1.3"]),
    "htmldate": ("1.11.0", ["lxml>=6.1.3"]),
    "justext": ("3.0.2", ["lxml[html_clean]>=4.4.2"]),
    "readability-lxml": ("0.9", ["lxml[html-clean]<7,>=5.4"]),
    "lxml": ("6.1.3", ['lxml_html_clean; extra == "html-clean"']),
    "lxml_html_clean": ("0.4.6", ["lxml"]),
}


def requirements(extra: str) -> list[str]:
    """What the project needs with *extra*, as its metadata say it."""
    optional = PROJECT["optional-dependencies"][extra]
    return PROJECT["dependencies"] + [f'{one}; extra == "{extra}"' for one in optional]


def write_wheel(folder: Path, name: str, version: str, needed: Sequence[str]) -> None:
    """Write a wheel that has nothing but metadata."""
    extras = sorted(set(re.findall(r'extra == "(.+?)"', " ".join(needed))))
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Provides-Extra: {extra}" for extra in extras]
    lines += [f"Requires-Dist: {one}" for one in needed]
    escaped = name.replace("-", "_")
    with ZipFile(folder / f"{escaped}-{version}-py3-none-any.whl", "w") as wheel:
        info = f"{escaped}-{version}.dist-info"
        wheel.writestr(f"{info}/METADATA", "\n".join((*lines, "")))
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


@pytest.mark.parametrize("extra", ["articles"])
def test_pip_resolves_an_extra(tmp_path: Path, extra: str) -> None:
    if not PIP:
        pytest.skip("this Python brings no pip")
    needed = requirements(extra)
    write_wheel(tmp_path, "wikicrawler", "1", needed)
    for one in needed:
        found = re.match(r"([\w-]+)(?:\[.*?\])?>=([\d.]+)", one)
        assert found, one
        if found[1] not in NEEDED:
            write_wheel(tmp_path, found[1], found[2], [])
    for name, (version, others) in NEEDED.items():
        write_wheel(tmp_path, name, version, others)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"),
            *("--no-index", "--find-links", str(tmp_path), f"wikicrawler[{extra}]"),
        ],
        env=os.environ | {"PYTHONPATH": str(PIP[-1]), "PIP_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    assert "lxml_html_clean-0.4.6" in done.stdout.replace("lxml-html-clean", "lxml_html_clean")

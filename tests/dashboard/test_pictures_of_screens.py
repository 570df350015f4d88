"""The pictures of docs/dashboard/, which scripts/dashboard-screenshots takes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from wikicrawler.dashboard.rendering import PLACES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "dashboard"
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "dashboard-screenshots"))


def expected() -> set[str]:
    """The names of all pictures."""
    more = {
        f"{name}-{look}" for name in SCRIPT["ALSO_NARROW_AND_DARK"] for look in ("dark", "narrow")
    }
    return {*SCRIPT["PICTURES"], *more}


def test_each_screen_of_the_navigation_has_a_picture() -> None:
    shown = {route.partition("/{")[0] or "/" for route in SCRIPT["PICTURES"].values()}
    assert {place.path for place in PLACES} <= shown
    assert {file.stem for file in FOLDER.glob("*.png")} == expected()


def test_the_pictures_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in FOLDER.glob("*.png")}
    assert {name: size for name, size in sizes.items() if size >= 150_000} == {}
    assert sum(sizes.values()) < 2_000_000


def test_the_pictures_of_the_documentation_are_there() -> None:
    text = (ROOT / "docs" / "dashboard.md").read_text("utf-8")
    named = set(re.findall(r"\]\(dashboard/([a-z-]+)\.png\)", text))
    assert len(named) >= 5
    assert named <= expected()

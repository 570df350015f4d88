"""The compiled conversion does what the interpreted one does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiled_package import ROOT, BuildError, compiled_package
from tests.conftest import cannot

TESTS = ("markdown", "images", "listings", "tabs", "test_links.py", "test_pipeline.py")
CONVERTED = Path(__file__).with_name("converted_pages.py")


@pytest.fixture(scope="module")
def package() -> Path:
    try:
        return compiled_package()
    except BuildError as error:
        cannot(f"the package cannot be compiled: {error}")


def run(package: Path, *command: str) -> str:
    """Return what *command* prints, with *package* in place of the checkout."""
    paths = os.pathsep.join([str(package), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-P", *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_its_pages_and_errors_are_the_same_to_the_byte(package: Path):
    interpreted = run(ROOT, str(CONVERTED)).splitlines()
    compiled = run(package, str(CONVERTED)).splitlines()

    assert interpreted.pop(0).endswith("walk.py")
    assert compiled.pop(0).endswith(".so")
    assert len(interpreted) > 1000
    assert compiled == interpreted


def test_the_tests_of_what_is_compiled_pass_with_it(package: Path):
    tests = [f"tests/content/{name}" for name in TESTS]
    told = run(
        package,
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", f"pythonpath={package} {ROOT}"),
        *("-p", "tests.content.converted_pages", *tests),
    )

    assert re.search(r"^conversion: .*\.so$", told, re.MULTILINE)
    assert " passed" in told

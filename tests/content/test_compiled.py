"""The compiled conversion does what the interpreted one does."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.compiled_package import ROOT, BuildError, compiled_package
from tests.conftest import cannot

if TYPE_CHECKING:
    from pathlib import Path

TESTS = ("markdown", "images", "listings", "tabs", "test_links.py", "test_pipeline.py")
CONVERTED = "tests.content.converted_pages"


@pytest.fixture(scope="module")
def package() -> Path:
    try:
        return compiled_package()
    except BuildError as error:
        cannot(f"the package cannot be compiled: {error}")


def run(package: Path, module: str, *arguments: str) -> str:
    """Return what the *module* prints when it is run with *package* in place of the checkout."""
    # In front of all else: an environment may put the checkout before PYTHONPATH.
    code = f"import runpy, sys; sys.path[:0] = {[str(package), str(ROOT)]}; "
    code += f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_its_pages_and_errors_are_the_same_to_the_byte(package: Path):
    interpreted = run(ROOT, CONVERTED).splitlines()
    compiled = run(package, CONVERTED).splitlines()

    assert interpreted.pop(0).endswith("walk.py")
    assert compiled.pop(0).endswith(".so")
    assert len(interpreted) > 1000
    assert compiled == interpreted


def test_the_tests_of_what_is_compiled_pass_with_it(package: Path):
    tests = [f"tests/content/{name}" for name in TESTS]
    told = run(
        package,
        "pytest",
        *("-q", "-p", "no:cacheprovider", "-o", f"pythonpath={package} {ROOT}"),
        *("-p", CONVERTED, *tests),
    )

    assert re.search(r"^conversion: .*\.so$", told, re.MULTILINE)
    assert " passed" in told

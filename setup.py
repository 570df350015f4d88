"""Build of what pyproject.toml can't describe: the compiled conversion, which is optional.

With ``WIKICRAWLER_COMPILE=1`` in the environment, mypyc compiles most modules of
the conversion to a C extension. Without it, the package is pure Python. See docs/operations.md.
"""

import os
import sys
from pathlib import Path

from setuptools import setup

COMPILER = "mypy[mypyc]>=1.19,<3"
FOLDERS = ("", "images", "listings", "markdown", "tabs")
"""Folders of wikicrawler/content: the conversion, without what finds the article of a page."""
INTERPRETED = {
    "__init__.py",
    "__main__.py",
    "linked_code.py",  # a subclass of str
    "browser_tree.py",  # is called by a library with mappings that are no dict
    "pipeline.py",  # a component of Scrapy, which needs the __qualname__ of methods
    "page.py",  # a NamedTuple of types that are not imported
}
OPTIONS = (
    # Whether the libraries' types are installed must not change what is compiled.
    "--no-site-packages",
    "--ignore-missing-imports",
    "--follow-imports=silent",
    "--config-file=",
)


def compiled_modules():
    """Return the extension of the compiled modules."""
    from mypyc.build import mypycify  # noqa: PLC0415 - installed for this build only

    modules = [
        str(path)
        for folder in FOLDERS
        for path in sorted(Path("wikicrawler/content", folder).glob("*.py"))
        if path.name not in INTERPRETED
    ]
    return mypycify([*OPTIONS, *modules], group_name="wikicrawler_content", debug_level="0")


compiles = os.environ.get("WIKICRAWLER_COMPILE", "")
if compiles not in {"", "0", "1"}:
    sys.exit(f"WIKICRAWLER_COMPILE is {compiles!r}: expected 1 for compiled modules, or 0")
if compiles == "1":
    # Other commands only ask what the build needs and what the package is called.
    builds = "bdist_wheel" in sys.argv
    setup(setup_requires=[COMPILER], ext_modules=compiled_modules() if builds else [])
else:
    setup()

"""What a user imports from the package itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

import wikicrawler


@pytest.mark.parametrize("name", wikicrawler.__all__)
def test_each_name_is_there(name: str) -> None:
    found = getattr(wikicrawler, name)
    assert getattr(found, "__name__", name) == name or name == "__version__"


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        wikicrawler.nothing  # noqa: B018


def test_the_package_alone_loads_nothing_heavy() -> None:
    code = (
        "import sys, wikicrawler; print([m for m in ('lxml', 'scrapy', 're2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_page_is_converted() -> None:
    content = wikicrawler.convert("<h1>A</h1><p>Some <b>text</b>.</p>", "https://a.example/")
    assert "Some **text**." in content.markdown

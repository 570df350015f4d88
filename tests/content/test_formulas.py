"""Formulas are found by tag and class, exactly."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from wikicrawler.content.find import all_classes
from wikicrawler.content.parse import parse
from wikicrawler.content.rewrite import formulas, has_class

FIXTURES = sorted(Path(__file__).parent.glob("**/*.html"))
CLASSES = (
    "mwe-math-element",
    "mwe-math-fallback-source-inline",
    "mwe-math-fallback-source-display",
    "katex",
)
LIKE = ("katex-display", "xkatex", "mwe-math-element-block", "mwe-math-mathml-inline", "Katex")
IN_WORDS = (
    f".//*[{' or '.join(map(has_class, CLASSES))}"
    " or self::math or self::script[starts-with(@type, 'math/tex')]]"
)
"""The same as an XPath."""


def check(source: bytes) -> int:
    """How many formulas *source* has, where both ways find the same."""
    root = parse(source)
    assert root is not None
    found = formulas(root, all_classes(root))
    assert found == root.xpath(IN_WORDS)
    return len(found)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_in_every_page_kept_here(path):
    check(path.read_bytes())


def test_some_of_these_have_formulas():
    assert sum(check(path.read_bytes()) for path in FIXTURES) > 2


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("around", ["{}", "a {}", "{} b", "a\t{}\nb"])
def test_by_each_class(name, around):
    assert check(f'<p><b class="{around.format(name)}">x</b></p>'.encode()) == 1


@pytest.mark.parametrize("name", LIKE)
def test_not_by_a_class_that_only_looks_like_it(name):
    assert check(f'<p><b class="{name}">x</b></p>'.encode()) == 0


def test_by_tag_where_no_class_says_so():
    assert (
        check(b"<p><math><mi>x</mi></math> <script type='math/tex; mode=display'>x</script>") == 2
    )
    assert check(b"<p><script type='text/javascript'>x</script> <b class='a'>x</b>") == 0


def test_in_pages_of_nested_parts_at_random():
    random = Random(5)  # noqa: S311 - the same again, not a secret
    spaces = (" ", "\t", "\n", "&#160;", "\x0c")

    def part(depth: int) -> str:
        tag = random.choice(("span", "div", "math", "script", "img", "svg", "p"))
        names = random.sample((*CLASSES, *LIKE, "tex"), random.randint(0, 3))
        kind = random.choice(("", ' type="math/tex"', ' type="text/x"'))
        inner = "".join(part(depth + 1) for _ in range(random.randint(0, 4 - depth)))
        return f'<{tag} class="{random.choice(spaces).join(names)}"{kind}>x<!---->{inner}</{tag}>'

    found = sum(check(f"<body>{part(0)}{part(0)}".encode()) for _ in range(300))
    assert found > 300

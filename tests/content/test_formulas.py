"""Detection of formulas by tag and class, compared with an XPath."""

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
SIMILAR_CLASSES = (
    "katex-display",
    "xkatex",
    "mwe-math-element-block",
    "mwe-math-mathml-inline",
    "Katex",
)
FORMULA_XPATH = (
    f".//*[{' or '.join(map(has_class, CLASSES))}"
    " or self::math or self::script[starts-with(@type, 'math/tex')]]"
)
"""The reference: all formulas by tag and class."""


def count_formulas(source: bytes) -> int:
    """Return the number of formulas in *source*, after a comparison with the XPath."""
    root = parse(source)
    assert root is not None
    found = formulas(root, all_classes(root))
    assert found == root.xpath(FORMULA_XPATH)
    return len(found)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_formulas_in_each_fixture_match_the_xpath(path):
    count_formulas(path.read_bytes())


def test_some_fixtures_have_formulas():
    assert sum(count_formulas(path.read_bytes()) for path in FIXTURES) > 2


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("around", ["{}", "a {}", "{} b", "a\t{}\nb"])
def test_each_formula_class_is_found(name, around):
    assert count_formulas(f'<p><b class="{around.format(name)}">x</b></p>'.encode()) == 1


@pytest.mark.parametrize("name", SIMILAR_CLASSES)
def test_a_similar_class_is_not_a_formula(name):
    assert count_formulas(f'<p><b class="{name}">x</b></p>'.encode()) == 0


def test_formulas_without_a_class_are_found_by_tag():
    tex = b"<p><math><mi>x</mi></math> <script type='math/tex; mode=display'>x</script>"
    assert count_formulas(tex) == 2
    assert count_formulas(b"<p><script type='text/javascript'>x</script> <b class='a'>x</b>") == 0


def test_formulas_in_random_nested_elements_match_the_xpath():
    random = Random(5)  # noqa: S311 - reproducible, not a secret
    spaces = (" ", "\t", "\n", "&#160;", "\x0c")

    def part(depth: int) -> str:
        tag = random.choice(("span", "div", "math", "script", "img", "svg", "p"))
        names = random.sample((*CLASSES, *SIMILAR_CLASSES, "tex"), random.randint(0, 3))
        kind = random.choice(("", ' type="math/tex"', ' type="text/x"'))
        inner = "".join(part(depth + 1) for _ in range(random.randint(0, 4 - depth)))
        return f'<{tag} class="{random.choice(spaces).join(names)}"{kind}>x<!---->{inner}</{tag}>'

    found = sum(count_formulas(f"<body>{part(0)}{part(0)}".encode()) for _ in range(300))
    assert found > 300

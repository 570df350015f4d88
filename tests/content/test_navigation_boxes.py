"""Navigation boxes of wikis that no known class names."""

from __future__ import annotations

import pytest

from tests.content.rendering import page
from wikicrawler.content import convert

URL = "https://wiki.example/wiki/Tern"
TEXT = f"<p>{'A tern is a bird of the coast, which flies far. ' * 6}</p>"
OWN = '<a class="mw-selflink selflink">Tern</a>'
BIRDS = ("Gull", "Skua", "Auk", "Gannet", "Petrel", "Kittiwake", "Fulmar", "Eider")


def link(name: str) -> str:
    return f'<a href="/wiki/{name}">{name}</a>'


LINKS = " · ".join([*map(link, BIRDS), OWN])
TABLE = f"<table{{}}><tr><th>{link('Seabirds')}</th></tr><tr><td>{LINKS}</td></tr></table>"
DIV = f'<div style="border:1px solid"><div><b>{link("Seabirds")}</b></div>{LINKS}</div>'


def is_kept(inner: str) -> bool:
    return "Kittiwake" in convert(page(inner), URL).markdown


@pytest.mark.parametrize(
    "inner",
    [
        TEXT + TABLE.format(""),
        TEXT + DIV,
        TEXT + DIV + TABLE.format(""),
        f"{TEXT}<h2>See also</h2><ul><li>{link('Sea')}</li></ul>{TABLE.format('')}",
        f"<section>{TEXT}</section><section><h2>X</h2>{TEXT}{DIV}</section>",
        # A box with such a name counts anywhere, even if it does not link to the page itself.
        TABLE.format(' id="navbox"').replace(OWN, "") + TEXT,
        f'{TEXT}<table class="toccolours"><tr><td>{LINKS}</td></tr></table>{TEXT}',
        f'{TEXT}<table class="toccolours"><tr><td>{LINKS}</table>{"Text behind the box. " * 9}',
    ],
)
def test_a_box_of_links_to_pages_of_the_wiki_is_dropped(inner):
    assert not is_kept(inner)


@pytest.mark.parametrize(
    "inner",
    [
        # Not at the end of the page.
        TABLE.format("") + TEXT,
        # The content of a section.
        f"{TEXT}<h2>Birds</h2>{TABLE.format('')}",
        # A page of nothing else.
        TABLE.format(""),
        # Without the page itself, it may be a table of content.
        TEXT + TABLE.format("").replace(OWN, ""),
        # Data have one link a cell.
        f"{TEXT}<table><tr><th>Birds</th></tr>"
        + "".join(f"<tr><td>{link(name)}</td><td>{link('Sea')}</td></tr>" for name in BIRDS)
        + f"<tr><td>{OWN}</td></tr></table>",
        # Sentences.
        TEXT + DIV.replace(" · ", " which is as all of us have been told a bird, ", 1),
        # Lists, without a title.
        f"{TEXT}<ul>{''.join(f'<li>{link(name)}</li>' for name in BIRDS)}<li>{OWN}</li></ul>",
        f"{TEXT}<div><ul>{''.join(f'<li>{link(n)}</li>' for n in BIRDS)}<li>{OWN}</li></ul></div>",
        # A frame around text, and links to other sites.
        f'{TEXT}<div class="toccolours">The {link("Kittiwake")} is a bird, like the tern.</div>',
        TEXT + TABLE.format("").replace('"/wiki/', '"https://b.example/wiki/'),
    ],
)
def test_links_that_are_content_are_kept(inner):
    assert is_kept(inner)


def test_the_links_of_a_box_are_collected():
    content = convert(page(TEXT + TABLE.format("")), URL)
    assert content.links == tuple(f"https://wiki.example/wiki/{n}" for n in ("Seabirds", *BIRDS))

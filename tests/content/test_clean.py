"""Removal of elements and characters."""

from __future__ import annotations

import pytest
from lxml import etree
from lxml import html as lxml_html

from wikicrawler.content.clean import drop, wiki_furniture
from wikicrawler.content.find import by_class, by_id
from wikicrawler.content.parse import parse, utf8


def test_dropping_an_element_keeps_the_text_after_it():
    root = lxml_html.fromstring("<div>a<b>x<i>y</i></b>c<b>z</b>d<p>e<i>w</i></p></div>")
    drop([*root.iter("b"), *root.iter("i")])
    assert lxml_html.tostring(root) == b"<div>acd<p>e</p></div>"


def test_dropping_an_element_outside_the_tree_changes_nothing():
    root = etree.XML("<div>a<b>x</b>c</div>")
    outside = root[0]
    root.remove(outside)
    drop([outside, root])
    assert root.tag == "div"


def test_furniture_and_navigation_boxes_are_distinguished():
    root = parse(
        b"<div><nav>n</nav><div class='x navbox'>b</div><span class=mw-editsection>e</span>"
        b"<p role=navigation>r</p><p class=hatnote role=navigation>h</p><p style='display: none'>s"
        b"<p hidden>t<div id=toc>u</div><button>v</button><a href='?action=edit&section=1'>w</a>"
        b"<a href='?action=edit&redlink=1'>x</a></div>"
    )
    furniture = wiki_furniture(root.iter())
    assert [el.text for el in furniture.unwanted] == ["e", "s", "t", "u", "v", "w"]
    assert [el.text for el in furniture.navigation] == ["n", "b", "r"]
    assert "x navbox" in furniture.classes.split("\n")


def test_class_names_match_as_a_whole():
    root = lxml_html.fromstring(
        "<div><p class='a-b'>1</p><p class='b a'>2</p><i class=a>3</i></div>"
    )
    assert [el.text for el in by_class(root, "a", "p")] == ["2"]
    assert by_id(root, "a", "p") is None


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x7f", "\ufffe", "\uffff", "\ud800"])
def test_characters_invalid_in_records_are_removed(character):
    assert utf8(f"a{character}b\t\n\r\ufffd") == "ab\t\n\r\ufffd".encode()

"""What a page states for machines answers a field only if it is clear that it does."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LIMIT, growth
from wikicrawler.content.parse import parse, utf8
from wikicrawler.fields.evidence.alignment import Content
from wikicrawler.fields.models import FieldDefinition
from wikicrawler.fields.structured.values import structured_values

if TYPE_CHECKING:
    from wikicrawler.fields.models import Finding

PRODUCT = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Salt mill",
    "brand": {"@type": "Brand", "name": "Kessel"},
    "sku": "K-17",
    "numberOfPages": 320,
    "offers": {"@type": "Offer", "price": "24.50", "priceCurrency": "EUR"},
    "aggregateRating": {"ratingValue": 4.5, "reviewCount": 12},
    "material": ["oak", "steel"],
    "isFamilyFriendly": True,
}
ORGANISATION = {
    "@id": "#org",
    "@type": "Organization",
    "name": "Kessel Ltd",
    "telephone": "+44 20 7946 0000",
    "email": "mailto:hello@kessel.example",
    "address": {"streetAddress": "Quay 3", "postalCode": "X1", "addressLocality": "Kessel"},
}
ARTICLE = {
    "@type": "NewsArticle",
    "headline": "Salt is back",
    "author": [{"@type": "Person", "name": "Ann Lee"}, {"name": "Bo Ek"}],
    "datePublished": "2024-05-05",
    "publisher": {"@id": "#org"},
}
TEXT = "# Salt mill\n\nPrice: **24,50 EUR**, made of oak.\n"


def linked(*nodes: Any) -> str:
    scripts = (f"<script type='application/ld+json'>{json.dumps(node)}</script>" for node in nodes)
    return f"<html><head>{''.join(scripts)}</head><body><p>Text</p></body></html>"


def find(html: str, text: str = TEXT, infoboxes: Any = (), **fields: str) -> list[Finding]:
    """Findings of *fields*: names with the type, and a description behind a space."""
    definitions = [
        FieldDefinition.model_validate(
            {"name": name, "type": of.partition(" ")[0], "description": of.partition(" ")[2]}
        )
        for name, of in fields.items()
    ]
    content = Content(text, "https://example.org/")
    found = structured_values(parse(utf8(html)), definitions, content, infoboxes)
    for finding in found:
        evidence = finding.evidence
        assert evidence is not None
        assert evidence.method == "structured"
        assert evidence.path
        assert evidence.text == text[evidence.start : evidence.end]
    return found


def values(html: str, **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for finding in find(html, **fields):
        if finding.field in found:
            found[finding.field] = [*found[finding.field], finding.value]
        else:
            is_list = fields[finding.field].startswith("list")
            found[finding.field] = [finding.value] if is_list else finding.value
    return found


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("name", "string", "Salt mill"),
        ("product_name", "string", "Salt mill"),
        ("productName", "string the full name of the product", "Salt mill"),
        ("price", "number the price in EUR", "24.50"),
        ("currency", "string", "EUR"),
        ("brand", "string", "Kessel"),
        ("sku", "string", "K-17"),
        ("sku", "string stock keeping unit", "K-17"),
        ("rating", "number", 4.5),
        ("review_count", "integer", 12),
        ("number_of_pages", "integer", 320),  # any property of the same name
        ("is_family_friendly", "boolean", True),
        ("material", "list[string]", ["oak", "steel"]),
    ],
)
def test_a_field_that_is_a_property_has_its_value(name: str, kind: str, value: Any) -> None:
    assert values(linked(ORGANISATION, PRODUCT), **{name: kind}) == {name: value}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("name", "string the name of the founder"),
        ("name", "string name of the company"),
        ("company_name", "string"),
        ("price", "number the price for members"),
        ("price", "number lowest price of the last month"),
        ("material", "string"),  # there are two
        ("telephone", "string"),  # of the organisation, not of the product
        ("weight", "number"),
        ("offers", "object"),
        ("@type", "string"),
    ],
)
def test_a_field_that_is_not_clearly_a_property_is_left_to_the_model(name: str, kind: str) -> None:
    if name == "@type":
        name = "type"
    assert values(linked(ORGANISATION, PRODUCT), **{name: kind}) == {}


def test_the_evidence_is_the_place_in_the_content_or_else_the_path_alone() -> None:
    price, sku = find(linked(PRODUCT), price="number", sku="string")
    assert price.evidence is not None
    assert sku.evidence is not None
    assert (price.evidence.text, price.evidence.path) == ("24,50", "json-ld[0].offers.price")
    assert (sku.evidence.text, sku.evidence.path) == ("", "json-ld[0].sku")
    assert (sku.evidence.start, sku.evidence.end) == (0, 0)


def test_an_organisation_is_the_subject_of_a_page_without_a_thing() -> None:
    graph = {"@graph": [{"@type": "WebSite", "name": "Site"}, ORGANISATION]}
    assert values(
        linked(graph),
        name="string the name of the company",
        phone="string",
        email="string",
        address="string",
        city="string",
    ) == {
        "name": "Kessel Ltd",
        "phone": "+44 20 7946 0000",
        "email": "hello@kessel.example",
        "address": "Quay 3, X1, Kessel",
        "city": "Kessel",
    }


def test_a_reference_is_followed() -> None:
    found = values(
        linked({"@graph": [ARTICLE, ORGANISATION]}),
        publisher="string",
        authors="list[string]",
        author="string",
        title="string",
        published="string the date of publication",
    )
    assert found == {
        "publisher": "Kessel Ltd",
        "authors": ["Ann Lee", "Bo Ek"],
        "title": "Salt is back",
        "published": "2024-05-05",
    }


def test_a_page_about_several_things_states_nothing_about_one() -> None:
    other = PRODUCT | {"name": "Pepper mill"}
    head = "<meta property='og:title' content='Mills'>"
    assert values(linked(PRODUCT, other) + head, name="string", sku="string") == {}
    assert values(linked(PRODUCT, PRODUCT), name="string") == {"name": "Salt mill"}


def test_sources_that_contradict_each_other_are_left_to_the_model() -> None:
    head = "<meta property='product:price:amount' content='{}'>"
    page = linked(PRODUCT)
    assert values(page.replace("<head>", "<head>" + head.format("24,5")), price="number")
    assert not values(page.replace("<head>", "<head>" + head.format("19.99")), price="number")


MICRODATA = """<html><body><div itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">Salt <b>mill</b></h1><div itemprop=offers itemscope itemtype=Offer>
<data itemprop=price value="24.50">24,50</data><meta itemprop=priceCurrency content=EUR></div>
<link itemprop=availability href="https://schema.org/InStock"></div></body></html>"""


def test_microdata_is_read_as_linked_data_is() -> None:
    found = find(MICRODATA, name="string", price="number", currency="string")
    assert [finding.value for finding in found] == ["Salt mill", "24.50", "EUR"]
    assert found[1].evidence is not None
    assert found[1].evidence.path == "microdata[0].offers.price"


def test_meta_is_read_on_a_page_without_nodes() -> None:
    html = """<meta property="og:title" content="Salt  is back"><meta name=author content="Ann Lee">
    <meta property="article:published_time" content="2024-05-05"><p>Text"""
    assert values(html, title="string", author="string", published="string", price="number") == {
        "title": "Salt is back",
        "author": "Ann Lee",
        "published": "2024-05-05",
    }


def test_the_link_to_an_author_answers_where_nothing_else_does() -> None:
    byline = "<p>By <a rel='nofollow author' href='/ann'> Ann <b>Lee</b></a></p>"
    aside = "<aside><a rel=author href='/bo'>Bo Ek</a></aside>"
    html = f"<body>{byline}<p>Text</p>{byline}{aside}</body>"
    (found,) = find(html, author="string author of the article")
    assert (found.value, found.evidence and found.evidence.path) == ("Ann Lee", "a[rel=author]")
    assert values(html, author="string author of the book") == {}
    assert values(html.replace("aside", "div"), author="string") == {}, "two of them"
    assert values(linked(ARTICLE | {"author": "Cy"}) + byline, author="string") == {"author": "Cy"}


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"])
def test_a_date_that_stands_for_none_is_none(date: str) -> None:
    node = ARTICLE | {"datePublished": date}
    assert values(linked(node), published="string") == {}
    meta = "<meta property='article:published_time' content='2024-05-05'>"
    assert values(meta + linked(node), published="string") == {"published": "2024-05-05"}


def test_the_row_of_an_infobox_answers_the_field_of_its_name() -> None:
    box = {
        "title": "Kessel",
        "fields": {"Population": "1,234", "Twin towns": "Aa\nBb", "Mayor": "A\nB"},
    }
    found = find(
        "<p>x", "Population 1,234", [box], population="integer", mayor="string", area="number"
    )
    assert [(f.field, f.value) for f in found] == [("population", "1,234")]
    assert found[0].evidence is not None
    assert (found[0].evidence.text, found[0].evidence.path) == ("1,234", "infobox[0].population")
    towns = find("<p>x", "", [box], twin_towns="list[string]")
    assert [finding.value for finding in towns] == ["Aa", "Bb"]
    assert find("<p>x", "", [box, box], population="integer") == []


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    "script",
    [
        "{",
        "null",
        deep(100_000),
        '{"@type": "Product", "name": ' + deep(900) + "}",
        '{"@type": "Product", "name": {"@id": "#a"}, "@id": "#a"}',
        '{"@graph": [{"@id": "#a", "@type": "Product", "brand": {"@id": "#b"}}, {"@id": "#b", '
        '"brand": {"@id": "#a"}}]}',
        '{"@type": "Product", "offers": {"@id": {"@id": []}}}',
        '{"@type": {"a": 1}, "name": "x"}',
        '{"@type": [[["Product"]]], "name": "x"}',
        '{"@type": "Product", "name": NaN, "sku": 1e999, "price": ' + "9" * 5000 + "}",
        '{"@type": "Product", "name": "\\ud800", "sku": "' + "x" * 6000 + '"}',
    ],
)
def test_hostile_linked_data_does_no_harm(script: str) -> None:
    html = f"<html><script type='application/ld+json'>{script}</script><body><p>x</body></html>"
    found = values(html, name="string", sku="string", price="number", brand="string")
    assert set(found) <= {"name"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["@type", "@id", "@graph", "name", "offers", "price", "address"]), inner
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_linked_data_raises(data: Any) -> None:
    script = json.dumps(data).replace("<", "\\u003c")
    page = linked().replace("<head>", f"<head><script type='application/ld+json'>{script}</script>")
    find(page, name="string", price="number", address="list[string]")


@given(st.text())
def test_no_page_raises(html: str) -> None:
    root = parse(utf8(html))
    assert isinstance(structured_values(root, [FieldDefinition(name="name")], Content("")), list)


LD = "<script type='application/ld+json'>"
PIECES = [
    f"{LD}{{}}</script>",
    f'{LD}{{"@type":"Product","name":"a"}}</script>',
    "<meta property=a content=b>",
    "<div itemscope></div>",
    "<div itemscope><p itemprop=name>a<div itemscope itemprop=offers></div></div>",
    "<p itemprop=name>ab",
    "<b itemprop=name>ab</b>",
]


@pytest.mark.parametrize("piece", PIECES)
def test_a_page_is_read_in_linear_time(piece: str) -> None:
    def search(html: str) -> object:
        return find(html, name="string", price="number")

    assert growth(search, partial(_repeated, piece), 4_000) < LIMIT


def test_a_long_list_of_linked_data_is_read_in_linear_time() -> None:
    def search(nodes: str) -> object:
        return find(f"<html>{LD}[{nodes}{{}}]</script><p>x", name="string", price="number")

    node = '{"@type":"Product","@id":"#a","offers":[{"price":1},{"@id":"#a"}]},'
    assert growth(search, partial(_repeated, node), 8_000) < LIMIT


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))

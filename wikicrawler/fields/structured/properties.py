"""Which property of schema.org a field is, by its name and description."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikicrawler.fields.models import FieldDefinition

Paths = tuple[tuple[str, ...], ...]

_OFFERS = ("offers", "priceSpecification")
_PROPERTIES: dict[str, tuple[str, Paths, tuple[str, ...]]] = {
    # normalised names: paths in linked data, names of <meta>
    "name": ("name producttitle productname", (("name",), ("headline",)), ("og:title",)),
    "title": ("title headline booktitle articletitle", (("headline",), ("name",)), ("og:title",)),
    "description": ("summary", (("description",),), ("og:description", "description")),
    "price": (
        "productprice currentprice",
        (("offers", "price"), (*_OFFERS, "price"), ("price",)),
        ("product:price:amount", "og:price:amount"),
    ),
    "currency": (
        "pricecurrency",
        (("offers", "priceCurrency"), (*_OFFERS, "priceCurrency"), ("priceCurrency",)),
        ("product:price:currency", "og:price:currency"),
    ),
    "availability": ("", (("offers", "availability"),), ("product:availability",)),
    "brand": ("brandname", (("brand",),), ("product:brand",)),
    "manufacturer": ("", (("manufacturer",),), ()),
    "sku": ("stockkeepingunit", (("sku",),), ()),
    "isbn": ("", (("isbn",), ("workExample", "isbn")), ("book:isbn",)),
    "rating": ("ratingvalue averagerating", (("aggregateRating", "ratingValue"),), ()),
    "reviewcount": ("numberofreviews", (("aggregateRating", "reviewCount"),), ()),
    "ratingcount": ("numberofratings", (("aggregateRating", "ratingCount"),), ()),
    "telephone": (
        "phone phonenumber tel telephonenumber",
        (("telephone",), ("contactPoint", "telephone")),
        (),
    ),
    "email": ("emailaddress mail", (("email",), ("contactPoint", "email")), ()),
    "address": ("", (("address",),), ()),
    "street": (
        "streetaddress",
        (("address", "streetAddress"), ("location", "address", "streetAddress")),
        (),
    ),
    "postalcode": (
        "zip zipcode postcode",
        (("address", "postalCode"), ("location", "address", "postalCode")),
        (),
    ),
    "city": (
        "addresslocality locality",
        (("address", "addressLocality"), ("location", "address", "addressLocality")),
        (),
    ),
    "country": ("addresscountry", (("address", "addressCountry"),), ()),
    "datepublished": (
        "published publicationdate publisheddate publishedat",
        (("datePublished",),),
        ("article:published_time",),
    ),
    "datemodified": (
        "modified updated lastmodified modifieddate",
        (("dateModified",),),
        ("article:modified_time",),
    ),
    "author": ("authors authorname writer", (("author",),), ("author",)),
    "publisher": ("", (("publisher",),), ()),
    "startdate": ("", (("startDate",),), ()),
    "enddate": ("", (("endDate",),), ()),
    "image": ("imageurl", (("image",), ("image", "url")), ("og:image",)),
    "sitename": ("", (), ("og:site_name",)),
}
_BY_NAME = {
    synonym: name
    for name, (synonyms, _, _) in _PROPERTIES.items()
    for synonym in (name, *synonyms.split())
}
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]{1,63}")
_NOT_WORD = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PLAIN = """
    a an the of in on at to for by with as is its this that and or what which value full exact
    number page main item site website listed shown stated given currency unit eur usd gbp euro
    euros dollar dollars pounds string text format iso date day time url when it was who wrote
    written first publication published contact postal street e mail called costs cost amount
"""
_PLAIN_WORDS = frozenset(_PLAIN.split())
"""Words of a description that say no more than the name of the field."""
_BUSINESSES = (
    "Organization Corporation LocalBusiness Restaurant Hotel Store NGO EducationalOrganization"
    " CollegeOrUniversity Museum Dentist Physician Hospital NewsMediaOrganization LodgingBusiness"
)
_THINGS = {
    "product": "Product ProductGroup IndividualProduct Book Vehicle Car SoftwareApplication",
    "article": "Article NewsArticle BlogPosting TechArticle Report ScholarlyArticle",
    "post": "BlogPosting",
    "book": "Book",
    "movie": "Movie",
    "film": "Movie",
    "event": "Event MusicEvent",
    "recipe": "Recipe",
    "job": "JobPosting",
    "course": "Course",
    "person": "Person",
    **dict.fromkeys(
        ("company", "organisation", "organization", "business", "firm", "shop", "store"),
        _BUSINESSES,
    ),
    "restaurant": "Restaurant",
    "hotel": "Hotel LodgingBusiness",
    "place": f"Place {_BUSINESSES}",
    "manufacturer": "",
    "publisher": "",
    "author": "",
    "brand": "",
}
"""Types that a word of a description may mean."""


def is_about(field: FieldDefinition, kinds: frozenset[str]) -> bool:
    """Return False if *field* says that it is of a thing of none of *kinds*, types of schema.org:
    ``product_name``, or ``name`` with *the name of the company*."""
    name = normalised(field.name)
    words = {*_words(field.name), *_words(field.description)} - {name}
    if _BY_NAME.get(name) in words:
        words.discard(_BY_NAME[name])
    stated = [_THINGS[word].split() for word in words if word in _THINGS]
    return all(not kinds.isdisjoint(types) for types in stated)


class Property:
    """Where the value of a field may stand.

    :ivar paths: in nodes of linked data, the best first
    :ivar meta: names of ``<meta>``
    :ivar labels: normalised labels of infoboxes
    """

    def __init__(self, paths: Paths, meta: tuple[str, ...], labels: frozenset[str]) -> None:
        self.paths, self.meta, self.labels = paths, meta, labels


def property_of(field: FieldDefinition, keys: frozenset[str] = frozenset()) -> Property | None:
    """Return where the value of *field* may stand; None if its description says that it is more
    than its name: ``name`` with *the name of the founder* is not that of the page's subject.

    :param keys: names of properties of the subject: a field of the same name is that property
    """
    name = normalised(field.name)
    known = _BY_NAME.get(name)
    synonyms = {s for s, of in _BY_NAME.items() if of == known} if known else {name}
    words = (
        set(_words(field.description))
        - _PLAIN_WORDS
        - _THINGS.keys()
        - synonyms
        - set(_words(field.name))
    )
    if {word for word in words if not _is_part(word, synonyms)}:
        return None
    _, paths, meta = _PROPERTIES[known] if known else ("", (), ())
    own = tuple((key,) for key in sorted(keys) if _KEY.fullmatch(key) and normalised(key) == name)
    return Property(
        paths + tuple(path for path in own if path not in paths), meta, frozenset(synonyms)
    )


def normalised(name: str) -> str:
    """Return *name* in lower case, without anything but letters and digits."""
    return _NOT_WORD.sub("", name[:200]).lower()


def _words(text: str) -> list[str]:
    return [word.lower() for word in _NOT_WORD.split(_CAMEL.sub(" ", text)) if word]


def _is_part(word: str, names: set[str]) -> bool:
    return len(word) > 2 and any(word in name for name in names)

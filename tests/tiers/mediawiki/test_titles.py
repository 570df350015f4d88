"""Conversion between URLs and titles of pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wikicrawler.tiers.mediawiki.site import WikiSite, read_siteinfo
from wikicrawler.tiers.mediawiki.titles import PageRef, is_legal, normalise, page_of, url_of

DATA = Path(__file__).parent / "data"
API = "https://wiki.example/api.php"


def wiki(
    articlepath: str = "/wiki/$1",
    scriptpath: str = "/w",
    server: str = "https://wiki.example",
    **general: object,
) -> WikiSite:
    """Return the recorded wiki with another URL layout."""
    recorded = json.loads((DATA / "siteinfo_v2.json").read_text())
    recorded["query"]["general"] |= {
        "articlepath": articlepath,
        "scriptpath": scriptpath,
        "server": server,
        **general,
    }
    site = read_siteinfo(json.dumps(recorded).encode(), {}, 200, f"{server}{scriptpath}/api.php")
    assert isinstance(site, WikiSite)
    return site


def german(**general: object) -> WikiSite:
    """Return a case-sensitive wiki with localised namespaces."""
    recorded = json.loads((DATA / "siteinfo_v2.json").read_text())
    query = recorded["query"]
    query["general"] |= {"lang": "de", "case": "case-sensitive", **general}
    for number, name in ((6, "Datei"), (14, "Kategorie"), (2, "Benutzer"), (-1, "Spezial")):
        query["namespaces"][str(number)]["name"] = name
    query["namespaces"]["0"]["case"] = query["namespaces"]["14"]["case"] = "case-sensitive"
    query["namespacealiases"] = [{"id": 2, "alias": "Benutzerin"}, {"id": 6, "alias": "Bild"}]
    site = read_siteinfo(json.dumps(recorded).encode(), {}, 200, API)
    assert isinstance(site, WikiSite)
    return site


SITE = wiki()
HOST = "https://wiki.example"

PAGES = [
    # the article path
    ("/wiki/Thrall", "Thrall"),
    ("/wiki/Thrall_(ship)", "Thrall (ship)"),
    ("/wiki/Thrall%20(ship)", "Thrall (ship)"),
    ("/wiki/Thrall (ship)", "Thrall (ship)"),
    ("/wiki/Thrall%28ship%29", "Thrall(ship)"),
    ("/wiki/__Foo___bar_", "Foo bar"),
    ("/wiki/Foo%C2%A0bar%E3%80%80baz", "Foo bar baz"),
    ("/wiki/Foo%E2%80%8Ebar", "Foobar"),
    ("/wiki/thrall", "Thrall"),
    ("/wiki/%C3%A9quipe", "Équipe"),
    ("/wiki/%c3%89quipe", "Équipe"),
    ("/wiki/Équipe", "Équipe"),
    ("/wiki/E%CC%81quipe", "Équipe"),
    ("/wiki/%D1%82%D1%80%D0%B0%D0%BB%D0%BB", "Тралл"),
    ("/wiki/サル", "サル"),
    ("/wiki/Emoji_%F0%9F%98%80_page", "Emoji 😀 page"),
    # characters with a meaning elsewhere in a URL
    ("/wiki/C%2B%2B", "C++"),
    ("/wiki/C++", "C++"),
    ("/wiki/AT%26T", "AT&T"),
    ("/wiki/AT&T", "AT&T"),
    ("/wiki/What_is_love%3F", "What is love?"),
    ("/wiki/What_is_love?", "What is love"),
    ("/wiki/100%25_Orc", "100% Orc"),
    ("/wiki/100%_Orc", "100% Orc"),
    ("/wiki/Who%3F_What_%26_Why_%2B_5%25", "Who? What & Why + 5%"),
    ("/wiki/Foo%3Faction%3Dedit", "Foo?action=edit"),
    ("/wiki/Foo%26action%3Draw", "Foo&action=raw"),
    ("/wiki/Semi;_colon:_x", "Semi; colon: x"),
    ("/wiki/Caret_%5E_back%5Cslash", "Caret ^ back\\slash"),
    ("/wiki/%27", "'"),
    ("/wiki/Dollar_$1", "Dollar $1"),
    # subpages and slashes
    ("/wiki/A/B/C", "A/B/C"),
    ("/wiki/A%2FB%2fC", "A/B/C"),
    ("/wiki/Parent/", "Parent/"),
    ("/wiki//Leading", "/Leading"),
    ("/wiki/Wiki/Nested", "Wiki/Nested"),
    ("/wiki/Index.php", "Index.php"),
    ("/wiki/.NET", ".NET"),
    # namespaces
    ("/wiki/Category:Orcs", "Category:Orcs"),
    ("/wiki/category:orcs", "Category:Orcs"),
    ("/wiki/CATEGORY%3A_orcs", "Category:Orcs"),
    ("/wiki/Image:X.png", "File:X.png"),
    ("/wiki/File:x.png", "File:X.png"),
    ("/wiki/Image_talk:X.png", "File talk:X.png"),
    ("/wiki/Project:About", "Test Wiki:About"),
    ("/wiki/Test_wiki__:__about", "Test Wiki:About"),
    ("/wiki/User_talk:someone/Sub", "User talk:Someone/Sub"),
    ("/wiki/Gadget:lower", "Gadget:lower"),  # case-sensitive in this wiki
    ("/wiki/Colon:Not_a_namespace", "Colon:Not a namespace"),
    ("/wiki/:Orc", "Orc"),
    ("/wiki/:Category:Orcs", "Category:Orcs"),
    # parameters that do not make another page, fragments
    ("/wiki/Thrall#Early_life", "Thrall"),
    ("/wiki/Thrall?utm_source=x&useskin=vector", "Thrall"),
    ("/wiki/Thrall?variant=zh-hans&uselang=de", "Thrall"),
    ("/wiki/Thrall?redirect=no", "Thrall"),
    ("/wiki/Thrall?action=view", "Thrall"),
    ("/wiki/Thrall?oldid=0", "Thrall"),
    ("/wiki/Orc?title=Thrall", "Orc"),
    ("/wiki/Orc?utm_source=%FF", "Orc"),
    # the script
    ("/w/index.php?title=Thrall", "Thrall"),
    ("/w/index.php?title=Thrall_(ship)&redirect=no", "Thrall (ship)"),
    ("/w/index.php?title=Thrall+%28ship%29", "Thrall (ship)"),
    ("/w/index.php?title=C%2B%2B", "C++"),
    ("/w/index.php?title=AT%26T&action=view", "AT&T"),
    ("/w/index.php?title=Orc&title=Thrall", "Thrall"),
    ("/w/index.php/Thrall", "Thrall"),
    ("/w/index.php/A/B", "A/B"),
    ("/?title=Thrall", "Thrall"),
    ("/w/?title=Thrall", "Thrall"),
    # the main page
    ("", "Main Page"),
    ("/", "Main Page"),
    ("/?utm_source=x", "Main Page"),
    ("/wiki", "Main Page"),
    ("/wiki/", "Main Page"),
    ("/w/index.php", "Main Page"),
    ("/w/index.php/", "Main Page"),
    ("/w/index.php?title=", "Main Page"),
]


@pytest.mark.parametrize(("path", "title"), PAGES)
def test_url_names_a_page(path: str, title: str) -> None:
    found = page_of(HOST + path, SITE)
    assert found is not None
    assert (found.title, found.pageid) == (title, None)
    assert found.namespace == SITE.namespace_of(title)[0]


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("/w/index.php?curid=14", 14),
        ("/?curid=14", 14),
        ("/wiki/Orc?curid=14", 14),  # the number takes precedence, as in MediaWiki
        ("/w/index.php?pageid=14", 14),
    ],
)
def test_url_names_a_page_by_number(path: str, number: int) -> None:
    assert page_of(HOST + path, SITE) == PageRef(pageid=number)


def test_an_invalid_number_is_ignored() -> None:
    for number in ("0", "x", "-1", "1" * 5000, "²"):
        assert page_of(f"{HOST}/wiki/Orc?curid={number}", SITE) == PageRef("Orc", namespace=0)
        assert page_of(f"{HOST}/?curid={number}", SITE) is None


@pytest.mark.parametrize(
    "path",
    [
        # other views of a page
        "/w/index.php?title=Thrall&action=edit",
        "/w/index.php?title=Thrall&action=edit&redlink=1",
        "/w/index.php?title=Thrall&action=history",
        "/w/index.php?title=Thrall&action=raw",
        "/wiki/Thrall?action=edit&section=2",
        "/wiki/Thrall?action=",
        "/wiki/Thrall?veaction=edit",
        "/w/index.php?title=Thrall&oldid=12",
        "/w/index.php?oldid=12",
        "/w/index.php?title=Thrall&diff=prev&oldid=12",
        "/w/index.php?diff=12",
        "/w/index.php?title=Thrall&printable=yes",
        "/w/index.php?title=Thrall&feed=atom",
        "/w/index.php?search=orc",
        "/?search=orc",
        # no page at all
        "/wiki/Special:Random",
        "/wiki/special:RecentChanges",
        "/wiki/Media:X.png",
        "/w/index.php?title=Special:Search&search=x",
        "/w/api.php?action=parse&page=Thrall",
        "/w/api.php",
        "/w/load.php?modules=x",
        "/w/rest.php/v1/page/Thrall",
        "/images/a/ab/X.png",
        "/robots.txt",
        "/Thrall",
        "/wikis/Thrall",
        # titles that MediaWiki refuses
        "/wiki/A%5Bb%5D",
        "/wiki/A%7Bb",
        "/wiki/A%7Cb",
        "/wiki/A%3Cb%3E",
        "/wiki/A%23b",
        "/wiki/A%00b",
        "/wiki/A%0Ab",
        "/wiki/A%7Fb",
        "/wiki/100%2525_Orc",
        "/wiki/AT%26amp%3BT",
        "/wiki/A%EF%BF%BDb",
        "/wiki/~~~",
        "/wiki/.",
        "/wiki/..",
        "/wiki/A/../B",
        "/wiki/A/.",
        "/wiki/___",
        "/wiki/:",
        "/wiki/::A",
        "/wiki/Category:",
        "/wiki/Category::A",
        "/wiki/Talk:File:X.png",
        "/wiki/" + "A" * 256,
        "/wiki/" + "%D0%AF" * 128,
        # no UTF-8
        "/wiki/%E9quipe",
        "/wiki/%ED%A0%80",
        "/wiki/\ud800",
        "/w/index.php?title=%FF",
    ],
)
def test_url_that_is_not_a_page(path: str) -> None:
    assert page_of(HOST + path, SITE) is None


def test_longest_title() -> None:
    for title in ("A" * 255, "Category:" + "A" * 255):  # the namespace does not count
        assert page_of(f"{HOST}/wiki/{title}", SITE) is not None


@pytest.mark.parametrize(
    "host",
    [
        "https://wiki.example",
        "http://wiki.example",
        "https://WIKI.Example",
        "https://wiki.example:443",
        "http://wiki.example:80",
        "https://wiki.example.",
        "https://m.wiki.example",
        "https://www.wiki.example",
    ],
)
def test_other_names_of_the_host(host: str) -> None:
    assert page_of(f"{host}/wiki/Orc", SITE) == PageRef("Orc", namespace=0)


@pytest.mark.parametrize(
    "url",
    [
        "https://other.example/wiki/Orc",
        "https://wiki.example.other.example/wiki/Orc",
        "https://de.wiki.example/wiki/Orc",
        "https://wiki.example:8080/wiki/Orc",
        "https://wiki.example:99999/wiki/Orc",
        "https://[::1/wiki/Orc",
        "ftp://wiki.example/wiki/Orc",
        "javascript:alert(1)",
        "//wiki.example/wiki/Orc",
        "/wiki/Orc",
        "",
    ],
)
def test_other_hosts_and_invalid_urls(url: str) -> None:
    assert page_of(url, SITE) is None


def test_mobile_host_of_a_subdomain() -> None:
    site = wiki(server="https://en.wikipedia.org")
    for host in ("en.wikipedia.org", "en.m.wikipedia.org"):
        assert page_of(f"https://{host}/wiki/Orc", site) == PageRef("Orc", namespace=0)
    assert page_of("https://de.m.wikipedia.org/wiki/Orc", site) is None


LAYOUTS = [
    # article path, script path, URL of "Thrall (ship)", further URLs of it, URLs of the main page
    ("/$1", "", "/Thrall_(ship)", ["/index.php?title=Thrall_(ship)"], ["/", "", "/index.php"]),
    ("/w/$1", "/w", "/w/Thrall_(ship)", ["/w/index.php?title=Thrall_(ship)"], ["/w", "/w/"]),
    (
        "/index.php/$1",
        "",
        "/index.php/Thrall_(ship)",
        ["/?title=Thrall_(ship)"],
        ["/", "/index.php"],
    ),
    (
        "/index.php?title=$1",
        "",
        "/index.php?title=Thrall_(ship)",
        ["/index.php/Thrall_(ship)"],
        ["/", "/index.php"],
    ),
    ("/?title=$1", "", "/?title=Thrall_(ship)", ["/index.php?title=Thrall (ship)"], ["/"]),
    ("/p?t=$1", "/w", "/p?t=Thrall_(ship)", ["/w/index.php?title=Thrall_(ship)"], ["/"]),
    ("/de/wiki/$1", "/de", "/de/wiki/Thrall_(ship)", [], ["/de", "/de/", "/de/wiki", "/de/wiki/"]),
    ("/a/$1/view", "/w", "/a/Thrall_(ship)/view", [], ["/", "/w/index.php"]),
    ("/вики/$1", "/w", "/вики/Thrall_(ship)", ["/%D0%B2%D0%B8%D0%BA%D0%B8/Thrall_(ship)"], ["/"]),
    ("https://wiki.example/x/$1", "/w", "/x/Thrall_(ship)", [], ["/x/", "/"]),
    ("//wiki.example/x/$1", "/w", "/x/Thrall_(ship)", [], ["/x/", "/"]),
]


@pytest.mark.parametrize(("articlepath", "scriptpath", "own", "more", "main"), LAYOUTS)
def test_url_layouts(
    articlepath: str, scriptpath: str, own: str, more: list[str], main: list[str]
) -> None:
    site = wiki(articlepath, scriptpath)
    assert url_of("Thrall (ship)", site) == HOST + own
    for path in [own, *more]:
        assert page_of(HOST + path, site) == PageRef("Thrall (ship)", namespace=0)
    for path in main:
        assert page_of(HOST + path, site) == PageRef("Main Page", namespace=0)


def test_root_of_a_host_is_not_the_main_page_of_a_wiki_below_it() -> None:
    assert page_of(HOST + "/", wiki("/de/wiki/$1", "/de")) is None
    assert page_of(HOST + "/wiki/Orc", wiki("/de/wiki/$1", "/de")) is None


def test_entry_points_of_a_wiki_whose_pages_are_at_the_root() -> None:
    site = wiki("/$1", "")
    assert page_of(HOST + "/api.php?action=query", site) is None
    assert page_of(HOST + "/load.php", site) is None
    assert page_of(HOST + "/Api.php", site) == PageRef("Api.php", namespace=0)


def test_pages_on_another_host_of_the_site() -> None:
    site = wiki("https://pages.example.org/$1", "/w", "https://api.example.org")
    assert url_of("Orc", site) == "https://pages.example.org/Orc"
    assert page_of("https://pages.example.org/orc", site) == PageRef("Orc", namespace=0)


def test_main_page_unknown() -> None:
    site = WikiSite.default(API)
    assert page_of(HOST + "/", site) is None
    assert page_of(HOST + "/wiki/", site) is None


def test_main_page_at_the_root() -> None:
    site = wiki(mainpageisdomainroot=True)
    assert url_of("Main Page", site) == HOST + "/"
    assert url_of("Orc", site) == HOST + "/wiki/Orc"


def test_local_names_and_case() -> None:
    site = german()
    for path, title in {
        "Bild:x.png": "Datei:X.png",
        "File:x.png": "Datei:X.png",
        "benutzerin:anna": "Benutzer:Anna",
        "kategorie:orks": "Kategorie:orks",  # case-sensitive, the others are not
        "Category:Orks": "Kategorie:Orks",
        "ork": "ork",
        "kafe%CC%81": "kafé",
        "Ork": "Ork",
    }.items():
        found = page_of(f"{HOST}/wiki/{path}", site)
        assert found is not None
        assert found.title == title
    assert page_of(f"{HOST}/wiki/Spezial:Version", site) is None


def test_turkish_i() -> None:
    assert normalise("istanbul", wiki(lang="tr")) == PageRef("İstanbul", namespace=0)
    assert normalise("istanbul", wiki(lang="en")) == PageRef("Istanbul", namespace=0)


def test_letters_that_wikis_capitalise_differently_are_unchanged() -> None:
    for title in ("ßa", "თბილისი", "ﬁx", "ŉa"):
        assert normalise(title, SITE) == PageRef(title, namespace=0)


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("C++", "C%2B%2B"),
        ("AT&T", "AT%26T"),
        ("100% Orc", "100%25_Orc"),
        ("Who? What & Why + 5%", "Who%3F_What_%26_Why_%2B_5%25"),
        ("A/B testing", "A/B_testing"),
        ("Quote \"x\" and 'y'", "Quote_%22x%22_and_%27y%27"),
        ("Semi; colon: x", "Semi;_colon:_x"),
        ("Comma, dot. (paren)", "Comma,_dot._(paren)"),
        ("Équipe", "%C3%89quipe"),
        ("Emoji 😀 page", "Emoji_%F0%9F%98%80_page"),
        ("Equals = sign", "Equals_%3D_sign"),
        ("Tilde ~ x", "Tilde_~_x"),
        ("Star * page", "Star_*_page"),
        ("At @ page", "At_@_page"),
        ("Dollar $1", "Dollar_$1"),
        ("Caret ^ back\\slash", "Caret_%5E_back%5Cslash"),
        ("!", "!"),
        ("/Leading", "/Leading"),
        ("Foo?action=edit", "Foo%3Faction%3Dedit"),
        ("Test Wiki:About", "Test_Wiki:About"),
        ("It`s", "It%60s"),
    ],
)
def test_url_is_written_as_mediawiki_writes_it(title: str, path: str) -> None:
    """The expected paths are from links generated by MediaWiki 1.39."""
    assert url_of(title, SITE) == f"{HOST}/wiki/{path}"


SITES = [wiki(article, script) for article, script, *_ in LAYOUTS] + [SITE, german()]
TITLES = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs", "Cc"]),
        st.sampled_from("/:.%&+?=;~ _ij'\"\\"),
    ),
    min_size=1,
    max_size=80,
)


@given(TITLES, st.sampled_from(["", "category:", "Image talk:", "test_wiki:", ":"]))
@example("index.php", "")
@example("api.php", "")
@example("$1", "")
@example("Main Page", "")
@example("ıx", "")
def test_round_trip(text: str, namespace: str) -> None:
    for site in SITES:
        found = normalise(namespace + text, site)
        assume(found is not None)
        assert found is not None
        if found.namespace is None or found.namespace < 0:
            continue
        assert found.title is not None
        assert normalise(found.title, site) == found
        assert page_of(url_of(found.title, site), site) == found


@given(st.text(st.characters(), max_size=200))
def test_arbitrary_text_does_not_raise(text: str) -> None:
    for url in (text, HOST + text, f"{HOST}/wiki/{text}", f"{HOST}/w/index.php?{text}"):
        found = page_of(url, SITE)
        assert found is None or found.pageid or is_legal(found.title or "")

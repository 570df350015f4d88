"""Which URLs give a trap away, which are of one family, and which are the same page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LIMIT, growth
from tests.servers.traps import good_pages
from wikicrawler.scope.traps import LeftOut, canonical, family_of, rule_against

HOST = "https://site.example"
YEAR = 2026
HEX = "9682993c8daa2c5497996114facdc805"

TRAPS = {
    LeftOut.REPEATING_PATH: [
        "/a/a/a/a",
        "/news/news/news/news/",
        "/x/a/b/a/b/a/b/index.html",
        "/a/b/c/a/b/c/a/b/c",
        "/2024/news/2024/news/2024/news",
        "/en/de/en/de/en/de?view=1",
    ],
    LeftOut.DEEP_PATH: ["/" + "/".join(f"part-{n}" for n in range(31))],
    LeftOut.FAR_DATE: [
        "/calendar/2032/01",
        "/calendar/2032/1/",
        "/events/2041/12/31/",
        "/events/2041-12-31",
        "/cal?date=2041-12-31&view=day",
        "/cal?month=2041-12",
        "/cal?d=2041/12/31",
        "/cal?year=2041&month=12",
        "/cal?tribe_month=3&tribe_year=2041",
    ],
}
GOOD = [
    # wikis
    *("/wiki/Foo/Foo/Foo", "/wiki/2001:_A_Space_Odyssey", "/wiki/2045", "/wiki/November_2045"),
    *("/index.php?title=Foo/Foo/Foo&oldid=12", "/w/index.php?title=Talk:Foo&action=history"),
    "/wiki/Solar_eclipse_of_August_12,_2045",
    # archives by date, and dates that are the subject
    *("/2024/05/17/title", "/2024/05/", "/2031/12/", "/2045/08/12/eclipse", "/1863/07/04/battle"),
    *("/agenda/2030", "/vision-2050", "/eclipse-2045-08-12-total", "/magazine/2024-05"),
    *("/standards/9001/2015", "/parts/3042-11", "/rfc/2616", "/page/2101", "/film/2001"),
    # lists and shops
    *("/list?page=300", "/shop?colour=red&size=m&brand=x&sort=price", "/p/4711?variant=12"),
    *("/product.php?id=2045", "/index.php?route=product/product&product_id=42&year=1999"),
    # manuals, trees, maps
    *("/en/latest/en/install", "/en/latest/en/latest/x", "/docs/a/b/a/b", "/tiles/0/0/0/0"),
    *("/10/0/0/0", "/1/2/1/2/1/2", "/a/src/main/java/org/a/main/java/org/a/Main.java"),
    "/" + "/".join(f"part-{n}" for n in range(30)),
]


@pytest.mark.parametrize(("rule", "path"), [(rule, p) for rule, ps in TRAPS.items() for p in ps])
def test_a_trap_is_told_by_its_url(rule: LeftOut, path: str) -> None:
    assert rule_against(HOST + path, YEAR) is rule


@pytest.mark.parametrize("path", GOOD)
def test_a_good_url_that_looks_like_a_trap_is_none(path: str) -> None:
    assert rule_against(HOST + path, YEAR) is None


def test_no_rule_speaks_against_a_page_of_the_good_site() -> None:
    assert [path for path in good_pages() if rule_against(HOST + path, YEAR)] == []


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        (f"/forum/3;jsessionid={HEX}", "/forum/3"),
        (f"/forum/3;jsessionid={HEX.upper()}.node2?a=1", "/forum/3?a=1"),
        (f"/forum/3?sid={HEX}", "/forum/3"),
        (f"/forum/3?sid={HEX}&a=1", "/forum/3?a=1"),
        (f"/forum/3?a=1&sid={HEX}&b=2", "/forum/3?a=1&b=2"),
        (f"/forum/3?a=1&PHPSESSID={HEX}", "/forum/3?a=1"),
        (f"/forum/3?a=1&s={HEX}", "/forum/3?a=1"),
        ("/shop?CFID=123&CFTOKEN=456&p=1", "/shop?p=1"),
        ("/(S(lit3py55t21z5v55vlm25s55))/orders.aspx", "/orders.aspx"),
    ],
)
def test_a_sessions_number_does_not_make_another_page(url: str, bare: str) -> None:
    assert canonical(HOST + url) == HOST + bare


@pytest.mark.parametrize(
    "path",
    [
        "/conference?session_id=17",
        "/conference?session=building-better-crawlers-2024-part-2",
        "/timetable?sid=Berlin2024",
        f"/file?id={HEX}",
        f"/search?s={HEX}0",
        "/wiki/Foo_(S)/bar",
        "/matrix;sidebar=1/x",
        "/a?inside=12345678901234567890",
        "/?",
    ],
)
def test_what_only_looks_like_a_session_is_left_as_it_is(path: str) -> None:
    url = HOST + path
    assert canonical(url) is url


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/list?page=1", "/list?page=20"),
        ("/shop?a=1&b=2", "/shop?b=7&a=0"),
        ("/search?f[0]=x&f[1]=y", "/search?f[7]=z&f[12]=q"),
        ("/calendar/2026/11", "/calendar/1999/3/"),
        ("/calendar/2026-11.html", "/calendar/2027-12.html"),
        (f"/t/{HEX}/rules", f"/t/{HEX[::-1]}/rules"),
        ("/manual/a/b/c", "/manual/c/b/a/b"),
    ],
)
def test_pages_that_a_machine_makes_are_of_one_family(one: str, other: str) -> None:
    assert family_of(HOST + one) == family_of(HOST + other) is not None


def test_pages_with_names_are_of_none() -> None:
    for path in ("", "/", "/about", "/wiki/Foo", "/wiki/%E4%B8%AD%E5%9B%BD", "/docs/install/"):
        assert family_of(HOST + path) is None


@given(st.text(max_size=300))
def test_nothing_that_a_page_links_to_raises(text: str) -> None:
    for url in (HOST + text, HOST + "/" + text, HOST + "?" + text, HOST + "/x/y/" + text):
        assert canonical(canonical(url)) == canonical(url)
        rule_against(url, YEAR)
        family_of(url)


# What the rules look for: the definitions, in a time that grows with a power of the length.
_ONE_REPEATED = re.compile(r"(/[^/]*[^/0-9][^/]*)\1{3}(?=/|\Z)")
_SOME_REPEATED = re.compile(r"((?:/[0-9]+)*/[^/]*[^/0-9][^/]*(?:/[^/]+){0,5})\1\1(?=/|\Z)")
_YEAR = re.compile(r"[?&][^=&]*(?:year|yr|jahr)[^=&]*=(2[0-9]{3})(?=&|\Z)", re.IGNORECASE)
_SID = re.compile(
    r"([?&])(?:sid|session_?id)=(?=(?:[^&]*?[0-9]){3})[0-9a-z]{16,}(?=&|\Z)", re.IGNORECASE
)

SEGMENTS = st.lists(st.sampled_from(["", "0", "12", "a", "b", "a0", "aa", "²", "é"]), max_size=29)
BLOCKS = st.tuples(SEGMENTS, SEGMENTS.filter(bool), SEGMENTS).map(
    lambda parts: [*parts[0], *parts[1] * 3, *parts[2]][:29]
)
PARTS = ["a", "m", "M", "?", "&", "=", "year", "JAHR", "yr", "2041", "2030", "20410", "ſ", "/"]


@given(st.one_of(SEGMENTS, BLOCKS))
def test_a_path_repeats_itself_as_the_definition_says(segments: list[str]) -> None:
    path = "".join(f"/{segment}" for segment in segments)
    parts = path.split("/")
    defined = len(parts) - len(set(parts)) > 2 and bool(
        _ONE_REPEATED.search(path) or _SOME_REPEATED.search(path)
    )
    rule = rule_against(f"http://h{path}?x", YEAR)
    assert (rule is LeftOut.REPEATING_PATH) == (defined and len(segments) > 3)


@given(st.lists(st.sampled_from(PARTS), max_size=20).map("".join))
def test_a_parameter_states_a_year_as_the_definition_says(query: str) -> None:
    url = f"{HOST}/a&b?m{query}"
    found = _YEAR.search(url)
    far = found is not None and int(found[1]) > YEAR + 5
    if rule_against(f"{HOST}/a&b?{query}".replace("m", "x").replace("M", "x"), YEAR) is None:
        assert (rule_against(url, YEAR) is LeftOut.FAR_DATE) == far


@given(st.lists(st.sampled_from(["a1b2", "0123456789", "x" * 16, *"?&=.S"]), max_size=8))
def test_a_number_of_a_session_is_what_the_definition_says(parts: list[str]) -> None:
    for name in ("sid", "SessionId"):
        url = f"{HOST}/a?{name}={''.join(parts)}"
        assert (canonical(url) != url) == bool(_SID.search(url))


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        ("/x/y/x/z/x/w/x/", "a"),
        ("/x/1/1/x/1/1/x/1/", "1"),
        ("/x?m", "?year"),
        ("/x?m", "year"),
        ("/x?m", "&year=2"),
        ("/x?m", "?"),
        ("/x/", "2041-1"),
        ("/x?", "=2041-01-0"),
        ("/x?", "?sid="),
        ("/x?sid=", "a"),
        ("/x?sid=", "a1"),
        ("/x", "/(S(aaaaaaaaaaaaaaaaaaaaaaa)"),
        ("/x/(", "S(aaaaaaaaaaaaaaaaaaaaaaa)"),
        ("/x/1", ";sid=1"),
        ("/x?1", "&"),
        ("/x/", "%41"),
        ("/x/", "abcdef-g"),
    ],
)
@pytest.mark.parametrize("function", [canonical, lambda url: rule_against(url, YEAR), family_of])
def test_the_time_to_judge_a_url_is_linear(function, start: str, piece: str) -> None:
    assert growth(function, lambda size: HOST + start + piece * size, 1_000) < LIMIT

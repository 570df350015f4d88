"""The demonstration wiki over HTTP."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import lxml.html
import pytest

from wikicrawler.demo import DemoWiki

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = '"><script>alert(1)</script>'


class Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.text)


def get(wiki: DemoWiki, target: str, method: str = "GET") -> Reply:
    """Send a request; do not follow redirects."""
    connection = http.client.HTTPConnection(wiki.url.removeprefix("http://"), timeout=120)
    try:
        connection.request(method, target)
        response = connection.getresponse()
        return Reply(response.status, response.headers, response.read().decode())
    finally:
        connection.close()


def query_api(wiki: DemoWiki, parameters: str, version: int = 2) -> Reply:
    return get(wiki, f"/api.php?format=json&formatversion={version}&{parameters}")


@pytest.fixture(scope="module")
def wiki() -> Iterator[DemoWiki]:
    with DemoWiki() as running:
        yield running


# ---- pages for readers


def test_a_page_is_a_complete_mediawiki_document(wiki: DemoWiki) -> None:
    reply = get(wiki, "/wiki/Honey_bee")
    page = lxml.html.document_fromstring(reply.text)

    assert reply.status == 200
    assert reply.headers["Content-Type"] == "text/html; charset=UTF-8"
    assert page.findtext(".//title") == "Honey bee - Apiary Handbook"
    assert page.xpath("string(//link[@rel='EditURI']/@href)") == f"{wiki.api}?action=rsd"
    assert page.xpath("//div[@id='mw-content-text']/div[@class='mw-parser-output']/table")
    assert page.xpath("//div[@id='catlinks']//a/text()") == ["Category", "Bees"]


@pytest.mark.parametrize(
    "title",
    [
        "Frame/Dimensions",
        "Why_is_my_colony_dwindling?",
        "Smoker_&_hive_tool",
        "Honey_+_comb",
        "Warré_hive",
        "養蜂",
        "Пчеловодство",
    ],
)
def test_a_title_with_special_characters_is_found(wiki: DemoWiki, title: str) -> None:
    for target in (f"/wiki/{quote(title)}", f"/index.php?title={quote(title, safe='')}"):
        reply = get(wiki, target)
        assert reply.status == 200
        heading = lxml.html.document_fromstring(reply.text).xpath("string(//h1)")
        assert heading == title.replace("_", " ")


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/wiki/bee_space", "/wiki/Bee_space"),
        ("/wiki/Bee%20space", "/wiki/Bee_space"),
        ("/index.php?title=bee+space", "/wiki/Bee_space"),
        ("/wiki/help:editing", "/wiki/Help:Editing"),
        ("/wiki/Project:About", "/wiki/Apiary_Handbook:About"),
        ("/wiki/", "/wiki/Main_Page"),
        ("/index.php", "/wiki/Main_Page"),
        ("/wiki/x%0D%0ASet-Cookie:a", None),
    ],
)
def test_another_spelling_redirects_to_the_title(
    wiki: DemoWiki, target: str, path: str | None
) -> None:
    reply = get(wiki, target)
    if path is None:
        assert reply.status == 404
        assert "Set-Cookie" not in reply.headers
    else:
        assert (reply.status, reply.headers["Location"]) == (301, wiki.url + path)


def test_the_root_redirects_to_the_main_page(wiki: DemoWiki) -> None:
    reply = get(wiki, "/")
    assert (reply.status, reply.headers["Location"]) == (302, f"{wiki.url}/wiki/Main_Page")


def test_a_redirect_shows_its_target(wiki: DemoWiki) -> None:
    page = lxml.html.document_fromstring(get(wiki, "/wiki/Sugar_syrup").text)

    assert page.xpath("string(//h1)") == "Feeding"
    assert page.xpath("string(//*[@class='mw-redirectedfrom']/a)") == "Sugar syrup"
    canonical = page.xpath("string(//link[@rel='canonical']/@href)")
    assert canonical == f"{wiki.url}/wiki/Feeding#Mixing_syrup"


def test_a_page_is_found_by_its_id(wiki: DemoWiki) -> None:
    number = query_api(wiki, "action=parse&page=Drone").json["parse"]["pageid"]

    for target in (f"/index.php?curid={number}", f"/?curid={number}"):
        reply = get(wiki, target)
        assert reply.status == 200
        assert "<title>Drone - " in reply.text
    assert get(wiki, "/index.php?curid=99999").status == 404
    assert get(wiki, "/index.php?curid=x").status == 404


@pytest.mark.parametrize("title", ["Skep", "Talk:Honey", "Special:Random", "A b"])
def test_a_missing_page_is_a_404_that_names_it(wiki: DemoWiki, title: str) -> None:
    reply = get(wiki, f"/wiki/{quote(title.replace(' ', '_'))}")
    assert reply.status == 404
    assert lxml.html.document_fromstring(reply.text).xpath("string(//h1)") == title


@pytest.mark.parametrize(
    "title", ["A[B", "<b>", "a|b", "x" * 256, "../x", "%41%2541", "wikipedia:Bee", "#a", "~~~"]
)
def test_a_bad_title_is_a_404(wiki: DemoWiki, title: str) -> None:
    reply = get(wiki, f"/wiki/{quote(title)}")
    assert reply.status == 404
    assert "<title>Bad title - " in reply.text


def test_a_title_in_invalid_utf8_is_a_bad_title(wiki: DemoWiki) -> None:
    assert "<title>Bad title - " in get(wiki, "/wiki/%E9%A4").text


@pytest.mark.parametrize(
    "target",
    [
        f"/wiki/{quote(HOSTILE)}",
        f"/wiki/{quote(HOSTILE.replace('<', '').replace('>', ''))}",
        "/wiki/%27%22;alert(1);%22{{url}}",
        f"/index.php?title={quote(HOSTILE)}",
        f"/index.php?title=Drone&action={quote(HOSTILE)}",
        f"/api.php?action={quote(HOSTILE)}",
        f"/api.php?action=parse&page={quote(HOSTILE)}",
        f"/articles/{quote(HOSTILE)}",
        f"/{quote(HOSTILE)}",
    ],
)
def test_markup_in_a_request_is_escaped_in_the_response(wiki: DemoWiki, target: str) -> None:
    document = lxml.html.document_fromstring(get(wiki, target).text)
    assert not [s for s in document.xpath("//script/text()") if s.startswith("alert")]
    assert not document.xpath("//*[@*[starts-with(name(), 'on')]]")


def test_a_title_is_escaped_in_attributes_and_scripts(wiki: DemoWiki) -> None:
    title = "\"onload=x ' &copy \\"
    reply = get(wiki, f"/wiki/{quote(title.replace(' ', '_'))}")
    document = lxml.html.document_fromstring(reply.text)

    assert document.xpath("string(//h1)") == title
    assert not document.xpath("//@onload")
    configuration = document.xpath("string(//script[1])").partition("RLCONF=")[2]
    values, _ = json.JSONDecoder().raw_decode(configuration)
    assert (values["wgTitle"], values["wgPageName"]) == (title, title.replace(" ", "_"))


def test_editing_is_forbidden(wiki: DemoWiki) -> None:
    assert get(wiki, "/index.php?title=Drone&action=edit").status == 403


# ---- api.php


def test_parse_with_format_version_2(wiki: DemoWiki) -> None:
    reply = query_api(wiki, "action=parse&page=honey_bee&prop=text&maxlag=5&disabletoc=1")
    parse = reply.json["parse"]

    assert reply.headers["Content-Type"] == "application/json; charset=utf-8"
    assert "MediaWiki-API-Error" not in reply.headers
    assert list(parse)[:4] == ["title", "pageid", "revid", "text"]
    assert parse["title"] == "Honey bee"
    assert parse["text"].startswith('<div class="mw-parser-output">')
    assert {"ns": 0, "title": "Colony", "exists": True} in parse["links"]
    assert parse["categories"] == [{"sortkey": "", "category": "Bees"}]
    assert parse["showtoc"] is True


def test_parse_with_format_version_1(wiki: DemoWiki) -> None:
    parse = query_api(wiki, "action=parse&page=Honey_bee", version=1).json["parse"]

    assert parse["text"]["*"].startswith('<div class="mw-parser-output">')
    assert {"ns": 0, "exists": "", "*": "Colony"} in parse["links"]
    assert parse["categories"] == [{"sortkey": "", "*": "Bees"}]
    assert parse["showtoc"] == ""
    assert parse["properties"] == []
    assert "showtoc" not in query_api(wiki, "action=parse&page=Drone", version=1).json["parse"]


def test_red_links_and_hidden_categories_are_marked(wiki: DemoWiki) -> None:
    links = query_api(wiki, "action=parse&page=Main_Page").json["parse"]["links"]
    assert {"ns": 0, "title": "Skep", "exists": False} in links

    extraction = query_api(wiki, "action=parse&page=Honey_extraction").json["parse"]
    hidden = [c["category"] for c in extraction["categories"] if c.get("hidden")]
    assert hidden == ["Pages_with_broken_file_links"]


def test_parse_by_page_id(wiki: DemoWiki) -> None:
    by_title = query_api(wiki, "action=parse&page=Drone").json
    assert query_api(wiki, f"action=parse&pageid={by_title['parse']['pageid']}").json == by_title


def test_redirects_are_followed_on_request(wiki: DemoWiki) -> None:
    stub = query_api(wiki, "action=parse&page=Sugar_syrup").json["parse"]
    assert stub["title"] == "Sugar syrup"
    assert 'class="redirectMsg"' in stub["text"]
    assert "redirects" not in stub

    followed = query_api(wiki, "action=parse&page=Sugar_syrup&redirects=1").json["parse"]
    assert followed["title"] == "Feeding"
    assert followed["redirects"] == [
        {"from": "Sugar syrup", "to": "Feeding", "tofragment": "Mixing syrup"}
    ]
    assert query_api(wiki, "action=parse&page=Drone&redirects=1").json["parse"]["redirects"] == []


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ("action=parse&page=Skep", "missingtitle"),
        ("action=parse&page=A%5BB", "invalidtitle"),
        ("action=parse&page=", "invalidtitle"),
        ("action=parse&page=wikipedia:Bee", "invalidtitle"),
        ("action=parse&page=Special:Version", "pagecannotexist"),
        ("action=parse&pageid=99999", "nosuchpageid"),
        ("action=parse&pageid=x", "badinteger"),
        ("action=parse&page=Drone&pageid=1", "invalidparammix"),
        ("action=foo", "badvalue"),
        ("action=query&list=allpages&apnamespace=77", "badvalue"),
        ("action=query&list=allpages&apfilterredir=x", "badvalue"),
        ("action=query&list=search", "missingparam"),
    ],
)
@pytest.mark.parametrize("version", [1, 2])
def test_an_error_is_a_200_with_its_code(
    wiki: DemoWiki, parameters: str, code: str, version: int
) -> None:
    reply = query_api(wiki, parameters, version)
    assert reply.status == 200
    assert reply.headers["MediaWiki-API-Error"] == code
    assert reply.json["error"]["code"] == code
    assert ("docref" if version == 2 else "*") in reply.json["error"]


@pytest.mark.parametrize(
    ("requested", "title"),
    [
        ("bee__space ", "Bee space"),
        ("Drone#Use_to_the_beekeeper", "Drone"),
        (":Drone", "Drone"),
        ("talk : swarming", "Talk:Swarming"),
        ("project:About", "Apiary Handbook:About"),
        ("Warre\u0301 hive", "Warré hive"),
        ("Smoker &amp; hive tool", "Smoker & hive tool"),
        ("\u200ePH of\u00a0honey", "PH of honey"),
    ],
)
def test_titles_are_normalised_like_mediawikis(wiki: DemoWiki, requested: str, title: str) -> None:
    reply = query_api(wiki, f"action=parse&page={quote(requested, safe='')}")
    assert reply.json["parse"]["title"] == title


def test_the_display_title_may_differ(wiki: DemoWiki) -> None:
    parse = query_api(wiki, "action=parse&page=PH_of_honey").json["parse"]
    assert (parse["title"], parse["displaytitle"]) == ("PH of honey", "pH of honey")


def test_all_pages_can_be_listed_in_batches(wiki: DemoWiki) -> None:
    titles: list[str] = []
    more = {"apcontinue": ""}
    while more and len(titles) < 100:
        parameters = f"action=query&list=allpages&aplimit=7&apcontinue={quote(more['apcontinue'])}"
        answer = query_api(wiki, parameters).json
        assert answer["batchcomplete"] is True
        titles += [page["title"] for page in answer["query"]["allpages"]]
        more = answer.get("continue", {})

    whole = query_api(wiki, "action=query&list=allpages&aplimit=max", version=1).json
    assert whole["batchcomplete"] == ""
    assert "continue" not in whole
    assert titles == [page["title"] for page in whole["query"]["allpages"]]
    assert len(titles) == len(set(titles)) == 36
    assert titles == sorted(titles, key=lambda title: title.encode())


@pytest.mark.parametrize(
    ("parameters", "titles"),
    [
        ("apfilterredir=redirects", ["Apis mellifera", "Sugar syrup", "Varroa"]),
        ("apfilterredir=nonredirects&aplimit=2", ["Apiary", "Bee space"]),
        ("apnamespace=12", ["Help:Editing"]),
        ("apnamespace=6", []),
        ("apfrom=warr&aplimit=1", ["Warré hive"]),
    ],
)
def test_the_list_of_all_pages_can_be_filtered(
    wiki: DemoWiki, parameters: str, titles: list[str]
) -> None:
    answer = query_api(wiki, f"action=query&list=allpages&{parameters}").json
    assert [page["title"] for page in answer["query"]["allpages"]] == titles


def test_siteinfo_has_the_requested_properties(wiki: DemoWiki) -> None:
    parameters = "action=query&meta=siteinfo&siprop=general|namespaces|rightsinfo"
    new = query_api(wiki, parameters).json["query"]
    old = query_api(wiki, parameters, 1).json["query"]

    assert set(new) == {"general", "namespaces", "rightsinfo"}
    assert new["general"]["server"] == wiki.url
    assert new["general"]["articlepath"] == "/wiki/$1"
    assert new["namespaces"]["4"]["name"] == old["namespaces"]["4"]["*"] == "Apiary Handbook"
    assert set(query_api(wiki, "action=query&meta=siteinfo").json["query"]) == {"general"}


def test_rsd_has_the_url_of_the_api(wiki: DemoWiki) -> None:
    reply = get(wiki, "/api.php?action=rsd")
    assert reply.headers["Content-Type"] == "application/rsd+xml; charset=utf-8"
    assert f'apiLink="{wiki.api}"' in reply.text


def test_the_default_format_of_the_api_is_html(wiki: DemoWiki) -> None:
    reply = get(wiki, "/api.php?action=parse&page=Drone")
    assert reply.headers["Content-Type"].startswith("text/html")


# ---- outside the wiki


def test_robots_txt_allows_everything(wiki: DemoWiki) -> None:
    reply = get(wiki, "/robots.txt")
    assert reply.headers["Content-Type"].startswith("text/plain")
    assert reply.text == "User-agent: *\nDisallow:\n"


def test_articles_are_not_wiki_pages(wiki: DemoWiki) -> None:
    index = lxml.html.document_fromstring(get(wiki, "/articles/").text)
    links = index.xpath("//main//a/@href")

    assert len(links) == 3
    for link in links:
        reply = get(wiki, link)
        assert reply.status == 200
        assert "EditURI" not in reply.text
    assert get(wiki, "/articles/../server.py").status == 404
    assert get(wiki, "/articles/%2e%2e/skin").status == 404


def test_links_state_correctly_whether_their_page_exists(wiki: DemoWiki) -> None:
    titles = [
        page["title"]
        for namespace in (0, 1, 2, 4, 10, 12, 14)
        for page in query_api(
            wiki, f"action=query&list=allpages&aplimit=max&apnamespace={namespace}"
        ).json["query"]["allpages"]
    ]
    assert len(titles) == 47
    for title in titles:
        text = get(wiki, f"/wiki/{quote(title.replace(' ', '_'))}").text
        assert "{{SERVER}}" not in text
        assert "{{TEXT}}" not in text
        for link in query_api(wiki, f"action=parse&page={quote(title)}").json["parse"]["links"]:
            assert link["exists"] == (link["title"] in titles)


# ---- the server itself


def test_requests_are_recorded_in_order() -> None:
    with DemoWiki() as wiki:
        get(wiki, "/robots.txt")
        get(wiki, "/wiki/Drone?a=b", method="HEAD")
        times, targets = zip(*wiki.requests, strict=True)
    assert targets == ("/robots.txt", "/wiki/Drone?a=b")
    assert times[0] <= times[1]


def test_a_head_response_has_no_body(wiki: DemoWiki) -> None:
    reply = get(wiki, "/wiki/Drone", method="HEAD")
    assert reply.status == 200
    assert int(reply.headers["Content-Length"]) > 1000
    assert reply.text == ""


def test_two_wikis_have_separate_ports_and_requests() -> None:
    with DemoWiki() as one, DemoWiki() as other:
        get(one, "/robots.txt")
        assert one.url != other.url
        assert (len(one.requests), len(other.requests)) == (1, 0)


def test_a_port_in_use_raises_an_error(wiki: DemoWiki) -> None:
    port = int(wiki.url.rpartition(":")[2])
    with pytest.raises(OSError, match="in use"), DemoWiki(port):
        pass


def test_the_server_closes_while_clients_keep_connections_open() -> None:
    before = set(threading.enumerate())
    with DemoWiki() as wiki:
        connection = http.client.HTTPConnection(wiki.url.removeprefix("http://"), timeout=120)
        connection.request("GET", "/robots.txt")
        connection.getresponse().read()
        assert set(threading.enumerate()) - before
        closing = time.monotonic()
    assert set(threading.enumerate()) - before == set()  # others may have ended meanwhile
    assert time.monotonic() - closing < 20  # waiting for the idle connection would take a minute
    connection.close()
    with DemoWiki(int(wiki.url.rpartition(":")[2])) as again:
        assert get(again, "/robots.txt").status == 200


def test_a_search_finds_the_pages_with_all_words(wiki: DemoWiki) -> None:
    query = query_api(wiki, "action=query&list=search&srsearch=QUEEN+bee&srlimit=3").json["query"]
    assert query["searchinfo"]["totalhits"] > 3 == len(query["search"])
    first = query["search"][0]
    assert first["title"] == "Queen bee"
    assert '<span class="searchmatch">' in first["snippet"]
    nothing = query_api(wiki, "action=query&list=search&srsearch=bee+submarine").json["query"]
    assert nothing == {"searchinfo": {"totalhits": 0}, "search": []}

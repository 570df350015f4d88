"""A site's proxy gets the requests to that site, with its password, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.servers.certificates import Authority, server_context
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.proxy import ForwardProxy
from tests.servers.raw import RawServer, answer
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.logins.crawls import Project
from wikicrawler.demo.server import DemoWiki

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "a:proxy's p@ssword"  # noqa: S105 - with all that URLs change
LOGIN = f"crawler:{SECRET}"
ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
ONE = "site.example.org"
QUIET: dict[str, object] = {"WIKICRAWLER_PRIVATE_HOSTS": ""}


def project_for(root: Path, proxy: ForwardProxy, more: str = "", domain: str = ONE) -> Project:
    project = Project(root, {"PROXY_PASSWORD": SECRET})
    project.configure(
        f"domains:\n  {domain}:\n    proxy:\n      url: {proxy.url}\n      user: crawler\n"
        f"      password: {{env: PROXY_PASSWORD}}\n{more}"
    )
    return project


def test_a_wiki_is_crawled_through_its_proxy_alone(tmp_path: Path) -> None:
    with DemoWiki() as wiki, ForwardProxy({ONE: wiki.url.removeprefix("http://")}, LOGIN) as proxy:
        more = f"mediawiki_sites:\n  {ONE}: http://{ONE}/api.php\n"
        project = project_for(tmp_path, proxy, more)
        project.crawl(f"http://{ONE}/wiki/Honey", "-a", "max_pages=5", settings=QUIET)
        assert len(project.records()) == 5
        assert {record["tier"] for record in project.records()} == {"mediawiki"}
        assert all(f"://{ONE}/" in record["url"] for record in project.records())
    assert proxy.refused == 0
    paths = {line.split("/", 3)[3].partition("?")[0] for line in proxy.asked}
    assert {"robots.txt", "api.php"} <= paths
    assert project.files_with(proxy.netloc)  # the search finds what is there
    assert project.files_with(SECRET) == []
    assert project.files_with(LOGIN) == []


def test_the_site_does_not_get_the_password_of_the_proxy(tmp_path: Path) -> None:
    with ScriptedServer() as site, ForwardProxy({ONE: site.netloc}, LOGIN) as proxy:
        site.on("/", Reply(body=ARTICLE))
        project = project_for(tmp_path, proxy)
        project.crawl(f"http://{ONE}/", settings=QUIET)
        assert [record["tier"] for record in project.records()] == ["http"]
        assert all("Proxy-Authorization" not in x.headers for x in site.exchanges)
    assert f"GET http://{ONE}/robots.txt" in proxy.asked


def test_a_site_with_tls_is_reached_through_a_tunnel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    context = server_context(tmp_path, authority=authority, host=ONE)
    root = tmp_path / "project"
    root.mkdir()
    with RawServer({"/": [answer(ARTICLE.encode())]}, host="127.0.0.1", context=context) as site:
        netloc = site.url("").split("//")[1]
        with ForwardProxy({ONE: netloc}, LOGIN) as proxy:
            project = project_for(root, proxy)
            project.crawl(f"https://{ONE}/", settings=QUIET | {"ROBOTSTXT_OBEY": False})
    assert [record["url"] for record in project.records()] == [f"https://{ONE}/"], project.log()
    assert set(proxy.asked) == {f"CONNECT {ONE}:443"}
    assert project.files_with(SECRET) == []


def test_a_redirect_to_another_site_leaves_the_proxy(tmp_path: Path) -> None:
    with (
        ScriptedServer() as site,
        ScriptedServer("127.0.0.2") as other,
        ForwardProxy({ONE: site.netloc, "127.0.0.2": other.netloc}, LOGIN) as proxy,
    ):
        site.on("/", Reply(302, {"Location": other.url("/page")}))
        other.on("/page", Reply(body=ARTICLE))
        project = project_for(tmp_path, proxy)
        project.crawl(f"http://{ONE}/", "-a", "scope=any")
        assert [record["url"] for record in project.records()] == [other.url("/page")]
        assert all("Proxy-Authorization" not in x.headers for x in other.exchanges)
    assert set(proxy.asked) == {f"GET http://{ONE}/", f"GET http://{ONE}/robots.txt"}


@pytest.mark.parametrize("target", ["http://10.0.0.7/", "http://localhost:8/", "PROXY"])
def test_a_page_leads_the_proxy_nowhere(tmp_path: Path, target: str) -> None:
    with ScriptedServer() as site, ForwardProxy({ONE: site.netloc}, LOGIN) as proxy:
        link = proxy.url + "/secret" if target == "PROXY" else target
        site.on("/", Reply(302, {"Location": link}))
        project = project_for(tmp_path, proxy)
        project.crawl(f"http://{ONE}/", "-a", "scope=any", settings=QUIET)
        assert [skip["reason"] for skip in project.skipped()] == ["private_address"]
    assert set(proxy.asked) == {f"GET http://{ONE}/", f"GET http://{ONE}/robots.txt"}


def test_a_proxy_in_an_allowed_network_is_no_page_of_other_sites(tmp_path: Path) -> None:
    with ScriptedServer() as other, ForwardProxy({}, LOGIN) as proxy:
        other.on("/", Reply(302, {"Location": f"{proxy.url}/secret"}))
        project = project_for(tmp_path, proxy)
        project.crawl(other.url("/"), "-a", "scope=any")
    (skip,) = project.skipped()
    assert skip["reason"] == "private_address"
    assert f"proxy of {ONE} in sources.yml" in skip["detail"]
    assert proxy.asked == []


def test_a_wrong_password_is_reported_without_it(tmp_path: Path) -> None:
    with ForwardProxy({ONE: "127.0.0.1:9"}, "crawler:another") as proxy:
        project = project_for(tmp_path, proxy)
        project.crawl(f"http://{ONE}/", settings=QUIET)
    assert project.records() == []
    (skip,) = project.skipped()
    assert "407" in skip["detail"]
    assert project.files_with(SECRET) == []


def test_the_browser_does_not_go_around_the_proxy(tmp_path: Path) -> None:
    shell = '<title>App</title><div id="root"></div><script src="/app.js"></script>'
    with (
        ScriptedServer() as site,
        ScriptedCrawl4AI(rendered(ARTICLE)) as browser,
        ForwardProxy({ONE: site.netloc}, LOGIN) as proxy,
    ):
        site.on("/", Reply(body=shell))
        project = project_for(tmp_path, proxy)
        project.environment["CRAWL4AI_URL"] = browser.url("")
        project.crawl(f"http://{ONE}/", settings=QUIET)
        assert browser.urls() == []
    (skip,) = project.skipped()
    assert "the site has a proxy" in str(skip["attempts"])

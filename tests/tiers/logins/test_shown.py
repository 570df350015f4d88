"""The commands show that a site has a log-in and a proxy, and never a secret."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.tiers.logins.crawls import (
    BOT,
    PASSWORD,
    VARIABLE,
    Project,
    account_login,
    bot_login,
    wiki_entry,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.private_wiki import PrivateMediaWiki

ACCESS = f"bot password Reader@crawler (environment variable {VARIABLE})"
PROXY = "http://127.0.0.9:3128 (user crawler, environment variable PROXY_PASSWORD)"
PROXY_SECRET = "the-password-of-the-proxy"  # noqa: S105


def with_both(wiki: PrivateMediaWiki, root: Path, **variables: str) -> Project:
    project = Project(root, {VARIABLE: BOT, "PROXY_PASSWORD": PROXY_SECRET, **variables})
    project.configure(
        f"mediawiki_sites:\n{wiki_entry(wiki.host, wiki.api, bot_login())}"
        "domains:\n  far.example.org:\n    proxy: {url: 'http://127.0.0.9:3128', user: crawler,"
        " password: {env: PROXY_PASSWORD}}\n"
    )
    return project


def test_tiers_logs_in_and_shows_how(private_wiki: PrivateMediaWiki, tmp_path: Path) -> None:
    project = with_both(private_wiki, tmp_path)
    url = private_wiki.article_url("Gull Rock")
    with ScriptedCrawl4AI(rendered("<p>here")) as browser:
        project.environment["CRAWL4AI_URL"] = browser.url("")
        done = project.scrapy("tiers", url)
        as_json = project.scrapy("tiers", "--json", url)
    assert done.returncode == 0, done.stderr
    assert f"  log-in {ACCESS}\n" in done.stdout
    assert "1 mediawiki  yes" in done.stdout
    assert "browser    no   the site has a log-in, which this tier does not use" in done.stdout
    plan = json.loads(as_json.stdout)
    assert (plan["login"], plan["proxy"]) == (ACCESS, None)
    assert BOT not in done.stdout + done.stderr + as_json.stdout


def test_tiers_shows_that_a_password_is_wrong(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = with_both(private_wiki, tmp_path, **{VARIABLE: "not-the-password"})
    done = project.scrapy("tiers", private_wiki.article_url("Gull Rock"))
    assert done.returncode == 1
    assert "is not used: login (not logged in: Failed: the user or the password" in done.stdout
    assert "not-the-password" not in done.stdout + done.stderr


def test_explain_shows_both_without_a_request(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = with_both(private_wiki, tmp_path)
    project.environment["CRAWL4AI_URL"] = "http://127.0.0.1:9"
    urls = (private_wiki.article_url("Gull Rock"), "http://far.example.org/a")
    done = project.scrapy("explain", *urls)
    as_json = project.scrapy("explain", "--json", *urls)
    words = " ".join(done.stdout.split())
    assert f"log-in {ACCESS}" in words
    assert f"proxy {PROXY}" in words
    assert "left out browser: the site has a proxy, which this tier does not use" in words
    pages = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert [page["login"] for page in pages] == [ACCESS, None]
    assert [page["proxy"] for page in pages] == [None, PROXY]
    assert private_wiki.log_ins() == []
    for text in (BOT, PROXY_SECRET):
        assert text not in done.stdout + done.stderr + as_json.stdout


def test_check_lists_both_and_reads_their_secrets(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = with_both(private_wiki, tmp_path)
    done = project.scrapy("check")
    assert done.returncode == 0
    assert f"{private_wiki.host}  log-in  {ACCESS}\n" in done.stdout
    assert f"far.example.org  proxy  {PROXY}\n" in done.stdout
    for text in (BOT, PROXY_SECRET):
        assert text not in done.stdout + done.stderr
    del project.environment["PROXY_PASSWORD"]
    done = project.scrapy("check")
    assert done.returncode == 2
    assert "the environment variable PROXY_PASSWORD is not set" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_browser_gets_no_page_of_a_wiki_with_a_log_in(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = Project(tmp_path, {VARIABLE: PASSWORD})
    project.configure(
        f"mediawiki_sites:\n{wiki_entry(private_wiki.host, private_wiki.api, account_login())}"
        f'domains:\n  "{private_wiki.host}":\n    tiers: [browser]\n'
    )
    with ScriptedCrawl4AI(rendered("<p>here")) as browser:
        project.environment["CRAWL4AI_URL"] = browser.url("")
        project.crawl(private_wiki.article_url("Gull Rock"))
        assert browser.urls() == []
    (skip,) = project.skipped()
    assert skip["reason"] == "no_tier"
    assert "the site has a log-in" in skip["attempts"][0]["detail"]

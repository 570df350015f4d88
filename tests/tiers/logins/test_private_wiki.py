"""A wiki for members only is crawled whole, by one log-in, and no file has its secrets."""

from __future__ import annotations

from itertools import pairwise
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from tests.servers.private_wiki import PrivateMediaWiki
from tests.servers.scripted import Reply, ScriptedServer
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

WRONG = "a-password-that-is-wrong"
ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"


def project_for(
    wiki: PrivateMediaWiki, root: Path, login: str, password: str, more: str = ""
) -> Project:
    project = Project(root, {VARIABLE: password})
    project.configure(f"mediawiki_sites:\n{wiki_entry(wiki.host, wiki.api, login)}{more}")
    return project


def only(tier: str, wiki: PrivateMediaWiki) -> str:
    return f'domains:\n  "{wiki.host}":\n    tiers: [{tier}]\n'


def test_without_a_log_in_no_page_is_read(private_wiki: PrivateMediaWiki, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.configure(f'mediawiki_sites:\n  "{private_wiki.host}": {private_wiki.api}\n')
    project.crawl(private_wiki.article_url("Main Page"))
    assert project.records() == []
    assert [skip["reason"] for skip in project.skipped()] == ["login"]


def test_pages_are_read_by_the_api_with_a_bot_password(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), BOT)
    done = project.crawl(private_wiki.article_url("Main Page"), "-a", "max_pages=12")
    assert done.returncode == 0, project.log()
    assert {record["tier"] for record in project.records()} == {"mediawiki"}
    assert len(project.records()) == 12
    assert len(private_wiki.log_ins()) == 1
    asked = [e.params for e in private_wiki.access_log() if e.params.get("action") == "parse"]
    assert {query["assert"] for query in asked} == {"user"}
    assert_secret(project, private_wiki, BOT)


def test_pages_are_read_as_html_with_the_session_of_an_account(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    html = only("http", private_wiki)
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD, html)
    done = project.crawl(private_wiki.article_url("Main Page"), "-a", "max_pages=12")
    assert done.returncode == 0, project.log()
    assert {record["tier"] for record in project.records()} == {"http"}
    assert len(project.records()) == 12
    assert len(private_wiki.log_ins()) == 1
    assert_secret(project, private_wiki, PASSWORD)


def assert_secret(project: Project, wiki: PrivateMediaWiki, password: str) -> None:
    """No file of the project has the password or a cookie."""
    assert project.files_with(wiki.host)  # the search finds what is there
    assert project.files_with(password) == []
    cookies = wiki.cookies()
    assert cookies
    for cookie in cookies:
        assert project.files_with(cookie) == []


def test_all_pages_of_the_wiki_are_listed_by_its_api(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), BOT)
    project.crawl(private_wiki.url, "-a", "all_pages=true", "-a", "max_pages=8")
    lists = [e.params for e in private_wiki.access_log() if e.params.get("list") == "allpages"]
    assert lists
    assert {query["assert"] for query in lists} == {"user"}
    assert len(project.records()) == 8
    assert len(private_wiki.log_ins()) == 1


def test_a_wrong_password_is_sent_once_and_each_page_says_why(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), WRONG)
    titles = ("Main Page", "Grey Point", "Gull Rock", "Great Storm")
    done = project.crawl(",".join(map(private_wiki.article_url, titles)))
    assert project.records() == []
    assert len(private_wiki.log_ins()) == 1
    skipped = project.skipped()
    assert len(skipped) == len(titles)
    assert {skip["reason"] for skip in skipped} == {"login"}
    assert all("Failed: the user or the password is wrong" in skip["detail"] for skip in skipped)
    assert "Not logged in to" in project.log()
    assert "only members" in done.stderr or "members" in project.log()
    assert project.files_with(WRONG) == []


@pytest.mark.parametrize("tier", ["mediawiki", "http"])
def test_a_session_that_ends_in_the_middle_is_renewed_once(
    private_wiki: PrivateMediaWiki, tmp_path: Path, tier: str
) -> None:
    more = only(tier, private_wiki)
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD, more)
    private_wiki.end_sessions_after(4)
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 4}
    project.crawl(private_wiki.article_url("Main Page"), "-a", "max_pages=12", settings=settings)
    assert len(project.records()) == 12
    assert project.skipped() == []
    assert len(private_wiki.log_ins()) == 2
    assert project.log().count("has ended (") == 1
    assert_secret(project, private_wiki, PASSWORD)


def test_a_page_that_redirects_to_the_log_in_page_is_asked_for_again(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    html = only("http", private_wiki)
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD, html)
    private_wiki.end_sessions_after(2, redirect=True)
    seeds = [private_wiki.article_url(title) for title in ("Main Page", "Grey Point")]
    project.crawl(",".join(seeds), "-a", "follow_links=false")
    entries = private_wiki.access_log()
    assert any(e.status == 302 and e.path == "/wiki/Grey_Point" for e in entries)
    assert [record["url"] for record in project.records()] == seeds, project.skipped()
    assert len(private_wiki.log_ins()) == 2


def test_a_session_of_a_bot_that_ends_is_renewed(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), BOT)
    private_wiki.end_sessions_after(3)
    project.crawl(private_wiki.article_url("Main Page"), "-a", "max_pages=8")
    assert len(project.records()) == 8
    assert len(private_wiki.log_ins()) == 2


def test_a_wiki_that_never_keeps_a_session_is_left_alone(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), BOT)
    # Each request has another version of the tokens, so no session outlives its log-in.
    private_wiki.php("$wgAuthenticationTokenVersion = uniqid();")
    titles = ("Main Page", "Grey Point", "Gull Rock", "Great Storm")
    project.crawl(",".join(map(private_wiki.article_url, titles)))
    assert project.records() == []
    assert len(private_wiki.log_ins()) <= 2
    assert {skip["reason"] for skip in project.skipped()} == {"login"}


def test_html_pages_that_a_bot_may_not_read_are_no_articles(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), BOT, only("http", private_wiki))
    titles = ("Main Page", "Grey Point", "Gull Rock", "Great Storm")
    # A wiki in another language: the text of the notice is not in the rules.
    private_wiki.php("$wgLanguageCode = 'fi';")
    project.crawl(",".join(map(private_wiki.article_url, titles)))
    assert project.records() == []
    assert len(private_wiki.log_ins()) <= 2
    assert {skip["reason"] for skip in project.skipped()} == {"login"}
    assert "only for its API" in project.log()


def test_a_resumed_job_logs_in_anew_and_its_folder_has_no_secret(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD)
    settings = {"JOBDIR": "job", "CLOSESPIDER_ITEMCOUNT": 5}
    seed = private_wiki.article_url("Main Page")
    private_wiki.end_sessions_after(3)  # some of the stored requests are repeated ones
    project.crawl(seed, "-a", "max_pages=20", settings=settings)
    first = len(project.records())
    assert 5 <= first < 20
    log_ins = len(private_wiki.log_ins())
    assert (tmp_path / "job").is_dir()
    assert_secret(project, private_wiki, PASSWORD)
    project.crawl(seed, "-a", "max_pages=20", settings={"JOBDIR": "job"})
    assert len(project.records()) == 20
    assert len(private_wiki.log_ins()) == log_ins + 1
    assert_secret(project, private_wiki, PASSWORD)


def test_a_request_that_waits_in_the_folder_has_no_cookie(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD)
    private_wiki.php(
        "if ( ( $_GET['page'] ?? '' ) === 'Gull Rock' ) {"
        " http_response_code( 503 ); header( 'Retry-After: 600' ); exit; }"
    )
    seed = private_wiki.article_url("Gull Rock")
    with project.crawling(seed, settings={"JOBDIR": "job"}) as crawl:
        give_up = monotonic() + 120
        while not any("job" in file for file in project.files_with("retry_times")):
            assert crawl.poll() is None, project.log()
            assert monotonic() < give_up, project.log()
            sleep(0.1)
        crawl.kill()
    assert any(e.status == 503 for e in private_wiki.access_log())
    assert any("job" in file for file in project.files_with("page=Gull+Rock"))
    assert_secret(project, private_wiki, PASSWORD)


def test_a_cache_of_responses_and_a_jar_of_the_project_get_no_cookie(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    html = only("http", private_wiki)
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD, html)
    # The wiki answers each page with a cookie.
    private_wiki.php("header( 'Set-Cookie: mark=0123456789-0123456789; path=/' );")
    settings: dict[str, object] = {"HTTPCACHE_ENABLED": True, "COOKIES_ENABLED": True}
    project.crawl(private_wiki.article_url("Main Page"), "-a", "max_pages=5", settings=settings)
    assert len(project.records()) == 5
    assert "0123456789-0123456789" in private_wiki.cookies()
    assert any("httpcache" in file for file in project.files_with("Main_Page"))
    assert_secret(project, private_wiki, PASSWORD)


def test_two_wikis_have_a_user_each_and_no_cookie_of_the_other(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    with PrivateMediaWiki(tmp_path / "second") as second:
        second.add_account("Writer", "the password of the second wiki")
        root = tmp_path / "project"
        root.mkdir()
        other = "{user: Writer, password: {key: second}}"
        project = project_for(
            private_wiki,
            root,
            account_login(),
            PASSWORD,
            wiki_entry(second.host, second.api, other)
            + only("http", private_wiki)
            + f'  "{second.host}":\n    tiers: [http]\n',
        )
        secrets = tmp_path / "secrets.yml"
        secrets.write_text("second: 'the password of the second wiki'\n")
        secrets.chmod(0o600)
        seeds = f"{private_wiki.article_url('Main Page')},{second.article_url('Main Page')}"
        settings: dict[str, object] = {"WIKICRAWLER_SECRETS_FILE": str(secrets)}
        project.crawl(seeds, "-a", "max_depth=1", "-a", "max_pages=16", settings=settings)
        hosts = {record["url"].split("/")[2] for record in project.records()}
        assert hosts == {private_wiki.host, second.host}
        assert project.skipped() == []
        assert len(private_wiki.log_ins()) == len(second.log_ins()) == 1
        # Both are on one address, and cookies know no ports.
        assert private_wiki.cookies()
        assert second.cookies()
        assert not private_wiki.cookies() & second.cookies()
        assert project.files_with("the password of the second wiki") == []


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_a_redirect_to_another_server_takes_no_cookie_along(
    private_wiki: PrivateMediaWiki, tmp_path: Path, host: str
) -> None:
    html = only("http", private_wiki)
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD, html)
    with ScriptedServer(host) as other:
        other.on("/away", Reply(body=ARTICLE))
        private_wiki.php(
            "if ( strpos( $_SERVER['REQUEST_URI'], '/wiki/Away' ) === 0 ) {"
            f" header( 'Location: {other.url('/away')}', true, 302 ); exit; }}"
        )
        seeds = f"{private_wiki.article_url('Gull Rock')},{private_wiki.article_url('Away')}"
        project.crawl(seeds, "-a", "follow_links=false", "-a", "scope=any")
        (asked,) = [x for x in other.exchanges if x.path == "/away"]
        assert {"cookie", "authorization"}.isdisjoint(name.lower() for name in asked.headers)
    assert private_wiki.cookies()


def test_cookies_of_other_sites_stay_off(private_wiki: PrivateMediaWiki, tmp_path: Path) -> None:
    project = project_for(private_wiki, tmp_path, account_login(), PASSWORD)
    with ScriptedServer() as other:
        link = f'<a href="{other.url("/next")}">next</a>'
        other.on("/", Reply(headers={"Set-Cookie": "track=1"}, body=ARTICLE + link))
        other.on("/next", Reply(body=ARTICLE.replace("resin", "gum")))
        project.crawl(
            f"{private_wiki.article_url('Gull Rock')},{other.url('/')}", "-a", "max_pages=9"
        )
        assert "/next" in other.paths()
        assert all("Cookie" not in x.headers for x in other.exchanges)


def test_a_log_in_goes_by_the_site_s_pace_and_robots_txt(
    private_wiki: PrivateMediaWiki, tmp_path: Path
) -> None:
    project = project_for(private_wiki, tmp_path, bot_login(), BOT)
    private_wiki.robots("User-agent: *\nDisallow: /api.php\n")
    project.crawl(private_wiki.article_url("Main Page"))
    assert private_wiki.log_ins() == []
    assert [skip["reason"] for skip in project.skipped()] == ["robots"]
    private_wiki.robots("User-agent: *\nDisallow:\n")
    private_wiki.clear_log()
    settings = {"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60}
    project.crawl(
        private_wiki.article_url("Gull Rock"), "-a", "follow_links=false", settings=settings
    )
    entries = [e for e in private_wiki.access_log() if e.path != "/-/sync"]
    gaps = [b.time - (a.time + a.duration) for a, b in pairwise(entries)]
    assert len(private_wiki.log_ins()) == 1
    assert min(gaps) > 0.9, entries


@pytest.mark.parametrize(
    ("login", "mode", "words"),
    [
        (bot_login(), 0o600, f"the environment variable {VARIABLE} is not set"),
        ("{token: {key: wiki}}", 0o644, "others than its owner can use the secrets file"),
        ("{token: {key: nobody}}", 0o600, "has no key 'nobody'"),
        ("{user: R@c, password: hunter2222}", 0o600, "is not the place of a secret"),
    ],
)
def test_a_secret_that_cannot_be_read_ends_the_start(
    tmp_path: Path, login: str, mode: int, words: str
) -> None:
    project = Project(tmp_path)
    project.configure(
        f"mediawiki_sites:\n{wiki_entry('127.0.0.1:9', 'http://127.0.0.1:9/api.php', login)}"
    )
    secrets = tmp_path / "secrets.yml"
    secrets.write_text("wiki: 'the secret of the file'\n")
    secrets.chmod(mode)
    settings: dict[str, object] = {"WIKICRAWLER_SECRETS_FILE": "secrets.yml"}
    done = project.crawl("http://127.0.0.1:9/wiki/A", settings=settings)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert words in line
    assert "sources.yml:" in line or "secrets.yml" in line
    assert "hunter2222" not in line + project.log()
    assert "the secret of the file" not in line + project.log()

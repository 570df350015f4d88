"""config/sources.yml: its values, look-up and error reports."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

import wikicrawler
from wikicrawler.config import Config, DomainConfig, WikiConfig, to_yaml_line
from wikicrawler.credentials.logins import WikiLogin
from wikicrawler.credentials.proxies import SiteProxy
from wikicrawler.credentials.references import SecretRef
from wikicrawler.errors import ConfigError
from wikicrawler.text.yaml import MAX_BYTES

ROOT = Path(__file__).parent.parent
API = "https://wiki.example.org/w/api.php"


@pytest.fixture
def load(tmp_path):
    def load(text: str | bytes) -> Config:
        path = tmp_path / "sources.yml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Config.from_file(path)

    return load


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "scrapy.cfg").touch()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    return tmp_path


# --- files in the repository ----------------------------------------------------------------


def test_the_projects_file_has_three_wikis():
    config = Config.from_file(ROOT / "config" / "sources.yml")
    assert {domain: wiki.api for domain, wiki in config.wikis.items()} == {
        "wowpedia.fandom.com": "https://wowpedia.fandom.com/api.php",
        "warcraft.wiki.gg": "https://warcraft.wiki.gg/api.php",
        "wow.gamepedia.com": "https://wow.gamepedia.com/api.php",
    }
    assert config.domains == {}


def test_the_packaged_copy_is_the_same_file():
    packaged = Path(wikicrawler.__file__).parent / "data" / "sources.yml"
    assert packaged.read_bytes() == (ROOT / "config" / "sources.yml").read_bytes()


def test_the_commented_out_examples_are_valid(load):
    lines = (ROOT / "config" / "sources.yml").read_text().splitlines()
    start = lines.index("mediawiki_sites:")
    kept = [line.replace("  # ", "  ", 1) for line in lines[start:]]
    kept = [line for line in kept if "long form" not in line and not line.startswith("# ")]
    config = load("\n".join(kept))
    assert config.wikis["wiki.example.org"] == WikiConfig(
        API, "exempt", "/wiki/$1", ("mediawiki", "http")
    )
    password = SecretRef("env", "WIKI_PASSWORD")
    assert config.wikis["private.example.org"] == WikiConfig(
        "https://private.example.org/w/api.php", login=WikiLogin("Reader@crawler", password)
    )
    assert config.domains == {
        "app.example.com": DomainConfig(tiers=("browser",)),
        "slow.example.net": DomainConfig(delay=5.0, concurrency=1),
        "alice.example.org": DomainConfig(own_budget=True),
        "intranet.example": DomainConfig(verify_tls=False),
        "huge.example.com": DomainConfig(max_pages=1000, max_depth=10, traps=False),
        "late.example.com": DomainConfig(wait_for="#article p"),
        "shy.example.com": DomainConfig(stealth="always"),
        "own.example.com": DomainConfig(obey_noindex=False),
        "far.example.com": DomainConfig(proxy=SiteProxy("http://proxy.internal:3128")),
    }


# --- which file -----------------------------------------------------------------------------


def test_without_the_setting_the_projects_file_is_read(project):
    (project / "config").mkdir()
    path = project / "config" / "sources.yml"
    path.write_text(f"mediawiki_sites: {{wiki.example.org: '{API}'}}")
    config = Config.from_settings(Settings())
    assert config.source == path
    assert set(config.wikis) == {"wiki.example.org"}


def test_without_the_setting_and_the_file_the_packaged_copy_is_read(project):
    config = Config.from_settings(Settings())
    assert config.source is None
    assert "warcraft.wiki.gg" in config.wikis


def test_the_setting_is_relative_to_the_folder_of_scrapy_cfg(project):
    (project / "mine.yml").write_text("domains: {a.example: {delay: 2}}")
    config = Config.from_settings(Settings({"WIKICRAWLER_CONFIG": "mine.yml"}))
    assert config.source == project / "mine.yml"
    assert config.domain_for("http://a.example/").delay == 2


def test_without_scrapy_cfg_the_setting_is_relative_to_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yml").write_text("domains: {a.example: {delay: 2}}")
    config = Config.from_settings(Settings({"WIKICRAWLER_CONFIG": "mine.yml"}))
    assert config.source == tmp_path / "mine.yml"


@pytest.mark.parametrize("name", ["missing.yml", ".", "a\0b"])
def test_an_unreadable_file_in_the_setting_is_an_error_with_its_path(project, name):
    with pytest.raises(ConfigError, match="WIKICRAWLER_CONFIG") as caught:
        Config.from_settings(Settings({"WIKICRAWLER_CONFIG": name}))
    assert str(project) in str(caught.value)


def test_an_unchanged_file_is_parsed_once_and_a_changed_one_again(tmp_path):
    path = tmp_path / "sources.yml"
    path.write_text("domains: {a.example: {delay: 2}}")
    first = Config.from_file(path)
    assert Config.from_file(path) is first
    path.write_text("domains: {a.example: {delay: 3}}")
    assert Config.from_file(path).domain_for("http://a.example/").delay == 3


@pytest.mark.parametrize(
    "text",
    ["", "# nothing\n", "---\n", "{}", "mediawiki_sites:\ndomains:\n", b"\xef\xbb\xbf# BOM\r\n"],
)
def test_an_empty_file_is_an_empty_configuration(load, text):
    config = load(text)
    assert not config.wikis
    assert not config.domains


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(load):
    config = load(b"\xef\xbb\xbfdomains:\r\n  a.example:\r\n    delay: 0.5\r\n")
    assert config.domain_for("http://a.example/").delay == 0.5


# --- values ---------------------------------------------------------------------------------


def test_every_key_has_its_value(load):
    config = load(f"""
mediawiki_sites:
  Wiki.Example.org: {API}
  wiki.example.net:8080:
    api: http://127.0.0.1:8080/api.php
    api_robots: exempt
    article_path: /index.php?title=$1
    tiers: [http, mediawiki]
domains:
  example.com: {{delay: 1.5, concurrency: 2, own_budget: yes, tiers: [http]}}
  app.example.com: {{tier3_only: true}}
  both.example.com: {{tier3_only: true, tiers: [browser]}}
  neither.example.com: {{tier3_only: false, tiers: [http, browser], delay: 0}}
  large.example.com: {{max_pages: 500, max_depth: 0, traps: false}}
  open.example.com: {{traps: true}}
""")
    assert config.wikis == {
        "wiki.example.org": WikiConfig(API),
        "wiki.example.net:8080": WikiConfig(
            "http://127.0.0.1:8080/api.php",
            "exempt",
            "/index.php?title=$1",
            ("http", "mediawiki"),
        ),
    }
    assert config.domains == {
        "example.com": DomainConfig(("http",), 1.5, 2, True),
        "app.example.com": DomainConfig(("browser",)),
        "both.example.com": DomainConfig(("browser",)),
        "neither.example.com": DomainConfig(("http", "browser"), 0.0),
        "large.example.com": DomainConfig(max_pages=500, max_depth=0, traps=False),
        "open.example.com": DomainConfig(),
    }


# --- look-up --------------------------------------------------------------------------------

LOOKUP = """
domains:
  example.org: {delay: 1}
  b.example.org: {delay: 2}
  example.org:8080: {delay: 3}
  example.org:443: {delay: 4}
  127.0.0.1: {delay: 5}
  "[::1]:80": {delay: 6}
  bücher.example: {delay: 7}
"""


@pytest.mark.parametrize(
    ("url", "delay"),
    [
        ("http://example.org/", 1),
        ("http://EXAMPLE.org./x", 1),
        ("http://a.example.org/", 1),
        ("http://a.b.example.org/", 2),
        ("http://xexample.org/", None),
        ("http://ab.example.org/", 1),
        ("http://org/", None),
        ("http://example.org:8080/", 3),
        ("http://a.example.org:8080/", 3),
        ("http://b.example.org:8080/", 2),
        ("http://example.org:81/", 1),
        ("https://example.org/", 4),
        ("http://127.0.0.1:99/", 5),
        ("http://1.127.0.0.1/", None),
        ("http://[::1]/", 6),
        ("http://[0:0:0:0:0:0:0:1]:80/", 6),
        ("http://[::1]:81/", None),
        ("http://xn--bcher-kva.example/", 7),
        ("http://BÜCHER.example/", 7),
        ("", None),
        ("http://[::1/", None),
        ("http://example.org:99999/", None),
        ("data:,example.org", None),
        ("//example.org/", None),
        ("http://a..example.org/", None),
    ],
)
def test_the_entry_with_the_longest_matching_domain_applies(load, url, delay):
    config = load(LOOKUP)
    assert config.domain_for(url).delay == delay
    wikis = load(LOOKUP.replace("domains", "mediawiki_sites").replace("delay: ", "api: http://a/"))
    wiki = wikis.wiki_for(url)
    assert wiki == (delay and WikiConfig(f"http://a/{delay}"))


@given(st.text(max_size=40))
def test_any_url_can_be_looked_up(text):
    config = Config({}, {"example.org": DomainConfig(own_budget=True)})
    for url in (text, f"http://{text}/", f"http://example.org{text}"):
        config.wiki_for(url)
        config.domain_for(url)
        config.budget_of(url)


def test_a_budget_is_the_site_or_a_domain_with_its_own_budget(load):
    config = load("""
domains:
  alice.example.org: {own_budget: true}
  x.alice.example.org: {delay: 1}
  bob.example.org: {delay: 1}
  carol.example.org:8080: {own_budget: true}
""")
    assert config.budget_of("http://www.example.org/") == "example.org"
    assert config.budget_of("http://bob.example.org/") == "example.org"
    assert config.budget_of("http://alice.example.org/") == "alice.example.org"
    assert config.budget_of("http://y.alice.example.org/") == "alice.example.org"
    assert config.budget_of("http://x.alice.example.org/") == "alice.example.org"
    assert config.budget_of("http://carol.example.org:8080/") == "carol.example.org:8080"
    assert config.budget_of("http://carol.example.org/") == "example.org"
    assert config.budget_of("http://127.0.0.1:81/") == "127.0.0.1"


# --- mistakes -------------------------------------------------------------------------------

W = "mediawiki_sites:\n  a.example:"
D = "domains:\n  a.example:\n    "
BAD = [
    # the file
    (b"domains:\n  \xff: 1", 2, "byte 0xff is not UTF-8"),
    ("domains: {}".encode("utf-16"), 1, "UTF-16 (save it as UTF-8)"),
    (b"#" * (MAX_BYTES + 1), 1, "1,048,576 bytes"),
    ("domains:\n  a: \x00", 2, "U+0000 is not allowed"),
    ("domains:\n  a: \x1b[31m", 2, "U+001B is not allowed"),
    ("domains:\n\ta: b", 2, "indent with spaces"),
    ("domains: {}\n---\ndomains: {}", 2, "one document a file"),
    ("domains: {", 1, "is not YAML"),
    ("domains: 'a", 1, "is not YAML"),
    ("domains:\n  a: b: c", 2, "quote a value"),
    ('domains: "\\U00110000"', 1, "is not YAML"),
    ("[" * 20, 1, "nested more than 10 deep"),
    ("domains: " + "{a: " * 5_000, 1, "nested more than 10 deep"),
    ("- a\n- b", 1, "a list is not a mapping (with the keys mediawiki_sites and domains)"),
    ("just text", 1, "the text 'just text' is not a mapping"),
    # YAML features that are not accepted
    (
        "domains: !!python/object:os.system {}",
        1,
        "tag:yaml.org,2002:python/object:os.system: a tag",
    ),
    ("domains:\n  a.example: !!map {}", 2, "a tag (remove it)"),
    ("domains:\n  ! a.example: {}", 2, "a tag (remove it)"),
    ("domains:\n  a.example: &x {}", 2, "&x: an anchor (remove it)"),
    ("domains:\n  a.example: *x", 2, "*x: an alias (write it out)"),
    ("domains:\n  <<: {delay: 1}", 2, "domains.<<: merge keys are not supported"),
    # keys
    ("domain: {}", 1, "domain: unknown key (did you mean domains?)"),
    ("mediawiki-sites: {}", 1, "unknown key (did you mean mediawiki_sites?)"),
    ("other: {}\nDomains: {}", 2, "Domains: unknown key (did you mean domains?)"),
    (f"other: &x {{}}\n{D}delay: *x", 4, "*x: an alias (write it out)"),
    ("{other: &x 1, domains: {}}", 1, "&x: an anchor (remove it)"),
    ("domains: {}\n\ndomains: {}", 3, "domains: appears twice (first in line 1; keep one)"),
    (f"{W} {API}\n  a.example: {API}", 3, "mediawiki_sites.a.example: appears twice"),
    (f"{W} {API}\n  A.example: {API}", 3, "mediawiki_sites.A.example: names the same host as line"),
    (f"{D}delay: 1\n    delay: 2", 4, "domains.a.example.delay: appears twice"),
    (f"{D}dealy: 1", 3, "domains.a.example.dealy: unknown key (did you mean delay?)"),
    (f"{W}\n    url: x\n    api: {API}", 3, "mediawiki_sites.a.example.url: unknown key"),
    ("domains:\n  no: {delay: 1}", 2, "domains.no: no, which YAML reads as False, is not a key"),
    ("domains:\n  12:30: {delay: 1}", 2, "domains.12:30: 12:30, which YAML reads as 750"),
    ("domains:\n  [a]: {delay: 1}", 2, "domains.?: a list is not a key"),
    ("domains:\n  '*.a.example': {delay: 1}", 2, "(write 'a.example': a domain covers its sub"),
    (
        "domains:\n  .a.example: {delay: 1}",
        2,
        "(write 'a.example': a domain covers its subdomains)",
    ),
    ("domains:\n  https://a.example: {delay: 1}", 2, "write the host alone"),
    ("domains:\n  a.example/x: {delay: 1}", 2, "write the host alone"),
    ("domains:\n  a.example:99999: {delay: 1}", 2, "has the port '99999'"),
    ("domains:\n  'a b': {delay: 1}", 2, "has an invalid host name"),
    ("domains:\n  a..example: {delay: 1}", 2, "has an invalid host name"),
    ('domains:\n  "a\\nb\\e[2J": {delay: 1}', 2, r"domains.a\nb\x1b[2J: has an invalid host name"),
    # sections and entries
    ("domains: [a.example]", 1, "domains: a list is not a mapping"),
    ("mediawiki_sites: 3", 1, "mediawiki_sites: 3 is not a mapping (like wiki.example.org: https"),
    ("domains:\n  a.example:", 2, "domains.a.example: nothing is not a mapping"),
    ("domains:\n  a.example: browser", 2, "domains.a.example: the text 'browser' is not a mapping"),
    # api
    (f"{W}", 2, "mediawiki_sites.a.example: nothing is not an API's URL"),
    (f"{W} yes", 2, "mediawiki_sites.a.example: yes, which YAML reads as True, is not an API's"),
    (f"{W} []", 2, "mediawiki_sites.a.example: an empty list is not an API's URL"),
    (f"{W} {{tiers: [http]}}", 2, "mediawiki_sites.a.example: has no api (add api: https"),
    (f"{W} a.example/api.php", 2, "has no scheme (write 'https://a.example/api.php')"),
    (f"{W} ftp://a.example/api.php", 2, "has the scheme 'ftp'"),
    (
        f"{W}\n    api: http:///api.php",
        3,
        "mediawiki_sites.a.example.api: 'http:///api.php' has no",
    ),
    (f"{W} http://a.example:0/api.php", 2, "has the port '0'"),
    (f"{W} http://[::1/api.php", 2, "has an invalid host ("),
    (
        f"{W} http://u:hunter2@a.example/api.php",
        2,
        "'http://***@a.example/api.php' contains a user",
    ),
    (f"{W} http://a.example/api.php#x", 2, "has a query or fragment"),
    (f"{W} http://a.example/api.php?action=parse", 2, "has a query or fragment"),
    (f"{W} http://a.example/", 2, "names no file"),
    # the other keys of a wiki
    (
        f"{W}\n    api: {API}\n    api_robots: ignore",
        4,
        ".api_robots: 'ignore' is unknown (known: o",
    ),
    (f"{W}\n    api: {API}\n    api_robots: Exempt", 4, "(did you mean exempt?)"),
    (f"{W}\n    api: {API}\n    api_robots: no", 4, "no, which YAML reads as False, is not one of"),
    (
        f"{W}\n    api: {API}\n    article_path: wiki/$1",
        4,
        ".article_path: 'wiki/$1' is not a path",
    ),
    (f"{W}\n    api: {API}\n    article_path: https://a/$1", 4, "is not a path on the host"),
    (f"{W}\n    api: {API}\n    article_path: /wiki/", 4, "must contain $1 once"),
    (f"{W}\n    api: {API}\n    article_path: /$1/$1", 4, "must contain $1 once"),
    (f"{W}\n    api: {API}\n    article_path: /a b/$1", 4, "contains characters that no path has"),
    (
        f"{W}\n    api: {API}\n    tiers: [htpp]",
        4,
        ".tiers[0]: 'htpp' is unknown (did you mean http?",
    ),
    # the keys of a domain
    (f"{D}tiers: browser", 3, ".tiers: the text 'browser' is not a list (like [mediawiki, http,"),
    (f"{D}tiers: []", 3, ".tiers: an empty list is not a list"),
    (f"{D}tiers: [http, http]", 3, ".tiers[1]: http appears twice"),
    (f"{D}tiers: [1]", 3, ".tiers[0]: 1 is not one of mediawiki, http, browser"),
    (f"{D}tier3_only: 1", 3, ".tier3_only: 1 is not true or false (without quotes)"),
    (f"{D}tier3_only: 'yes'", 3, ".tier3_only: the text 'yes' is not true or false"),
    (f"{D}tier3_only: true\n    tiers: [http]", 3, ".tier3_only: contradicts tiers"),
    (f"{D}tier3_only: false\n    tiers: [browser]", 3, ".tier3_only: contradicts tiers"),
    (f"{D}delay: -1", 3, ".delay: -1 is not seconds (a plain number from 0 to 86400)"),
    (f"{D}delay: 1s", 3, ".delay: the text '1s' is not seconds"),
    (f"{D}delay: '1'", 3, ".delay: the text '1' is not seconds"),
    (f"{D}delay: .nan", 3, ".delay: .nan, which YAML reads as nan, is not seconds"),
    (f"{D}delay: .inf", 3, ".delay: .inf, which YAML reads as inf, is not seconds"),
    (f"{D}delay: 12:30", 3, ".delay: 12:30, which YAML reads as 750, is not seconds"),
    (f"{D}delay: 010", 3, ".delay: 010, which YAML reads as 8, is not seconds"),
    (f"{D}delay: true", 3, ".delay: true is not seconds"),
    (f"{D}delay: ~", 3, ".delay: ~, which YAML reads as None, is not seconds"),
    (f"{D}delay: 86401", 3, ".delay: 86401 is not seconds"),
    (f"{D}delay: {'9' * 5000}", 3, ".delay: 9999"),
    (f"{D}delay: 2024-13-45", 3, ".delay: 2024-13-45 is not seconds"),
    (f"{D}concurrency: 0", 3, ".concurrency: 0 is not a number of requests (a plain whole number"),
    (f"{D}max_pages: 0", 3, ".max_pages: 0 is not a number of pages (a plain whole number from 1"),
    (f"{D}max_pages: many", 3, ".max_pages: the text 'many' is not a number of pages"),
    (
        f"{D}max_depth: -1",
        3,
        ".max_depth: -1 is not a number of links (a plain whole number from 0",
    ),
    (f"{D}max_depth: 1.5", 3, ".max_depth: 1.5 is not a number of links"),
    (f"{D}traps: 'no'", 3, ".traps: the text 'no' is not true or false"),
    (f"{D}concurrency: 1.0", 3, ".concurrency: 1.0 is not a number of requests"),
    (f"{D}concurrency: 1_0", 3, ".concurrency: 1_0, which YAML reads as 10, is not"),
    (f"{D}concurrency: 0x10", 3, ".concurrency: 0x10, which YAML reads as 16, is not"),
    (f"{D}verify_tls: 'no'", 3, ".verify_tls: the text 'no' is not true or false"),
    (f"{D}own_budget: 'true'", 3, ".own_budget: the text 'true' is not true or false"),
]


@pytest.mark.parametrize(("text", "line", "what"), BAD, ids=lambda value: str(value)[:40])
def test_a_mistake_is_reported_once_with_its_line_and_key(load, tmp_path, text, line, what):
    with pytest.raises(ConfigError) as caught:
        load(text)
    (message,) = str(caught.value).split("\n")
    assert message.startswith(f"{tmp_path / 'sources.yml'}:{line}: ")
    assert what in message
    assert "hunter2" not in message
    assert len(message) < 500
    assert message.isprintable()


def test_other_keys_are_left_alone_with_a_notice(load, caplog):
    text = """
sources:
  - &first {url: https://x.example/, every: 1d}
  - <<: *first
    tag: !!python/name:os.system
    no: 010
version: &v 2
domains:
  a.example: {delay: 3}
jobs: *v
"""
    with caplog.at_level("INFO"):
        config = load(text)
    assert config.domain_for("https://a.example/").delay == 3
    read = "left alone (mediawiki_sites and domains are read)"
    assert [message.partition("sources.yml:")[2] for message in caplog.messages] == [
        f"{line}: {key}: {read}" for line, key in ((2, "sources"), (7, "version"), (10, "jobs"))
    ]


def test_all_mistakes_are_reported_at_once_in_file_order(load):
    with pytest.raises(ConfigError) as caught:
        load("""
mediawiki_sites:
  a.example: ftp://a.example/api.php
  a.example: *x
domains:
  b.example:
    delay: no
    speed: 3
  c.example: &y {concurrency: 0}
  d.example: &y {delay: 1}
domain: 1
""")
    lines = [message.split(":")[1] for message in str(caught.value).split("\n")]
    assert lines == ["3", "4", "4", "7", "8", "9", "9", "10", "11"]


def test_the_list_of_mistakes_is_limited(load):
    with pytest.raises(ConfigError) as caught:
        load("domains:\n" + "".join(f"  a{i}.example: 1\n" for i in range(200)))
    lines = str(caught.value).split("\n")
    assert len(lines) == 51
    assert lines[-1].endswith("and 150 more problems")


def test_an_alias_bomb_is_rejected_without_expansion(load):
    levels = "".join(f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 30))
    bomb = "b0: &b0 x\n" + levels
    assert not load(bomb).domains  # keys of somebody else
    with pytest.raises(ConfigError, match="an anchor"):
        load("domains:\n" + indent(bomb, "  "))


YAMLISH = st.text(st.sampled_from("domainsx.:-[]{}&*!|>'\"%@#,?\\ \n\t0129éU\0~<="), max_size=80)


@given(st.one_of(st.binary(max_size=60), YAMLISH.map(str.encode)))
def test_any_file_raises_only_config_errors(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.yml"
    path.write_bytes(b"domains:\n  " + data)
    try:
        Config.from_file(path)
    except ConfigError as exc:
        assert str(exc).startswith(f"{path}:")  # noqa: PT017 - an error is one outcome of two


# --- the line to paste ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "api"),
    [
        ("wiki.example.org", API),
        ("WIKI.example.org:8080", "http://wiki.example.org:8080/api.php"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/api.php"),
        ("[::1]:80", "http://[::1]:81/api.php"),
        ("no", "http://no/api.php"),
        ("localhost", "http://localhost/it's,%20%5Bx%5D/api.php:"),
    ],
)
def test_the_line_of_a_wiki_is_valid_in_a_file(load, domain, api):
    line = to_yaml_line(domain, api)
    config = load(f"mediawiki_sites:\n{line}\n")
    assert config.wikis == {domain.lower(): WikiConfig(api)}


def test_the_line_of_a_plain_wiki_has_no_quotes():
    assert to_yaml_line("wiki.example.org", API) == f"  wiki.example.org: {API}"


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_domain_and_url_make_a_single_entry(domain, path):
    try:
        line = to_yaml_line(domain, f"http://a.example/{path}")
    except ValueError:
        return
    assert line.isprintable()
    assert len(yaml.safe_load("x:\n" + line)["x"]) == 1

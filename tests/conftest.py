"""What all tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import hypothesis
import pytest

from tests.servers import crawl4ai as crawl4ai_package
from tests.servers import llama as llama_module
from tests.servers import postgres as postgres_server_module
from tests.servers import redis as redis_server_module
from tests.servers.crawl4ai import RealCrawl4AI
from tests.servers.llama import RealLlama
from tests.servers.mediawiki import RealMediaWiki
from tests.servers.mediawiki_build import missing
from tests.servers.postgres import RealPostgres
from tests.servers.redis import RealRedis
from tests.servers.s3 import RealS3
from wikicrawler import options
from wikicrawler.console import safe_log
from wikicrawler.console.log_secrets import LogSecrets

if TYPE_CHECKING:
    from collections.abc import Iterator

# How long an example takes says more of the machine than of the code.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

# A shell starts what it puts in the background with Ctrl-C ignored, and children inherit that: the
# tests that interrupt one need it as it is in a terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


for setting in options.ALL:
    os.environ.pop(setting.environment, None)  # the developer's own servers have no part in tests
for variable in [name for name in os.environ if name.startswith("AWS_")]:
    del os.environ[variable]


@pytest.fixture(autouse=True)
def _secrets_of_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test calls a secret is a plain word in the log of the next."""
    monkeypatch.setattr(safe_log, "_secrets", LogSecrets())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the wiki or the browser, so that ``-m "not mediawiki"`` leaves it all out."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "mediawiki_server" in fixtures:
            item.add_marker("mediawiki")
        if "crawl4ai_server" in fixtures:
            item.add_marker("browser")
        if "chromium" in fixtures:
            item.add_marker("chromium")
        if "postgres_server" in fixtures:
            item.add_marker("postgres")
        if "redis_server" in fixtures:
            item.add_marker("redis")
        if {"llama", "larger_llama"} & set(fixtures):
            item.add_marker("llama")


@pytest.fixture(scope="session")
def mediawiki_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealMediaWiki]:
    """The one MediaWiki of a test run; tests use the fixture ``mediawiki``."""
    if lacks := missing():
        cannot(f"needs Debian's mediawiki ({', '.join(lacks)}): run scripts/install-test-packages")
    with RealMediaWiki(tmp_path_factory.mktemp("mediawiki")) as wiki:
        yield wiki


@pytest.fixture
def mediawiki(mediawiki_server: RealMediaWiki) -> Iterator[RealMediaWiki]:
    """A real MediaWiki with all switches off and an empty access log."""
    mediawiki_server.reset()
    mediawiki_server.clear_log()
    yield mediawiki_server
    mediawiki_server.reset()


@pytest.fixture(scope="session")
def crawl4ai_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCrawl4AI]:
    """The one crawl4ai of a test run; tests use the fixture ``crawl4ai``."""
    if lacks := crawl4ai_package.missing():
        cannot(f"needs {' and '.join(lacks)}")
    data = tmp_path_factory.mktemp("crawl4ai")
    with RealCrawl4AI(data, MAX_PAGES=str(crawl4ai_package.MAX_PAGES)) as server:
        yield server


@pytest.fixture
def crawl4ai(crawl4ai_server: RealCrawl4AI) -> RealCrawl4AI:
    """A real crawl4ai with an empty journal."""
    crawl4ai_server.clear()
    return crawl4ai_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[RealPostgres]:
    """The one PostgreSQL of a test run; tests use the fixture ``postgres``."""
    if lacks := postgres_server_module.missing():
        cannot(f"needs PostgreSQL ({', '.join(lacks)}): run scripts/install-test-packages")
    with RealPostgres() as server:
        yield server


@pytest.fixture
def postgres(postgres_server: RealPostgres) -> Iterator[RealPostgres]:
    """A real PostgreSQL that is up, whatever the test before has done to it."""
    yield postgres_server
    if not postgres_server.is_up:
        postgres_server.start()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RealRedis]:
    """The one Redis of a test run; tests use the fixture ``redis``."""
    if lacks := redis_server_module.missing():
        cannot(f"needs Redis ({', '.join(lacks)}): run scripts/install-test-packages")
    with RealRedis() as server:
        yield server


@pytest.fixture
def redis(redis_server: RealRedis) -> RealRedis:
    """A real Redis with nothing in it."""
    redis_server.empty()
    return redis_server


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealLlama]:
    """The one language model of a test run. It keeps nothing from one question to the next."""
    if lacks := llama_module.missing():
        cannot(f"needs {' and '.join(lacks)} (run scripts/install-test-extra)")
    with RealLlama(tmp_path_factory.mktemp("llama") / "server.log") as server:
        yield server


@pytest.fixture(scope="session")
def larger_llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealLlama]:
    """A model that understands sentences. It is skipped even in CI where it is not: its weights are
    in packages of somebody unknown, which may vanish."""
    model = llama_module.QWEN
    if lacks := llama_module.missing(model):
        pytest.skip(f"needs {' and '.join(lacks)} (run {model.script})")
    log = tmp_path_factory.mktemp("larger_llama") / "server.log"
    with RealLlama(log, model, context=2048) as server:
        yield server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[RealS3]:
    """The one S3 of a test run; tests use the fixture ``s3``."""
    with RealS3() as server:
        yield server


@pytest.fixture
def s3(s3_server: RealS3) -> RealS3:
    """A real API of S3 without faults."""
    s3_server.reset()
    return s3_server


@pytest.fixture(scope="session")
def trafilatura_folder() -> Path:
    """Where the extra ``articles`` is, for processes that a test starts."""
    return _extra("trafilatura")


@pytest.fixture(scope="session")
def litellm_folder() -> Path:
    """Where the extra ``litellm`` is, for processes that a test starts."""
    return _extra("litellm")


@pytest.fixture(scope="session")
def scrapyd_folder() -> Path:
    """Where Scrapyd is, for processes that a test starts."""
    return _extra("scrapyd")


def _extra(name: str) -> Path:
    folder = Path(__file__).parents[1] / ".cache" / name
    if not (folder / ".installed").exists():
        cannot(f"needs {name} (run scripts/install-test-extra)")
    return folder


def cannot(reason: str) -> NoReturn:
    """Skip what cannot be tested here; in CI everything can."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)

"""The private wiki of the tests of log-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import cannot
from tests.servers.mediawiki_build import missing
from tests.servers.private_wiki import PrivateMediaWiki
from tests.tiers.logins.crawls import ACCOUNT, BOT, PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def private_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateMediaWiki]:
    """The one private wiki of a test run; tests use the fixture ``private_wiki``."""
    if lacks := missing():
        cannot(f"needs Debian's mediawiki ({', '.join(lacks)}): run scripts/install-test-packages")
    with PrivateMediaWiki(tmp_path_factory.mktemp("private")) as wiki:
        wiki.add_account(ACCOUNT, PASSWORD)
        wiki.add_bot_password(ACCOUNT, "crawler", BOT)
        yield wiki


@pytest.fixture
def private_wiki(private_server: PrivateMediaWiki) -> Iterator[PrivateMediaWiki]:
    """A wiki for members with the account Reader and the bot Reader@crawler."""
    private_server.reset()
    private_server.clear_log()
    yield private_server
    private_server.reset()

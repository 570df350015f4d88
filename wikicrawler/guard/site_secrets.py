"""The secrets of ``sources.yml``, for the log, which hides them."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

from wikicrawler.config import Config, secret_reader
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from wikicrawler.credentials.references import SecretRef


def known_secrets(settings: BaseSettings) -> set[str]:
    """Return the secrets that the configuration refers to, as they are and as headers have them.

    What cannot be read is left out: whoever uses it reports it.
    """
    found: set[str] = set()
    with suppress(ConfigError):
        config, secrets = Config.from_settings(settings), secret_reader(settings)
        for user, ref in _references(config):
            with suppress(ConfigError):
                secret = secrets.read(ref)
                found |= {secret, b64encode(f"{user}:{secret}".encode()).decode().rstrip("=")}
    return found


def _references(config: Config) -> Iterator[tuple[str | None, SecretRef]]:
    for wiki in config.wikis.values():
        if wiki.login is not None:
            yield wiki.login.user, wiki.login.secret
    for domain in config.domains.values():
        if domain.proxy is not None and domain.proxy.password is not None:
            yield domain.proxy.user, domain.proxy.password

"""The sites with a log-in or a proxy, for ``scrapy check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.config import Config, secret_reader
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings


def access_lines(settings: BaseSettings) -> Iterator[str]:
    """Yield a line for each log-in and each proxy of the configuration, without secrets.

    :raises ConfigError: the configuration is wrong, or a secret cannot be read
    """
    config, secrets = Config.from_settings(settings), secret_reader(settings)
    for name, wiki in config.wikis.items():
        if wiki.login is not None:
            secrets.read(wiki.login.secret)
            yield f"{name}  log-in  {one_line(wiki.login)}"
    for name, domain in config.domains.items():
        if domain.proxy is not None:
            if domain.proxy.password is not None:
                secrets.read(domain.proxy.password)
            yield f"{name}  proxy  {one_line(domain.proxy)}"

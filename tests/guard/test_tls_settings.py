"""Wrong settings of TLS end the start."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from wikicrawler.errors import ConfigError
from wikicrawler.guard.tls_settings import check_tls


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"DOWNLOAD_TLS_MIN_VERSION": "TLS1.2"}, "DOWNLOAD_TLS_MIN_VERSION is 'TLS1.2': TLSv1.0,"),
        ({"DOWNLOAD_TLS_MAX_VERSION": 1.3}, "DOWNLOAD_TLS_MAX_VERSION is 1.3: TLSv1.0,"),
        (
            {"DOWNLOAD_TLS_MIN_VERSION": "TLSv1.3", "DOWNLOAD_TLS_MAX_VERSION": "TLSv1.2"},
            "later than DOWNLOAD_TLS_MAX_VERSION, 'TLSv1.2': no version is left",
        ),
        (
            {"DOWNLOADER_CLIENT_TLS_METHOD": "SSLv3"},
            "DOWNLOADER_CLIENT_TLS_METHOD is 'SSLv3': TLS,",
        ),
        ({"DOWNLOADER_CLIENT_TLS_CIPHERS": "none"}, "CIPHERS is 'none': OpenSSL knows no such"),
    ],
)
def test_a_wrong_value_is_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as found:
        check_tls(Settings(settings))
    assert message in str(found.value)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"DOWNLOAD_TLS_MIN_VERSION": "TLSv1.2", "DOWNLOAD_TLS_MAX_VERSION": "TLSv1.2"},
        {"DOWNLOADER_CLIENT_TLS_CIPHERS": "ECDHE+AESGCM:!aNULL"},
    ],
)
def test_a_right_value_is_accepted(settings: dict[str, object]) -> None:
    check_tls(Settings(settings))

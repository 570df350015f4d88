"""The staging folder that the settings name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.config import project_root
from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from wikicrawler.sources.staging.protocol import Staging

_SCHEME = "s3://"
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]", re.ASCII)
_PREFIX_PART = re.compile(r"[A-Za-z0-9!_.*'()=-]{1,200}", re.ASCII)


def staging_of(settings: BaseSettings) -> Staging:
    """Return the staging folder of ``WIKICRAWLER_STAGING``; it may not exist yet.

    :raises ConfigError: the setting names none
    """
    named = options.STAGING.read(settings) or options.STAGING.default
    if not named.startswith(_SCHEME):
        if "://" in named:
            raise _wrong(named)
        return StagingFolder(project_root() / named)
    bucket, _, rest = named.removeprefix(_SCHEME).partition("/")
    parts = rest.strip("/").split("/") if rest.strip("/") else []
    if not _BUCKET.fullmatch(bucket) or not all(map(_is_prefix_part, parts)):
        raise _wrong(named)
    # Imported here because boto3 is an extra, and takes a while to load.
    from wikicrawler.sources.staging.bucket import StagingBucket  # noqa: PLC0415
    from wikicrawler.sources.staging.s3 import Objects  # noqa: PLC0415

    prefix = "".join(f"{part}/" for part in parts)
    location = "/".join([_SCHEME + bucket, *parts])
    return StagingBucket(Objects.from_settings(settings, bucket), location, prefix)


def _is_prefix_part(part: str) -> bool:
    return part not in {".", ".."} and _PREFIX_PART.fullmatch(part) is not None


def _wrong(named: str) -> ConfigError:
    return ConfigError(
        f"{options.STAGING.name} is {quoted(named)}: a folder or s3://bucket/prefix is needed"
    )

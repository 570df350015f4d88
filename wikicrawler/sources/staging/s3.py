"""Objects of a bucket, by the API of S3.

boto3 is used directly because all depends on conditional writes, and on their answers: 412 (the
object exists) and 409 (another write of it is under way) need different reactions.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line

try:
    from boto3.session import Session
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
except ImportError:
    raise ConfigError("S3 needs boto3 (pip install 'wikicrawler[s3]')") from None

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

CONNECT_SECONDS = 5
READ_SECONDS = 30
ATTEMPTS = 4
"""Maximum number of attempts of an operation, while the server is unreachable or busy."""
_CONFLICT_DELAYS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)

# On the level DEBUG the headers of requests are logged, session tokens included.
for _name in ("botocore", "boto3", "urllib3"):
    if logging.getLogger(_name).level == logging.NOTSET:
        logging.getLogger(_name).setLevel(logging.WARNING)


class S3Error(OSError):
    """An operation failed.

    :ivar status: HTTP status of the answer; None if there was none
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Found(NamedTuple):
    """An object in a listing."""

    key: str
    modified: float
    """When it was written, by the clock of the server."""
    size: int


class Objects:
    """The objects of *bucket*. Threads may use it at once.

    :param client: boto3's client for S3
    """

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    @classmethod
    def from_settings(cls, settings: BaseSettings, bucket: str) -> Objects:
        """Return the objects of *bucket*, with the endpoint and the credentials of Scrapy's AWS
        settings, else with those that boto3 finds (environment, files, roles of the machine).

        :raises ConfigError: a setting is wrong
        """
        given = {
            "endpoint_url": settings.get("AWS_ENDPOINT_URL"),
            "region_name": settings.get("AWS_REGION_NAME"),
            "aws_access_key_id": settings.get("AWS_ACCESS_KEY_ID"),
            "aws_secret_access_key": settings.get("AWS_SECRET_ACCESS_KEY"),
            "aws_session_token": settings.get("AWS_SESSION_TOKEN"),
            "use_ssl": None
            if settings.get("AWS_USE_SSL") is None
            else settings.getbool("AWS_USE_SSL"),
            "verify": None
            if settings.get("AWS_VERIFY") is None
            else settings.getbool("AWS_VERIFY"),
        }
        config = Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            max_pool_connections=20,
        )
        chosen = {name: value for name, value in given.items() if value is not None}
        try:
            session = Session()
            if session.region_name is None:
                chosen.setdefault("region_name", "us-east-1")
            return cls(session.client("s3", config=config, **chosen), bucket)
        except (BotoCoreError, ValueError) as error:
            raise ConfigError(f"S3 cannot be used: {one_line(error, 300)}") from None

    def create(self, key: str, data: bytes, kind: str) -> bool:
        """Write a new object; return False if there is one at *key*, which is left as it is.

        :param kind: its media type
        :raises S3Error: it could not be written, or may have been
        """
        # An answer that was lost makes the library try again, and the server refuse its own object.
        writer = str(uuid4())
        new = {"Key": key, "Body": data, "ContentType": kind, "IfNoneMatch": "*"}
        for delay in (*_CONFLICT_DELAYS, None):
            try:
                self._call("put_object", Metadata={"writer": writer}, **new)
            except S3Error as error:
                if error.status == 412:
                    return self._writer_of(key) == writer
                if error.status != 409 or delay is None:
                    raise
                time.sleep(delay)
            else:
                return True
        raise AssertionError("unreachable")

    def _writer_of(self, key: str) -> str | None:
        found = self._call("head_object", Key=key)["Metadata"].get("writer")
        return None if found is None else str(found)

    def put(self, key: str, data: bytes, kind: str) -> None:
        """Write an object, also in place of another.

        :raises S3Error: it could not be written, or may have been
        """
        self._call("put_object", Key=key, Body=data, ContentType=kind)

    def get(self, key: str, first: int | None = None) -> bytes:
        """Return an object, or its *first* bytes.

        :raises FileNotFoundError: there is none
        :raises S3Error: it cannot be read
        """
        part = {} if first is None else {"Range": f"bytes=0-{first - 1}"}
        try:
            answer = self._call("get_object", Key=key, **part)
            return bytes(answer["Body"].read())
        except S3Error as error:
            if error.status == 404:
                raise FileNotFoundError(f"no object {one_line(key)}") from None
            if error.status == 416:  # an empty object has no first bytes
                return b""
            raise
        except BotoCoreError as error:  # the connection broke
            raise S3Error(f"get_object: {one_line(error, 300)}") from None

    def delete(self, key: str) -> None:
        """Remove an object, if there is one.

        :raises S3Error: it could not be removed, or may have been
        """
        self._call("delete_object", Key=key)

    def list(self, prefix: str, limit: int | None = None) -> Iterator[Found]:
        """Yield the objects whose keys begin with *prefix*, at most *limit*.

        :raises S3Error: they cannot be listed
        """
        count: dict[str, Any] = {} if limit is None else {"MaxKeys": limit}
        token: dict[str, Any] = {}
        while True:
            page = self._call("list_objects_v2", Prefix=prefix, **count, **token)
            for entry in page.get("Contents", ()):
                yield Found(entry["Key"], entry["LastModified"].timestamp(), entry["Size"])
            if limit is not None or not page.get("IsTruncated"):
                return
            token = {"ContinuationToken": page["NextContinuationToken"]}

    def _call(self, operation: str, **arguments: Any) -> Any:
        try:
            return getattr(self._client, operation)(Bucket=self._bucket, **arguments)
        except ClientError as error:
            answer = error.response
            status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode")
            code, said = (answer.get("Error", {}).get(name, "") for name in ("Code", "Message"))
            text = f"{operation}: HTTP {status} {code}: {said}"
            raise S3Error(one_line(text, 300), status) from None
        except BotoCoreError as error:
            raise S3Error(f"{operation}: {one_line(error, 300)}") from None

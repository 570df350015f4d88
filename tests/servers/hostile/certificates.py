"""Certificates of servers on loopback, good and bad, made anew for each run."""

from __future__ import annotations

import os
import ssl
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TRUST = "SSL_CERT_FILE"  # where OpenSSL looks for the authorities


@contextmanager
def trust() -> Iterator[None]:
    """Within it, this process and its children trust :func:`signed`'s authority and no other."""
    before = os.environ.get(TRUST)
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        Path(file.name).write_bytes(_pem(_authority()[0]))
        os.environ[TRUST] = file.name
        try:
            yield
        finally:
            del os.environ[TRUST]
            if before is not None:
                os.environ[TRUST] = before


def signed(
    host: str = "", *, days: tuple[int, int] = (-2, 30), by_itself: bool = False
) -> Callable[[str], ssl.SSLContext]:
    """The TLS of a server by its address, valid from and until so many days from now.

    Its certificate is for *host*, or that address; of the trusted authority, unless *by_itself*.
    """

    def make(address: str) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        authority, authority_key = _authority()
        name = _name(host or address)
        builder = _builder(name, name if by_itself else authority.subject, key, days)
        alternative = x509.DNSName(host) if host else x509.IPAddress(ip_address(address))
        builder = builder.add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        certificate = builder.sign(key if by_itself else authority_key, hashes.SHA256())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(_pem(certificate) + _private(key))
            context.load_cert_chain(file.name)
        return context

    return make


@lru_cache
def _authority() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("the tests' authority")
    builder = _builder(name, name, key, (-2, 30)).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    return builder.sign(key, hashes.SHA256()), key


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: tuple[int, int]
) -> x509.CertificateBuilder:
    first, last = (datetime.now(UTC) + timedelta(days=n) for n in days)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(first)
        .not_valid_after(last)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )

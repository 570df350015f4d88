"""Certificates of servers on loopback: good, expired, of another host, signed by nobody."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path


def server_context(
    folder: Path, *, host: str = "127.0.0.1", authority: Authority | None = None, days: int = 1
) -> ssl.SSLContext:
    """The context of a server that says it is *host*; without *authority* its certificate is
    self-signed, and with *days* below 0 it has expired."""
    key = ec.generate_private_key(ec.SECP256R1())
    try:
        name: x509.GeneralName = x509.IPAddress(ip_address(host))
    except ValueError:
        name = x509.DNSName(host)
    issuer, signer = (authority.name, authority.key) if authority else (_named(host), key)
    certificate = (
        _unsigned(_named(host), issuer, key, days)
        .add_extension(x509.SubjectAlternativeName([name]), critical=False)
        .sign(signer, hashes.SHA256())
    )
    file = folder / f"{host}{days}{bool(authority)}.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


class Authority:
    """Signs certificates; its own is in the file *path*, for ``SSL_CERT_FILE``."""

    def __init__(self, folder: Path) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = _named("authority of a test")
        self.path = folder / "authority.pem"
        own = (
            _unsigned(self.name, self.name, self.key, 1)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(self.key, hashes.SHA256())
        )
        self.path.write_bytes(own.public_bytes(serialization.Encoding.PEM))


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _unsigned(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=30))
        .not_valid_after(now + timedelta(days=days))
    )

"""Addresses of links and images without the parts that differ from visit to visit."""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import unquote

_MAX_NAME = 60
_ALL_KINDS = 3
"""Digits, capitals and small letters."""
_LEAST_TURNS = 3
"""How often letters and digits take turns at least in a random value."""
_MAX = 4_000
"""Characters of an address that are read; a longer one (``data:``) is left as it is."""
# Parameters that count visits, name a session, or only make a cache fetch a file again.
_NOISE = re.compile(
    r"utm_\w+|_?ga|_gl|_gid|gclid|dclid|fbclid|msclkid|twclid|igshid|mc_[ce]id|mkt_tok|et_[rc]id|_hs\w+"
    r"|v|ver|version_id|itok|rev_?hash|cb|cachebust(?:er)?|cache|_|ts|timestamp|nonce|rand(?:om)?|hash"
    r"|csrf\w*|_?csrf_?token|authenticity_token|token|access_token|form_build_id|_wpnonce"
    r"|sid|s?session_?(?:id)?|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken"
    r"|x-amz-\w+(?:-\w+)*|awsaccesskeyid|signature|expires|key-pair-id|policy",
    re.IGNORECASE,
)
_SESSION_NAME = re.compile(
    r"[\w.-]{0,20}sess(?:ion)?[-_.]?(?:id|key|token|hash)|sess|oscsid|zenid|s_id|cfsid|visitor_?(?:id)?|visit_?id|guest_?id|(?:basket|cart)(?:_?(?:id|key|token))?"
    r"|warenkorb(?:id)?|panier|jeton|jsessid|xsrf\w{0,20}|_?xsrf|request_?id|req_?id|trace_?id|correlation_?id|click_?id|wt_mc\w{0,20}|(?:mtm|pk|piwik|matomo|hsa|vero|oly)_\w{1,30}"
    r"|li_fat_id|yclid|wbraid|gbraid|epik|s_kwcid|ef_id|_bta_tid|trk(?:info)?|rnd|nocache|no_cache|cachebuster|cachekey|_t|_ts|_dc|dpr_?ts",
    re.IGNORECASE,
)
"""Parameters that name a visit, whatever their value."""
_RANDOM_NAME = re.compile(
    r"(?:api_?|auth_?|access_?|secret_?|security_?|form_?)?key|k|s|t|r|rid|uid|vid|gid|cid|tid|tk|tok|state|auth|ticket|sso|samlrequest|relaystate|digest|salt|seed|sign|sig|hmac|check(?:sum)?"
    r"|visit|ctx|context|tracking|track|ref_?id|build(?:_?id)?|view_?state|instance|flow(?:_?id)?|journey|parcours|recorrido|percorso|percurso|signature_?id|mac|crc|bust|clave|cle|chiave|chave|schluessel",
    re.IGNORECASE,
)
"""Parameters that name a visit if their value is random."""
_SESSION_STEM = re.compile(
    r"sess|sesi[oó]n|sitzung|csrf|xsrf|jeton|token|nonce|visit|basket|cart|warenkorb|panier|cesta|carrello",
    re.IGNORECASE,
)
"""A part of a name that says so in another wording, if the value is random."""
_UUID = re.compile(r"[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?=[\da-f]{0,31}\d)(?=[\d]{0,31}[a-f])[\da-f]{8,128}", re.IGNORECASE)
_BASE64 = re.compile(r"[\w+/.%-]{16,1000}=*+")
_SAS = re.compile(r"s[vtrepkos]|sig|spr|sip|srt|ss|sdd|skoid|sktid|skt|ske|sks|skv", re.IGNORECASE)
"""Parameters of a signed Azure address, which are noise only next to ``sig``."""
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]*", re.IGNORECASE)
_ASP_SESSION = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9_-]*\))+\)")
_ASP_LINE = re.compile(
    r"/(?:\\?\(|%28)(?:[A-Z](?:\\?\(|%28)(?=[a-z\d_-]{0,200}\d)[a-zA-Z\d_-]{8,200}(?:\\?\)|%29)){1,4}"
    r"(?:\\?\)|%29)(?=/)"
)
"""``/(S(k2lq5m0xw1r4v3jzbh55ycal))``, which would end an address in parentheses too early."""
_ASSET_HASH = re.compile(
    r"(?<=[._-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}"
    r"(?=(?:\.min)?\.(?:png|jpe?g|gif|svg|webp|ico|css|m?js|woff2?)$)",
    re.IGNORECASE,
)
_KEEPS_V = re.compile(r"(?:youtube|youtube-nocookie)\.com/watch$", re.IGNORECASE)
_PROTECTED = re.compile(r"/cdn-cgi/l/email-protection(?:#([0-9A-Fa-f]*))?")
_EMAIL = re.compile(r"[!-~]{1,200}@[!-~]{1,200}")
HIDDEN_EMAIL = "[email protected]"


def canonical(address: str) -> str:
    """Return *address* without session ids, tokens, tracking parameters and cache busters."""
    if len(address) > _MAX:
        return address
    if (email := _protected(address)) is not None:
        return f"mailto:{email}"
    address = address.replace("–", "%E2%80%93").replace("−", "%E2%88%92")
    rest, _, fragment = address.partition("#")
    path, _, query = rest.partition("?")
    if ";" in path:
        path = _SESSION.sub("", path)
    if "(" in path:
        path = _ASP_SESSION.sub("", path)
    path = _ASSET_HASH.sub("HASH", path)
    if query:
        query = _without_noise(path, query)
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


def without_session(text: str) -> str:
    """Return *text* without the sessions that ASP.NET puts in the path of an address."""
    return _ASP_LINE.sub("", text)


def _without_noise(path: str, query: str) -> str:
    fields = [field for field in query.replace("&amp;", "&").split("&") if field]
    names = [field.partition("=")[0] for field in fields]
    signed = any(name.lower() == "sig" for name in names)
    styled = "itok" in names  # an image style of Drupal, whose `h` is the hash of its crop
    return "&".join(
        field
        for field, name in zip(fields, names, strict=True)
        if not (
            (_NOISE.fullmatch(name) and not (name == "v" and _KEEPS_V.search(path)))
            or _names_visit(name, field[len(name) + 1 :])
            or (signed and _SAS.fullmatch(name))
            or (styled and name == "h")
        )
    )


def _names_visit(name: str, value: str) -> bool:
    """Return True if a parameter names a visit, by its name or its random value."""
    if len(name) > _MAX_NAME:
        return False
    if _SESSION_NAME.fullmatch(name):
        return True
    named = _RANDOM_NAME.fullmatch(name) or _SESSION_STEM.search(name)
    return bool(named) and is_random(value)


def is_random(value: str) -> bool:
    """Return True for a UUID, for hexadecimal digits, and for what mixes letters and digits as
    no word or number does."""
    if _UUID.fullmatch(value) or _HEX.fullmatch(value):
        return True
    if not _BASE64.fullmatch(value):
        return False
    kinds = {(c.isdigit(), c.isupper()) for c in value if c.isalnum()}
    turns = sum(one.isdigit() != other.isdigit() for one, other in pairwise(value))
    return len(kinds) == _ALL_KINDS and turns >= _LEAST_TURNS


def same_target(address: str) -> str:
    """Return what two spellings of the address of one document have in common."""
    head, mark, fragment = address.partition("#")
    head = re.sub(r"^(?:https?:)?//(?:www\.)?", "", head, flags=re.IGNORECASE)
    host, slash, path = head.partition("/")
    head = (host.lower() + slash + path).rstrip("/")
    return f"{head}{mark}{fragment}"


def _protected(address: str) -> str | None:
    """The e-mail address behind an address of Cloudflare's, or None if it is another address."""
    found = _PROTECTED.search(address)
    if not found:
        return None
    return decode_email(found[1] or "") or HIDDEN_EMAIL


def decode_email(digits: str) -> str | None:
    """Return the e-mail address that Cloudflare wrote as hexadecimal *digits*; None if it is none.

    The first byte is the key: each visit gets other digits for the same address.
    """
    if len(digits) < 4 or len(digits) % 2 or len(digits) > _MAX:
        return None
    try:
        raw = bytes.fromhex(digits)
    except ValueError:
        return None
    text = bytes(byte ^ raw[0] for byte in raw[1:]).decode("utf-8", "replace")
    text = unquote(text).partition("?")[0]
    return text if _EMAIL.fullmatch(text) else None

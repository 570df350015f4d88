"""Languages of documents, by the signs that sites give."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_NAMES = {
    "english": "en",
    "englisch": "en",
    "anglais": "en",
    "ingles": "en",
    "german": "de",
    "deutsch": "de",
    "allemand": "de",
    "french": "fr",
    "francais": "fr",
    "franzosisch": "fr",
    "spanish": "es",
    "espanol": "es",
    "portuguese": "pt",
    "portugues": "pt",
    "italian": "it",
    "italiano": "it",
    "dutch": "nl",
    "nederlands": "nl",
    "swedish": "sv",
    "svenska": "sv",
    "danish": "da",
    "dansk": "da",
    "finnish": "fi",
    "suomi": "fi",
    "norwegian": "no",
    "norsk": "no",
    "japanese": "ja",
    "chinese": "zh",
    "korean": "ko",
    "polish": "pl",
    "polski": "pl",
    "russian": "ru",
    "turkish": "tr",
}
_CODES = {code: code for code in ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "fi")} | {
    "eng": "en",
    "ger": "de",
    "deu": "de",
    "fra": "fr",
    "esp": "es",
    "swe": "sv",
    "jp": "ja",
    "ja": "ja",
    "jpn": "ja",
    "cn": "zh",
    "zh": "zh",
    "chi": "zh",
    "ko": "ko",
    "kr": "ko",
    "pl": "pl",
    "ru": "ru",
}
_WORDS = (
    ("de", re.compile(r"geschafts\w*bericht|jahres\w*bericht|nachhaltigkeits\w*|investoren")),
    ("fr", re.compile(r"rapport (?:financier )?annuel|document d enregistrement|investisseurs")),
    ("es", re.compile(r"informes? (?:financiero )?anual|memoria anual|inversores")),
    ("pt", re.compile(r"relatorio")),
    ("it", re.compile(r"relazione|bilancio")),
    ("nl", re.compile(r"jaarverslag")),
    ("sv", re.compile(r"arsredovisning")),
    ("no", re.compile(r"arsrapport")),
    ("fi", re.compile(r"vuosikertomus|tilinpaatos")),
    ("zh", re.compile("年报|年度报告|年度報告")),
    ("ja", re.compile("有価証券報告書|アニュアルレポート|統合報告書")),
    ("ko", re.compile("연차보고서|사업보고서")),
)
_SEGMENT = re.compile(r"([a-z]{2})(?:[-_][a-z]{2})?")
_MAX_SEGMENTS = 12


def language_code(stated: str) -> str:
    """Return the language of a tag like ``en-GB``; empty if it is none."""
    found = _SEGMENT.match(stated.strip().lower()[:10])
    return found[1] if found else ""


def language_of(url: str, label: str, name: str) -> str:
    """Return the code of the language that a document's link states; empty if it states none.

    :param label: words of the link
    :param name: words of the file name
    """
    for text in (label, name):
        if found := next((_NAMES[word] for word in text.split() if word in _NAMES), ""):
            return found
    for word in reversed(name.split()[-3:]):
        if word in _CODES:
            return _CODES[word]
    if found := _language_of_path(url):
        return found
    return next((code for code, words in _WORDS if words.search(f"{label} {name}")), "")


def _language_of_path(url: str) -> str:
    """Return the language that a folder in the path is named for."""
    for segment in urlsplit(url).path.lower().split("/", _MAX_SEGMENTS)[1:-1]:
        found = _SEGMENT.fullmatch(segment)
        if found and found[1] in _CODES:
            return _CODES[found[1]]
    return ""

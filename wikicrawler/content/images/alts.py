"""Which alt texts of images carry meaning, as strings alone."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote, urlsplit

MAX_ALT = 500
"""Maximum characters of an alt text. A longer one is cut between two words."""
_MAX_SYMBOLS = 16
"""Maximum characters of an alt text without a letter or digit, such as an emoji."""

_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]+")
# A direction that an alt text opens and does not close would reverse the rest of the line.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]+")
_IMAGE_SUFFIX = (
    r"\.(?:a?png|jpe?g|jfif|gif|svgz?|web[pm]|avif|bmp|ico|tiff?|heic|xcf|psd|djvu|pdf|ogv|mp4)"
)
_FILE_NAME = re.compile(rf"{_IMAGE_SUFFIX}(?:[?#]\S{{0,200}})?$", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:|data:|file:|www\.|/\S{0,400}/)\S{0,1000}$", re.IGNORECASE)
_CAMERA = re.compile(
    r"(?:img|dscn?|dscf|dcim|pict?|mvi|pxl|screen[ _-]?shot|capture|untitled)[ _-]{0,3}"
    r"\d[\d _.,:()x-]{2,60}$|(?=(?:\D{0,3}\d){8})[\d _.:()-]{8,60}$",
    re.IGNORECASE,
)
"""Matches the names that cameras and programs give to files."""
_JOINED = re.compile(
    r"[^\W_]+(?:[_-]+[^\W_]+)+$|[a-z]{0,20}\d{3,60}[a-z\d]{0,20}$|[0-9a-f]{16,64}$"
)
"""Matches what is written as names of files are: ``icon_fuel``, ``hero-2x``, ``dsc0042``."""
_SIZE = re.compile(r"[\d\W_]+")
_ICON = re.compile(r"(?<=\w)[ _-]icons?$", re.IGNORECASE)

# What an alt text says of the image as such, in the languages of large wikis. Digits and
# punctuation around the words do not count ("Image 1").
_GENERIC_TEXT = """
    alt; alt text; alternative text; alternate text; arrow; attachment; avatar; background;
    banner; blank; bullet; button; caption; chevron; click to enlarge; close; cover; cover image;
    decoration; decorative; divider; dot; edit; enlarge; enlarge image; expand; external link;
    featured image; figure; file; gallery image; gif; graphic; header; header image; hero;
    hero image; icon; icons; illustration; image; image alt; image alt text; image description;
    image of; image placeholder; image result for; images; img; info; inline image; jpg; jpeg;
    lazy; lead image; line; link; loading; logo; main image; magnify; menu; more; no alt;
    no alternative text; no description; no image; none; null; object object; open; photo;
    photograph; photos; pic; picture; pictures; pixel; placeholder; placeholder image; png;
    post image; preview; print; profile; profile image; profile photo; profile picture;
    refer to caption; refer to adjacent text; screen shot; screenshot; search; see adjacent text;
    see caption; see image description; separator; shim; slide; slideshow image; space; spacer;
    svg; symbol; tap to enlarge; thumb; thumbnail; tooltip; transparent; undefined; unknown image;
    user avatar; video; video thumbnail; view image; zoom; zoom in; abbildung; bild; bilder;
    bildbeschreibung; foto; fotos; grafik; ikone; symbolbild; vorschaubild; zeichnung;
    siehe bildunterschrift; agrandir; icône; photographie; vignette; défaut; image illustrative;
    icono; ilustración; imagen; fotografía; miniatura; logotipo; icona; immagine; illustrazione;
    fotografia; ícone; imagem; ilustração; afbeelding; pictogram; plaatje; bilde; billede; kuva;
    obraz; obrázek; obrazek; zdjęcie; kép; изображение; картинка; фото; фотография; иконка;
    логотип; значок; зображення; 图片; 圖片; 图像; 圖像; 照片; 图标; 圖示; 画像; 写真; アイコン;
    ロゴ; イメージ; 이미지; 사진; 아이콘; 로고
"""


def _words(text: str) -> str:
    """Return *text* in lower case, with a space for each run of anything but letters."""
    return " ".join(_SIZE.sub(" ", text.casefold()).split())


_GENERIC = frozenset(_words(name) for name in _GENERIC_TEXT.split(";"))


def clean(text: str | None) -> str:
    """Return the alt text *text* on one line, of at most :data:`MAX_ALT` characters.

    Control characters and marks that open a direction of writing are removed.
    """
    if not text:
        return ""
    cut = len(text) > 4 * MAX_ALT
    text = _DIRECTIONS.sub("", text[: 4 * MAX_ALT])
    text = _SPACE.sub(" ", text).strip(" ")
    if len(text) <= MAX_ALT:
        return f"{text}…" if cut else text
    short = text[:MAX_ALT]
    return f"{short.rpartition(' ')[0] or short}…"


def is_file_name(alt: str, src: str = "") -> bool:
    """Return True if *alt* is the name of a file, or of the file at *src*, not a text."""
    if _FILE_NAME.search(alt) or _ADDRESS.match(alt) or _CAMERA.match(alt):
        return True
    return " " not in alt and _JOINED.match(alt) is not None and _stem(src) == _stem_of_name(alt)


def _stem(src: str) -> str:
    try:
        path = urlsplit(src[:2000]).path
    except ValueError:
        return ""
    return _stem_of_name(unquote(path.rpartition("/")[2]))


def _stem_of_name(name: str) -> str:
    return re.sub(rf"(?:{_IMAGE_SUFFIX})+$", "", name, flags=re.IGNORECASE).casefold()


@lru_cache(maxsize=4096)
def is_meaningful(alt: str, *, emoji: bool = False) -> bool:
    """Return True if *alt*, which is clean and no file name, says what an image shows.

    :param emoji: whether the page marks the image as an emoji. Then ``:-)`` is meaningful, too.
    """
    if not alt:
        return False
    if any(map(str.isalnum, alt)):
        return _words(alt) not in _GENERIC or (alt.isdecimal() and len(alt) < 4)
    if len(alt) > _MAX_SYMBOLS:
        return False
    return emoji or any(c > "\x7f" and unicodedata.category(c)[0] == "S" for c in alt)


def without_kind(alt: str) -> str:
    """Return *alt* without the word "icon" at its end: "Fuel icon" stands for "Fuel"."""
    return _ICON.sub("", alt)

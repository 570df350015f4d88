# ruff: noqa: E501
"""Lines of tools: labels to share, print and save, several of them in one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_MAX_WORDS = 20
_MAX_PHRASE = 10
_LABELS = (
    # networks and programs
    "facebook twitter x linkedin reddit whatsapp instagram youtube flickr pinterest pin bluesky mastodon threads telegram xing viber messenger"
    " sms line vk tumblr pocket flipboard wechat weibo skype signal snapchat tiktok evernote instapaper digg hacker news teams slack"
    # what they do
    " share tweet post repost retweet like email e-mail mail print bookmark copy copied link url send save tell friend friends forward embed cite citation more follow"
    " teilen twittern posten drucken mailen merken senden empfehlen weiterempfehlen kopieren link mehr"
    " partager tweeter imprimer envoyer copier lien courriel e-mail suivre publier"
    " compartir compartilhar partilhar tuitear twittear imprimir enviar copiar enlace correo guardar salvar publicar"
    " condividi twitta stampa invia copia salva inoltra pubblica"
    " delen tweeten afdrukken printen mailen versturen kopieer"
    # between them
    " this page article post on via to and or with us a the by it in diese seite artikel beitrag auf bei per über via und oder zu cette ce page article sur par à et ou le la un"
    " esta este página artículo artigo en em por y e o no na su di con questa pagina articolo via deze pagina dit artikel op en"
)
WORDS = frozenset(_LABELS.split())
_STRONG_LABELS = (
    "share tweet facebook twitter linkedin whatsapp pinterest bluesky mastodon telegram xing reddit teilen twittern drucken partager tweeter imprimer"
    " compartir compartilhar partilhar tuitear condividi twitta delen tweeten"
)
_STRONG = frozenset(_STRONG_LABELS.split())
_SPLIT = re.compile(r"[\s,:|/·•()]+")
BUTTON = re.compile(r"print|share|tweet|pin it|copy link|bookmark|email page", re.IGNORECASE)
"""What is noise only next to other segments."""
_LABEL = re.compile(
    r"print|share|tweet|pin it|copy link|bookmark|e-?mail(?: (?:page|this|this page))?|save(?: (?:this|page|article|job|item))?|listen|cite|follow|like|reply|embed|flag"
    r"|drucken|teilen|merken|vorlesen|mailen|imprimer|partager|envoyer|enregistrer|écouter|imprimir|compartir|enviar|guardar|escuchar|compartilhar|partilhar|salvar|ouvir|stampa|condividi|invia|salva|ascolta|afdrukken|delen|opslaan|mailen",
    re.IGNORECASE,
)
"""What is noise only next to other noise, without a separator."""
_HINT_LABELS = "print share tweet email e-mail save bookmark view like follow listen comment drucken teilen merken imprim partag compart partilh condivid stampa afdrukken delen"
_HINTS = frozenset(_HINT_LABELS.split())
_BETWEEN = "|/·•,;: "
_MAX_BUTTON = 6
_OBJECT = r"(?: (?:this |the |diese |cette |la |esta |questa |a |deze )?(?:page|article|post|seite|artikel|article|página|artículo|pagina|articolo|artigo))?"
_SURE = (
    rf"print{_OBJECT}|printer[ -]friendly(?: version)?|share{_OBJECT}|e-?mail{_OBJECT}|(?:send|share) (?:by|via) e-?mail|bookmark{_OBJECT}"
    r"|add to (?:my )?(?:favou?rites|bookmarks|reading list|read(?:ing)? later|list|library|watch ?list|collections?)|(?:remove|delete) from (?:my )?favou?rites|save (?:for later|to (?:my )?(?:favou?rites|list|reading list|library))"
    rf"|listen(?: to{_OBJECT})?|read aloud|read out|(?:text|font)[ -]?size|(?:increase|decrease|reset|change) (?:the )?(?:text|font)(?:[ -]?size)?|(?:larger|smaller|bigger) (?:text|font)|high contrast|dark mode|light mode|copy (?:the )?(?:link|url)"
    r"|(?:accept|reject|allow|decline|deny) all(?: cookies)?|(?:cookie|privacy) (?:settings|preferences)|manage (?:cookies|preferences|consent)|alle(?:s)? (?:akzeptieren|ablehnen|accepteren|weigeren)|tout (?:accepter|refuser)|(?:aceptar|rechazar) todo|(?:accetta|rifiuta) tutto|(?:aceitar|rejeitar) tudo"
    rf"|(?:seite |artikel )?(?:drucken|teilen|vorlesen|merken)|(?:zu|als) favorit(?:en)?(?: hinzufügen| speichern)?|per e-?mail (?:senden|teilen|verschicken)|schriftgröße|schrift (?:vergrößern|verkleinern)|leichte sprache|kontrast"
    rf"|(?:imprimer|partager|écouter|envoyer){_OBJECT}|ajouter (?:à mes|aux) favoris|envoyer par (?:e-?mail|courriel)|taille du texte|(?:agrandir|réduire) (?:le texte|la police)"
    rf"|(?:imprimir|compartir|escuchar|enviar){_OBJECT}|(?:añadir|agregar) a (?:mis )?favoritos|enviar por (?:correo|e-?mail)|tamaño (?:de(?:l)? )?(?:texto|letra)|alto contraste"
    rf"|(?:stampa|condividi|ascolta|invia){_OBJECT}|aggiungi ai preferiti|dimensione (?:del )?testo|(?:compartilhar|partilhar|ouvir){_OBJECT}|adicionar aos favoritos|tamanho do texto"
    rf"|(?:afdrukken|printen|delen|voorlezen){_OBJECT}|(?:toevoegen|voeg toe) aan favorieten|lettergrootte|lees voor"
)
_SURE_TOOLS = re.compile(_SURE)
_ANY = (
    rf"{_SURE}|save{_OBJECT}|tweet|pin(?: it)?|like|follow|embed|cite{_OBJECT}|translate|more|a ?[+-]|aa?|subscribe|get (?:email )?alerts|feedback|text|font|contrast|\+|-"
    r"|speichern|mailen|mehr|folgen|enregistrer|suivre|plus|guardar|seguir|más|salva|segui|salvar|mais|opslaan|volgen|meer|bewaren|aumentar|disminuir|contraste|contrasto"
)
_TOOLS = re.compile(_ANY)
_FIRST_TOOL = re.compile(rf"(?:{_ANY})(?![^\s|/·•,;])")
"""Buttons; those of _SURE are labels of nothing else next to another one."""
_PAGER_LABELS = (
    "prev previous next up first last back index contents top older newer page home toc"
    " zurück weiter vorherige nächste erste letzte seite précédent précédente suivant suivante retour anterior siguiente seguinte próximo próxima"
    " precedente successivo successiva avanti indietro vorige volgende volgend « » ‹ › < > ← → << >> | · -"
)
_PAGER = frozenset(_PAGER_LABELS.split())
_TURNS_LABELS = (
    "prev previous next older newer zurück weiter vorherige nächste précédent précédente suivant suivante anterior siguiente seguinte próximo próxima"
    " precedente successivo successiva vorige volgende"
)
_TURNS = frozenset(_TURNS_LABELS.split())


def has_one(parts: Iterable[str], text: str) -> bool:
    """Return True if *text* has one of the *parts*, which takes less time than a pattern of them."""
    for part in parts:  # noqa: SIM110 - a generator would take as long as the search
        if part in text:
            return True
    return False


def is_share(shown: str) -> bool:
    """Return True for a line of labels to share, whichever they are."""
    shown = shown.lower()
    if not has_one(_STRONG, shown):
        return False
    words = [word.strip(".!") for word in _SPLIT.split(shown)]
    words = [word for word in words if word]
    return (
        1 < len(words) <= _MAX_WORDS
        and not _STRONG.isdisjoint(words)
        and all(word in WORDS or word.isdigit() for word in words)
    )


def is_pager(shown: str) -> bool:
    """Return True for the links to the neighbours of a page: ``prev | up | next``."""
    words = shown.lower().split()
    return (
        1 < len(words) <= _MAX_WORDS
        and not _TURNS.isdisjoint(words)
        and all(word in _PAGER or (word.isdigit() and len(word) < 4) for word in words)
    )


def are_tools(shown: str, is_phrase: Callable[[str], bool]) -> bool:
    """Return True if the words of *shown* are at least two phrases, of which at least one is
    noise alone, and the others are labels of tools."""
    words = shown.split()
    if not (1 < len(words) <= _MAX_WORDS and has_one(_HINTS, shown.lower())):
        return False
    # The greatest number of phrases that are noise alone, up to each word; -1 if there is none.
    best = [0] + [-1] * len(words)
    for end in range(1, len(words) + 1):
        for start in range(max(0, end - _MAX_PHRASE), end):
            if best[start] < 0:
                continue
            phrase = " ".join(words[start:end]).strip(",;:")
            if is_phrase(phrase):
                best[end] = max(best[end], best[start] + 1)
            elif _LABEL.fullmatch(phrase):
                best[end] = max(best[end], best[start])
    return best[-1] > 0


def is_toolbar(shown: str) -> bool:
    """Return True for a line of at least two buttons, of which one is not for anything else."""
    shown = shown.lower().lstrip(_BETWEEN)
    if not _FIRST_TOOL.match(shown):
        return False
    words = shown.split()
    if not 1 < len(words) <= _MAX_WORDS:
        return False
    # For each number of words, the greatest number of buttons and whether one of them is sure.
    best: list[tuple[int, bool] | None] = [(0, False)] + [None] * len(words)
    for end in range(1, len(words) + 1):
        if not any(best[max(0, end - _MAX_BUTTON) : end]):
            return False
        for start in range(max(0, end - _MAX_BUTTON), end):
            before = best[start]
            label = " ".join(words[start:end]).strip(_BETWEEN)
            if before is None or not (not label or _TOOLS.fullmatch(label)):
                continue
            count, sure = before
            found = (count + bool(label), sure or bool(_SURE_TOOLS.fullmatch(label)))
            best[end] = max(best[end] or found, found)
    last = best[-1]
    return last is not None and last[0] > 1 and last[1]

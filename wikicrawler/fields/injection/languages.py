"""How texts speak to a program in many languages: composed of the words of each.

For folded text, as :mod:`wikicrawler.fields.injection.addressing`.
"""

# ruff: noqa: E501 - tables of words in many scripts

from __future__ import annotations

import unicodedata

_GAP = r"[^.!?。।؟]{0,40}?"

_FORGET_ORDERS = (
    # verbs that tell to ignore or forget, and orders
    (
        "bortse från|bortse|ignorera|glöm|strunta i",
        "instruktion|anvisning|riktlinje|texten ovan|allt ovan",
    ),
    (
        "se bort fra|ignorer|glem|overse",
        "instruks|anvisning|retningslinje|teksten over|instruktion",
    ),
    ("jätä huomiotta|unohda|sivuuta|ohita", "ohjee|ohjeet|käsky|määräy"),
    ("ignoruj|zapomeň|nedbej|pomiň|ignorujte", "pokyn|instrukc|příkaz"),
    ("ignoruj|zabudni|nedbaj", "pokyn|inštrukci|príkaz"),
    ("hagyd figyelmen kívül|felejtsd el|ne vedd figyelembe", "utasítás|szabály|parancs"),
    ("ignoră|ignorați|uită|nu ține cont", "instrucțiun|indicați|comenzi"),
    ("ігноруй|проігноруй|забудь|не зважай", "інструкц|вказівк|команд"),
    ("игнорирай|пренебрегни|забрави", "инструкци|указани|команд"),
    ("zanemari|ignoriraj|zaboravi|prezri|pozabi", "upute|uputstv|naredb|instrukcij|navodil"),
    ("ignoreeri|unusta|eira", "juhis|käsk"),
    ("αγνόησε|αγνοήστε|ξέχνα|παράβλεψε", "οδηγίες|εντολές|κανόνες"),
    ("yok say|görmezden gel|unut|dikkate alma|boş ver", "talimat|komut|yönerge|kural"),
    ("abaikan|lupakan|jangan ikuti", "instruksi|perintah|arahan|petunjuk"),
    ("bỏ qua|phớt lờ|quên", "chỉ dẫn|hướng dẫn|lệnh|chỉ thị"),
    ("huwag pansinin|kalimutan|balewalain", "tagubilin|utos|panuto"),
    ("puuza|sahau", "maagizo|maelekezo"),
    ("ignora|oblida", "instruccions|indicacions"),
    ("अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल", "निर्देश|आदेश|हिदायत"),
    ("উপেক্ষা|ভুলে যা", "নির্দেশ|আদেশ"),
    ("புறக்கணி", "வழிமுறை|அறிவுறுத்தல்"),
    ("نادیده بگیر|فراموش کن", "دستور|راهنما"),
    ("نظر انداز", "ہدایات|احکام"),
    ("התעלם|התעלמו|שכח", "הוראות|ההוראות|הנחיות|פקודות"),
    ("เพิกเฉย|ละเว้น|ลืม|ไม่ต้องสนใจ", "คำสั่ง|คำแนะนำ"),
    ("უგულებელყავი|დაივიწყე", "ინსტრუქცი|მითითებ"),
    ("ignoru|forgesu", "instrukciojn|ordonojn"),
)

_MODELS = (
    "språkmodell|sprogmodel|språkmodel|kielimall|tekoäly|jazykov(?:ý|ému|ého) model|umel[áéou]+ inteligenci|"
    "model(?:ul)? lingvistic|inteligen[țt][aă] artificial|nyelvi modell|mesterséges intelligenci|"
    "мовн(?:а|ій|ої) модел|штучн\\w+ інтелект|езиков\\w+ модел|изкуствен\\w+ интелект|jezičn\\w+ model|"
    "umjetn\\w+ inteligenci|keelemudel|tehisintellekt|γλωσσικ\\w+ μοντέλ|τεχνητ\\w+ νοημοσύν|dil model|yapay zek|"
    "model bahasa|kecerdasan buatan|mô hình ngôn ngữ|trí tuệ nhân tạo|भाषा मॉडल|कृत्रिम बुद्धि|एआई|ভাষা মডেল|"
    "مدل زبانی|هوش مصنوعی|מודל שפה|בינה מלאכותית|โมเดลภาษา|ปัญญาประดิษฐ์"
)
"""Language models and artificial intelligence in languages that addressing does not have."""

_MACHINES = {
    "en": "robots?|bots?|machines?|scrapers?|crawlers?|parsers?|programs?|software|scripts?|algorithms?|computers?|"
    "automat(?:on|a)|extractors?|indexers?|aggregators?|spiders?",
    "de": "roboter|bots?|maschinen?|programme?|software|skripte?|algorithmus|algorithmen|automaten?|crawler|"
    "maschinelle[rn]? leser|aggregatoren",
    "fr": "robots?|bots?|machines?|programmes?|logiciels?|scripts?|algorithmes?|automates?|lecteurs? automatiques?|"
    "agrégateurs?|extracteurs?",
    "es": "robots?|bots?|máquinas?|programas?|software|scripts?|algoritmos?|autómatas?|lector(?:es)? automáticos?|agregador(?:es)?",
    "pt": "robôs?|bots?|máquinas?|programas?|software|scripts?|algoritmos?|autômatos?|leitor(?:es)? automáticos?|agregador(?:es)?",
    "it": "robot|bot|macchin[ae]|programm[ai]|software|script|algoritm[oi]|automi|automa|lettor[ei] automatic[oi]|aggregator[ei]",
    "nl": "robots?|bots?|machines?|programma's?|software|scripts?|algoritmen?|automaten?|aggregatoren",
}
_DEAR = {
    "en": "dear|hey|hello|hi|greetings|attention|psst",
    "de": "liebe[rs]?|hallo|hey|werte[rs]?|achtung",
    "fr": "cher|chère|chers|bonjour|salut|attention",
    "es": "estimad[oa]s?|querid[oa]s?|hola|atención",
    "pt": "prezad[oa]s?|car[oa]s?|olá|atenção",
    "it": "car[oaie]|gentil[ei]|ciao|salve|attenzione",
    "nl": "beste|geachte|hallo|let op",
}
_READS = {
    "en": (
        r"(?: (?:that|which|who))? (?:may |might |will |happens? to )?(?:reads?|reading|ingests?|ingesting|process(?:es|ing)?|"
        r"pars(?:es?|ing)|scrap(?:es?|ing)|crawl(?:s|ing)?|index(?:es|ing)?|summari[sz](?:es?|ing)|consum(?:es?|ing))"
        r" (?:this|these)\b"
    ),
    "de": r",? (?:die|das|der|den|welche[rs]?) (?:diese[nrs]?) (?:[a-zäöüß]+ )?(?:seite|texte?|dokumente?|zeilen?|eintrag)[^.!?]{0,20}(?:liest|lesen|verarbeite[tn]|auswerte[tn]|einlies?t)",
    "fr": r" (?:qui )?(?:lit|lise|lisent|lisant|traite|traitant|analyse|analysant|parcourt|indexe|indexant) (?:cette|ce|ces|la présente)\b",
    "es": r" que (?:lea|lee|lean|leen|procese|procesa|analice|analiza|indexe)n? (?:esta|este|estas|estos)\b",
    "pt": r" que (?:leia|lê|leem|processe|processa|analise|analisa|indexe)m? (?:esta|este|estas|estes)\b",
    "it": r" che (?:legge|legga|leggono|elabora|elabori|analizza|analizzi|indicizza) (?:questa|questo|queste|questi)\b",
    "nl": r" (?:die|dat) (?:deze|dit) (?:[a-z]+ )?(?:pagina|tekst|document)[^.!?]{0,12}(?:leest|lezen|verwerkt|verwerken)",
}
_FOR = {
    "en": "(?:for|to) (?:all |any |the |every )?",
    "de": "(?:für|an) (?:alle |die |den |das )?",
    "fr": "(?:pour|aux|à l'attention des) ?(?:les |l'|tous les )?",
    "es": "para (?:los |las |todos los |todas las )?",
    "pt": "para (?:os |as |todos os |todas as )?",
    "it": "per (?:i |gli |le |tutti i |tutte le )?",
    "nl": "(?:voor|aan) (?:alle |de |het )?",
}
_ASSISTANTS = "assistants?|asistentes?|assistentes?|assistent[ei]?n?|" + "|".join(
    _MACHINES.values()
)
_ASK = r"(?:pls|plz|please|kindly|can you|could you|bitte|por favor|s'il (?:te|vous) pla[iî]t|per favore)"


def _stems(words: str) -> str:
    """Return the alternatives of *words*, each at the start of a word."""
    return "|".join(rf"\b{word}" if word[0].isascii() else word for word in words.split("|"))


_PHRASES = (
    *(
        f"(?:{_stems(verbs)}){_GAP}(?:{_stems(orders)})|(?:{_stems(orders)}){_GAP}(?:{_stems(verbs)})"
        for verbs, orders in _FORGET_ORDERS
    ),
    rf"(?:^|[.!?:>] )(?:[^\s.!?:]{{1,12}} ){{1,3}}(?:{_MODELS})\w{{0,6}} ?[:,!-]",
    rf"(?:{_MODELS})\w{{0,6}}[^.!?]{{0,12}}[:,!] ?(?:[^\s.!?]{{1,12}} ){{0,3}}(?:{'|'.join(verbs for verbs, _ in _FORGET_ORDERS)})",
    *(
        rf"\b(?:{_DEAR[code]}),? (?:[^\W\d_]{{1,12}} ){{0,2}}(?:{words})(?: friends?)?(?:[,:!.;-]|$| -)"
        for code, words in _MACHINES.items()
    ),
    *(
        rf"\b(?:{words})(?: [^\W\d_]{{1,12}}){{0,1}}{_READS[code]}"
        for code, words in _MACHINES.items()
    ),
    *(
        rf"(?:^|[.!?,:(>] )(?:[^\W\d_]{{1,12}} ){{0,2}}{_FOR[code]}(?:{words}) ?:"
        for code, words in _MACHINES.items()
    ),
    rf"\b{_ASK} ?,? (?:dear |cher |liebe[rs]? |querid[oa] )?(?:{_ASSISTANTS}) ?[,:!]",
    rf"(?:^|[^\w@])@(?:{_MACHINES['en']}|ai|llm|gpt|chatgpt|claude|gemini|grok|assistant)\b,? {_ASK}\b",
    r"\b(?:humans|people|human (?:readers|visitors|eyes))\b[^.!?]{0,40}\b(?:but|while|whereas|unlike),? you\b",
)


def _folded(pattern: str) -> str:
    """Return *pattern*, which is in lower case, in the form of folded texts."""
    return unicodedata.normalize("NFKC", pattern).replace("ς", "σ").replace("ß", "ss")


PHRASES = tuple(map(_folded, _PHRASES))
"""Phrases of which one is enough."""
NAMES = _folded(_MODELS)
"""Names of models."""

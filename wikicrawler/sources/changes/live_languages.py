# ruff: noqa: E501
"""What pages count, in German, French, Spanish, Italian, Portuguese and Dutch.

Each is a part of a pattern of :mod:`wikicrawler.sources.changes.live`, which ignores case.
"""

from __future__ import annotations

from wikicrawler.sources.changes.languages import DATE

N = r"\d[\d,.]{0,14}(?: \d{3}){0,3}(?: ?(?:[km]\b|mil\b|tsd\.?|mio\.?|mln\.?))?\+?"
"""A count, as "1,204", "1.204", "1 204" or "3.4k"."""

_DE_WHO = r"(?:personen|nutzer(?:innen)?|besucher(?:innen)?|leute|kund(?:en|innen)|leser(?:innen)?|mitglieder|gäste|menschen|interessent(?:en|innen)|reisende|studierende|andere|user)"
_DE = (
    rf"{N} {_DE_WHO} (?:sehen|schauen|lesen|betrachten|besuchen|folgen|beobachten|mögen|empfehlen)(?: sich)?(?: (?:gerade|derzeit|aktuell|jetzt|momentan|auch))?(?: (?:dies|diese[mnrs]?|ihm|ihr|uns)(?: [a-zäöüß-]{{2,30}})?)?(?: an)?"
    rf"|{N} {_DE_WHO} (?:sind )?(?:(?:gerade|derzeit|aktuell|jetzt|momentan) )?(?:online|angemeldet|aktiv)|{N} {_DE_WHO} gefällt (?:das|dies)|gefällt {N} (?:mal|{_DE_WHO})"
    rf"|{N} {_DE_WHO} haben (?:dies|das|sich|diese[mnrs]? [a-zäöüß-]{{2,30}}) (?:bereits |schon )?(?:gekauft|gemerkt|geteilt|angesehen|unterzeichnet|empfohlen|als hilfreich (?:bewertet|empfunden)|heruntergeladen|beworben|abonniert)"
    rf"|{N} {_DE_WHO} haben (?:bereits |schon )?(?:reagiert|unterzeichnet|unterschrieben|abonniert)"
    rf"|(?:bereits |schon |bisher )?{N} ?(?:mal|x) (?:angesehen|gelesen|aufgerufen|heruntergeladen|geteilt|besucht|angeklickt|gemerkt|abgerufen)"
    rf"|(?:diese seite|dieser (?:artikel|beitrag)|dieses dokument) wurde (?:bereits |schon |bisher )?{N} ?(?:mal|x) (?:angesehen|gelesen|aufgerufen|heruntergeladen|besucht|abgerufen)"
    rf"|(?:angesehen|gelesen|aufgerufen|heruntergeladen|geteilt|abgerufen) ?:? {N} ?(?:mal|x)|(?:seitenaufrufe|aufrufe|ansichten|zugriffe|klicks|downloads|abrufe|besucher(?: heute| online| gesamt)?|kommentare|merkliste|warenkorb|gefällt mir) ?:? ?\(?{N}\)?"
    rf"|{N} (?:seitenaufrufe|abrufe|klicks|gefällt mir|merkungen|lesezeichen)|sie sind (?:der |die )?{N}\.? besucher(?:in)?|(?:noch )?{N} (?:tage?|stunden?) (?:übrig|verbleibend)|noch {N} (?:tage?|stunden?|minuten)|{N} {_DE_WHO} (?:sehen|schauen) sich (?:das|dies|diese[nsr]? [a-zäöüß-]{{2,30}}) (?:gerade |aktuell |derzeit )?an|besucherzähler ?:? {N}|{N} von {N} {_DE_WHO} fanden (?:dies|das|diese[nsr]? [a-zäöüß-]{{2,30}}) (?:hilfreich|nützlich)"
    rf"|lesezeit ?:? ?(?:ca\. ?)?{N} ?min(?:uten?|\.)?|{N} ?min(?:uten|\.)? (?:lesezeit|lesedauer)|lesedauer ?:? {N} ?min(?:uten|\.)?"
)
_FR_WHO = r"(?:personnes?|utilisateurs?|visiteurs?|internautes?|lecteurs?|membres?|clients?|voyageurs?|abonnés?|étudiants?|autres|usagers)"
_FR = (
    rf"{N} {_FR_WHO} (?:(?:consultent|regardent|suivent|lisent|visitent|aiment|recommandent)(?: (?:actuellement|aussi|en ce moment))?(?: (?:cette?|ce|cet|ces|cela|ça|nous)(?: [a-zà-ÿ'-]{{2,30}})?)?(?: (?:en ce moment|actuellement))?"
    rf"|(?:sont )?(?:actuellement )?(?:en ligne|connectée?s?)(?: (?:actuellement|en ce moment))?|ont (?:déjà )?(?:aimé|partagé|acheté|signé|consulté|téléchargé|réagi|postulé|enregistré|trouvé)(?: (?:cette?|ce|cet|cela|ça)(?: [a-zà-ÿ' -]{{2,40}})?)?)"
    rf"|(?:(?:cette |ce |cet )?(?:page|article|document|fiche|contenu|vidéo) (?:a été |a déjà été )?)?(?:vue?|lue?|consultée?|visitée?|téléchargée?|partagée?|affichée?|visionnée?) {N} fois"
    rf"|(?:vues|visites|lectures|commentaires|partages|téléchargements|abonnés|j'aime|panier|favoris|nombre de (?:vues|visites|lectures|téléchargements)) ?:? ?\(?{N}\)?|{N} (?:affichages|j'aime|abonnés|favoris|signets)"
    rf"|compteur(?: de visites)? ?: {N}|{N} {_FR_WHO} sur {N} ont trouvé (?:cela|cette page|cet article) utile|vous êtes le {N} ?(?:e|ème|er)? visiteur|(?:il reste|plus que|encore) {N} (?:jours?|heures?)|{N} (?:jours?|heures?) restante?s?|(?:temps|durée) de lecture ?:? {N} ?min(?:utes?|\.)?|{N} ?min(?:utes?|\.)? de lecture|lecture ?:? {N} ?min(?:utes?|\.)?"
)
_ES_WHO = r"(?:personas?|usuarios?|visitantes?|clientes?|viajeros?|lectores?|estudiantes?|miembros?|internautas?|seguidores|alumnos|pessoas?|utilizadores?|viajantes?|leitores?|estudantes?|membros?)"
_ES = (
    rf"{N} {_ES_WHO} (?:(?:están|estão) (?:viendo|mirando|leyendo|siguiendo|visitando|vendo|visualizando|lendo|acompanhando|a ver|a ler|a seguir)|siguen|leen|ven|recomiendan|seguem|acompanham|recomendam)(?: (?:est[eao]|ahora|agora|neste momento|en este momento)(?: [a-zà-ÿ-]{{2,30}})?)?(?: (?:ahora(?: mismo)?|agora|en este momento|neste momento))?"
    rf"|{N} {_ES_WHO} (?:(?:están|estão) )?(?:conectad[oa]s|en línea|online|ligados)(?: (?:ahora|agora|neste momento|en este momento))?"
    rf"|{N} {_ES_WHO} (?:ya )?(?:han (?:visto|compartido|firmado|comprado|reaccionado|descargado|guardado|recomendado)|reaccionaron|compartieron|firmaron|curtiram|compartilharam|partilharam|assinaram|baixaram|descarregaram|compraram|reagiram|gostaram)(?: (?:est[eao]|isto|disto)(?: [a-zà-ÿ-]{{2,30}})?)?"
    rf"|(?:(?:esta |este |a )?(?:página|artículo|documento|artigo|noticia|notícia) (?:ha sido |foi |se ha )?)?(?:visitad[oa]|vist[oa]|leíd[oa]|consultad[oa]|descargad[oa]|compartid[oa]|acessad[oa]|acedid[oa]|lid[oa]|visualizad[oa]|baixad[oa]|partilhad[oa]) {N} (?:veces|vezes)"
    rf"|(?:visitas|lecturas|vistas|descargas|comentarios|compartidos|visualizaciones|número de visitas|contador de visitas|cesta|carrito|favoritos|acessos|visualizações|leituras|comentários|partilhas|curtidas|gostos|carrinho|cesto|me gusta|seguidores) ?:? ?\(?{N}\)?"
    rf"|{N} (?:visualizaciones|compartidos|me gusta|seguidores|leituras|comentários|curtidas|gostos|partilhas|compartilhamentos)"
    rf"|(?:eres|es usted|você é|é) (?:el|o) visitante (?:número|n[.ºo°]{{0,2}}) ?{N}|(?:quedan|faltan|faltam|restam) {N} (?:días?|dias?|horas?)|tiempo de lectura ?:? {N} ?min(?:utos?|\.)?|tempo de leitura ?:? {N} ?min(?:utos?|\.)?|{N} ?min(?:utos?|\.)? de (?:lectura|leitura)"
)
_IT_WHO = (
    r"(?:persone|persona|utenti|visitatori|clienti|viaggiatori|lettori|studenti|iscritti|membri)"
)
_IT = (
    rf"{N} {_IT_WHO} (?:stanno (?:guardando|visualizzando|leggendo|seguendo|visitando)|seguono|leggono|consigliano|apprezzano)(?: (?:quest[aeio]|ora|adesso)(?: [a-zà-ÿ-]{{2,30}})?)?(?: (?:ora|adesso|in questo momento))?"
    rf"|{N} {_IT_WHO} (?:sono )?(?:attualmente )?(?:online|collegat[ie]|connessi|in linea)(?: (?:ora|adesso))?|{N} {_IT_WHO} hanno (?:già )?(?:condiviso|firmato|acquistato|reagito|scaricato|salvato|visto|consigliato)(?: quest[aeio](?: [a-zà-ÿ-]{{2,30}})?)?"
    rf"|(?:(?:questa |questo |la )?(?:pagina|articolo|documento) (?:è stat[ao] )?)?(?:visitat[ao]|vist[ao]|lett[ao]|consultat[ao]|scaricat[ao]|condivis[ao]|visualizzat[ao]) {N} volte"
    rf"|(?:visite|visualizzazioni|letture|commenti|condivisioni|download|numero di visite|carrello|preferiti|mi piace) ?:? ?\(?{N}\)?|{N} (?:letture|condivisioni|mi piace|visite)|(?:contatore(?: visite)?|visita n\.?) ?:? ?{N}|sei il visitatore (?:numero|n[.°]?) ?{N}|mancano {N} (?:giorni|ore)|tempo di lettura ?:? {N} ?min(?:ut[oi]|\.)?|{N} ?min(?:ut[oi]|\.)? di lettura"
)
_NL_WHO = (
    r"(?:personen|mensen|bezoekers|gebruikers|klanten|lezers|leden|reizigers|studenten|anderen)"
)
_NL = (
    rf"{N} {_NL_WHO} (?:bekijken|volgen|lezen|bezoeken)(?: (?:nu|momenteel|dit|deze|ook)){{0,2}}(?: [a-z-]{{2,30}})?|{N} {_NL_WHO} (?:zijn )?(?:nu |momenteel )?(?:online|ingelogd)|{N} {_NL_WHO} hebben (?:al )?(?:dit|deze|gereageerd|ondertekend|getekend)(?: [a-z-]{{2,30}})?(?: (?:gedeeld|gekocht|bekeken|ondertekend|gedownload|bewaard))?"
    rf"|{N} (?:keer|maal|x) (?:bekeken|gelezen|gedownload|bezocht|gedeeld|geraadpleegd)|(?:deze pagina|dit (?:artikel|document)) (?:is|werd) (?:al )?{N} (?:keer|maal) (?:bekeken|gelezen|gedownload|bezocht)|(?:bekeken|gelezen|gedownload) ?:? {N} (?:keer|maal)"
    rf"|(?:weergaven|bezoekers|bezoeken|reacties|downloads|winkelwagen|winkelmand|favorieten|vind ik leuk) ?:? ?\(?{N}\)?|u bent bezoeker (?:nummer |nr\.? ?)?{N}|nog {N} (?:dagen|uur)|leestijd ?:? {N} ?min(?:uten|\.)?|{N} ?min(?:uten|\.)? leestijd"
)
COUNTER = f"{_DE}|{_FR}|{_ES}|{_IT}|{_NL}"
WEAK = rf"{N} (?:bewerbungen|bewerber(?:innen)?|mitglieder|antworten|unterschriften|verkauft|gebote|candidatures?|candidats?|membres|réponses|signatures|vendus|inscrits|candidatos|solicitudes|miembros|respuestas|firmas|vendidos|inscritos|candidati|candidature|membri|risposte|firme|venduti|iscritti|respostas|membros|assinaturas|leden|antwoorden|sollicitanten|sollicitaties|handtekeningen|verkocht)"
VOTES = r"(?:bewertungen?|rezensionen?|kundenbewertungen?|avis(?: clients?)?|évaluations?|opiniones|valoraciones|reseñas|recensioni|valutazioni|avaliações|avaliação|opiniões|beoordelingen|recensies)"

CLOCK = r"serverzeit|aktuelle (?:uhr)?zeit|es ist jetzt|heure (?:du serveur|actuelle|officielle)|hora (?:oficial|del servidor|actual|atual|do servidor)|ora (?:del server|attuale|esatta)|servertijd|huidige tijd"
LOADED = r"(?:ladezeit|seite (?:geladen|generiert|erzeugt|erstellt) in|(?:seiten)?generierungszeit|temps de (?:chargement|génération)(?: de la page)?|page (?:générée|chargée) en|tiempo de (?:carga|generación)|página (?:generada|cargada) en|tempo di (?:caricamento|generazione)|pagina (?:generata|caricata) in|tempo de (?:carregamento|geração)|página (?:gerada|carregada) em|laadtijd|pagina (?:geladen|gegenereerd) in)"
PRINT_DATE = r"(?:druck|abruf|ausdruck)datum|date (?:d'impression|de consultation|d'extraction)|fecha de (?:impresión|consulta|descarga)|data di (?:stampa|consultazione)|data (?:de|da) (?:impressão|consulta)|afdrukdatum|datum afdruk"
PRINTED = r"(?:(?:aus)?gedruckt|abgerufen|heruntergeladen|erzeugt|generiert|exportiert|imprimée?|générée?|téléchargée?|exportée?|extrait|impreso|generado|descargado|exportado|stampato|generato|scaricato|esportato|gerado|extraído|descarregado|afgedrukt|gegenereerd|gedownload|geëxporteerd)(?: (?:am|le|el|il|em|op))?"
EDITED = (
    rf"diese (?:seite|website) wurde zuletzt (?:am )?{DATE} (?:bearbeitet|geändert|aktualisiert)|la dernière modification de cette page a été faite le {DATE}"
    rf"|(?:esta página se editó|se editó esta página) por última vez el {DATE}|questa pagina è stata modificata per l'ultima volta il {DATE}"
    rf"|esta página foi editada pela última vez (?:em |às \d{{1,2}}[:h]\d{{2}}(?:min)? de ){DATE}|deze pagina is voor het laatst bewerkt op {DATE}"
)
EDIT = (
    r"edit(?: source| section| this section| \| edit source)?|view source|bearbeiten|quelltext bearbeiten|abschnitt bearbeiten|modifier(?: le (?:code|wikicode))?|voir le code"
    r"|editar(?: (?:código|fuente|código-fonte|secção|sección))?|modifica(?: wikitesto| sorgente)?|bewerken|brontekst bewerken|redigera|编辑|編集"
)
"""The link to edit a section, which wikis put behind its heading."""

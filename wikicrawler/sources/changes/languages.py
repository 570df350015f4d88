# ruff: noqa: E501
"""Phrases of noise in German, French, Spanish, Portuguese, Italian, Dutch and Chinese.

Each is a part of a pattern of :mod:`wikicrawler.sources.changes.phrases`, which ignores case. Marks of quotation and white space are
folded, so an apostrophe is ``'``.
"""

from __future__ import annotations

_MONTH = (
    r"(?:jan(?:uar|vier)?|enero|ene|janeiro|gennaio|gen|januari|feb(?:ruar|rero|braio|ruari)?|févr?(?:ier)?|fevereiro|fev"
    r"|märz|mars|marzo|março|maart|mrt|apr(?:il)?|avr(?:il)?|abr(?:il)?|aprile|mai|mayo|maio|maggio|mag|mei"
    r"|jun[ioh]*|juin|giugno|giu|jul[ihoy]*|juil(?:let)?|luglio|aug(?:ust(?:us)?)?|août|agosto|ago|lug(?:lio)?"
    r"|sept?(?:ember|embre|iembre)?|set(?:embro|tembre)?|okt(?:ober)?|oct(?:obre|ubre)?|outubro|out|ott(?:obre)?"
    r"|nov(?:ember|embre|iembre|embro)?|de[zc](?:ember|embro|embre)?|déc(?:embre)?|dez|dic(?:iembre|embre)?)\.?"
)
_CLOCK = r"(?:,? ?(?:um|à|a las?|às|alle(?: ore)?|om|-|–)? ?\d{1,2}[:.h]\d{2}(?::\d{2})?(?: ?(?:uhr|h|uur))?)?"
DATE = (
    rf"(?:\d{{1,2}}(?:\.|er|º)? (?:de |d')?{_MONTH}(?: de| del)? \d{{4}}{_CLOCK}"
    r"|\d{4} ?年 ?\d{1,2} ?月(?: ?\d{1,2} ?日)?(?: ?\d{1,2}:\d{2}(?::\d{2})?)?)"
)
"""A date that English does not write."""

POSTED = (
    r"(?:(?:zuletzt )?(?:veröffentlicht|aktualisiert|eingestellt|geändert|bearbeitet|hochgeladen|gepostet|erstellt|online seit)|(?:publiée?|mise? à jour|modifiée?|ajoutée?|postée?|mise? en ligne|actualisée?)"
    r"|(?:publicad[oa]|actualizad[oa]|modificad[oa]|editad[oa]|subid[oa]|atualizad[oa]|postad[oa])|(?:pubblicat[oa]|aggiornat[oa]|modificat[oa]|inserit[oa])"
    r"|(?:gepubliceerd|geplaatst|bijgewerkt|gewijzigd))(?: am| le| el| il| em| op)? ?:? "
)
"""What stands before a relative time."""
RECENTLY = (
    r"(?:gestern|heute|vorgestern|letzte (?:woche|nacht)|letzten monat|hier|aujourd'hui|la semaine dernière|le mois dernier|ayer|hoy|la semana pasada|el mes pasado|ieri|oggi"
    r"|la settimana scorsa|il mese scorso|ontem|hoje|na semana passada|no mês passado|gisteren|vandaag|vorige (?:week|maand))"
)
AGO = (
    r"(?:vor (?:\d{1,4}|einer|einem|wenigen) (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)"
    r"|il y a (?:\d{1,4}|une?|quelques) (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)"
    r"|(?:hace|há) (?:\d{1,4}|una?|uma?|unos) (?:segundos?|minutos?|horas?|días?|dias?|semanas?|mes(?:es)?|años?|anos?)"
    r"|(?:\d{1,4}|une?) (?:secondi?|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa"
    r"|(?:\d{1,4}|een) (?:seconden?|minuten?|uur|uren|dag(?:en)?|weken|week|maanden?|jaar) geleden"
    r"|\d{1,4} ?(?:秒|分钟|分|小时|時間|天|日|周|個月|个月|年)前|刚刚)"
)
UPDATED = (
    r"(?:daten)?stand|letzte änderung(?: am)?|letzter abruf(?: am)?|laatste (?:update|wijziging)(?: op)?|(?:seite )?(?:zuletzt|letztmals) (?:aktualisiert|bearbeitet|geprüft|überarbeitet|geändert)(?: am)?"
    r"|letzte (?:aktualisierung|bearbeitung|überprüfung)(?: am)?|(?:aktualisiert|abgerufen)(?: am)?"
    r"|(?:page )?(?:mise? à jour|vérifiée?|consultée?)(?: le)?|dernière (?:mise à jour|vérification)(?: le)?"
    r"|(?:página )?(?:actualizad[oa]|revisad[oa]|consultad[oa])(?: el)?|(?:última|fecha de) (?:actualización|revisión|consulta)(?: el)?"
    r"|(?:atualizado|consultado)(?: em)?|última (?:atualização|revisão)(?: em)?"
    r"|(?:dati |pagina )?(?:aggiornat[oia]|consultat[oa]) (?:il|al)|(?:ultimo|data) aggiornamento|ultima revisione"
    r"|laatst (?:bijgewerkt|gewijzigd|gecontroleerd)(?: op)?|bijgewerkt op"
    r"|(?:页面|本页|网页)?(?:最后|最近|最終)?(?:更新|修改|编辑)(?:时间|日期|日|于)?"
)
CHECKED = "vérifiée? le"
"""What French authorities write before a date and their names."""
_N = r"\d[\d,.  ]{0,14}"
COUNTER = (
    rf"{_N}(?:seiten)?(?:aufrufe?|ansichten|besucher|downloads|kommentare?)|(?:aufrufe|besucher|zugriffe|gelesen):? {_N}(?: ?mal)?"
    rf"|{_N}(?:vues?|visites?|lectures?|commentaires?|partages?|téléchargements?)|(?:vue?|lue?|consultée?) {_N} fois|(?:vues|visites|lectures) ?: {_N}"
    rf"|{_N}(?:visitas?|vistas?|lecturas?|comentarios?|descargas?|visualizações)|(?:visitas|lecturas|vistas|visto|leído):? {_N}(?: veces)?"
    rf"|{_N}(?:visualizzazioni|visite|commenti|weergaven|reacties)"
)
COUNTER_INSIDE = (
    r"(?:浏览|阅读|点击|访问|查看|閲覧)(?:次数|量|数|回数|人数)? ?[:：]? ?\[?\d[\d,]{0,12}\]? ?次?"
)
"""A counter of Chinese pages, which stands in a line with the date and the source."""

FRAME = (
    r"werbung|publicité|publicidade?|pubblicità|advertentie|(?:diese )?seite (?:drucken|empfehlen|teilen|weiterempfehlen)|drucken|teilen|(?:nach|seitenanfang) oben|nach oben|(?:zum|an den) (?:seitenanfang|anfang)"
    r"|(?:zum|direkt zum) (?:haupt)?inhalt(?: springen)?|war diese seite hilfreich\??(?: ja[ /|]{0,3}nein)?|feedback (?:geben|zu dieser seite)"
    r"|imprimer(?: (?:la|cette) page)?|partager(?: (?:la|cette) page)?(?: sur [a-z ,]{1,40})?|(?:haut|retour en haut)(?: de (?:la )?page)?"
    r"|aller au contenu(?: principal)?|cette page vous a-t-elle été utile ?\??(?: oui[ /|]{0,3}non)?"
    r"|imprimir(?: (?:la|esta) página)?|compartir(?: (?:la|esta) página)?(?: en [a-z ,]{1,40})?|volver arriba|(?:ir|saltar) al contenido(?: principal)?"
    r"|¿(?:le|te) (?:ha sido|resultó|fue) útil esta (?:página|información)\??(?: s[ií][ /|]{0,3}no)?"
    r"|stampa(?: (?:la|questa) pagina)?|condividi|torna su|afdrukken|delen|naar boven"
    r"|[【\[]?(?:打印(?:本页|此页|文章)?|关闭(?:窗口|本页|页面)?|返回(?:顶部|首页)|收藏(?:本页)?|加入收藏)[】\]]?"
    r"(?: ?[【\[]?(?:打印(?:本页|此页)?|关闭(?:窗口|本页|页面)?|返回顶部|收藏)[】\]]?){0,4}(?: ?分享到.{0,60})?|分享到.{0,60}"
)
RELATED = (
    r"das könnte (?:sie|dich) (?:auch )?interessieren|mehr zum thema|(?:ähnliche|verwandte|weitere) (?:artikel|beiträge|themen|meldungen)"
    r"|à lire aussi|sur le même (?:sujet|thème)|articles? (?:liés?|similaires?|connexes?|associés?)"
    r"|(?:también )?(?:te|le) (?:puede|podría) interesar|(?:artículos|noticias|contenidos?) relacionad[oa]s"
    r"|artigos relacionados|articoli correlati|leggi anche|lees ook|gerelateerde (?:artikelen|berichten)"
    r"|相关(?:阅读|文章|新闻|推荐|内容)|推荐阅读|関連記事"
)
MOST_READ = (
    r"(?:meist ?gelesen|meistgesucht|am meisten gelesen|beliebte?(?:ste)? (?:artikel|beiträge|themen|seiten|produkte)|top[ -]themen|ähnliche (?:stellen(?:angebote)?|jobs|produkte|angebote|kurse|veranstaltungen|seiten|immobilien|dokumente|inhalte)|weitere (?:stellen(?:angebote)?|jobs|angebote|kurse|veranstaltungen|nachrichten|informationen zum thema)"
    r"|auch interessant|lesen sie auch|passend dazu|das könnte (?:ihnen|dir) (?:auch )?gefallen|empfohlene (?:artikel|beiträge|inhalte)|empfehlungen für sie|verwandte (?:seiten|links|stellen|produkte|inhalte)|im trend"
    r"|les plus (?:lus|vus|consultés|populaires|partagés)|articles? (?:populaires|recommandés|les plus lus)|(?:offres?|emplois?|postes?|produits?|formations?|événements?|pages?|annonces?|contenus?) (?:similaires?|liée?s?|connexes?|associée?s?|recommandée?s?|populaires?)|vous aimerez aussi|(?:ceci|cela) (?:pourrait|peut) (?:aussi |également )?vous (?:intéresser|plaire)|vous pourriez (?:aussi |également )?(?:aimer|être intéressée?s?)|à découvrir aussi|tendances|à ne pas manquer|dans la même (?:rubrique|catégorie)"
    r"|(?:lo )?(?:más|mais) (?:leíd[oa]s?|vist[oa]s?|populares?|consultad[oa]s?|lid[oa]s?|buscad[oa]s?|acessad[oa]s?)|lo más (?:leído|visto|popular)|(?:ofertas|empleos|trabajos|puestos|productos|cursos|eventos|páginas|enlaces|temas|entradas|vagas|empregos|produtos|notícias|conteúdos?|links|matérias|assuntos) (?:similares|relacionad[oa]s|recomendad[oa]s|semelhantes|parecid[oa]s|populares)|(?:también |también te |también le )(?:puede|podría) (?:gustar(?:te|le)?|interesar(?:te|le)?)|(?:te|le) (?:puede|podría) gustar|quizás? te interese|você (?:também )?pode (?:gostar|se interessar)(?: de)?|(?:também )?(?:pode|poderá) (?:interessar|gostar)|leia também|leia mais|tendencias"
    r"|(?:i )?più (?:letti|lette|visti|viste|popolari|cercati|condivisi)|(?:offerte|lavori|annunci|prodotti|corsi|eventi|pagine|contenuti|notizie|argomenti|link) (?:simili|correlat[ie]|consigliat[ie]|collegat[ie]|popolari)|potrebbe (?:anche )?interessarti|potrebbero (?:anche )?(?:interessarti|piacerti)|ti potrebbe(?:ro)? (?:anche )?(?:interessare|piacere)|di tendenza"
    r"|meest (?:gelezen|bekeken|populair)|populaire (?:artikelen|berichten|pagina's|onderwerpen)|(?:vergelijkbare|soortgelijke|gerelateerde|andere) (?:vacatures|producten|pagina's|cursussen|evenementen|onderwerpen|aanbiedingen|links)|misschien (?:vindt u|vind je) (?:dit )?(?:ook )?(?:leuk|interessant)|dit vind je misschien ook (?:leuk|interessant)|lees verder|trending)"
)
OFFERS = (
    r"(?:kunden|käufer),? (?:die [a-zäöüß ]{4,40},? )?(?:kauften|kaufen|haben|sahen|interessierten sich)(?: sich)? auch(?: (?:gekauft|angesehen|für))?|(?:wird )?oft zusammen gekauft|zuletzt (?:angesehen|besucht)(?:e (?:artikel|produkte|seiten))?|ähnliche produkte|das könnte (?:ihnen|dir) (?:auch )?gefallen"
    r"|les clients (?:ont|ayant) (?:aussi|également|acheté)[a-zà-ÿ ' ]{0,40}|souvent achetés ensemble|(?:produits |articles )?(?:vus|consultés) récemment|récemment (?:vus|consultés)|derniers (?:articles|produits) consultés|produits similaires|vous aimerez aussi"
    r"|(?:los )?clientes (?:también|que)[a-zà-ÿ ]{0,40}|comprados? juntos habitualmente|vist[oa]s recientemente|productos (?:vistos recientemente|similares|relacionados)|(?:os )?clientes (?:também|que)[a-zà-ÿ ]{0,40}|vist[oa]s recentemente|produtos (?:vistos recentemente|semelhantes|relacionados)"
    r"|(?:i )?clienti (?:hanno|che)[a-zà-ÿ ' ]{0,40}|spesso comprati insieme|visti di recente|visualizzati di recente|prodotti (?:simili|correlati|visti di recente)|klanten (?:kochten|bekeken|die)[a-z ]{0,40}|vaak samen gekocht|recent bekeken(?: producten)?|onlangs bekeken|vergelijkbare producten"
)
NAVIGATION = (
    r"startseite|kontakt|impressum|datenschutz(?:erklärung)?|barrierefreiheit|presse|suche|leichte sprache|gebärdensprache|inhaltsverzeichnis"
    r"|accueil|plan du site|mentions légales|données personnelles|accessibilité|recherche|contacts?"
    r"|inicio|contacto|aviso legal|mapa (?:del sitio|web)|accesibilidad|buscar|página inicial|contato|contatti|note legali"
    r"|首页|网站地图|联系我们|关于我们|隐私"
)
BANNER = (
    r"wir und unsere \d{1,4} partner [^.!?]{0,200}|nous et nos \d{1,4} partenaires [^.!?]{0,200}|nosotros y nuestros \d{1,4} (?:socios|proveedores) [^.!?]{0,200}|noi e i nostri \d{1,4} (?:partner|fornitori) [^.!?]{0,200}|nós e os nossos \d{1,4} parceiros [^.!?]{0,200}|wij en onze \d{1,4} partners [^.!?]{0,200}|(?:diese|unsere) (?:web)?(?:seite|site) (?:verwendet|nutzt|setzt) (?:[a-zäöü]{1,20} ){0,2}cookies[^.!?]{0,160}|wir (?:verwenden|nutzen|setzen) (?:[a-zäöü]{1,20} ){0,2}cookies[^.!?]{0,160}"
    r"|(?:ce|notre) site (?:web )?utilise des (?:cookies|traceurs)[^.!?]{0,160}|nous utilisons des cookies[^.!?]{0,160}"
    r"|(?:este|nuestro) (?:sitio|portal)(?: web)? (?:usa|utiliza|emplea) cookies[^.!?]{0,160}|utilizamos cookies[^.!?]{0,160}"
    r"|questo sito (?:web )?(?:usa|utilizza) (?:i )?cookie[^.!?]{0,160}|deze (?:website|site) (?:gebruikt|maakt gebruik van) cookies[^.!?]{0,160}"
)
NEIGHBOUR = (
    r"(?:上一(?:篇|条|页)|下一(?:篇|条|页)|previous(?: (?:post|article|story|entry|page|news))?|next(?: (?:post|article|story|entry|page|news))?"
    r"|(?:vorheriger|nächster) (?:artikel|beitrag)|(?:article|page) (?:précédente?|suivante?)|(?:artículo|noticia) (?:anterior|siguiente))"
)
"""What announces the link to the neighbour of an article."""
HERE = r"you are here|sie (?:sind|befinden sich) hier|vous êtes ici|(?:usted )?está (?:usted )?aquí|(?:sei|ti trovi) qui|(?:você )?está aqui|(?:u bent|je bent) hier"
"""What stands before the path of a page."""
NO_NEIGHBOUR = r"(?:没有了?|无|已经没有了|none)"

PART = (
    r"title|book|division|part|subpart|chapter|subchapter|article|section|sec"
    r"|buch|teil|kapitel|abschnitt|unterabschnitt|artikel|titre|livre|partie|chapitre"
    r"|título|libro|parte|capítulo|sección|artículo|livro|secção|seção|artigo"
    r"|titolo|capo|capitolo|sezione|articolo|titel|boek|deel|hoofdstuk|afdeling|paragraaf"
)
"""What the parts of a text are called in its headings."""
ANNEX = r"appendix|annex|schedule|exhibit|attachment|anhang|anlage|annexe|anexo|allegato|bijlage"
"""Parts behind the last chapter, which belong to none."""

# ruff: noqa: E501 - texts stand as the documents have them
"""Texts of reports, several pages long, that name years as reports do: their own and others."""

from __future__ import annotations

_SENTENCES = {
    "en": (
        "{name} sells its products in more than sixty countries through its own stores and partners.",
        "Net sales rose to 94,836 million in {y} from 90,146 million in {p}, driven by services.",
        "Gross margin was 44.1 percent in {y}, compared with 43.3 percent in {p} and 41.8 in {pp}.",
        "The Company expects capital expenditures of about 2.1 billion in {n}.",
        "Competition in the industry is intense and prices have declined over time.",
        "We depend on suppliers in Asia for many components that have no second source.",
        "Inventories are stated at the lower of cost and net realizable value.",
        "Leases are recognised on the balance sheet as right-of-use assets and liabilities.",
    ),
    "de": (
        "{name} beschäftigte im Geschäftsjahr {y} weltweit rund 41.000 Mitarbeitende.",
        "Der Umsatz stieg im Jahr {y} um 6,2 Prozent auf 18,4 Milliarden Euro (Vorjahr {p}: 17,3).",
        "Für das Jahr {n} erwartet der Vorstand ein moderates Wachstum des Konzerns.",
        "Die Vorräte werden zu Anschaffungs- oder Herstellungskosten bewertet.",
        "Die Risiken aus Lieferketten wurden im Risikobericht gewürdigt.",
    ),
    "fr": (
        "{name} a poursuivi en {y} le développement de ses activités dans plus de trente pays.",
        "Le chiffre d'affaires s'établit à 12 604 millions d'euros en {y}, contre 11 980 en {p}.",
        "Pour {n}, le Groupe anticipe une croissance organique comprise entre 3 % et 5 %.",
        "Les facteurs de risques sont décrits au chapitre 4 du présent document.",
    ),
    "es": (
        "{name} desarrolla su actividad en veinte países con 26.000 empleados.",
        "Los ingresos del ejercicio {y} ascendieron a 9.871 millones de euros ({p}: 9.204).",
        "Para {n} la Sociedad prevé inversiones por 1.100 millones de euros.",
        "Los riesgos principales se describen en el informe de gestión.",
    ),
    "it": (
        "{name} opera in quindici Paesi con oltre 30.000 dipendenti.",
        "I ricavi dell'esercizio {y} sono pari a 7.412 milioni di euro ({p}: 6.980 milioni).",
        "Per il {n} il Gruppo prevede una crescita del margine operativo.",
        "I principali rischi sono descritti nella relazione sulla gestione.",
    ),
    "pt": (
        "{name} atua em doze países e emprega cerca de 18 mil colaboradores.",
        "A receita líquida em {y} foi de 31,2 bilhões de reais, ante 28,9 bilhões em {p}.",
        "Para {n} a administração projeta investimentos de 4 bilhões de reais.",
    ),
    "nl": (
        "{name} is actief in zestien landen en heeft ongeveer 22.000 medewerkers.",
        "De omzet over {y} bedroeg 14.210 miljoen euro, tegen 13.640 miljoen in {p}.",
        "Voor {n} verwacht de directie een lichte stijging van het bedrijfsresultaat.",
    ),
    "sv": (
        "{name} har verksamhet i tjugo länder och omkring 12 000 medarbetare.",
        "Nettoomsättningen {y} uppgick till 48 310 miljoner kronor (45 900 år {p}).",
        "För {n} väntas investeringarna öka något.",
    ),
    "da": (
        "{name} har aktiviteter i atten lande og cirka 9.000 medarbejdere.",
        "Omsætningen i {y} udgjorde 22.410 mio. kr. mod 20.980 mio. kr. i {p}.",
        "For {n} forventer ledelsen en organisk vækst på 4-6 procent.",
    ),
    "pl": (
        "{name} prowadzi działalność w ośmiu krajach i zatrudnia około 14 tysięcy osób.",
        "Przychody w {y} roku wyniosły 21,3 mld zł wobec 19,8 mld zł w {p} roku.",
        "Na {n} rok Zarząd planuje nakłady inwestycyjne w wysokości 2 mld zł.",
    ),
    "ja": (
        "{name}は国内外に百二十の拠点を持ち、約三万人が働いています。",
        "{y}年度の売上高は4兆1,200億円、{p}年度は3兆9,800億円でした。",
        "{n}年度は設備投資の拡大を見込んでいます。",
    ),
    "zh": (
        "{name}在全国设有三十家分支机构，员工约四万人。",
        "{y}年公司实现营业收入1,476.94亿元，{p}年为1,241.00亿元。",
        "{n}年公司将继续扩大产能。",
    ),
}

_PARTS = {
    "en": (
        "Table of contents",
        "Letter to shareholders",
        "Risk factors",
        "Management's discussion and analysis",
        "Corporate governance",
        "Report of independent registered public accounting firm",
        "Consolidated balance sheets",
        "Consolidated statements of cash flows",
        "Notes to consolidated financial statements",
    ),
    "de": (
        "Inhaltsverzeichnis",
        "Brief an die Aktionäre",
        "Bericht des Aufsichtsrats",
        "Zusammengefasster Lagebericht",
        "Risikobericht",
        "Konzernabschluss",
        "Konzernbilanz",
        "Kapitalflussrechnung",
        "Anhang zum Konzernabschluss",
        "Bestätigungsvermerk des unabhängigen Abschlussprüfers",
    ),
    "fr": (
        "Sommaire",
        "Message du Président",
        "Facteurs de risques",
        "Gouvernement d'entreprise",
        "Comptes consolidés",
        "Bilan consolidé",
        "Tableau des flux de trésorerie",
        "Notes annexes aux comptes consolidés",
        "Rapport des commissaires aux comptes sur les comptes consolidés",
    ),
    "es": (
        "Índice",
        "Carta del Presidente",
        "Informe de gestión consolidado",
        "Balance consolidado",
        "Estado de flujos de efectivo",
        "Memoria consolidada",
        "Informe de auditoría de cuentas anuales consolidadas emitido por un auditor independiente",
    ),
    "it": (
        "Indice",
        "Lettera agli azionisti",
        "Relazione sulla gestione",
        "Stato patrimoniale consolidato",
        "Rendiconto finanziario",
        "Note illustrative al bilancio consolidato",
        "Relazione della società di revisione indipendente",
    ),
    "pt": (
        "Índice",
        "Mensagem da Administração",
        "Relatório da administração",
        "Balanço patrimonial",
        "Demonstração dos fluxos de caixa",
        "Notas explicativas às demonstrações financeiras",
        "Relatório do auditor independente",
    ),
    "nl": (
        "Inhoudsopgave",
        "Bericht van de CEO",
        "Bestuursverslag",
        "Geconsolideerde balans",
        "Geconsolideerd kasstroomoverzicht",
        "Toelichting op de geconsolideerde jaarrekening",
        "Controleverklaring van de onafhankelijke accountant",
    ),
    "sv": (
        "Innehåll",
        "Vd har ordet",
        "Förvaltningsberättelse",
        "Koncernens balansräkning",
        "Koncernens kassaflödesanalys",
        "Noter till koncernens räkenskaper",
        "Revisionsberättelse",
    ),
    "da": (
        "Indhold",
        "Ledelsesberetning",
        "Koncernregnskab",
        "Balance",
        "Pengestrømsopgørelse",
        "Noter til koncernregnskabet",
        "Den uafhængige revisors revisionspåtegning",
    ),
    "pl": (
        "Spis treści",
        "List Prezesa Zarządu",
        "Sprawozdanie Zarządu z działalności Grupy",
        "Skonsolidowane sprawozdanie z sytuacji finansowej",
        "Rachunek przepływów pieniężnych",
        "Noty do skonsolidowanego sprawozdania finansowego",
        "Sprawozdanie niezależnego biegłego rewidenta z badania",
    ),
    "ja": (
        "目次",
        "株主の皆様へ",
        "事業の状況",
        "事業等のリスク",
        "コーポレート・ガバナンスの状況",
        "連結貸借対照表",
        "連結キャッシュ・フロー計算書",
        "連結財務諸表注記事項",
        "独立監査人の監査報告書",
    ),
    "zh": (
        "目录",
        "重要提示",
        "公司简介和主要财务指标",
        "管理层讨论与分析",
        "公司治理",
        "合并资产负债表",
        "合并现金流量表",
        "财务报表附注",
        "审计报告",
    ),
}


def prose(name: str, year: int, lang: str = "en", times: int = 4) -> str:
    """Sentences about the business: *year*, the two before it and the next one."""
    sentences = _SENTENCES[lang]
    filled = [
        s.format(name=name, y=year, p=year - 1, pp=year - 2, n=year + 1) for s in sentences
    ] * times
    space = "" if lang in {"ja", "zh"} else " "
    return "\n".join(space.join(filled[n : n + 4]) for n in range(0, len(filled), 4))


def report(name: str, year: int, lang: str = "en", times: int = 3) -> str:
    """The parts of an annual report, from the table of contents to the auditor's report."""
    return "\n".join(f"{part}\n{prose(name, year, lang, times)}" for part in _PARTS[lang])


def statements(name: str, ends: tuple[str, str, str], fiscal: int, label: str = "fiscal") -> str:
    """The parts of a 10-K, with the dates of its years: the reported one first."""
    f, p, pp = fiscal, fiscal - 1, fiscal - 2
    return f"""PART I
Item 1. Business
{prose(name, f)}
The Company's fiscal year is the 52- or 53-week period that ends near the end of the month. Unless
otherwise stated, references to particular years refer to the Company's fiscal years.
Item 1A. Risk Factors
{prose(name, f)}
Item 1C. Cybersecurity
Item 2. Properties
Item 3. Legal Proceedings
PART II
Item 5. Market for Registrant's Common Equity
Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations
The following discussion addresses {label} {f} and {label} {p} items and comparisons between
{label} {f} and {label} {p}. Comparisons between {label} {p} and {label} {pp} are in the Company's
Annual Report on Form 10-K for the fiscal year ended {ends[1]}.
Sales increased 4% in {label} {f} and decreased 3% in {label} {p}. In {label} {f + 1} we expect
capital expenditures to rise.
{prose(name, f)}
Item 8. Financial Statements and Supplementary Data
CONSOLIDATED STATEMENTS OF OPERATIONS
Years ended {ends[0]}, {ends[1]} and {ends[2]}
CONSOLIDATED BALANCE SHEETS
{ends[0]} and {ends[1]}
CONSOLIDATED STATEMENTS OF CASH FLOWS
Notes to Consolidated Financial Statements
Note 1 - Summary of Significant Accounting Policies
{prose(name, f)}
Report of Independent Registered Public Accounting Firm
We have audited the accompanying consolidated balance sheets of {name} as of {ends[0]} and
{ends[1]}, and the related statements for each of the three years in the period ended {ends[0]}.
Item 9A. Controls and Procedures
PART III
Item 10. Directors, Executive Officers and Corporate Governance
Information is incorporated by reference from the proxy statement for the {f + 1} annual meeting.
PART IV
Item 15. Exhibit and Financial Statement Schedules
SIGNATURES
Pursuant to the requirements of Section 13 or 15(d) of the Securities Exchange Act of 1934, the
Registrant has duly caused this report to be signed on its behalf by the undersigned."""

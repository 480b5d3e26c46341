// Czech.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kCzech = {
    .kinds = {.document = {"dokument dokumentu soubor souboru", "dokumenty dokumentů dokumentech soubory souborů"},
              .text = {"text kniha knihu stránka kapitola", "texty knihy stránky"},
              .invoice = {"faktura fakturu faktury účet účtu", "faktury faktur fakturách účty účtů"},
              .receipt = {"účtenka účtenku stvrzenka", "účtenky účtenek"},
              .contract = {"smlouva smlouvu smlouvy smlouvě", "smlouvy smluv smlouvách"},
              .letter = {"dopis dopisu", "dopisy dopisů dopisech"},
              .mail = {"mail zpráva zprávu e-mail", "maily zprávy zpráv e-maily"},
              .report = {"report hlášení", "reporty"},
              .article = {"článek článku", "články článků"},
              .policy = {"pojistka pojistku", "pojistky pojistek"},
              .certificate = {"potvrzení osvědčení", "potvrzení"},
              .statement = {"výpis výpisu", "výpisy výpisů"},
              .minutes = {"zápis zápisu", "zápisy zápisů"},
              .manual = {"návod návodu příručka", "návody návodů příručky"},
              .offer = {"nabídka nabídku nabídky", "nabídky nabídek"},
              .note = {"poznámka poznámku poznámky", "poznámky poznámek poznámkách"},
              .recipe = {"recept receptu", "recepty receptů"},
              .form = {"formulář formuláře", "formuláře formulářů"},
              .presentation = {"prezentace prezentaci", "prezentace"},
              .cv = {"životopis"}},
    .own_kinds = "text mail",
    .lead =
        "jaký jaká jaké je jsou co který která které ukaž mi najdi otevři dej vypiš vyjmenuj prosím můj moje má mou "
        "moji náš naše všechny všech ve v z",
    .closing = "prosím",
    .articles = "můj moje má mou moji náš naše",
    .joins = "od z ze o pro do v na jsou je mám které který která pocházejí",
    .of = "od z ze pro",
    .asking = "kdy kdo jak proč kde co který která",
    .newest = "nejnovější, poslední, nejčerstvější",
    .oldest = "nejstarší, nejdřívější",
    .told = "součet částka číslo datum cena zůstatek název autor strana nájem adresa",
    .changed = "změnil změnila změněny změněné upravil upravila napsal napsala uložil uložila vytvořil vytvořila",
    .taken_in = "přidal přidala přidané přidány importované",
    .doing = "jsem jsme byly které",
    .last_done = "naposledy nedávno",
    .listing = "vypiš vyjmenuj ukaž všechny",
    .how_many = "kolik",
    .have = "mám, máme, je, mám já",
    .held = "kolik mám #, kolik je #, jaké # máš, vypiš všechny #, ukaž všechny #",
    .which = "které který která jaké ukaž najdi v ve",
    .telling = "zmiňují, zmiňuje, mluví o, obsahují, obsahuje, pojednávají o, jsou o, o, týkají se",
    .where_mentioned = "kde je, kde jsou, kde se",
    .mentioned = "zmíněn zmíněna zmíněno zmiňuje",
    .finding = "najdi, otevři, ukaž mi, ukaž, kde je, kde jsou",
    .writers =
        "kdo mi psal o #, kdo mi napsal o #, kdo mi psal kvůli #, kdo mi napsal kvůli #, kdo nám psal o #, kdo nám "
        "psal kvůli #, kdo nám napsal o #, kdo mi psal ohledně #, kdo mi napsal ohledně #, kdo mi psal, kdo mi napsal",
    .gist = "o čem je #, o čem pojednává #, shrň #, shrnutí #, co je v #, co stojí v #",
    .around = "prosím krátce",
    .this_one = "to tohle",
    .sections = "oddíl oddílu paragraf kapitola kapitole článek článku bod bodu odstavec odstavci",
    .annexes = "příloha příloze",
    .place_asking = "co je, co říká, co stojí, co obsahuje",
    .page = "strana straně stranu stránka stránce",
    .showing = "ukaž čti je říká obsah stojí napsáno",
    .ordinals = "první, druhý druhou druhá druhé, třetí, čtvrtý čtvrtou, pátý pátou, šestý, sedmý, osmý",
    .last_one = "poslední",
    .numbered = "číslo č",
    .tasks = {.tasks = "úkoly, úkolů, úkolech, seznam úkolů, seznamu úkolů, todo, to do",
              .headings = "úkoly, udělat, k vyřízení, otevřené body, todo, to do",
              .open = "otevřené nedokončené nesplněné zbývající zbývá zbývají ještě",
              .done = "hotové splněné dokončené vyřízené hotovo už již",
              .all = "všechny",
              .around = "mám máme musím musíme moje mé mých na v co jaké které jsou je mi nám do udělat",
              .asking_open = "co zbývá udělat, co mi zbývá udělat, co ještě musím udělat, co musím ještě udělat, co "
                             "musím udělat, co je ještě třeba udělat, co je třeba udělat, co je potřeba udělat, co mám "
                             "ještě udělat, co mám udělat, co ještě zbývá",
              .asking_done = "co jsem udělal, co jsem udělala, co jsem už udělal, co jsem už udělala, co je hotovo, co "
                             "je už hotovo, co už je hotovo, co jsme udělali"},
};

}  // namespace mneme::rag::documents

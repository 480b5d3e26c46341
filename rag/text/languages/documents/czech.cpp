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
    .gist = "o čem je #, o čem pojednává #, shrň #, shrnutí #, co je v #, co stojí v #",
    .around = "prosím krátce",
    .this_one = "to tohle",
};

}  // namespace mneme::rag::documents

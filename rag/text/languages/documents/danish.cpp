// Danish.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kDanish = {
    .kinds = {.document = {"dokument dokumentet fil filen", "dokumenter dokumenterne filer filerne"},
              .text = {"tekst bog side kapitel", "tekster bøger sider"},
              .invoice = {"faktura fakturaen regning regningen", "fakturaer fakturaerne regninger regningerne"},
              .receipt = {"kvittering kvitteringen", "kvitteringer"},
              .contract = {"kontrakt kontrakten aftale aftalen", "kontrakter kontrakterne aftaler aftalerne"},
              .lease = {"lejekontrakt lejekontrakten", "lejekontrakter"},
              .letter = {"brev brevet", "breve brevene"},
              .mail = {"mail mailen besked beskeden", "mails beskeder"},
              .report = {"rapport rapporten", "rapporter rapporterne"},
              .article = {"artikel artiklen", "artikler artiklerne"},
              .policy = {"police policen", "policer"},
              .certificate = {"attest certifikat", "attester certifikater"},
              .statement = {"kontoudtog", "kontoudtog"},
              .minutes = {"referat referatet", "referater referaterne"},
              .manual = {"vejledning manual", "vejledninger manualer"},
              .offer = {"tilbud tilbuddet", "tilbud"},
              .note = {"note noten notat", "noter noterne notater"},
              .recipe = {"opskrift opskriften", "opskrifter opskrifterne"},
              .form = {"formular blanket", "formularer blanketter"},
              .presentation = {"præsentation", "præsentationer"},
              .payslip = {"lønseddel", "lønsedler"}},
    .own_kinds = "side sider",
    .lead =
        "hvad hvilken hvilket hvilke er vis mig find åbn giv en liste over alle venligst min mit mine vores den det "
        "de i",
    .closing = "tak",
    .articles = "den det de en et min mit mine vores",
    .joins = "fra af om for til med som der i på er har jeg den det",
    .of = "fra af",
    .asking = "hvornår hvem hvordan hvorfor hvor hvad hvilken",
    .newest = "nyeste, seneste, senest",
    .oldest = "ældste, tidligste",
    .last = "sidste",
    .told = "total beløb nummer dato pris saldo navn forfatter titel side sum husleje løn adresse moms",
    .changed = "ændret ændrede redigeret skrevet skrev gemt opdateret oprettet rettet",
    .taken_in = "tilføjet importeret indekseret",
    .doing = "har jeg vi som der blev",
    .last_done = "sidst senest",
    .listing = "vis liste alle",
    .how_many = "hvor mange",
    .have = "har jeg, har vi, er der",
    .held = "hvor mange # har jeg, hvor mange # er der, hvilke # har du, hvilke # er der, vis alle #",
    .which = "hvilke hvilket hvilken vis find i",
    .telling = "nævner, nævnes, handler om, indeholder, omtaler, taler om, om",
    .where_mentioned = "hvor nævnes, hvor bliver",
    .mentioned = "nævnt nævnes",
    .finding = "find, åbn, vis mig, vis, hvor er, hvor ligger",
    .writers =
        "hvem skrev til mig om #, hvem har skrevet til mig om #, hvem skrev til os om #, hvem har skrevet til os om #, "
        "hvem mailede mig om #, hvem skrev til mig, hvem har skrevet til mig, hvem sendte mig et brev om #",
    .gist = "hvad handler # om, hvad står der i #, opsummer #, sammenfat #, resumé af #, sammendrag af #, resumé #",
    .around = "venligst kan du kort et",
    .this_one = "det dette den",
    .sections = "afsnit paragraf kapitel artikel punkt",
    .annexes = "bilag",
    .place_asking = "hvad står, hvad siger, hvad er",
    .page = "side siden",
    .showing = "vis læs står siger indhold der",
    .ordinals = "første, anden andet, tredje, fjerde, femte, sjette, syvende, ottende",
    .last_one = "sidste",
    .numbered = "nummer nr",
    .tasks = {.tasks = "opgaver, opgaverne, opgaveliste, opgavelisten, huskeliste, huskelisten, to do liste, todo "
                       "liste, todo, to do",
              .headings = "opgaver, to do, todo, mangler at blive gjort, åbne punkter, at gøre",
              .open = "åbne tilbage resterende uafsluttede mangler stadig endnu",
              .done = "færdige færdig udførte udført gjort afsluttede klaret allerede",
              .all = "alle",
              .around = "har jeg vi skal må som er der på min mine vores til i med",
              .asking_open =
                  "hvad mangler jeg at gøre, hvad mangler jeg, hvad mangler der at blive gjort, hvad mangler at blive "
                  "gjort, hvad skal jeg stadig gøre, hvad skal jeg gøre, hvad er der tilbage at gøre, hvad er tilbage "
                  "at gøre, hvad skal der gøres, hvad har jeg tilbage at gøre",
              .asking_done = "hvad har jeg gjort, hvad har jeg allerede gjort, hvad er gjort, hvad er der gjort, hvad "
                             "er allerede gjort, hvad har vi gjort"},
};

}  // namespace mneme::rag::documents

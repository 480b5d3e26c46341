// Norwegian.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kNorwegian = {
    .kinds = {.document = {"dokument dokumentet fil filen filene", "dokumenter dokumentene filer filene"},
              .text = {"tekst bok side kapittel", "tekster bøker sider"},
              .invoice = {"faktura fakturaen regning regningen", "fakturaer fakturaene regninger regningene"},
              .receipt = {"kvittering kvitteringen", "kvitteringer kvitteringene"},
              .contract = {"kontrakt kontrakten avtale avtalen", "kontrakter kontraktene avtaler avtalene"},
              .lease = {"leiekontrakt leiekontrakten", "leiekontrakter"},
              .letter = {"brev brevet", "brev brevene"},
              .mail = {"epost melding meldingen", "eposter meldinger"},
              .report = {"rapport rapporten", "rapporter rapportene"},
              .article = {"artikkel artikkelen", "artikler artiklene"},
              .policy = {"polise polisen", "poliser"},
              .certificate = {"attest attesten", "attester"},
              .statement = {"kontoutskrift", "kontoutskrifter"},
              .minutes = {"referat referatet", "referater referatene"},
              .manual = {"håndbok veiledning", "håndbøker veiledninger"},
              .offer = {"tilbud tilbudet", "tilbud tilbudene"},
              .note = {"notat notatet", "notater notatene"},
              .recipe = {"oppskrift oppskriften", "oppskrifter oppskriftene"},
              .form = {"skjema skjemaet", "skjemaer skjemaene"},
              .presentation = {"presentasjon presentasjonen", "presentasjoner"},
              .payslip = {"lønnsslipp lønnsslippen", "lønnsslipper"}},
    .own_kinds = "side sider",
    .lead =
        "hva hvilken hvilket hvilke er vis meg finn åpne gi en liste over alle vennligst min mitt mine vår våre den "
        "det de i",
    .closing = "takk",
    .articles = "den det de en et min mitt mine vår våre",
    .joins = "fra av om for til med som i på er har jeg den det",
    .of = "fra av",
    .asking = "når hvem hvordan hvorfor hvor hva hvilken",
    .newest = "nyeste, seneste, senest, ferskeste",
    .oldest = "eldste, tidligste",
    .last = "siste",
    .told = "total beløp nummer dato pris saldo navn forfatter tittel side sum husleie lønn adresse mva",
    .changed = "endret endra redigert skrevet skrev lagret oppdatert opprettet laget",
    .taken_in = "lagt importert indeksert",
    .doing = "har jeg vi som ble",
    .last_done = "sist nylig",
    .listing = "vis liste list alle",
    .how_many = "hvor mange",
    .have = "har jeg, har vi, finnes det, er det",
    .held = "hvor mange # har jeg, hvor mange # finnes det, hvilke # har du, hvilke # finnes, vis alle #",
    .which = "hvilke hvilket hvilken vis finn i",
    .telling = "nevner, nevnes, handler om, inneholder, omtaler, snakker om, om",
    .where_mentioned = "hvor nevnes, hvor blir",
    .mentioned = "nevnt nevnes",
    .finding = "finn, åpne, vis meg, vis, hvor er, hvor ligger",
    .writers =
        "hvem skrev til meg om #, hvem har skrevet til meg om #, hvem skrev til oss om #, hvem har skrevet til oss om "
        "#, hvem skrev til meg, hvem har skrevet til meg, hvem sendte meg et brev om #",
    .gist = "hva handler # om, hva står det i #, oppsummer #, sammenfatt #, sammendrag av #, sammendrag #",
    .around = "vennligst kan du kort et",
    .this_one = "det dette den",
    .sections = "avsnitt paragraf kapittel artikkel punkt",
    .annexes = "vedlegg",
    .place_asking = "hva står, hva sier, hva er",
    .page = "side siden",
    .showing = "vis les står sier innhold det",
    .ordinals = "første, andre, tredje, fjerde, femte, sjette, sjuende, åttende",
    .last_one = "siste",
    .numbered = "nummer nr",
    .tasks =
        {.tasks = "oppgaver, oppgavene, oppgaveliste, oppgavelisten, gjøremål, huskeliste, huskelisten, todo liste, to "
                  "do liste, todo, to do",
         .headings = "oppgaver, gjøremål, å gjøre, to do, todo, åpne punkter",
         .open = "åpne igjen gjenstående gjenstår uferdige fortsatt ennå",
         .done = "ferdige ferdig gjort utførte utført fullførte fullført allerede avsluttede",
         .all = "alle",
         .around = "har jeg vi må skal som er det på min mine mitt våre for i med",
         .asking_open =
             "hva gjenstår å gjøre, hva gjenstår, hva har jeg igjen å gjøre, hva er igjen å gjøre, hva må jeg gjøre, "
             "hva må jeg fortsatt gjøre, hva må fortsatt gjøres, hva må gjøres, hva skal jeg gjøre",
         .asking_done =
             "hva har jeg gjort, hva har jeg allerede gjort, hva er gjort, hva er allerede gjort, hva har vi gjort"},
};

}  // namespace mneme::rag::documents

// Swedish.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kSwedish = {
    .kinds = {.document = {"dokument dokumentet fil filen", "dokument dokumenten filer filerna"},
              .text = {"text bok sida kapitel", "texter böcker sidor"},
              .invoice = {"faktura fakturan räkning räkningen", "fakturor fakturorna räkningar räkningarna"},
              .receipt = {"kvitto kvittot", "kvitton kvittona"},
              .contract = {"avtal avtalet kontrakt kontraktet", "avtal avtalen kontrakten"},
              .lease = {"hyresavtal hyreskontrakt", "hyresavtal"},
              .letter = {"brev brevet", "brev breven"},
              .mail = {"mejl mejlet meddelande", "mejl mejlen meddelanden"},
              .report = {"rapport rapporten", "rapporter rapporterna"},
              .article = {"artikel artikeln", "artiklar artiklarna"},
              .certificate = {"intyg intyget", "intyg intygen"},
              .statement = {"kontoutdrag", "kontoutdrag"},
              .minutes = {"protokoll protokollet", "protokoll protokollen"},
              .manual = {"handbok handboken", "handböcker"},
              .offer = {"offert offerten", "offerter offerterna"},
              .note = {"anteckning anteckningen", "anteckningar anteckningarna"},
              .recipe = {"recept receptet", "recept recepten"},
              .form = {"blankett formulär", "blanketter formulär"},
              .presentation = {"presentation presentationen", "presentationer"},
              .payslip = {"lönebesked lönespecifikation", "lönebesked lönespecifikationer"}},
    .own_kinds = "form sida sidor",
    .lead = "vad vilken vilket vilka är visa mig hitta öppna ge lista snälla min mitt mina vår våra den det de alla i",
    .closing = "tack",
    .articles = "den det de en ett min mitt mina vår våra",
    .joins = "från av om för till med som i på är finns jag har den det",
    .of = "från av",
    .asking = "när vem hur varför var vad vilken",
    .newest = "senaste, nyaste, nyast, senast",
    .oldest = "äldsta, äldst, tidigaste",
    .last = "sista",
    .told = "summa belopp nummer datum pris saldo namn författare titel sida hyra lön adress moms",
    .changed =
        "ändrade ändrat ändrats redigerade redigerat skrev skrivit sparade sparat uppdaterade skapade skapat ändrades "
        "redigerades sparades uppdaterades",
    .taken_in = "lade till lagt importerade indexerade",
    .doing = "har jag vi som blev",
    .last_done = "senast nyligen",
    .listing = "lista visa alla",
    .how_many = "hur många",
    .have = "har jag, har vi, finns det",
    .held = "hur många # har jag, hur många # finns det, vilka # har du, vilka # finns det, visa alla #, lista alla #",
    .which = "vilka vilket vilken visa lista hitta i",
    .telling = "nämner, nämns, handlar om, innehåller, talar om, tar upp, om",
    .where_mentioned = "var nämns, var",
    .mentioned = "nämns",
    .finding = "hitta, öppna, visa mig, visa, var är, var finns, var ligger",
    .writers =
        "vem skrev till mig om #, vem har skrivit till mig om #, vem skrev till oss om #, vem har skrivit till oss om "
        "#, vem mejlade mig om #, vem har mejlat mig om #, vem skrev till mig, vem har skrivit till mig, vem skickade "
        "mig ett brev om #",
    .gist =
        "vad handlar # om, vad står det i #, sammanfatta #, sammanfattning av #, sammanfattning #, # sammanfattning",
    .around = "snälla kan du kort en",
    .this_one = "det detta den",
    .sections = "avsnitt paragraf kapitel artikel punkt",
    .annexes = "bilaga",
    .place_asking = "vad står, vad säger, vad är, vad finns",
    .page = "sida sidan",
    .showing = "visa läs står säger innehåll det",
    .ordinals = "första, andra, tredje, fjärde, femte, sjätte, sjunde, åttonde",
    .last_one = "sista senaste",
    .numbered = "nummer nr",
    .tasks = {.tasks = "uppgifter, uppgifterna, att göra lista, att göra listan, att göra listor, to do lista, todo "
                       "lista, todo, to do, att göra",
              .headings = "att göra, uppgifter, kvar att göra, öppna punkter, åtgärder, todo, to do",
              .open = "öppna kvar återstående ofärdiga återstår fortfarande ännu",
              .done = "klara klar gjorda gjort färdiga avslutade avklarade redan slutförda",
              .all = "alla",
              .around = "har jag vi måste ska behöver som är finns på min mina vår för i med",
              .asking_open = "vad återstår att göra, vad är kvar att göra, vad har jag kvar att göra, vad har vi kvar "
                             "att göra, vad måste jag göra, vad måste jag fortfarande göra, vad behöver jag göra, vad "
                             "ska jag göra, vad finns kvar att göra, kvar att göra",
              .asking_done = "vad har jag gjort, vad har jag redan gjort, vad är gjort, vad är redan gjort, vad är "
                             "klart, vad har vi gjort, vad har jag avslutat"},
};

}  // namespace mneme::rag::documents

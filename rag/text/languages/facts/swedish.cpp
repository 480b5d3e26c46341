// Swedish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kSwedish = {
    .language = Language::kSwedish,
    .own_grammar =
        "och i att det som en ett på är av för med till den har de inte om var vad när vem vems vilka vilken vilket "
        "hur varför vart varifrån hos från eller men så jag du vi ni man mig dig oss er min mitt mina vår vårt våra "
        "din ditt dina sin sitt sina han hon ska skall skulle kan kunde måste bör vill ha hade blir blev bli vara "
        "varit finns under efter innan mellan över vid utan där här då nu också bara än mycket många ut in upp gör ger "
        "alla någon något några ingen inga detta denna dessa sig behöver behövs får fick går gick gäller",
    .telling = "kostar heter",
    .marked_letters = "åäö",
    .notes = &notes::kSwedish,
    .documents = &documents::kSwedish,
    .papers = &papers::kSwedish,
    .thanks = "tack, tack så mycket, tusen tack, ok tack, jättebra",
    .greetings = "hejsan, god morgon, god kväll",
    .numbers = "två tre fyra fem sju åtta nio tio elva tolv femton tjugo trettio fyrtio femtio hundra tusen halv",
    .months = {{{"januari"},
                {"februari"},
                {"", "mars"},
                {"april"},
                {"maj"},
                {"juni"},
                {"juli"},
                {"augusti"},
                {"september"},
                {"oktober"},
                {"november"},
                {"december"}}},
    .weekdays =
        "måndag, tisdag, onsdag, torsdag, fredag, lördag, söndag, måndagar, tisdagar, onsdagar, torsdagar, fredagar, "
        "lördagar, söndagar, vardag, vardagar, vardagen, helgen",
    .recurring_days = "i månaden, varje månad",
    .time_units =
        "sekunder, minuter, minut, timmar, timme, dygn, arbetsdagar, dagar, dag, veckor, vecka, månader, månad, år, "
        "kvartal",
    .often = "varje, varannan, gång, gånger, dagligen, veckovis, månadsvis, årligen",
    .within = "inom",
    .until = "senast, till och med, inom, före, giltig, löper ut",
    .before_hour = "klockan kl",
    .asking_hour = "vilken tid, hur dags, vilket klockslag",
    .asking_deadline = "senast när, när senast, till vilket datum, före vilket datum",
    .own_asking =
        {.date = "när, vilken dag, vilket datum, hur dags, vilken tid, vilket år, vilken månad, vilket klockslag",
         .number = "hur mycket, hur många, hur hög, hur högt, hur stor, hur stort, vilken summa, vilket belopp",
         .duration = "hur länge, hur lång, hur långt, hur lång tid, hur många dagar, hur många timmar, hur många "
                     "minuter, hur många månader, hur många år",
         .frequency = "hur ofta",
         .person = "vem, vems, vilka personer",
         .place = "^var, vart, varifrån",
         .reason = "varför, av vilken anledning",
         .manner = "hur",
         .steps = "vad gör jag, vad gör man, vad ska jag göra, vad ska man göra",
         .list = "ingredienser, vad behövs, vad behöver, ha med sig, ta med sig, ska ta med, ska ha med, vad ingår",
         .definition = "vad betyder, vad innebär, vad menas"},
    .how = "hur",
    .measures =
        "hög högt höga stor stort stora lång långt långa bred brett tung tungt gammal gammalt djup dyr dyrt varm varmt",
    .large = "stor stort stora",
    .areas = "yta bostadsyta boyta storlek kvm m2",
    .heat = "grader temperatur varm varmt",
    .values = "belopp summa storlek höjd längd",
    .sums =
        "hyra hyran premie premien deposition depositionen självrisk självrisken avgift avgiften lön lönen årspremie",
    .date_labels = "datum när",
    .place_labels = "plats adress",
    .codes = "fel felkod felkoden kod koden",
    .lasting = "gäller varar giltig räcker",
    .free_of_charge = "gratis, ingår, kostnadsfri, kostnadsfritt, utan kostnad, utan avgift",
    .percent = "procent",
    .rents = "hyra hyror månadshyra månadshyror",
    .currencies = "kronor, kr, krona",
    .own_price = {.asking = "vad kostar, vad kostade, vad ska kosta, hur dyr, hur dyrt",
                  .how_much = "hur mycket",
                  .words = "kostar kostade kosta betala betalar betalade betalas pris priset kostnad kostnaden"},
    .own_rules =
        {.asking_may =
             "får man, får vi, får jag, kan man, kan vi, kan jag, får barnen, får hundar, är det tillåtet, är det ok",
         .asking_must = "måste man, måste vi, måste jag, ska man, behöver man, behöver vi",
         .permits = "tillåtet tillåten tillåtna förbjudet förbjuden förbjudna",
         .may_rules = "får, får inte, tillåtet, tillåten, tillåtna, förbjudet, förbjuden, förbjudna, tillstånd, "
                      "ersätts inte, ingår inte",
         .must_rules = "måste, skyldig, obligatorisk, obligatoriskt, krävs, behöver",
         .light_deeds = "ha hålla ta använda göra ställa"},
    .causes = "eftersom, därför, för att, på grund av, annars, så att, beror på",
    .contact = {.asking = "telefonnummer, telefonnumret, vilket nummer, numret till, vem ringer, vart ringer, vem ska "
                          "jag ringa, vart ska jag ringa",
                .words = "telefonnummer telefonnumret nummer numret ringer ringa ring telefon"},
    .talk = {.continuing = "och men eller då",
             .pronouns = "hon han honom henne hennes hans dem deras dess",
             .asking = "när var hur varför vart"},
    .forms = {.endings = "a ar arna arnas ans as at ade ades d de dd e en ens er erna ernas es et ets n na nas ns or "
                         "orna r s t te ts aste are ing ingen ingar ning ningen ningar",
              .compounds = true},
    .families =
        "börja börjar började början start startar, sluta slutar slutade slut upphör, tillbaka återbetalas "
        "återbetalning återfå, hem hemkomst återresa, avgå avgår avresa avgång, ankomst anländer kommer, anmäla anmäls "
        "anmälan, betala betalas betalning, ringa ring telefon, laga lagar reparera reparation, trasig sönder fel, "
        "medta medtag packa, ha har, kosta pris, gå går gick, börjar gäller",
    .synonyms =
        "hyra månadshyra hyreskostnad, sophämtning sopor avfall hushållsavfall, hyresvärd värd uthyrare, hund hundar "
        "husdjur, katt katter husdjur, kontrakt "
        "avtal, lägenhet bostad, deposition säkerhet, bil fordon, rök röka rökning, räkning faktura, lön ersättning, "
        "läkare doktor, skola klass, barn elever, resa utflykt, avresa avgång, pris avgift premie årspremie",
    .asking_state =
        "vad är det för fel på #, vad är fel på #, vad är fel med #, vad är trasigt i #, vad är trasigt på #, vad är "
        "trasigt, vad är sönder, vad fungerar inte i #, vilka fel har #, vilka brister har #, i vilket skick är #, vad "
        "är problemet med #",
    .payments = {.spent = "spenderat, spenderade, gjort av med, betalat totalt, betalade totalt, totala utgifter",
                 .received = "tjänat, tjänade, totala inkomster",
                 .otherwise = "genomsnitt, i snitt, mest, minst",
                 .average = "genomsnitt, i snitt, i genomsnitt",
                 .weekly = "per vecka, i veckan, varje vecka",
                 .monthly = "per månad, i månaden, varje månad",
                 .yearly = "per år, om året, varje år",
                 .most = "mest, dyraste, största, högsta",
                 .least = "minst, billigaste, minsta, lägsta",
                 .expenses = "utgift utgiften utgifter utgiften köp köpet betalning betalningen räkning",
                 .paid = "betalat betalade spenderat spenderade köpt",
                 .spending = "spenderar",
                 .amount_columns = "belopp summa totalt pris kostnad utgift",
                 .balance_columns = "saldo",
                 .received_columns = "inkomst insättning"},
    .periods =
        {
            .today = "idag, i dag",
            .yesterday = "igår, i går",
            .current = "denna detta den här i",
            .past = "förra senaste",
            .days = "dag dagar dagen dagarna",
            .weeks = "vecka veckan veckor veckorna",
            .months = "månad månaden månader månaderna",
            .years = "år året åren",
            .this_week = "den här veckan",
            .this_month = "den här månaden",
            .this_year = "i år, det här året",
            .last_year = "i fjol",
            .around = "i från på av under den de",
            .since = "sedan",
            .until = "före innan",
            .after = "efter",
            .numbers = "ett två tre fyra fem sex sju åtta nio tio elva tolv",
            .weekdays = "måndag, tisdag, onsdag, torsdag, fredag, lördag, söndag",
        },
};

}  // namespace mneme::rag::languages

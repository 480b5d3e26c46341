// Danish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kDanish = {
    .language = Language::kDanish,
    .own_grammar =
        "og i at det som en et på er af for med til den har de ikke om hvad hvor hvornår hvem hvis hvilken hvilket "
        "hvilke hvordan hvorfor hvorhen hvorfra hos fra eller men så jeg du vi man mig dig os jer min mit mine vor "
        "vort vores din dit dine sin sit sine han hun skal skulle kan kunne må måtte bør vil ville have havde bliver "
        "blev blive være været var findes under efter inden mellem over ved ud uden der her nu også kun bare end meget "
        "mange alle nogen noget nogle ingen intet dette denne disse sig behøver behøves får fik går gik gælder op ind "
        "gør giver hvormed hvortil ens deres jeres hans hendes",
    .telling = "koster hedder høj højt huslejen leje lejligheden uge uger fejl børn børnene",
    .marked_letters = "åæø",
    .notes = &notes::kDanish,
    .documents = &documents::kDanish,
    .papers = &papers::kDanish,
    .thanks = "tak, mange tak, tusind tak, ok tak",
    .greetings = "goddag, godmorgen, godaften",
    .numbers =
        "tre fem seks syv otte elleve tolv femten tyve tredive fyrre halvtreds hundrede tusind "
        "halv halvanden",
    .months = {{{"januar"},
                {"februar"},
                {"", "marts"},
                {"april"},
                {"maj"},
                {"juni"},
                {"juli"},
                {"august"},
                {"september"},
                {"oktober"},
                {"november"},
                {"december"}}},
    .weekdays =
        "mandag, tirsdag, onsdag, torsdag, fredag, lørdag, søndag, mandage, tirsdage, onsdage, torsdage, fredage, "
        "lørdage, søndage, hverdag, hverdage, weekenden",
    .recurring_days = "i måneden, hver måned",
    .time_units =
        "sekunder, minutter, minut, timer, døgn, arbejdsdage, dage, dag, uger, uge, måneder, måned, år, kvartal",
    .often = "hver, hvert, hveranden, gang, gange, dagligt, ugentligt, månedligt, årligt",
    .within = "inden for",
    .until = "senest, til og med, inden, gyldig, gyldigt, udløber",
    .own_until = "før",
    .before_hour = "klokken kl",
    .asking_hour = "hvad tid, hvilket klokkeslæt, hvilken tid, hvad klokken",
    .asking_deadline = "hvornår senest, senest hvornår, inden hvornår, hvilken dato senest",
    .own_asking =
        {.date = "hvornår, hvilken dag, hvilken dato, hvad tid, hvilken tid, hvilket år, hvilken måned, hvilket "
                 "klokkeslæt",
         .number = "hvor meget, hvor mange, hvor høj, hvor højt, hvor stor, hvor stort, hvilket beløb, hvilken sum",
         .duration = "hvor længe, hvor lang, hvor langt, hvor lang tid, hvor mange dage, hvor mange timer, hvor mange "
                     "minutter, hvor mange måneder, hvor mange år, hvor mange uger",
         .frequency = "hvor ofte, hvor tit",
         .person = "hvem, hvilke personer",
         .place = "hvor, hvorhen, hvorfra",
         .reason = "hvorfor, af hvilken grund",
         .manner = "hvordan",
         .steps = "hvad gør jeg, hvad gør man, hvad skal jeg gøre, hvad skal man gøre",
         .list = "ingredienser, hvad skal jeg bruge, hvad skal der bruges, have med, tage med, hvad indgår",
         .definition = "hvad betyder, hvad vil det sige, hvad menes"},
    .how = "hvor",
    .measures =
        "høj højt høje stor stort store lang langt lange bred bredt tung tungt gammel gammelt dyb dybt dyr dyrt "
        "varm varmt",
    .large = "stor stort store",
    .areas = "areal boligareal størrelse kvm m2",
    .heat = "grader temperatur varm varmt",
    .values = "beløb størrelse højde længde",
    .sums =
        "husleje huslejen leje lejen præmie præmien depositum depositummet selvrisiko selvrisikoen gebyr gebyret løn "
        "lønnen",
    .date_labels = "dato hvornår",
    .place_labels = "sted adresse",
    .codes = "fejl fejlkode fejlkoden kode koden",
    .lasting = "gælder varer gyldig gyldigt rækker",
    .free_of_charge = "gratis, inkluderet, uden beregning, uden gebyr, er indeholdt",
    .percent = "procent",
    .rents = "leje husleje månedsleje",
    .currencies = "kroner, kr, krone",
    .own_price = {.asking = "hvad koster, hvad kostede, hvad skal koste, hvor dyr, hvor dyrt",
                  .how_much = "hvor meget",
                  .words = "koster kostede koste betale betaler betales betalt pris prisen omkostning omkostninger"},
    .own_rules = {.asking_may =
                      "må man, må vi, må jeg, kan man, kan vi, kan jeg, må børnene, må hunde, er det tilladt, er det "
                      "ok, må hunden",
                  .asking_must = "skal man, skal vi, skal jeg, behøver man, behøver vi, er det nødvendigt",
                  .permits = "tilladt tilladte forbudt forbudte",
                  .may_rules = "må ikke, må gerne, må kun, må højst, tilladt, tilladte, forbudt, forbudte, tilladelse, "
                               "dækkes ikke, er ikke omfattet",
                  .must_rules = "skal, pligt, obligatorisk, kræves, behøver",
                  .light_deeds = "have holde tage bruge gøre"},
    .causes = "fordi, derfor, på grund af, ellers, således at, skyldes",
    .contact = {.asking = "telefonnummer, telefonnummeret, hvilket nummer, nummeret til, hvem ringer, hvem skal jeg "
                          "ringe til, hvor skal jeg ringe, hvem ringer jeg til",
                .words = "telefonnummer telefonnummeret nummer nummeret ringer ringe ring telefon tlf"},
    .talk = {.continuing = "og men eller så",
             .pronouns = "hun han ham hende hendes hans dem deres",
             .asking = "hvornår når hvor hvordan hvorfor"},
    .forms = {.endings = "a e en ens er ere erne ernes ers es et ets ene enes ed ede t te s r ne nes ing ingen inger "
                         "ning ningen ninger eligt",
              .compounds = true},
    .families =
        "begynde begynder begyndte begyndelse start starte, slutte slutter sluttede slut ophører ophør "
        "udløber, "
        "tilbage tilbagebetales tilbagebetaling refunderes, hjem hjemkomst hjemrejse, afgår afgang afrejse, ankomst "
        "ankommer kommer, anmelde anmeldes anmeldelse, betale betaler betales betaling, ringe ring telefon, reparere "
        "reparerer reparation, defekt ødelagt fejl, medbringe medbringes pakke, har have, koster pris, går gik, "
        "begynder gælder, opsige opsiges opsigelse opsigelsesvarsel, levere leveres levering",
    .synonyms =
        "husleje leje, udlejer vært udlejeren, hund hunde husdyr, kat katte husdyr, kontrakt aftale lejekontrakt, "
        "renovation skraldeafhentning affald dagrenovation, lejlighed bolig, depositum indskud sikkerhed, bil køretøj, "
        "rygning ryge røg, regning faktura, løn vederlag, "
        "læge doktor, skole klasse, børn elever, rejse udflugt, afrejse afgang, pris gebyr præmie årspræmie, "
        "forsikring police",
    .asking_state =
        "hvad er der galt med #, hvad er galt med #, hvad fejler #, hvad er i stykker i #, hvad er i stykker på #, "
        "hvad er i stykker, hvad virker ikke i #, hvilke fejl har #, hvilke mangler har #, i hvilken stand er #, hvad "
        "er problemet med #",
    .payments = {.spent = "har jeg brugt, har vi brugt, brugte jeg, brugte vi, betalt i alt, samlede udgifter",
                 .received = "har jeg tjent, har vi tjent, tjente jeg, tjente vi, samlede indtægter",
                 .otherwise = "gennemsnit, gennemsnitligt, i snit, mest, mindst",
                 .average = "gennemsnit, gennemsnitligt, i snit, i gennemsnit",
                 .weekly = "om ugen, per uge, pr uge, hver uge",
                 .monthly = "om måneden, per måned, pr måned, hver måned",
                 .yearly = "om året, per år, pr år, hvert år",
                 .most = "mest, dyreste, største, højeste",
                 .least = "mindst, billigste, mindste, laveste",
                 .expenses = "udgift udgiften udgifter køb købet betaling betalingen regning",
                 .paid = "betalt betalte brugt brugte købt",
                 .amount_columns = "beløb sum total pris udgift",
                 .balance_columns = "saldo",
                 .received_columns = "indtægt indbetaling"},
    .periods =
        {
            .today = "i dag",
            .yesterday = "i går",
            .current = "denne dette",
            .past = "sidste seneste",
            .days = "dag dage",
            .weeks = "uge ugen uger",
            .months = "måned måneden måneder",
            .years = "år året",
            .this_year = "i år",
            .around = "i fra på af under den de",
            .since = "siden",
            .until = "før inden",
            .after = "efter",
            .numbers = "en to tre fire fem seks syv otte ni ti elleve tolv",
            .weekdays = "mandag, tirsdag, onsdag, torsdag, fredag, lørdag, søndag",
        },
};

}  // namespace mneme::rag::languages

// Norwegian, as most write it (Bokmål), with words that ask in Nynorsk.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kNorwegian = {
    .language = Language::kNorwegian,
    .own_grammar =
        "og i at det som en et ei på er av for med til den har de ikke om hva hvor når hvem hvilken hvilket hvilke "
        "hvordan hvorfor hvorfra kva kven korleis kvifor kor korfor hos fra eller men så jeg du vi man meg deg oss "
        "dere "
        "min mitt mine vår vårt våre din ditt dine sin sitt sine han hun skal skulle kan kunne må måtte bør vil ville "
        "ha "
        "hadde blir ble bli være vært var finnes under etter innen mellom over ved ut uten der her nå også bare enn "
        "mye "
        "mange alle noen noe ingen intet dette denne disse seg trenger får fikk går gikk gjelder opp inn gjør gir "
        "deres hans hennes ikkje eg",
    .telling = "koster heter kostar høy høyt husleien leia leiligheten uke uker feil barna",
    .marked_letters = "åæø",
    .notes = &notes::kNorwegian,
    .documents = &documents::kNorwegian,
    .papers = &papers::kNorwegian,
    .thanks = "takk, mange takk, tusen takk, ok takk",
    .greetings = "god dag, god morgen",
    .numbers =
        "tre fem seks sju syv åtte elleve tolv femten tjue tretti førti femti hundre tusen halv "
        "halvannen",
    .months = {{{"januar"},
                {"februar"},
                {"", "mars"},
                {"april"},
                {"mai"},
                {"juni"},
                {"juli"},
                {"august"},
                {"september"},
                {"oktober"},
                {"november"},
                {"desember"}}},
    .weekdays =
        "mandag, tirsdag, onsdag, torsdag, fredag, lørdag, søndag, mandager, tirsdager, onsdager, torsdager, fredager, "
        "lørdager, søndager, hverdag, hverdager, ukedager, helgen",
    .recurring_days = "i måneden, hver måned",
    .time_units =
        "sekunder, minutter, minutt, timer, døgn, virkedager, dager, dag, uker, uke, måneder, måned, år, kvartal",
    .often = "hver, hvert, annenhver, gang, ganger, daglig, ukentlig, månedlig, årlig",
    .within = "innen",
    .until = "senest, til og med, innen, gyldig, utløper",
    .own_until = "før",
    .before_hour = "klokken klokka kl",
    .asking_hour = "hvilken tid, hva tid, hvilket klokkeslett, når på dagen",
    .asking_deadline = "når senest, senest når, innen når, hvilken dato senest",
    .own_asking =
        {.date = "når, hvilken dag, hvilken dato, hvilken tid, hvilket år, hvilken måned, hvilket klokkeslett",
         .number = "hvor mye, hvor mange, hvor høy, hvor høyt, hvor stor, hvor stort, hvilket beløp, hvilken sum, kor "
                   "mykje, kor mange",
         .duration = "hvor lenge, hvor lang, hvor langt, hvor lang tid, hvor mange dager, hvor mange timer, hvor mange "
                     "minutter, hvor mange måneder, hvor mange år, hvor mange uker, kor lenge",
         .frequency = "hvor ofte, kor ofte",
         .person = "hvem, hvilke personer, kven",
         .place = "hvor, hvorfra, kor",
         .reason = "hvorfor, av hvilken grunn, kvifor",
         .manner = "hvordan, korleis",
         .steps = "hva gjør jeg, hva gjør man, hva skal jeg gjøre, hva skal man gjøre, hva må jeg gjøre",
         .list = "ingredienser, hva trenger jeg, hva trengs, ha med, ta med, hva inngår",
         .definition = "hva betyr, hva innebærer, hva menes"},
    .how = "hvor kor",
    .measures =
        "høy høyt høye stor stort store lang langt lange bred bredt tung tungt gammel gammelt dyp dypt dyr dyrt "
        "varm varmt",
    .large = "stor stort store",
    .areas = "areal boligareal størrelse kvm m2",
    .heat = "grader temperatur varm varmt",
    .values = "beløp størrelse høyde lengde",
    .sums =
        "husleie husleien leie leia premie premien depositum depositumet egenandel egenandelen gebyr gebyret lønn "
        "lønnen påslag påslaget",
    .date_labels = "dato når",
    .place_labels = "sted adresse",
    .codes = "feil feilkode feilkoden kode koden",
    .lasting = "gjelder varer gyldig rekker",
    .free_of_charge = "gratis, inkludert, uten kostnad, uten gebyr, er inkludert",
    .percent = "prosent",
    .rents = "leie husleie månedsleie",
    .currencies = "kroner, kr, krone",
    .own_price = {.asking = "hva koster, hva kostet, hva skal koste, hvor dyr, hvor dyrt, kva kostar",
                  .how_much = "hvor mye",
                  .words = "koster kostet koste betale betaler betales betalt pris prisen kostnad kostnader"},
    .own_rules = {.asking_may =
                      "kan man, kan vi, kan jeg, får man, får vi, får jeg, er det lov, er det tillatt, er det ok, kan "
                      "barna, kan hunder, kan hunden",
                  .asking_must = "må man, må vi, må jeg, skal man, trenger man, trenger vi, er det nødvendig",
                  .permits = "tillatt tillatte forbudt forbudte lov",
                  .may_rules =
                      "kan ikke, tillatt, tillatte, forbudt, forbudte, tillatelse, ikke lov, dekkes ikke, er ikke "
                      "omfattet",
                  .must_rules = "må være, må ha, må du, må bare, skal, plikt, obligatorisk, kreves, trenger",
                  .light_deeds = "ha holde ta bruke gjøre"},
    .causes = "fordi, derfor, på grunn av, ellers, slik at, skyldes",
    .contact = {.asking = "telefonnummer, telefonnummeret, hvilket nummer, nummeret til, hvem ringer, hvem skal jeg "
                          "ringe, hvor skal jeg ringe, hvem ringer jeg",
                .words = "telefonnummer telefonnummeret nummer nummeret ringer ringe ring telefon tlf"},
    .talk = {.continuing = "og men eller så",
             .pronouns = "hun han ham henne hennes hans dem deres",
             .asking = "når hvor hvordan hvorfor"},
    .forms = {.endings = "a ar ane e en ene enes ens er ere ers es et ets ede te t s r ne nes ing ingen inger ning "
                         "ningen ninger elig",
              .compounds = true},
    .families =
        "begynne begynner begynte begynnelse start starte, slutte slutter sluttet slutt opphører utløper "
        "løper, år året årlig årspremie, leie leia husleie husleien, "
        "tilbake tilbakebetales tilbakebetaling refunderes, hjem hjemkomst hjemreise, avgår avgang avreise, ankomst "
        "ankommer kommer, melde meldes melding, betale betaler betales betaling, ringe ring telefon, reparere "
        "reparerer reparasjon, defekt ødelagt feil, pakke medbringes, har ha, koster pris, går gikk, begynner gjelder, "
        "si sies oppsigelse oppsigelsestid, levere leveres levering, hentes henting",
    .synonyms =
        "husleie leie, utleier huseier utleieren, hund hunder husdyr, katt katter husdyr, kontrakt avtale "
        "leiekontrakt, leilighet bolig, søppel søppeltømming avfall restavfall, depositum sikkerhet, bil kjøretøy, "
        "røyking røyke røyk, regning faktura, lønn "
        "vederlag, lege doktor, skole klasse, barn elever, reise utflukt, avreise avgang, pris avgift premie "
        "årspremie, forsikring polise",
    .asking_state =
        "hva er galt med #, hva er det i veien med #, hva feiler det #, hva er ødelagt i #, hva er ødelagt på #, hva "
        "er ødelagt, hva er i stykker, hva virker ikke i #, hvilke feil har #, hvilke mangler har #, i hvilken stand "
        "er #, hva er problemet med #",
    .payments = {.spent = "har jeg brukt, har vi brukt, brukte jeg, brukte vi, betalt totalt, samlede utgifter",
                 .received = "har jeg tjent, har vi tjent, tjente jeg, tjente vi, samlede inntekter",
                 .otherwise = "gjennomsnitt, i snitt, mest, minst",
                 .average = "gjennomsnitt, i snitt, i gjennomsnitt",
                 .weekly = "i uken, per uke, pr uke, hver uke",
                 .monthly = "i måneden, per måned, pr måned, hver måned",
                 .yearly = "i året, per år, pr år, hvert år",
                 .most = "mest, dyreste, største, høyeste",
                 .least = "minst, billigste, minste, laveste",
                 .expenses = "utgift utgiften utgifter kjøp kjøpet betaling betalingen regning",
                 .paid = "betalt betalte brukt brukte kjøpt",
                 .amount_columns = "beløp sum totalt pris utgift ut",
                 .balance_columns = "saldo",
                 .received_columns = "inntekt innbetaling inn"},
    .periods =
        {
            .today = "i dag",
            .yesterday = "i går",
            .current = "denne dette",
            .past = "siste forrige",
            .days = "dag dager dagene",
            .weeks = "uke uka uken uker ukene",
            .months = "måned måneden måneder månedene",
            .years = "år året",
            .this_year = "i år",
            .last_year = "i fjor",
            .around = "i fra på av under den de",
            .since = "siden",
            .until = "før innen",
            .after = "etter",
            .numbers = "en to tre fire fem seks sju åtte ni ti elleve tolv",
            .weekdays = "mandag, tirsdag, onsdag, torsdag, fredag, lørdag, søndag",
        },
};

}  // namespace mneme::rag::languages

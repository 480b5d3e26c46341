// Dutch.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kDutch = {
    .language = Language::kDutch,
    .grammar = "het een wat waar wanneer hoeveel welke mijn onze zijn heeft hebben moet mag",
    .own_grammar =
        "de en of van in op aan met zonder voor uit bij naar over wie waarom hoe welk ons je jouw haar hun is was heb "
        "hebt moet moest moesten moeten mogen heet heten kan kunnen ik wij we zij er geen niet nog dat dit die deze "
        "dan als ook om te tot door worden wordt werd gaat gaan zal zullen zou bedraagt bedragen hij u men ben bent ga "
        "komt binnen",
    .telling = "kost lang",
    .marked_letters = "ëïé",
    .notes = &notes::kDutch,
    .documents = &documents::kDutch,
    .papers = &papers::kDutch,
    .thanks = "bedankt, dank je, dank u, dank je wel, dank u wel, oké bedankt",
    .greetings = "hoi, goedemorgen, goedendag, goedenavond",
    .numbers = "twee drie vijf zes zeven acht negen tien twaalf vijftien twintig dertig anderhalf anderhalve één",
    .months = {{{"januari"},
                {"februari"},
                {"maart"},
                {"april"},
                {"", "mei"},
                {"juni"},
                {"juli"},
                {"augustus"},
                {"september"},
                {"oktober"},
                {"november"},
                {"december"}}},
    .weekdays = "maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    .recurring_days = "van de maand",
    .time_units = "uur, dag, dagen, weken, maand, maanden, jaar, minuut, werkdagen, werkdag, kalendermaand",
    .often = "elke, iedere, per dag",
    .within = "binnen",
    .until = "uiterlijk, ingangsdatum, looptijd, geldig tot",
    .own_until = "voor, tot, binnen",
    .asking_hour = "hoe laat",
    .asking_deadline = "tot wanneer",
    .asking =
        {
            .date = "wanneer, hoe laat, welke dag, welke datum",
            .number = "hoeveel, hoe groot, hoe hoog",
            .duration = "hoe lang",
            .frequency = "hoe vaak",
            .person = "wie is, wie heeft",
            .place = "waar, waarheen",
            .reason = "waarom",
        },
    .own_asking = {.date = "op welke dag, vanaf wanneer, welk jaar",
                   .number = "hoe duur",
                   .duration = "hoe lang, hoeveel dagen, hoeveel weken, hoeveel maanden, binnen hoeveel",
                   .person = "wie, van wie, bij wie",
                   .manner = "hoe",
                   .steps = "wat moet ik doen, wat doe ik, wat te doen",
                   .list = "meenemen, meebrengen, ingrediënten, wat heb ik nodig, wat hebben we nodig",
                   .definition = "wat betekent"},
    .how = "hoe",
    .measures = "hoog hoge groot grote lang lange breed zwaar oud diep dik warm ver",
    .large = "groot grote",
    .areas = "oppervlakte woonoppervlakte m2",
    .heat = "graden temperatuur",
    .values = "bedrag hoogte aantal prijs",
    .sums = "huur huurprijs premie jaarpremie maandpremie borg eigen salaris loon kosten",
    .date_labels = "datum wanneer",
    .place_labels = "plaats locatie adres waar",
    .codes = "fout foutcode foutmelding storing code",
    .lasting = "geldig loopt duurt geldt",
    .free_of_charge = "inbegrepen",
    .percent = "procent",
    .rents = "huur huren kale maandhuur",
    .price = {.asking = "wat kost, wat kosten", .how_much = "hoeveel", .words = "kost", .earning = "verdien"},
    .own_price = {.asking = "wat kost, wat kosten, hoe duur, hoeveel kost, hoeveel kosten, wat is de prijs",
                  .how_much = "hoeveel, wat",
                  .words = "kost kosten betaal betalen betaalt betaalden betaald duur prijs"},
    .rules = {.asking_may = "mag ik, mogen we, kan ik", .asking_must = "moet ik, moeten we", .permits = "toegestaan"},
    .own_rules = {.asking_may = "mag, mogen, kan ik, kunnen we, kun je, is het toegestaan",
                  .asking_must = "moet ik, moeten we, moet je, hoef ik, hoeven we",
                  .permits = "toegestaan verboden toegelaten verzekerd meeverzekerd gedekt",
                  .may_rules =
                      "toegestaan, verboden, mag, mogen, toestemming, kan, kunnen, niet verzekerd, niet meeverzekerd",
                  .must_rules = "moet, moeten, verplicht, hoeft, hoeven, dient, dienen",
                  .light_deeds = "houden nemen hebben gebruiken doen"},
    .causes = "omdat, want, doordat, wegens, vanwege, zodat, anders",
    .contact = {.asking = "welk nummer, nummer van, nummer voor, wie bel ik, wie moet ik bellen, waar kan ik bellen",
                .words = "telefoonnummer nummer bellen bel telefoon"},
    .talk = {.continuing = "en maar of dan ook",
             .pronouns = "hij hem haar ze hun ervan erin daarvan",
             .asking = "wanneer waar hoe waarom"},
    .forms = {.endings = "e en n s t te ten de den je jes er ers", .compounds = true},
    .families =
        "huur huurprijs huursom, beginnen begint begon start ingangsdatum, eindigen eindigt einde loopt afloopt, terug "
        "terugbetaald "
        "terugbetaling retour, terug terugkomst thuiskomst, vertrekken vertrekt vertrek, meenemen neem neemt mee, "
        "repareren repareert reparatie reparaties, kapot storing defect stuk, rekeningnummer rekening, gedekt "
        "verzekerd meeverzekerd vergoed, melden meldt gemeld, kosten kost, betalen betaalt betaald overgemaakt",
    .synonyms =
        "borg waarborgsom borgsom, vuilnis restafval afval huisvuil, huis woning appartement, verhuurder huisbaas "
        "eigenaar, huurder "
        "bewoner, hond honden huisdier huisdieren, kat katten huisdier huisdieren, leraar lerares docent juf meester, "
        "kinderen leerlingen, auto wagen voertuig, rekening factuur nota, salaris loon, dokter arts huisarts, opzeggen "
        "opzegging opzegtermijn, vakantie vrij, schade schadegeval, ketel cv, begint ingangsdatum start, ingegaan "
        "ingaan ingangsdatum, eindigt looptijd einddatum, premie maandpremie jaarpremie, geeft les",
    .asking_state =
        "wat is er mis met #, wat is er aan de hand met #, wat is er kapot aan #, wat is er kapot in #, wat mankeert "
        "#, wat is er kapot, wat is kapot, wat werkt er niet in #, wat werkt er niet aan #, welke gebreken heeft #, in "
        "welke staat is #, wat is het probleem met #",
    .payments = {.spent = "uitgegeven, in totaal betaald, totale uitgaven, som van de uitgaven",
                 .received = "verdiend, in totaal ontvangen, totale inkomsten",
                 .otherwise = "gemiddeld, het meest, het meeste, het minst",
                 .average = "gemiddeld, gemiddelde",
                 .weekly = "per week, elke week, wekelijks",
                 .monthly = "per maand, elke maand, maandelijks",
                 .yearly = "per jaar, elk jaar, jaarlijks",
                 .most = "het meest, het meeste, duurste, grootste, hoogste",
                 .least = "het minst, goedkoopste, kleinste, laagste",
                 .expenses = "uitgave uitgaven aankoop aankopen betaling betalingen rekening",
                 .paid = "betaald uitgegeven gekocht",
                 .spending = "geef ik # uit, geven we # uit, geef ik uit, geven we uit",
                 .paying = "heb ik # betaald, hebben we # betaald, hebben wij # betaald",
                 .paying_for = "voor",
                 .amount_columns = "bedrag som totaal prijs kosten af uitgave",
                 .balance_columns = "saldo",
                 .received_columns = "bij ontvangst inkomsten"},
    .periods =
        {
            .today = "vandaag",
            .yesterday = "gisteren",
            .current = "deze dit",
            .past = "vorige vorig afgelopen laatste",
            .days = "dag dagen",
            .weeks = "week weken",
            .months = "maand maanden",
            .years = "jaar jaren",
            .around = "in op van uit de het tijdens",
            .since = "sinds",
            .until = "voor tot",
            .after = "na",
            .numbers = "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
            .weekdays = "maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
        },
};

}  // namespace mneme::rag::languages

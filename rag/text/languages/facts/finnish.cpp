// Finnish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kFinnish = {
    .language = Language::kFinnish,
    .own_grammar =
        "ja on ei se että en et ovat oli olivat olla ole olen olemme onko saako saa saanko saamme saammeko saavat voi "
        "voiko voimme voin voinko voivat pitää pitääkö täytyy tulee kuka kenen kenelle ketkä ketä mikä mitkä mitä "
        "minkä missä mistä mihin minne milloin koska miksi miten kuinka kauanko paljonko montako monta moneltako mille "
        "millä tai sekä mutta jos kun niin myös vain jo vielä minun meidän teidän hänen heidän minä sinä hän me te he "
        "tämä tuo nämä kanssa ilman ennen jälkeen asti mennessä aikana varten mukaan paljon",
    .telling = "maksaa",
    .marked_letters = "äöå",
    .notes = &notes::kFinnish,
    .documents = &documents::kFinnish,
    .papers = &papers::kFinnish,
    .thanks = "kiitos, kiitti, kiitos paljon, selvä",
    .greetings = "hei, moi, terve, hyvää päivää",
    .numbers =
        "yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen kaksikymmentä kolmekymmentä sata "
        "tuhat puoli yhden kahden kolmen neljän",
    .months = {{{"tammikuu tammikuuta tammikuun tammikuussa"},
                {"helmikuu helmikuuta helmikuun helmikuussa"},
                {"maaliskuu maaliskuuta maaliskuun maaliskuussa"},
                {"huhtikuu huhtikuuta huhtikuun huhtikuussa"},
                {"toukokuu toukokuuta toukokuun toukokuussa"},
                {"kesäkuu kesäkuuta kesäkuun kesäkuussa"},
                {"heinäkuu heinäkuuta heinäkuun heinäkuussa"},
                {"elokuu elokuuta elokuun elokuussa"},
                {"syyskuu syyskuuta syyskuun syyskuussa"},
                {"lokakuu lokakuuta lokakuun lokakuussa"},
                {"marraskuu marraskuuta marraskuun marraskuussa"},
                {"joulukuu joulukuuta joulukuun joulukuussa"}}},
    .weekdays =
        "maanantai, maanantaina, maanantaisin, tiistai, tiistaina, tiistaisin, torstai, torstaina, torstaisin, "
        "perjantai, perjantaina, perjantaisin, lauantai, lauantaina, lauantaisin, sunnuntai, sunnuntaina, "
        "sunnuntaisin, keskiviikko, keskiviikkona, keskiviikkoisin",
    .recurring_days = "joka kuukausi, joka kuun",
    .time_units =
        "sekuntia, minuuttia, minuutti, tunti, tuntia, päivä, päivää, päivän, viikko, viikkoa, viikon, kuukausi, "
        "kuukautta, kuukauden, vuosi, vuotta, vuoden, vuorokautta",
    .often =
        "kerran, kertaa, päivittäin, viikoittain, kuukausittain, vuosittain, joka viikko, joka kuukausi, joka päivä",
    .within = "kuluessa, sisällä, mennessä",
    .until = "mennessä, viimeistään, asti, saakka, kuluessa, voimassa",
    .before_hour = "klo kello",
    .asking_hour = "mihin aikaan, moneltako, monelta, mihin kellonaikaan",
    .asking_deadline = "mihin mennessä, mihin asti, viimeistään milloin, milloin viimeistään",
    .own_asking =
        {.date = "milloin, koska, mihin aikaan, minä päivänä, moneltako, monelta, mihin kellonaikaan, mihin mennessä",
         .number = "paljonko, kuinka paljon, kuinka monta, montako, kuinka iso, kuinka suuri, minkä kokoinen, kuinka "
                   "korkea, mikä summa",
         .duration = "kauanko, kuinka kauan, kuinka pitkä, miten kauan, kuinka pitkään, montako päivää, montako "
                     "minuuttia, montako tuntia, montako kuukautta",
         .frequency = "kuinka usein, miten usein, montako kertaa",
         .person = "kuka, ketkä, kenen, kenelle, keneltä, ketä, keneen",
         .place = "missä, mistä, minne, mihin",
         .reason = "miksi, minkä takia, mistä syystä",
         .manner = "miten, kuinka",
         .steps = "mitä teen, mitä pitää tehdä, mitä tehdä",
         .list = "ainekset, mitä tarvitaan, otetaan mukaan, ottavat mukaan, ottaa mukaan, mitä mukaan",
         .definition = "mitä tarkoittaa"},
    .how = "kuinka miten",
    .measures = "iso suuri pitkä korkea vanha painava leveä syvä kallis usein kauan",
    .large = "iso suuri",
    .areas = "pinta-ala koko m2 neliötä",
    .heat = "astetta lämpötila asteessa",
    .values = "määrä summa suuruus hinta",
    .sums = "vuokra vuokran vakuus vakuuden omavastuu omavastuun palkka maksu",
    .date_labels = "päivämäärä aika",
    .place_labels = "paikka osoite",
    .codes = "virhe virhekoodi vikakoodi koodi vika",
    .lasting = "kestää kestävät voimassa",
    .free_of_charge = "ilmainen, ilmaiseksi, maksutta, maksuton",
    .percent = "prosenttia",
    .rents = "vuokra vuokraa vuokran",
    .currencies = "euroa",
    .own_price = {.asking = "kuinka kallis, paljonko maksaa, mitä maksaa, mitä maksoi, mikä on hinta",
                  .how_much = "paljonko, mitä",
                  .words = "maksaa maksavat maksoi maksan maksamme maksetaan hinta hinnan"},
    .own_rules =
        {.asking_may =
             "saako, saanko, saamme, saammeko, voiko, voinko, voimmeko, onko sallittua, onko luvallista, sopiiko",
         .asking_must = "pitääkö, täytyykö, onko pakko, tarvitseeko",
         .permits = "sallittu sallittua sallittuja kielletty kiellettyä kiellettyjä",
         .may_rules =
             "saa, ei saa, saavat, sallittu, sallittua, sallittuja, kielletty, kiellettyä, lupa, luvalla, ei voi, älä",
         .must_rules = "pitää, täytyy, on pakko, pakollinen, vaaditaan, ei tarvitse",
         .light_deeds = "pitää ottaa käyttää tuoda olla"},
    .causes = "koska, sillä, siksi, jotta, muuten, vuoksi, takia",
    .contact = {.asking =
                    "puhelinnumero, mihin soitetaan, mihin soittaa, kenelle soittaa, mihin numeroon, minne soittaa",
                .words = "puhelinnumero puhelin numero soittaa soita soitetaan"},
    .talk = {.continuing = "ja entä mutta",
             .pronouns = "hän hänen hänelle se sen sitä ne niiden siinä siellä",
             .asking = "milloin missä miten miksi"},
    .forms = {.endings = "a aa an n t ta tta ssa sta lla lle lta na ksi in en jen ien ten den iden iin hin seen han "
                         "hon hun ia ja i issa ista illa ille ilta ina iksi nsa mme ni si ne ko kaan kin s ks de ut "
                         "uden uus e ee vat mat min ton to no te tyy ty tty",
              .most_endings = 3,
              .compounds = true},
    .families =
        "alkaa alkoi alkaen alku alkamispäivä, päättyy päättyi loppuu päättyminen, palautetaan palautus palauttaa, "
        "palata palataan paluu palaavat, lähteä lähtee lähdetään lähtö, maksaa maksetaan maksu maksettava, ilmoittaa "
        "ilmoitetaan ilmoitus, korjata korjaa korjaus, rikki vika viat, huolto huollon huoltoon",
    .synonyms =
        "koira koiran koirat lemmikki lemmikkieläimet, kissa kissan kissat lemmikki lemmikkieläimet, asunto huoneisto, "
        "vuokraisäntä vuokranantaja, jätehuolto roskat jäteastia sekajäte, takuuvuokra vakuus, lasku laskun, auto "
        "ajoneuvo, tupakoida tupakoi tupakointi "
        "polttaa, opettaja luokanopettaja, lapset oppilaat oppilas, lähtö lähdetään lähtee lähtevät, paluu palataan "
        "palaavat, lääkäri tohtori, palkka ansio, koko pinta-ala",
    .asking_state =
        "mikä # on vikana, mitä vikaa # on, mikä on vialla #, mikä on rikki, mitä on rikki, mikä ei toimi #, missä "
        "kunnossa # on, missä kunnossa on #",
    .payments = {.spent = "käytin rahaa, käytimme rahaa, olen käyttänyt, olemme käyttäneet, kulut yhteensä, maksoin "
                          "yhteensä, maksoimme yhteensä",
                 .received = "ansaitsin, ansaitsimme, tulot yhteensä",
                 .otherwise = "keskimäärin, eniten, vähiten",
                 .average = "keskimäärin, keskiarvo",
                 .weekly = "viikossa, joka viikko, viikoittain",
                 .monthly = "kuukaudessa, kuussa, joka kuukausi, kuukausittain",
                 .yearly = "vuodessa, joka vuosi, vuosittain",
                 .most = "eniten, suurin, kallein, korkein",
                 .least = "vähiten, pienin, halvin, matalin",
                 .expenses = "meno menot kulu kulut ostos ostokset maksu maksut menoni ostokseni lasku",
                 .paid = "maksoin maksoimme maksanut ostin kulutin",
                 .spending = "käytän rahaa, käytämme rahaa",
                 .amount_columns = "summa määrä yhteensä hinta kulu",
                 .balance_columns = "saldo",
                 .received_columns = "tulo pano"},
    .periods =
        {
            .today = "tänään",
            .yesterday = "eilen",
            .current = "tämä tällä tämän tässä tänä kuluvan",
            .past = "viime edellinen edellisen",
            .days = "päivä päivää päivän",
            .weeks = "viikko viikon viikolla viikkoa viikolta",
            .months = "kuukausi kuukauden kuukautta kuussa kuulta",
            .years = "vuosi vuoden vuonna vuodelta vuotta",
            .around = "ajalta",
            .since = "lähtien",
            .until = "ennen",
            .after = "jälkeen",
            .numbers =
                "yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista",
            .weekdays = "maanantai maanantaina, tiistai tiistaina, keskiviikko keskiviikkona, torstai torstaina, "
                        "perjantai perjantaina, lauantai lauantaina, sunnuntai sunnuntaina",
        },
};

}  // namespace mneme::rag::languages

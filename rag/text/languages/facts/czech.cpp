// Czech.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kCzech = {
    .language = Language::kCzech,
    .own_grammar =
        "a i v ve na je jsou se si s z ze do od za po pro při u o k ke před přes bez nad pod mezi byl byla bylo byli "
        "bude budou jsem jsme jste kdo koho komu kým co čeho čemu čím kde kam odkud kdy jak jaký jaká jaké jakou jakým "
        "jakého který která které kterého kterou kolik kolika kolikátého kolikátý proč zda jestli ten ta to ty tento "
        "tato toto můj moje mé naše náš našeho svůj jeho její jejich mi mě nám nás my vy já on ona oni ne nebo ale že "
        "aby když už ještě jen také mám máme má mají mít musí musím musíme můžu můžeme může mohou smí smíme smím lze "
        "dá činí sebou",
    .telling = "stojí platí jmenuje",
    .marked_letters = "áčďéěíňóřšťúůýž",
    .notes = &notes::kCzech,
    .documents = &documents::kCzech,
    .papers = &papers::kCzech,
    .thanks = "děkuji, díky, děkuji moc, dobře",
    .greetings = "dobrý den, ahoj, dobrý večer",
    .numbers =
        "jeden jedna jedno dva dvě tři čtyři šest sedm osm devět deset dvanáct patnáct dvacet třicet půl dvojnásobek "
        "trojnásobek",
    .months = {{{"leden ledna lednu"},
                {"únor února únoru"},
                {"březen března březnu"},
                {"duben dubna dubnu"},
                {"květen května květnu"},
                {"červen června červnu"},
                {"červenec července červenci"},
                {"srpen srpna srpnu"},
                {"září"},
                {"říjen října říjnu"},
                {"listopadu"},
                {"prosinec prosince prosinci"}}},
    .weekdays = "pondělí, úterý, středa, středu, čtvrtek, pátek, sobota, sobotu, neděle, neděli",
    .recurring_days = "v měsíci, každého měsíce, dne v měsíci",
    .time_units =
        "sekund, minut, minuty, minuta, minutu, hodin, hodiny, hodina, hodinu, pracovních dnů, dny, dní, dnů, týden, "
        "týdny, týdnů, měsíc, měsíce, měsíců, rok, roky, roku",
    .often = "každý, každé, každou, každých, denně, týdně, měsíčně, ročně, jednou",
    .within = "nejpozději, během",
    .until = "nejpozději, splatné, splatnost, platnost, platí",
    .own_until = "do",
    .hours = "hodin, hodiny, hodinou",
    .asking_hour = "v kolik, od kolika, do kolika, v kolik hodin",
    .asking_deadline = "do kdy, do kolikátého, do jakého data, kdy nejpozději, nejpozději kdy",
    .own_asking = {.date = "kdy, v kolik, který den, jaký den, kterého dne, kolikátého, jaké datum",
                   .number = "kolik, jak vysoký, jak vysoká, jak vysoké, jak velký, jak velká, jak velké, jaká částka, "
                             "jaká je cena, jaká je výše, jaká je výměra",
                   .duration = "jak dlouho, jak dlouhý, jak dlouhá, jak dlouhé, jaká je doba, jaká je lhůta, na jak "
                               "dlouho, kolik dní, kolik minut, kolik hodin, kolik měsíců, kolik let",
                   .frequency = "jak často, kolikrát",
                   .person = "kdo, koho, komu, kým, čí",
                   .place = "kde, kam, odkud",
                   .reason = "proč, z jakého důvodu",
                   .manner = "jak",
                   .steps = "co mám dělat, co dělat, co udělat",
                   .list = "ingredience, suroviny, vzít s sebou, co si vzít, co vzít, vzít sebou, co potřebuji, co "
                           "potřebujeme, co je potřeba",
                   .definition = "co znamená, co to je"},
    .how = "jak",
    .measures =
        "vysoký vysoká vysoké velký velká velké dlouhý dlouhá dlouhé starý stará staré široký široká těžký těžká "
        "hluboký drahý drahá drahé daleko",
    .large = "velký velká velké",
    .areas = "výměra výměře plocha rozloha velikost m2",
    .heat = "stupňů stupně teplota teplotě",
    .values = "výše výši částka částku hodnota délka",
    .sums = "nájem nájemné kauce spoluúčast pojistné plat poplatek",
    .date_labels = "datum termín kdy",
    .place_labels = "místo adresa kde",
    .codes = "chyba chybu kód závada závadu",
    .lasting = "platí platný platná trvá",
    .free_of_charge = "zdarma, bezplatně, v ceně",
    .percent = "procent, procenta",
    .rents = "nájemné nájemného nájmu",
    .currencies = "kč, korun, koruny, korunu",
    .own_price = {.asking =
                      "kolik stojí, kolik stál, kolik stála, kolik stálo, jaká je cena, jak drahý, jak drahá, co stojí",
                  .how_much = "kolik",
                  .words = "stojí stál stála stálo platíme platím platí platit zaplatit zaplatíme zaplatili cena cenu"},
    .own_rules = {.asking_may = "můžu, můžeme, může, smí, smím, smíme, lze, dá se, je možné, je dovoleno, je povoleno",
                  .asking_must = "musím, musíme, musí, je nutné, je třeba",
                  .permits = "dovoleno povoleno zakázáno povolené zakázané povolen povolena zakázán zakázána",
                  .may_rules =
                      "smí, nesmí, nesmějí, možný, možné, možná, zakázáno, zakázán, zakázána, zakázané, dovoleno, "
                      "povoleno, povolen, souhlasem, souhlas, lze, nelze, může, nemůže, mohou",
                  .must_rules = "musí, musíte, povinen, povinná, povinni, povinné, nutné, třeba",
                  .light_deeds = "mít chovat držet brát vzít používat dát"},
    .causes = "protože, neboť, kvůli, jelikož, aby, jinak, z důvodu",
    .contact = {.asking = "telefonní číslo, číslo na, telefon na, telefon do, kam volat, komu volat, kam zavolat, komu "
                          "zavolat, na jaké číslo",
                .words = "telefonní číslo telefon volat zavolat volejte"},
    .talk = {.continuing = "a i ale nebo",
             .pronouns = "on ona jeho její ho ji jim něj ní",
             .asking = "kdy kde jak proč kam"},
    .forms = {.endings =
                  "a e i o u y ou em um am ech ich ach ami emi ym ymi ych eho emu ej ove ovi im imi ho mu it is ime "
                  "ite eji uje uji ujeme at et al ala alo ali il ila ilo ili el en ena eno eny an ana ano any ani eni"},
    .families =
        "začíná začal začala začátek začne, končí skončí konec končil, vrací vrátí vrácení návrat vrácena, odjezd "
        "odjíždí odjíždí odjíždějí odjezdu odjet, příjezd přijedou návrat vrátí, hlásit nahlásit hlásí oznámit, "
        "opravit oprava opravy opravuje, rozbitý porouchaný závada porucha, dítě děti dětem dětí, prát praní pere, "
        "platit platí platíme platím zaplatit splatné hradit hradí uhradit, vzít vezmou vezme vezměte berou, pes psa "
        "psi psů psy, mobil mobily mobilní",
    .synonyms =
        "nájem nájemné, kauce jistota jistina, lhůta doba, pronajímatel majitel vlastník domácí, nájemce nájemník, pes "
        "psa psů psi zvířata, kočka kočku kočky zvířata, byt bytu, hradit hradí platí platit, auto vozidlo, faktura "
        "účet, pojištění pojistka, děti žáci, učitelka učitel, odjezd odjíždí odjíždějí odjíždět, návrat vrací, kouřit "
        "kouření, lékař doktor, mzda plat",
    .asking_state =
        "co je s #, co je špatně s #, co je rozbité na #, co je rozbité v #, co je rozbité, co nefunguje v #, co "
        "nefunguje na #, jaké závady má #, jaké vady má #, v jakém stavu je #, jaký je problém s #",
    .payments =
        {.spent =
             "utratil, utratila, utratili, utraceno, výdaje celkem, celkové výdaje, zaplatil celkem, zaplatila celkem",
         .received = "vydělal, vydělala, vydělali, příjmy celkem",
         .otherwise = "průměrně, v průměru, průměr, nejvíc, nejvíce, nejméně",
         .average = "průměrně, v průměru, průměr",
         .weekly = "týdně, za týden, každý týden",
         .monthly = "měsíčně, za měsíc, každý měsíc",
         .yearly = "ročně, za rok, každý rok",
         .most = "nejvíce, nejvíc, největší, nejdražší, nejvyšší",
         .least = "nejméně, nejmíň, nejmenší, nejlevnější, nejnižší",
         .expenses = "výdaj výdaje nákup nákupy platba platby účet",
         .paid = "zaplatil zaplatila zaplatili utratil utratila koupil",
         .spending = "utrácím, utrácíme",
         .amount_columns = "částka suma celkem cena výdaj",
         .balance_columns = "zůstatek",
         .received_columns = "příjem"},
    .periods =
        {
            .today = "dnes",
            .yesterday = "včera",
            .current = "tento tohoto toto letošní",
            .past = "minulý minulého minulém loňský poslední posledních",
            .days = "den dny dní dnů",
            .weeks = "týden týdne týdnu týdny týdnů",
            .months = "měsíc měsíce měsíci měsíců",
            .years = "rok roku roce roky let",
            .this_year = "letos",
            .last_year = "loni, z loňska",
            .around = "v ve z ze na během",
            .since = "od",
            .until = "před do",
            .after = "po",
            .numbers = "jeden dva tři čtyři pět šest sedm osm devět deset jedenáct dvanáct",
            .weekdays = "pondělí, úterý úterka, středa středu středy, čtvrtek čtvrtka, pátek pátku, sobota sobotu "
                        "soboty, neděle neděli",
        },
};

}  // namespace mneme::rag::languages

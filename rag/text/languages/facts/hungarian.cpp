// Hungarian.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kHungarian = {
    .language = Language::kHungarian,
    .own_grammar =
        "a az és egy is nem ha hogy de vagy van vannak volt lesz lehet kell kellett tudom ki kik kinek kit kivel mi "
        "mik mit mire miből mikor meddig mettől mióta hány hányan hányadikáig mennyi mennyit mennyire mennyibe mekkora "
        "melyik hol hova hová honnan miért hogyan milyen én te ő ti ők nekem nekünk minket ez azt ezt ezek azok ami "
        "aki amely már még csak meg el fel le be össze után előtt alatt között nélkül szerint ideig által ne",
    .telling = "kerül szabad",
    .marked_letters = "áéíóöőúüű",
    .notes = &notes::kHungarian,
    .documents = &documents::kHungarian,
    .papers = &papers::kHungarian,
    .thanks = "köszönöm, köszi, köszönöm szépen, rendben",
    .greetings = "szia, jó napot, jó reggelt, jó estét",
    .numbers =
        "egy kettő két három négy nyolc kilenc tíz tizenkét tizenöt húsz harminc negyven ötven száz ezer fél másfél",
    .months = {{{"január"},
                {"február"},
                {"március"},
                {"április"},
                {"május"},
                {"június"},
                {"július"},
                {"augusztus"},
                {"szeptember"},
                {"október"},
                {"november"},
                {"december"}}},
    .weekdays =
        "hétfő, hétfőn, kedden, szerda, szerdán, csütörtök, csütörtökön, péntek, pénteken, szombat, szombaton, "
        "vasárnap",
    .recurring_days = "minden hónap, a hónap",
    .time_units =
        "másodperc, perc, percig, óra, órán, órát, órakor, napon, napig, nap, héten, hetes, hónap, hónapig, hónapos, "
        "hónapon, év, évig, éves",
    .often = "minden, naponta, hetente, havonta, évente, alkalommal, naponként",
    .within = "belül",
    .until = "legkésőbb, belül, határidő, esedékes, érvényes, napjáig, végéig, ig",
    .hours = "óra, órakor, órától, óráig, órára",
    .asking_hour = "hány órakor, hánykor, hány órától, hány óráig",
    .asking_deadline = "meddig, hányadikáig, mikorra, mikor legkésőbb, legkésőbb mikor",
    .own_asking = {.date = "mikor, hány órakor, hánykor, melyik nap, melyik napon, hányadikán, hányadikáig, meddig, "
                           "mikorra, mettől, milyen dátum",
                   .number = "mennyi, mennyit, mennyibe, hány, hányan, mekkora, milyen magas, milyen nagy",
                   .duration = "mennyi ideig, mennyi idő, meddig tart, hány nap, hány perc, hány óra, hány hét, hány "
                               "hónap, hány év, milyen hosszú",
                   .frequency = "milyen gyakran, hányszor, mennyi időnként",
                   .person = "^ki, kik, kinek, kit, kivel, kitől, kicsoda",
                   .place = "hol, hova, hová, honnan, merre",
                   .reason = "miért, mi okból",
                   .manner = "hogyan, hogy kell",
                   .steps = "mit tegyek, mit kell tenni, mit csináljak",
                   .list = "hozzávalók, mit kell vinni, mit kell hozni, mit vigyen, mit vigyenek, mi kell",
                   .definition = "mit jelent, mit jelentenek"},
    .how = "milyen",
    .measures = "nagy magas hosszú széles mély nehéz öreg drága gyakran messze",
    .large = "nagy",
    .areas = "alapterület terület méret négyzetméter m2",
    .heat = "fok fokon hőmérséklet",
    .values = "összeg összege mérték nagysága",
    .sums = "bér bérleti díj díja kaució önrész lakbér fizetés",
    .date_labels = "dátum időpont mikor",
    .place_labels = "hely helyszín cím hol",
    .codes = "hiba hibakód hibakódja kód",
    .lasting = "érvényes szól tart",
    .free_of_charge = "ingyenes, ingyen, díjmentes, benne van",
    .percent = "százalék, százalékot",
    .rents = "bérleti lakbér",
    .currencies = "forint, forintot, forintba",
    .own_price = {.asking = "mennyibe kerül, mennyibe kerülnek, mennyibe került, milyen drága",
                  .how_much = "mennyi, mennyit, mennyibe",
                  .words = "kerül kerülnek került fizetünk fizetni fizetek fizet fizettünk ára árat"},
    .own_rules = {.asking_may = "szabad, szabad e, lehet, lehet e, megengedett, tarthatunk, tarthatok, vihetünk, "
                                "hozhatunk, használhatjuk, van lehetőség",
                  .asking_must = "kell, muszáj, kötelező",
                  .permits = "szabad tilos megengedett engedélyezett",
                  .may_rules = "tilos, szabad, nem szabad, lehet, nem lehet, tartható, tarthatók, engedélyezett, "
                               "megengedett, hozhatnak, engedélyével, engedély, hozzájárulásával",
                  .must_rules = "kell, muszáj, kötelező, köteles, szükséges",
                  .light_deeds = "tartani tarthatunk tarthatok vinni vihetünk hozni hozhatunk használni"},
    .causes = "mert, mivel, ezért, nehogy, miatt, ugyanis, különben",
    .contact =
        {.asking =
             "telefonszám, telefonszáma, kit hívjak, kit kell hívni, kit hívjunk, milyen számot, hova telefonáljak",
         .words = "telefonszám telefonszáma telefon szám száma hívjak hívni hívja hívjunk"},
    .talk = {.continuing = "és de vagy meg",
             .pronouns = "ő neki annak ennek azt ezt",
             .asking = "mikor hol hogyan miért hova"},
    .forms = {.endings = "a e ai ei ak ek ok at et ot t ba be ban ben bol ra re rol tol hoz hez nak nek val vel ert ig "
                         "kor on en n k m d ja je jai jei jat jet juk unk om em am es as os s i ul kent hatunk hetunk "
                         "hato heto ni te tak tek ott ett tt va ve nal nel ast est",
              .most_endings = 2,
              .compounds = true},
    .families =
        "kezdődik kezdődött kezdete kezdés szól, végződik vége véget lejár befejeződik, visszaadja visszafizeti "
        "visszajár visszakapjuk, indul indulnak indulás találkozó, haza hazaérkezés hazaérnek érnek érkeznek érkezés, "
        "fizetni fizet fizetés befizetés, bejelenteni jelenteni jelezni, javítani javítás szerel, rossz elromlott hiba "
        "meghibásodás, telefon telefont mobiltelefon mobiltelefont, vinni viszünk vigyenek vigyünk hozni hoznivaló "
        "hozzanak hozzunk",
    .synonyms =
        "kutya kutyát háziállat, macska macskát háziállat, lakás bérlemény, szemétszállítás hulladékszállítás szemét "
        "hulladék, főbérlő bérbeadó tulajdonos, albérlő "
        "bérlő, lakbér bérleti, rezsi közüzemi, dohányozni dohányzás dohányozhatunk, számla díj, autó gépkocsi, "
        "gyerekek tanulók, tanár tanító osztályfőnök, indulás indul indulnak, orvos doktor, fizetés bér",
    .asking_state =
        "mi a baj #, mi baja van #, mi a hibája #, mi romlott el #, mi romlott el, mi nem működik #, milyen hibái "
        "vannak #, milyen állapotban van #",
    .payments = {.spent = "költöttem, költöttünk, elköltöttem, elköltöttünk, összes kiadás, kiadás összesen",
                 .received = "kerestem összesen, kerestünk összesen, összes bevétel, bevétel összesen",
                 .otherwise = "átlagosan, átlag, legtöbbet, legkevesebbet",
                 .average = "átlagosan, átlag, átlagban",
                 .weekly = "hetente, egy héten",
                 .monthly = "havonta, egy hónapban",
                 .yearly = "évente, egy évben",
                 .most = "legtöbbet, legnagyobb, legdrágább, legmagasabb",
                 .least = "legkevesebbet, legkisebb, legolcsóbb, legalacsonyabb",
                 .expenses = "kiadás kiadása kiadásom kiadásunk vásárlás vásárlásom fizetés költség számla",
                 .paid = "fizettem fizettünk költöttem költöttünk vettem",
                 .spending = "költök, költünk",
                 .amount_columns = "összeg összesen ár költség kiadás",
                 .balance_columns = "egyenleg",
                 .received_columns = "bevétel jóváírás"},
    .periods =
        {
            .today = "ma, mai",
            .yesterday = "tegnap, tegnapi",
            .current = "ez ezen ebben e",
            .past = "múlt elmúlt előző",
            .days = "nap napban napja",
            .weeks = "hét héten heti hétben",
            .months = "hónap hónapban hónapi havi",
            .years = "év évben évi évből",
            .this_week = "ezen a héten",
            .this_year = "idei, idén",
            .last_year = "tavalyi, tavaly",
            .around = "a az ből ból es os as ös ben ban",
            .since = "óta",
            .until = "előtt",
            .after = "után",
            .numbers = "egy kettő három négy öt hat hét nyolc kilenc tíz tizenegy tizenkettő",
            .weekdays = "hétfő hétfőn, kedd kedden, szerda szerdán, csütörtök csütörtökön, péntek pénteken, szombat "
                        "szombaton, vasárnap",
        },
};

}  // namespace mneme::rag::languages

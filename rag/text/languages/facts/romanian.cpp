// Romanian.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kRomanian = {
    .language = Language::kRomanian,
    .own_grammar =
        "de și în la cu pe pentru din că să este e sunt era a al ai ale cel cea cei cele un o unei unui nu se si sau "
        "dar dacă care cine cui ce cât câtă câți câte când unde cum lui lor mea meu mei mele noastră nostru noștri "
        "noastre său sa mi ne vă te le i am are avem aveți au fi fost trebuie poate pot putem puteți vom va fără după "
        "înainte până sub peste între prin lângă către despre mai foarte tot doar nici eu tu el ea noi voi ei ele "
        "acest această acesta aceasta dăm dau",
    .telling = "costă",
    .marked_letters = "ăâîșțşţ",
    .notes = &notes::kRomanian,
    .documents = &documents::kRomanian,
    .papers = &papers::kRomanian,
    .thanks = "mulțumesc, mulțumesc mult, mersi",
    .greetings = "bună ziua, bună, bună seara",
    .numbers = "doi două trei patru cinci șase șapte nouă zece douăzeci treizeci jumătate",
    .months = {{{"ianuarie"},
                {"februarie"},
                {"martie"},
                {"aprilie"},
                {},
                {"iunie"},
                {"iulie"},
                {"august"},
                {"septembrie"},
                {"octombrie"},
                {"noiembrie"},
                {"decembrie"}}},
    .weekdays = "marți, miercuri, joi, vineri, sâmbătă, duminică, lunea, marțea, miercurea, joia, vinerea",
    .recurring_days = "a fiecărei luni, ale lunii, fiecare lună",
    .time_units = "secunde, minute, minut, ore, oră, zile, zi, săptămâni, săptămână, luni, lună, ani",
    .often = "zilnic, săptămânal, lunar, anual, fiecare, dată pe, ori pe",
    .within = "în termen de, în cel mult, până în",
    .until = "până, cel târziu, înainte de, scadent, scadenței, scadență, expiră, în termen de, valabil",
    .before_hour = "ora",
    .asking_hour = "la ce oră, de la ce oră, până la ce oră",
    .asking_deadline = "până când, până la ce dată, cel târziu când, până pe ce",
    .own_asking =
        {.date = "când, la ce oră, în ce zi, ce zi, ce dată, pe ce dată",
         .number = "cât, câtă, câți, câte, ce sumă, ce suprafață, cât de mare",
         .duration =
             "cât timp, cât durează, câte zile, câte luni, câți ani, câte ore, câte minute, ce termen, pe ce perioadă",
         .frequency = "cât de des, de câte ori, la cât timp",
         .person = "cine, cui, al cui, cu cine",
         .place = "unde, de unde, încotro",
         .reason = "de ce, din ce motiv",
         .manner = "cum",
         .steps = "ce fac, ce trebuie să fac, ce facem",
         .list = "ingrediente, trebuie să luăm, trebuie să ia, ce luăm, ce trebuie luat, ce să luăm, de luat",
         .definition = "ce înseamnă, ce este un, ce este o"},
    .how = "de",
    .measures = "mare mari lung lungă înalt înaltă vechi greu grea des adânc scump scumpă",
    .large = "mare mari",
    .areas = "suprafață suprafața mp",
    .heat = "grade temperatură temperatura",
    .values = "sumă suma valoare valoarea cuantum cuantumul",
    .sums = "chiria chirie garanție garanția franșiza prima salariul taxa",
    .date_labels = "data când",
    .place_labels = "locul loc adresa unde",
    .codes = "eroare eroarea cod codul",
    .lasting = "valabil valabilă durează",
    .free_of_charge = "gratuit, gratis, inclus, incluse, fără plată",
    .percent = "la sută",
    .rents = "chirie chirii",
    .currencies = "lei, de lei, ron",
    .own_price = {.asking = "cât costă, cât a costat, cât costau, ce preț",
                  .how_much = "cât, câtă, câți",
                  .words = "costă costat costa plătim plătesc plătește plătit plată preț prețul plăti"},
    .own_rules =
        {.asking_may = "putem, se poate, se pot, pot, avem voie, am voie, este permis, e permis, e voie, este interzis",
         .asking_must = "trebuie să, e obligatoriu, este obligatoriu",
         .permits = "permis permisă permise interzis interzisă interzise voie",
         .may_rules =
             "permis, permisă, permise, interzis, interzisă, interzise, poate, acordul, acord, nu se, voie, numai cu",
         .must_rules = "trebuie, obligatoriu, obligat, necesar, este nevoie",
         .light_deeds = "ține avea lua aduce folosi"},
    .causes = "deoarece, pentru că, fiindcă, căci, din cauza, ca să, altfel",
    .contact = {.asking = "număr de telefon, numărul de telefon, telefon pentru, unde sun, pe cine sun, la ce număr, "
                          "unde sunăm, numărul",
                .words = "telefon număr numărul suna sun sunați sunăm"},
    .talk = {.continuing = "și dar sau", .pronouns = "el ea lui acesta aceasta acestea", .asking = "când unde cum"},
    .forms = {.endings = "a ul ului ii i ei e le lor uri urile urilor u l lea elor ele ea ile ilor at ata ati ate it "
                         "ita iti ite ut uta eaza ez am em im eti and ind are ere ire esc este"},
    .families =
        "începe început începere începutul, termină sfârșit expiră încheie, returnează returnată înapoi restituie, "
        "întorc întoarce întoarcerea întoarcere, pleacă plecarea plecare plecăm, anunța anunță anunțat, repara repară "
        "reparație reparații, telefon telefonul telefoane telefoanele, însoțește însoțitor însoțitori, fuma fumatul "
        "fumat, lua luăm ia iau luat luate, plăti plătim plătesc plătește plătit plătită achită",
    .synonyms =
        "proprietar proprietara gazda locator, câine câini animale animalele, pisică pisici animale animalele, "
        "garanție depozit, curent electricitate energie, mașină autoturism, chirie chiria, asigurare poliță, strică "
        "stricat defecțiuni defectează, doctor medic, elevi copii, salariu leafă, plecare plecarea pleacă, întoarcere "
        "întoarcerea, fuma fumat fumatul",
    .asking_state =
        "ce are #, ce se întâmplă cu #, ce este în neregulă cu #, ce e în neregulă cu #, ce este stricat la #, ce este "
        "stricat în #, ce este stricat, ce nu funcționează la #, ce defecte are #, care este problema cu #, în ce "
        "stare este #",
    .payments = {.spent = "cheltuit, am plătit în total, total cheltuieli, suma cheltuielilor",
                 .received = "câștigat, încasat, total venituri",
                 .otherwise = "în medie, media, cel mai mult, cel mai puțin",
                 .average = "în medie, media",
                 .weekly = "pe săptămână, săptămânal, în fiecare săptămână",
                 .monthly = "pe lună, lunar, în fiecare lună",
                 .yearly = "pe an, anual, în fiecare an",
                 .most = "cel mai mult, cel mai mare, cea mai mare, cel mai scump, cea mai scumpă",
                 .least = "cel mai puțin, cel mai mic, cea mai mică, cel mai ieftin, cea mai ieftină",
                 .expenses = "cheltuială cheltuiala cheltuieli achiziție cumpărătură plată plata plăți factură",
                 .paid = "plătit cheltuit cumpărat",
                 .spending = "cheltuiesc, cheltuim",
                 .amount_columns = "sumă suma total preț cost debit cheltuială",
                 .balance_columns = "sold",
                 .received_columns = "credit venit"},
    .periods =
        {
            .today = "azi, astăzi",
            .yesterday = "ieri",
            .current = "acest această acestei acestui aceasta acesta asta ăsta",
            .past = "trecut trecută trecute ultimul ultima ultimele ultimii",
            .days = "zi zile ziua zilele",
            .weeks = "săptămână săptămâna săptămâni săptămânile",
            .months = "lună luna luni lunile",
            .years = "an anul ani anii anului",
            .around = "de din în la pe",
            .since = "de",
            .until = "înainte până",
            .after = "după",
            .numbers = "unu doi trei patru cinci șase șapte opt nouă zece unsprezece doisprezece",
            .weekdays = "luni lunea, marți marțea, miercuri miercurea, joi joia, vineri vinerea, sâmbătă sâmbăta, "
                        "duminică duminica",
        },
};

}  // namespace mneme::rag::languages

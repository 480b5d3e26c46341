// Polish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kPolish = {
    .language = Language::kPolish,
    .grammar = "jest czy jak ile kiedy gdzie kto jaki jaka jakie moj moja",
    .own_grammar =
        "sa kogo jakiego moje mam mamy ma musze musi moge mozna na w we z ze do od za po przy dla i oraz lub sie nie "
        "to ten ta te dlaczego co był była było były być będzie czyj czyja który która które której którym jaką jakim "
        "jakich komu czym czego o u a ale albo nad pod przed przez bez nasz nasza nasze naszego mój swoje ich jego jej "
        "go mi nam mnie my wy ja ty on ona oni tej tego tym tych tylko też już jeszcze bardzo wynosi wynoszą mają mieć "
        "trzeba należy wolno gdy jeśli",
    .telling = "kosztuje",
    .marked_letters = "ąćęłńóśźż",
    .notes = &notes::kPolish,
    .documents = &documents::kPolish,
    .papers = &papers::kPolish,
    .thanks = "dziękuję, dzięki, dziękuję bardzo, w porządku",
    .greetings = "dzień dobry, cześć, dobry wieczór",
    .numbers =
        "dwa dwie trzy cztery piec szesc dziesiec jeden jedna siedem osiem dziewięć dwanaście piętnaście dwadzieścia "
        "trzydzieści pół",
    .months = {{{"stycznia", "styczen"},
                {"lutego", "luty"},
                {"", "marca marzec"},
                {"kwietnia", "kwiecien"},
                {"", "maja"},
                {"czerwca", "czerwiec"},
                {"lipca", "lipiec"},
                {"sierpnia", "sierpien"},
                {"wrzesnia", "wrzesien"},
                {"pazdziernika"},
                {"listopada", "listopad"},
                {"grudnia", "grudzien"}}},
    .weekdays = "poniedziałek, wtorek, środa, czwartek, piątek, sobota, niedziela",
    .recurring_days = "kazdego miesiaca",
    .time_units =
        "godzin, godziny, dni, dzień, tygodni, tygodnie, miesięcy, miesiące, lata, rok, minut, minuty, dnia, tydzień, "
        "miesiąc, lat, roku",
    .often = "razy, każdy, każdego, każde, codziennie, co tydzień, co miesiąc, miesięcznie, rocznie",
    .within = "w ciągu, w terminie",
    .until = "najpóźniej, w ciągu, termin płatności",
    .own_until = "do",
    .hours = "godz, godziny",
    .before_hour = "godz godzinie godziny",
    .asking_hour = "o ktorej",
    .asking_deadline = "do kiedy, do którego, w jakim terminie, najpóźniej kiedy, kiedy najpóźniej",
    .asking =
        {
            .date = "kiedy, ktorego dnia, o ktorej",
            .number = "ile",
            .duration = "jak dlugo, ile trwa",
            .frequency = "jak czesto",
            .person = "kto, kogo, komu",
            .place = "gdzie, dokad",
            .reason = "dlaczego",
        },
    .own_asking = {.date = "od kiedy, w jaki dzień, jaki termin, jakiego dnia",
                   .number = "jak wysoki, jak wysoka, jak wysokie, jak duży, jak duża, jak duże, jaka kwota, jaka jest "
                             "wysokość, jaka powierzchnia, jaką powierzchnię, w jakiej wysokości",
                   .duration = "na jak długo, na ile, ile czasu, ile dni, ile lat, ile miesięcy, ile minut, ile "
                               "godzin, ile tygodni, jaki okres, jaki jest okres",
                   .frequency = "co ile",
                   .person = "kim, czyj, czyja",
                   .place = "skąd",
                   .reason = "czemu, z jakiego powodu",
                   .manner = "jak",
                   .steps = "co robić, co mam zrobić, co zrobić",
                   .list = "co zabrać, co wziąć, składniki, zabrać na, mają zabrać, co potrzeba, co jest potrzebne",
                   .definition = "co to jest, co oznacza, co znaczy"},
    .how = "jak",
    .measures =
        "wysoki wysoka wysokie duży duża duże długi długa długie stary stara szeroki szeroka ciężki gruby głęboki "
        "drogi droga drogie daleko",
    .large = "duży duża duże",
    .areas = "powierzchnia powierzchni powierzchnię metraż m2",
    .heat = "stopni temperatura temperaturze",
    .values = "kwota kwotę wysokość wysokości suma wartość",
    .sums = "czynsz kaucja składka pensja opłata udział",
    .date_labels = "data termin kiedy",
    .place_labels = "miejsce adres gdzie",
    .codes = "błąd błędu kod awaria usterka",
    .lasting = "trwa obowiązuje ważna ważny ważne",
    .free_of_charge = "bezplatnie, wliczone",
    .percent = "procent",
    .rents = "czynsz czynszu czynsze",
    .currencies = "zloty, zl, zlotych",
    .price = {.asking = "ile kosztuje", .how_much = "ile", .words = "kosztuje", .earning = "zarabia"},
    .own_price =
        {.asking = "ile kosztuje, ile kosztują, ile kosztował, ile kosztowała, jaka jest cena, jaki jest koszt, po ile",
         .how_much = "ile",
         .words = "kosztuje kosztują kosztował kosztowała kosztowało płacimy płacę płaci płacą zapłacić zapłacimy "
                  "zapłaciliśmy płacić cena ceny koszt"},
    .rules = {.asking_may = "czy mogę, czy można, czy wolno",
              .asking_must = "czy muszę, czy trzeba",
              .permits = "dozwolone wolno"},
    .own_rules = {.asking_may = "czy mogę, czy można, czy wolno, czy możemy, można, wolno",
                  .asking_must = "czy muszę, czy trzeba, czy musimy, czy należy",
                  .permits = "dozwolony dozwolona zabronione zabroniony zabroniona zakazane",
                  .may_rules =
                      "można, wolno, nie wolno, zabronione, zabroniony, zabroniona, zakaz, dozwolone, dozwolony, "
                      "dozwolona, zgody, zgoda, zgodą, może, mogą, zezwolenie",
                  .must_rules = "musi, muszą, należy, trzeba, powinny, powinien, obowiązkowo, wymaga, wymagane",
                  .light_deeds = "mieć trzymać brać zabrać używać"},
    .causes = "ponieważ, bo, gdyż, dlatego, z powodu, żeby, aby, w przeciwnym razie",
    .contact = {.asking =
                    "telefon do, gdzie zadzwonić, do kogo zadzwonić, pod jaki numer, gdzie dzwonić, jaki numer do",
                .words = "telefonu telefon dzwonić zadzwonić"},
    .talk = {.continuing = "a i ale oraz",
             .pronouns = "on ona jego jej go ich im niego niej",
             .asking = "kiedy gdzie jak dlaczego skąd"},
    .forms = {.endings =
                  "a e i o u y ie iu em om ami ach ow owi owie ej ych ym ymi ego emu iej iego im ich imi ia iom iach c "
                  "ac ic yc ec am esz asz isz ysz amy emy imy ymy acie ecie icie aja ja uja uje ujemy ujesz il ila ilo "
                  "al ala alo ali ily aly ila eli ano iono any ana ane ony ona one eniu enie enia aniu anie ania"},
    .families =
        "zaczyna zaczęła zaczął początek rozpoczyna, kończy skończy koniec końca, wracają wraca wrócą powrót powrotu, "
        "zwrot zwrócona zwrócą oddadzą oddać zwrócić, wyjeżdża wyjazd odjazd zbiórka, zgłosić zgłaszać zgłoszenie, "
        "naprawa naprawy naprawia naprawić, zepsuł zepsuty zepsuło awaria awarię usterka, podnająć podnajem "
        "podnajmować",
    .synonyms =
        "czynsz najem, kaucja kaucji depozyt, wynajmujący właściciel właścicielka, najemca lokator, pies psa psy psów "
        "zwierzęta, kot kota koty kotów zwierzęta, mieszkanie lokal lokalu, płaci opłaca opłacają pokrywa, prąd prądu "
        "energia energii, oddadzą oddać zwrócona zwrot zwrócić, samochód auto pojazd, rachunek faktura, zużyliśmy "
        "zużycie energia, lekarz doktor, dzieci uczniowie, nauczyciel nauczycielka wychowawca wychowawczyni, wyjazd "
        "zbiórka odjazd, palić palenia palenie, pensja wynagrodzenie",
    .asking_state =
        "co jest nie tak z #, co się stało z #, co jest zepsute w #, co jest zepsute, co nie działa w #, jaki jest "
        "problem z #, jakie wady ma #, jakie usterki ma #, w jakim stanie jest #, co dolega #",
    .payments =
        {.spent = "wydałem, wydałam, wydaliśmy, wydano, suma wydatków, łączne wydatki, zapłaciłem łącznie, "
                  "zapłaciłam łącznie",
         .received = "zarobiłem, zarobiłam, zarobiliśmy, suma wpływów, łączne wpływy",
         .otherwise = "średnio, średnia, najwięcej, najmniej",
         .average = "średnio, średnia, przeciętnie",
         .weekly = "tygodniowo, na tydzień, co tydzień",
         .monthly = "miesięcznie, na miesiąc, co miesiąc, w miesiącu",
         .yearly = "rocznie, na rok, co rok",
         .most =
             "najwięcej, największy, największa, największe, najdroższy, najdroższa, najdroższe, najwyższy, najwyższa",
         .least = "najmniej, najmniejszy, najmniejsza, najtańszy, najtańsza, najniższa",
         .expenses = "wydatek wydatki zakup zakupy płatność płatności rachunek",
         .paid = "zapłaciłem zapłaciłam zapłaciliśmy wydałem wydałam kupiłem",
         .spending = "wydaję, wydajemy",
         .amount_columns = "kwota suma razem cena koszt wydatek obciążenia",
         .balance_columns = "saldo",
         .received_columns = "uznania wpływ wpływy"},
    .periods =
        {
            .today = "dzisiaj, dziś",
            .yesterday = "wczoraj",
            .current = "ten tym tego tę ta bieżący bieżącego",
            .past = "zeszły zeszłego zeszłym zeszły zeszłej ubiegły ubiegłego ubiegłym ubiegłej poprzedni poprzedniego "
                    "ostatnich ostatnie",
            .days = "dzień dni",
            .weeks = "tydzień tygodnia tygodniu tygodni tygodnie",
            .months = "miesiąc miesiąca miesiącu miesięcy miesiące",
            .years = "rok roku lata lat",
            .around = "w z ze we na podczas",
            .since = "od",
            .until = "przed sprzed do",
            .after = "po",
            .numbers = "jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście",
            .weekdays = "poniedziałek poniedziałku, wtorek wtorku, środa środę środy, czwartek czwartku, piątek "
                        "piątku, sobota sobotę soboty, niedziela niedzielę niedzieli",
        },
};

}  // namespace mneme::rag::languages

// Polish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kPolish = {
    .language = Language::kPolish,
    .grammar = "jest czy jak ile kiedy gdzie kto jaki jaka jakie moj moja",
    .telling =
        "sa kogo jakiego moje mam mamy ma musze musi moge mozna na w we z ze do od za po przy dla i oraz lub sie nie "
        "to ten ta te kosztuje dlaczego co",
    .marked_letters = "ąćęłńóśźż",
    .refusal = "Dokumenty o tym nie mówią.",
    .numbers = "dwa dwie trzy cztery piec szesc dziesiec",
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
    .time_units = "godzin, godziny, dni, dzień, tygodni, tygodnie, miesięcy, miesiące, lata, rok",
    .often = "razy, każdy",
    .until = "najpóźniej",
    .asking_hour = "o ktorej",
    .asking_deadline = "do kiedy",
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
    .free_of_charge = "bezplatnie, wliczone",
    .currencies = "zloty, zl, zlotych",
};

}  // namespace mneme::rag::languages

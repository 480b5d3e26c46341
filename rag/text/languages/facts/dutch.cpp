// Dutch.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kDutch = {
    .language = Language::kDutch,
    .grammar = "het een wat waar wanneer hoeveel welke mijn onze zijn heeft hebben moet mag",
    .telling =
        "de en of van in op aan met zonder voor uit bij naar over wie waarom hoe welk ons je jouw haar hun is was heb "
        "hebt moeten mogen kan kunnen ik wij we zij er geen niet kost lang nog dat dit die deze",
    .marked_letters = "ëïé",
    .refusal = "De documenten zeggen hier niets over.",
    .numbers = "twee drie vijf zes zeven acht negen tien",
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
    .time_units = "uur, dag, dagen, weken, maand, maanden, jaar, minuut",
    .often = "elke, iedere, per dag",
    .until = "uiterlijk",
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
    .free_of_charge = "inbegrepen",
};

}  // namespace mneme::rag::languages

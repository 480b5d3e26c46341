// Turkish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kTurkish = {
    .language = Language::kTurkish,
    .grammar = "ne ve bir bu mi zaman nerede kac nasil benim",
    .telling = "veya su o mu nereye kim kimin neden hangi icin ile kadar bizim var yok olan gibi daha en cok mumkun",
    .marked_letters = "çğışöü",
    .refusal = "Belgeler bu konuda bir şey söylemiyor.",
    .numbers = "iki alti yedi sekiz",
    .months = {{{"", "ocak"},
                {"subat"},
                {"", "mart"},
                {"nisan"},
                {"mayis"},
                {"haziran"},
                {"temmuz"},
                {"agustos"},
                {"eylul"},
                {"", "ekim"},
                {"kasim"},
                {"aralik"}}},
    .weekdays = "pazartesi, çarşamba, perşembe, cumartesi",
    .time_units = "dakika, saat, gün, hafta, yıl",
    .often = "günde",
    .asking_hour = "saat kacta",
    .asking =
        {
            .date = "ne zaman, hangi gun, saat kacta",
            .number = "kac, ne kadar",
            .duration = "ne kadar surer, kac gun",
            .frequency = "ne siklikla",
            .person = "kim",
            .place = "nerede, nereye",
            .reason = "neden, nicin",
        },
    .currencies = "lira",
};

}  // namespace mneme::rag::languages

#include "rag/text/asked/quality.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "rag/text/words/phrases.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

struct Quality {
  std::string_view kinds;  // folded, like the words
  std::string_view words;
};

// Inflections that no stemmer joins with their word stand beside it.
constexpr Quality kQualities[] = {
    {"colour color farbe couleur colore cor цвет цвета",
     "black white red blue green yellow grey gray brown orange purple pink violet turquoise beige gold golden silver "
     "crimson scarlet azure ivory navy maroon indigo hazel blond blonde auburn dark pale "
     "schwarz weiss rot blau grun gelb grau braun lila rosa violett turkis silbern dunkel "
     "noir noire blanc blanche rouge bleu bleue vert verte jaune gris grise brun brune marron violette dore "
     "negro negra blanco blanca rojo roja azul verde amarillo amarilla marron naranja morado rosado "
     "nero nera bianco bianca rosso rossa blu giallo gialla grigio grigia marrone arancione viola "
     "preto preta branco branca vermelho vermelha amarelo amarela cinza cinzento roxo castanho castanhos "
     "черныи белыи красныи синии голубои зеленыи желтыи серыи коричневыи черные белые красные синие голубые зеленые "
     "желтые серые коричневые карие"},
    {"language sprache langue idioma lingua язык",
     "english german french spanish italian portuguese russian chinese mandarin cantonese japanese korean arabic dutch "
     "polish turkish latin greek hebrew hindi swedish danish norwegian finnish czech hungarian ukrainian catalan irish "
     "welsh deutsch englisch franzosisch spanisch italienisch russisch chinesisch japanisch anglais allemand francais "
     "espagnol italien russe chinois ingles aleman frances espanol italiano ruso inglese tedesco francese spagnolo "
     "английскии немецкии французскии русскии"},
    {"material werkstoff matiere materiau materiale materia материал",
     "wood wooden oak pine beech steel iron aluminium aluminum brass copper bronze tin lead silver gold metal plastic "
     "nylon polyester glass cotton wool woollen woolen linen silk leather stone concrete brick clay paper cardboard "
     "rubber ceramic porcelain marble granite slate holz stahl eisen messing kupfer kunststoff glas baumwolle wolle "
     "leinen seide leder stein beton ton papier gummi bois acier fer laiton cuivre plastique verre coton laine soie "
     "cuir "
     "pierre madera acero hierro plastico vidrio algodon lana cuero legno acciaio ferro vetro cotone pelle madeira "
     "aco"},
    {"shape forme forma форма",
     "round square oval rectangular triangular circular cylindrical conical spherical flat curved rund eckig "
     "quadratisch "
     "rechteckig dreieckig rond carre ovale redondo cuadrado rotondo quadrato"},
    {"season jahreszeit saison estacion stagione",
     "spring summer autumn fall winter fruhling fruhjahr sommer herbst printemps ete automne hiver primavera verano "
     "otono invierno estate autunno inverno"},
    {"month monat mois mes mese месяц",
     "january february march april may june july august september october november december januar februar marz mai "
     "juni "
     "juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre"},
    {"weekday wochentag",
     "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag "
     "sonnabend sonntag"},
};

const Quality* quality_of(std::string_view folded) {
  const auto names = [&](const Quality& quality) {
    bool named = false;
    for_each_word(quality.kinds, [&](std::string_view kind) { named |= kind == folded; });
    return named;
  };
  const auto* const found = std::find_if(std::begin(kQualities), std::end(kQualities), names);
  return found == std::end(kQualities) ? nullptr : found;
}

}  // namespace

std::string asked_quality(std::string_view question) {
  // What asks for a thing, not when or how: "How do I change the colour?" wants no colour.
  constexpr std::string_view kAsking[] = {"what", "which",  "welche", "welcher", "welches", "welchen", "welchem",
                                          "quel", "quelle", "quels",  "quelles", "que",     "cual",    "che",
                                          "qual", "quale",  "какого", "какои",   "какая",   "каком"};
  constexpr std::string_view kBefore[] = {"in", "of", "aus", "mit", "de", "en", "di", "del", "em", "на", "из"};
  const std::vector<std::string> words = words_of(question);
  const size_t first = !words.empty() && one_of(words.front(), kBefore) ? 1 : 0;
  if (first >= words.size() || !one_of(words[first], kAsking)) return {};
  const auto kind = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(),
                                 [](const std::string& word) { return quality_of(word) != nullptr; });
  return kind == words.end() ? std::string() : *kind;
}

std::vector<std::string_view> words_of_quality(std::string_view kind) {
  std::vector<std::string_view> words;
  const Quality* quality = kind.empty() ? nullptr : quality_of(kind);
  if (quality == nullptr) return words;
  for_each_word(quality->words, [&](std::string_view word) {
    if (!word.empty()) words.push_back(word);
  });
  return words;
}

bool asks_likeness(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  return words.size() > 2 && words.front() == "what" && words.back() == "like";
}

bool is_likeness_word(std::string_view folded) {
  return folded == "like" || folded == "look" || folded == "looks";
}

}  // namespace mneme::rag

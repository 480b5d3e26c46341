#include "rag/text/languages/romance.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastRoot = 4;  // letters

constexpr std::string_view kRomance[] = {
    // French
    "le", "la", "les", "un", "une", "des", "du", "de", "et", "est", "sont", "dans", "sur", "pour", "par", "que", "qui",
    "quoi", "quel", "quelle", "quels", "quelles", "combien", "quand", "pourquoi", "comment", "je", "nous", "mon", "ma",
    "mes", "notre", "ai", "faut", "dois", "doit", "peut", "puis", "avec", "qu", "au", "aux", "ce", "cette",
    // Spanish
    "el", "los", "las", "una", "del", "en", "cual", "cuanto", "cuanta", "cuantos", "cuantas", "cuando", "donde", "como",
    "para", "con", "mi", "mis", "hay", "tengo", "puedo", "puede", "pueden", "quien", "cada", "se",
    // Italian
    "il", "lo", "gli", "di", "della", "dei", "delle", "che", "chi", "quale", "quanto", "quanta", "quanti", "quante",
    "quando", "dove", "per", "nel", "nella", "posso", "devo", "mio", "mia", "cosa", "si", "puo",
    // Portuguese
    "os", "um", "uma", "da", "dos", "das", "no", "na", "onde", "quantos", "quantas", "meu", "minha", "tenho", "qual",
    "quem", "em", "ao"};
// What English or German means otherwise, or has as well.
constexpr std::string_view kOther[] = {"the", "of",  "what",  "who",   "how",  "is",  "are", "were", "does",
                                       "did", "to",  "for",   "and",   "why",  "was", "wie", "der",  "die",
                                       "das", "ist", "which", "where", "when", "und", "wer", "wo",   "wann"};

constexpr std::string_view kEndings[] = {
    "", "e", "es", "s", "a", "as", "o", "os", "i", "is", "u",
    // verbs
    "er", "ir", "re", "ar", "are", "ere", "ire", "ent", "ant", "ons", "ez", "ait", "ais", "ai", "ra", "ras", "ront",
    "era", "eras", "eront", "erai", "ira", "iront", "ara", "aran", "eran", "iran", "ee", "ees", "ie", "ies", "it", "ue",
    "us", "ues", "an", "en", "amos", "emos", "imos", "iamo", "ano", "ono", "aba", "aban", "ia", "ian", "aron", "ieron",
    "ando", "iendo", "endo", "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ato", "ata", "ati", "ate",
    "ito", "ita", "iti", "ite", "uto", "uta", "am", "em", "ou", "aram", "eram", "iram",
    // nouns and adjectives
    "ement", "ements", "ment", "amento", "imento", "amiento", "imiento", "mento", "ion", "ions", "ation", "ations",
    "tion", "cion", "acion", "ciones", "aciones", "icion", "ition", "zione", "azione", "azioni", "cao", "acao", "coes",
    "age", "aje", "aggio", "agem", "eur", "eurs", "euse", "eux", "or", "ora", "ores", "ance", "ence", "anza", "enza",
    "ico", "ica", "icos", "icas", "ique", "iques", "ias", "al", "aux", "ales", "ali", "if", "ive", "ivo", "iva", "able",
    "ible", "ure", "ura", "te", "tes"};

// "Écran", "niño", "São": letters with marks that German has not.
bool has_marked_letter(std::string_view text) {
  constexpr std::string_view kMarked[] = {"é", "è", "ê", "à", "â", "ç", "î", "ô", "û", "œ", "á",
                                          "í", "ó", "ú", "ñ", "¿", "¡", "ã", "õ", "ò", "ù", "ì"};
  return std::any_of(std::begin(kMarked), std::end(kMarked),
                     [&](std::string_view marked) { return text.find(marked) != std::string_view::npos; });
}

}  // namespace

bool is_romance(std::string_view text) {
  int romance = has_marked_letter(text) ? 1 : 0;
  int other = 0;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    romance += one_of(word.text, kRomance) ? 1 : 0;
    other += one_of(word.text, kOther) ? 1 : 0;
  }
  return romance > other;
}

bool is_romance_form(std::string_view a, std::string_view b) {
  const auto common = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (common < kLeastRoot || !std::all_of(b.begin(), b.end(), is_letter)) return false;
  for (size_t root = common; root >= kLeastRoot; --root) {
    if (one_of(a.substr(root), kEndings) && one_of(b.substr(root), kEndings)) return true;
  }
  return false;
}

}  // namespace mneme::rag

#include "rag/text/variants/romance_forms.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastRoot = 4;  // letters

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

}  // namespace

bool is_romance_form(std::string_view a, std::string_view b) {
  const auto common = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (common < kLeastRoot || !std::all_of(b.begin(), b.end(), is_letter)) return false;
  for (size_t root = common; root >= kLeastRoot; --root) {
    if (one_of(a.substr(root), kEndings) && one_of(b.substr(root), kEndings)) return true;
  }
  return false;
}

}  // namespace mneme::rag

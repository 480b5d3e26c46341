#include "rag/text/variants/ending_forms.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "base/ascii.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/romance_forms.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastRoot = 4;   // letters that both have
constexpr size_t kLeastWhole = 3;  // ... where one of them is the root itself
constexpr size_t kLeastFirst = 3;  // of what stands before the head of a compound
constexpr size_t kLongestEnding = 6;

class Endings {
 public:
  Endings() = default;
  explicit Endings(const WordShapes& forms) : most_(forms.most_endings) {
    for (const std::string& ending : folded_words(forms.endings)) {
      endings_.insert(ending);
      // What the stemmers for English leave of it.
      if (ending.size() > 1 && (ending.ends_with('e') || ending.ends_with('s')))
        endings_.insert(ending.substr(0, ending.size() - 1));
      if (ending.ends_with('y')) endings_.insert(ending.substr(0, ending.size() - 1) + "i");
    }
  }

  bool empty() const { return endings_.empty(); }
  // Whether it is nothing, or one ending, or as many behind each other as there may be.
  bool has(std::string_view rest) const { return has(rest, most_); }

 private:
  bool has(std::string_view rest, int most) const {
    if (rest.empty()) return true;
    if (most == 0) return false;
    for (size_t n = 1; n <= std::min(rest.size(), kLongestEnding); ++n) {
      if (endings_.contains(std::string(rest.substr(0, n))) && has(rest.substr(n), most - 1)) return true;
    }
    return false;
  }

  std::unordered_set<std::string> endings_;
  int most_ = 1;
};

const Endings& endings_of(Language language) {
  static const Endings kNone;
  static const std::map<Language, Endings> kAll = [] {
    std::map<Language, Endings> all;
    for (const LanguageFacts* facts : all_languages()) all.emplace(facts->language, Endings(facts->forms));
    return all;
  }();
  const auto at = kAll.find(language);
  return at == kAll.end() ? kNone : at->second;
}

bool is_of_letters(std::string_view word) {
  return std::all_of(word.begin(), word.end(), is_letter);
}

}  // namespace

bool is_ending_form(Language language, std::string_view a, std::string_view b) {
  if (is_romance(language)) return is_romance_form(a, b);
  const Endings& endings = endings_of(language);
  if (endings.empty() || a.empty() || b.empty() || a.front() != b.front()) return false;
  const auto common = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (common < kLeastWhole || !is_of_letters(a) || !is_of_letters(b)) return false;
  for (size_t root = common; root >= kLeastWhole; --root) {
    const bool whole = root == std::min(a.size(), b.size());
    if ((root >= kLeastRoot || whole) && endings.has(a.substr(root)) && endings.has(b.substr(root))) return true;
  }
  return false;
}

bool makes_compounds(Language language) {
  return language == Language::kGerman || facts_of(language).forms.compounds;
}

bool is_kind_in(Language language, std::string_view compound, std::string_view word) {
  if (language == Language::kGerman) return is_kind_of(compound, word);
  const Endings& endings = endings_of(language);
  if (compound.size() < kLeastRoot + kLeastFirst || !is_of_letters(compound)) return false;
  for (size_t root = word.size(); root >= kLeastRoot; --root) {
    if (!endings.has(word.substr(root))) continue;
    const size_t at = compound.rfind(word.substr(0, root));
    if (at == std::string_view::npos || at < kLeastFirst) continue;
    if (endings.has(compound.substr(at + root))) return true;
  }
  return false;
}

bool is_compound_in(Language language, std::string_view compound, std::string_view word) {
  if (language == Language::kGerman) return is_compound_with(compound, word);
  const Endings& endings = endings_of(language);
  for (size_t root = word.size(); root >= kLeastRoot; --root) {
    if (!endings.has(word.substr(root)) || !compound.starts_with(word.substr(0, root))) continue;
    return compound.size() >= root + kLeastRoot;
  }
  return false;
}

}  // namespace mneme::rag

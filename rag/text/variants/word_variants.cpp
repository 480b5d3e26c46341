#include "rag/text/variants/word_variants.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastLetters = 5;
constexpr size_t kLeastKept = 4;  // letters that every form has
constexpr size_t kMostCut = 4;    // letters of an ending

constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"ae", "ä"}, {"oe", "ö"}, {"ue", "ü"}, {"oe", "œ"}, {"ae", "æ"}};

// Of verbs, nouns and adjectives in German, French, Spanish, Italian and Portuguese, folded.
constexpr std::string_view kLatinEndings[] = {
    "",      "e",   "en",  "er",  "es",  "em",   "n",    "s",   "t",   "st",  "te",  "ten", "et",   "ung",
    "ungen", "a",   "o",   "as",  "os",  "i",    "ar",   "ir",  "are", "ere", "ire", "ado", "ada",  "ato",
    "ata",   "ado", "ido", "ida", "ito", "ita",  "ee",   "ees", "ez",  "ent", "ons", "ait", "amos", "emos",
    "am",    "an",  "ano", "ono", "ion", "ione", "tion", "aux", "al",  "if",  "ive", "eux", "euse"};
constexpr std::string_view kCyrillicEndings[] = {
    "ів",  "їв", "і",  "ії", "ією", "єю", "ові", "ою",  // Ukrainian
    "",    "а",  "я",  "о",  "е",   "и",  "ы",   "у",  "ю",   "ь",   "й",   "ам",  "ям",  "ах",  "ях",  "ами",
    "ями", "ов", "ев", "ей", "ом",  "ем", "ой",  "ою", "ею",  "ью",  "ий",  "ый",  "ая",  "яя",  "ое",  "ее",
    "ые",  "ие", "их", "ых", "ым",  "им", "ую",  "юю", "ого", "его", "ому", "ему", "ыми", "ими", "ия",  "ию",
    "ии",  "ть", "ет", "ит", "ут",  "ют", "ат",  "ят", "ал",  "ил",  "ала", "ила", "али", "или", "ать", "ить"};

// With every `from` exchanged; nothing where there is none.
void add_exchanged(std::string_view word, std::string_view from, std::string_view to,
                   std::vector<std::string>& variants) {
  std::string variant;
  size_t copied = 0;
  for (size_t at = word.find(from); at != std::string_view::npos; at = word.find(from, copied)) {
    variant.append(word.substr(copied, at - copied)).append(to);
    copied = at + from.size();
  }
  if (copied > 0) variants.push_back(variant.append(word.substr(copied)));
}

// "zahl" of "gezahlt".
std::vector<std::string_view> roots_of_participle(std::string_view folded) {
  std::vector<std::string_view> roots;
  for (const std::string_view ending : {"et", "t", "en"}) {
    if (!folded.starts_with("ge") || !folded.ends_with(ending) || folded.size() < 2 + kLeastKept + ending.size())
      continue;
    roots.push_back(folded.substr(2, folded.size() - 2 - ending.size()));
  }
  return roots;
}

void add_with_endings(std::string_view kept, std::string_view word, std::span<const std::string_view> endings,
                      std::vector<std::string>& forms) {
  for (const std::string_view ending : endings) {
    std::string form(kept);
    form += ending;
    if (form != word && is_form(word, form)) forms.push_back(std::move(form));
  }
}

}  // namespace

std::vector<std::string> spelling_variants(std::string_view written) {
  std::vector<std::string> variants;
  for (const auto& [two, one] : kSpellings) {
    add_exchanged(written, two, one, variants);
    add_exchanged(written, one, two, variants);
  }
  return variants;
}

std::vector<std::string> possible_forms(std::string_view folded) {
  std::vector<std::string> forms;
  if (is_cyrillic(folded)) {
    add_with_endings(stem_of(folded), folded, kCyrillicEndings, forms);
    return forms;
  }
  if (folded.size() < kLeastLetters || !std::all_of(folded.begin(), folded.end(), [](char c) { return is_letter(c); }))
    return forms;
  for (size_t cut = 0; cut <= kMostCut && folded.size() - cut >= kLeastKept; ++cut) {
    add_with_endings(folded.substr(0, folded.size() - cut), folded, kLatinEndings, forms);
  }
  for (const std::string_view root : roots_of_participle(folded)) add_with_endings(root, folded, kLatinEndings, forms);
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

std::vector<std::string> infinitives_of(std::string_view folded) {
  std::vector<std::string> infinitives;
  for (const std::string_view root : roots_of_participle(folded)) infinitives.push_back(std::string(root) + "en");
  return infinitives;
}

std::vector<std::string> compared_words(std::string_view folded) {
  for (const std::string_view ending : {"iest", "ier", "est"}) {
    if (!folded.ends_with(ending) || folded.size() < kLeastKept + ending.size()) continue;
    const std::string kept(folded.substr(0, folded.size() - ending.size()));
    if (ending.front() == 'i') return {kept + "y"};
    return {kept, kept + "e"};
  }
  return {};
}

}  // namespace mneme::rag

#include "rag/text/documents/document_kinds.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "rag/text/languages/document_words.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Kind = KindNames DocumentKinds::*;
using Kinds = DocumentKinds;

constexpr Kind kNamed[] = {
    &Kinds::invoice,      &Kinds::receipt,     &Kinds::contract,   &Kinds::accord,     &Kinds::lease,
    &Kinds::licence,      &Kinds::letter,      &Kinds::mail,       &Kinds::report,     &Kinds::article,
    &Kinds::policy,       &Kinds::certificate, &Kinds::statement,  &Kinds::minutes,    &Kinds::manual,
    &Kinds::offer,        &Kinds::note,        &Kinds::recipe,     &Kinds::form,       &Kinds::presentation,
    &Kinds::spreadsheet,  &Kinds::cv,          &Kinds::chat,       &Kinds::notice,     &Kinds::payslip,
    &Kinds::prescription, &Kinds::plan,        &Kinds::newsletter, &Kinds::transcript, &Kinds::pdf};
// Those that nobody looks for by a name: "show me the plan".
constexpr Kind kUnnamed[] = {&Kinds::plan, &Kinds::notice, &Kinds::chat, &Kinds::text};

// Those by whose English names people call them in many languages.
constexpr Kind kInternational[] = {&Kinds::pdf, &Kinds::mail, &Kinds::chat, &Kinds::newsletter, &Kinds::cv};

struct Format {
  Kind kind;
  std::string_view formats;
  bool tells_all = true;  // most documents of the kind have one of them
};
constexpr Format kFormats[] = {{&Kinds::mail, "eml mbox msg pst emlx"}, {&Kinds::pdf, "pdf"},
                               {&Kinds::presentation, "pptx ppt odp"},  {&Kinds::spreadsheet, "xlsx xls ods csv"},
                               {&Kinds::statement, "statement", false}, {&Kinds::chat, "chat"}};

bool has_word(std::string_view words, std::string_view word) {
  bool is_there = false;
  for_each_word(words, [&](std::string_view one) { is_there |= one == word; });
  return is_there;
}

size_t place_of(Kind kind) {
  return static_cast<size_t>(std::find(std::begin(kNamed), std::end(kNamed), kind) - std::begin(kNamed));
}

// What is known of a word for documents.
struct KindWord {
  std::vector<size_t> kinds;  // in kNamed
  std::vector<Language> languages;
  bool everywhere = false;
  bool any = false;
  bool document = false;
  bool has_name = false;
  bool one = false;  // as a word for one of them
  bool many = false;
};

class KindTable {
 public:
  KindTable();
  // The word, or, of a kind, another form of it.
  const KindWord* find(std::string_view folded, Language language) const;
  const std::vector<std::string>& words_of_kind(size_t kind) const { return by_kind_[kind]; }

 private:
  void add(Kind kind, const LanguageFacts& facts);
  void add_word(Kind kind, std::string word, bool many, const LanguageFacts& facts);

  std::unordered_map<std::string, KindWord> words_;
  std::map<Language, std::unordered_map<std::string, KindWord>> own_;  // in questions in these languages alone
  std::unordered_map<std::string, std::string> by_stem_;               // a word of each
  std::array<std::vector<std::string>, std::size(kNamed)> by_kind_;
};

KindTable::KindTable() {
  for (const LanguageFacts* facts : all_languages()) {
    if (facts->documents == nullptr) continue;
    for (const std::string& word : folded_words(facts->documents->own_kinds)) own_[facts->language][word];
    for (const Kind kind : {&Kinds::document, &Kinds::text}) add(kind, *facts);
    for (const Kind kind : kNamed) add(kind, *facts);
  }
}

void KindTable::add(Kind kind, const LanguageFacts& facts) {
  const KindNames& names = facts.documents->kinds.*kind;
  for (std::string& word : folded_words(names.one)) add_word(kind, std::move(word), false, facts);
  for (std::string& word : folded_words(names.many)) add_word(kind, std::move(word), true, facts);
}

void KindTable::add_word(Kind kind, std::string word, bool many, const LanguageFacts& facts) {
  const auto own = own_.find(facts.language);
  const bool is_own = own != own_.end() && own->second.contains(word);
  KindWord& known = is_own ? own->second.at(word) : words_[word];
  if (const size_t place = place_of(kind); place < std::size(kNamed)) {
    if (std::find(known.kinds.begin(), known.kinds.end(), place) == known.kinds.end()) known.kinds.push_back(place);
    auto& all = by_kind_[place];
    if (!is_own && std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
  }
  known.any |= kind == &Kinds::document || kind == &Kinds::text;
  known.document |= kind == &Kinds::document;
  known.has_name |= std::find(std::begin(kUnnamed), std::end(kUnnamed), kind) == std::end(kUnnamed);
  (many ? known.many : known.one) = true;
  known.languages.push_back(facts.language);
  known.everywhere |= facts.language == Language::kEnglish &&
                      std::find(std::begin(kInternational), std::end(kInternational), kind) != std::end(kInternational);
  if (!is_own && !known.kinds.empty()) by_stem_.emplace(stem_of(word), std::move(word));
}

const KindWord* KindTable::find(std::string_view folded, Language language) const {
  const std::string word(folded);
  if (const auto own = own_.find(language); own != own_.end()) {
    if (const auto at = own->second.find(word); at != own->second.end()) return &at->second;
  }
  auto at = words_.find(word);
  if (at == words_.end()) {
    const auto same_stem = by_stem_.find(stem_of(folded));
    if (same_stem == by_stem_.end()) return nullptr;
    at = words_.find(same_stem->second);
  }
  const KindWord& known = at->second;
  const bool is_of = language == Language::kUnknown || known.everywhere ||
                     std::find(known.languages.begin(), known.languages.end(), language) != known.languages.end();
  return is_of ? &known : nullptr;
}

const KindTable& table() {
  static const KindTable kTable;
  return kTable;
}

}  // namespace

bool is_any_document(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr && word->any;
}

bool is_mere_document(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr && word->document;
}

bool is_document_kind(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr && !word->kinds.empty();
}

bool is_found_by_name(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr && word->has_name;
}

bool may_be_one(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr && word->one;
}

bool may_be_several(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr && word->many;
}

std::vector<std::string_view> document_kind_names(const DocumentKinds& kinds) {
  std::vector<std::string_view> names;
  const auto add = [&](Kind kind) {
    for (const std::string_view list : {(kinds.*kind).one, (kinds.*kind).many}) {
      if (!list.empty()) names.push_back(list);
    }
  };
  for (const Kind kind : {&Kinds::document, &Kinds::text}) add(kind);
  for (const Kind kind : kNamed) add(kind);
  return names;
}

std::vector<std::string_view> kinds_alike(std::string_view folded) {
  std::vector<std::string_view> alike;
  const KindWord* const word = table().find(folded, Language::kUnknown);
  if (word == nullptr) return alike;
  for (const size_t kind : word->kinds) {
    for (const std::string& one : table().words_of_kind(kind)) alike.push_back(one);
  }
  return alike;
}

bool is_of_format(std::string_view folded, std::string_view format) {
  const KindWord* const word = table().find(folded, Language::kUnknown);
  if (word == nullptr) return false;
  return std::any_of(std::begin(kFormats), std::end(kFormats), [&](const Format& one) {
    const bool is_kind = std::find(word->kinds.begin(), word->kinds.end(), place_of(one.kind)) != word->kinds.end();
    return is_kind && has_word(one.formats, format);
  });
}

bool is_letter_word(std::string_view folded, Language language) {
  const KindWord* const word = table().find(folded, language);
  return word != nullptr &&
         std::find(word->kinds.begin(), word->kinds.end(), place_of(&Kinds::letter)) != word->kinds.end();
}

bool is_told_by_format(std::string_view folded) {
  const KindWord* const word = table().find(folded, Language::kUnknown);
  if (word == nullptr || word->kinds.empty()) return false;
  return std::all_of(word->kinds.begin(), word->kinds.end(), [](size_t kind) {
    return std::any_of(std::begin(kFormats), std::end(kFormats),
                       [&](const Format& one) { return one.tells_all && place_of(one.kind) == kind; });
  });
}

}  // namespace mneme::rag

#include "rag/text/documents/asked_document.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Strings = std::span<const std::string_view>;

constexpr size_t kNounWithin = 4;       // words behind "which": "which Sherlock Holmes story"
constexpr size_t kWideNounWithin = 12;  // bytes behind 哪 or どの: 哪一本书
constexpr size_t kLeastCapitals = 2;    // "PEP", "RFCs": the name of a series

constexpr std::string_view kWhich[] = {"which", "what", "welche", "welcher", "welches", "welchem", "welchen"};
constexpr std::string_view kWideWhich[] = {"哪", "どの"};
constexpr std::string_view kDocuments[] = {
    "document", "file", "page", "article",  "paper", "report", "book",    "novel",  "guide",  "manual",  "recipe",
    "post",     "pep",  "rfc",  "dokument", "datei", "seite",  "artikel", "buch",   "roman",  "rezept",  "文档",
    "文件",     "书",   "文章", "食谱",     "本",    "文書",   "記事",    "レシピ", "ページ", "ファイル"};
constexpr std::string_view kParts[] = {"chapter", "section",   "story",      "tale",    "poem", "fable", "adventure",
                                       "kapitel", "abschnitt", "geschichte", "gedicht", "章",   "故事",  "物語"};
constexpr std::string_view kThings[] = {"country", "nation", "state", "island", "command",  "tool",
                                        "program", "land",   "staat", "insel",  "befehl",   "programm",
                                        "国家",    "国",     "命令",  "菜",     "コマンド", "料理"};
// What documents do, by stem; of questions and of their answers alike.
constexpr std::string_view kTelling[] = {
    "introduce", "describe", "define",  "explain", "mention", "propose", "specify",     "contain",    "discuss",
    "tell",      "talk",     "cover",   "say",     "add",     "appear",  "deal",        "treat",      "document",
    "suggest",   "present",  "occur",   "call",    "title",   "name",    "beschreiben", "beschreibt", "erklart",
    "definiert", "erwahnt",  "enthalt", "handelt", "kommt",   "vor",     "steht"};

bool same_noun(std::string_view folded, Strings nouns) {
  return std::any_of(nouns.begin(), nouns.end(),
                     [&](std::string_view noun) { return stem_of(folded) == stem_of(noun); });
}

bool names_series(std::string_view written) {
  const size_t capitals = std::min(static_cast<size_t>(std::find_if_not(written.begin(), written.end(),
                                                                        [](char c) { return c >= 'A' && c <= 'Z'; }) -
                                                       written.begin()),
                                   written.size());
  return capitals >= kLeastCapitals && (capitals == written.size() || written.substr(capitals) == "s");
}

// Where the first of these ends behind `begin`, not far from it; npos where none stands there.
size_t end_of_noun(std::string_view question, size_t begin, Strings nouns) {
  const std::string_view behind = question.substr(begin, kWideNounWithin);
  for (const std::string_view noun : nouns) {
    const size_t at = behind.find(noun);
    if (at != std::string_view::npos) return begin + at + noun.size();
  }
  return std::string_view::npos;
}

}  // namespace

bool AskedDocument::find_wide(std::string_view question) {
  constexpr std::pair<Kind, Strings> kKinds[] = {
      {Kind::kDocument, kDocuments}, {Kind::kThing, kThings}, {Kind::kPart, kParts}};
  for (const std::string_view which : kWideWhich) {
    const size_t begin = question.find(which);
    if (begin == std::string_view::npos) continue;
    for (const auto& [kind, nouns] : kKinds) {
      const size_t end = end_of_noun(question, begin + which.size(), nouns);
      if (end == std::string_view::npos) continue;
      kind_ = kind;
      asking_ = question.substr(begin, end - begin);
      return true;
    }
  }
  return false;
}

AskedDocument::AskedDocument(std::string_view question) {
  if (find_wide(question)) return;
  WordScanner scanner(question);
  size_t behind = kNounWithin + 1;  // words since "which"
  for (Word word; !is_asked() && scanner.next(word);) {
    if (one_of(word.text, kWhich)) {
      behind = 0;
      continue;
    }
    if (++behind > kNounWithin) continue;
    if (is_stop_word(word.text) && word.text != "of" && word.text != "the") {
      behind = kNounWithin;  // "which is the country"
      continue;
    }
    const std::string_view written = question.substr(word.byte_begin, word.byte_end - word.byte_begin);
    if (same_noun(word.text, kParts)) kind_ = Kind::kPart;
    if (same_noun(word.text, kThings)) kind_ = Kind::kThing;
    if (same_noun(word.text, kDocuments) || (behind == 1 && names_series(written))) kind_ = Kind::kDocument;
    if (is_asked()) noun_ = stem_of(word.text);
  }
}

bool AskedDocument::only_asks(std::string_view folded) const {
  if (!is_asked()) return false;
  if (!asking_.empty()) return asking_.find(folded) != std::string::npos;
  return (!noun_.empty() && stem_of(folded) == noun_) || same_noun(folded, kTelling);
}

bool AskedDocument::is_named_in(std::string_view text) const {
  if (noun_.empty() || kind_ == Kind::kThing) return false;
  const std::vector<std::string> words = words_of(text);
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (is_digit(words[i + 1].front()) && stem_of(words[i]) == noun_) return true;
  }
  return false;
}

double AskedDocument::speaks_of_itself(std::string_view text) const {
  constexpr std::string_view kThis[] = {"this", "dieses", "dieser", "diesem", "diese"};
  constexpr double kInPassing = 0.6;
  if (noun_.empty() || kind_ == Kind::kThing) return 0.0;
  const std::vector<std::string> words = words_of(text);
  for (size_t i = 1; i < words.size(); ++i) {
    if (one_of(words[i - 1], kThis) && stem_of(words[i]) == noun_) return i == 1 ? 1.0 : kInPassing;
  }
  return 0.0;
}

}  // namespace mneme::rag

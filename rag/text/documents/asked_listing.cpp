#include "rag/text/documents/asked_listing.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "rag/text/documents/document_kinds.h"
#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/documents/unspaced_asked.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostNameWords = 8;

using Words = std::span<const PlacedWord>;

std::string text_of(std::string_view question, Words words, const DocumentVocabulary& v) {
  words = without_front(words, v.articles);
  return words.empty() ? std::string() : std::string(spanned(question, words));
}

// "Documents", or kinds of which several are asked for.
bool are_documents(const PlacedWord& word, const DocumentVocabulary& v) {
  const std::string& text = word.text;
  return is_mere_document(text, v.language) || may_be_several(text, v.language);
}

bool asks_otherwise(Words words, const DocumentVocabulary& v) {
  return v.asking.has_any(words) || v.before_deed.has_any(words);
}

// Off the front, "which of my documents"; false where it does not so begin.
bool take_documents(Words& words, const DocumentVocabulary& v) {
  if (words.empty()) return false;
  const bool begins = are_documents(words.front(), v);  // "documents about the flood"
  if (!begins && !v.which.has(words.front().text)) return false;
  Words rest = begins ? words : words.subspan(1);
  while (!rest.empty() && !are_documents(rest.front(), v) && v.lead.has(rest.front().text)) rest = rest.subspan(1);
  if (rest.empty() || !are_documents(rest.front(), v)) return false;
  words = rest.subspan(1);
  return true;
}

// "That do", and then "mention": how many words of what tells it stand there.
size_t take_joins_before_telling(Words& words, const DocumentVocabulary& v) {
  size_t telling = v.telling.at_front(words);
  while (telling == 0 && !words.empty() && v.joins.has(words.front().text)) {
    words = words.subspan(1);
    telling = v.telling.at_front(words);
  }
  return telling;
}

// "Which documents mention the crane", "list all notes about tides", "Hangi belgelerde bodrumdan bahsediliyor?"
std::string asked_about(std::string_view question, Words words, const DocumentVocabulary& v) {
  if (!take_documents(words, v)) return {};
  const size_t at_front = take_joins_before_telling(words, v);
  const size_t at_back = at_front == 0 && v.names_first ? v.telling.at_back(words) : 0;
  if (at_front == 0 && at_back == 0) return {};
  const Words matter = words.subspan(at_front).first(words.size() - at_front - at_back);
  if (matter.empty() || asks_otherwise(matter.first(1), v)) return {};  // "about to expire"
  return text_of(question, matter, v);
}

// "Su hakkındaki belgeler": the documents stand last.
std::string asked_about_before(std::string_view question, Words words, const DocumentVocabulary& v) {
  if (!v.names_first || words.empty() || !are_documents(words.back(), v)) return {};
  words = words.first(words.size() - 1);
  const size_t telling = v.telling.at_back(words);
  const Words matter = words.first(words.size() - telling);
  if (telling == 0 || matter.empty() || asks_otherwise(matter, v)) return {};
  return text_of(question, matter, v);
}

// "Where is the crane mentioned?"
std::string asked_mention(std::string_view question, Words words, const DocumentVocabulary& v) {
  const size_t where = v.where_mentioned.at_front(words);
  if (where == 0 || words.size() <= where + 1 || !v.mentioned.has(words.back().text)) return {};
  return text_of(question, words.subspan(where, words.size() - where - 1), v);
}

// "Show me the invoice of ACME".
std::string asked_name(std::string_view question, Words words, const DocumentVocabulary& v) {
  const size_t finding = v.finding.at_front(words);
  if (finding == 0) return {};
  const Words name = words.subspan(finding);
  const bool is_paper =
      std::any_of(name.begin(), name.end(), [&](const PlacedWord& w) { return is_found_by_name(w.text, v.language); });
  return is_paper && !asks_otherwise(name, v) && name.size() <= kMostNameWords ? text_of(question, name, v)
                                                                               : std::string();
}

bool asks_for_all(Words words, const DocumentVocabulary& v) {
  std::vector<PlacedWord> marked(words.begin(), words.end());
  for (PlacedWord& word : marked) {
    if (is_mere_document(word.text, v.language)) word.text = kDocumentMark;
  }
  return v.held.is_whole(marked);
}

struct Listing : AskedListing {
  bool is_asked = false;
};

Listing listing_in(std::string_view question, Words words, const DocumentVocabulary& v) {
  using What = AskedListing::What;
  if (asks_for_all(words, v)) return {{What::kHeld, {}}, true};
  for (const auto asked : {asked_about, asked_about_before, asked_mention}) {
    if (std::string text = asked(question, words, v); !text.empty()) return {{What::kAbout, std::move(text)}, true};
  }
  if (std::string text = asked_name(question, words, v); !text.empty()) return {{What::kNamed, std::move(text)}, true};
  return {};
}

}  // namespace

AskedListing asked_listing(std::string_view question) {
  const std::vector<PlacedWord> words = placed_words(question);
  Listing listing = asked_in_any_language(
      question, [&](const DocumentVocabulary& vocabulary) { return listing_in(question, words, vocabulary); });
  return listing.is_asked ? AskedListing(std::move(listing)) : unspaced_listing(question);
}

}  // namespace mneme::rag

#include "rag/answering/answered_reading.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/answering/source_quotes.h"
#include "rag/text/stop_words.h"
#include "rag/text/word_forms.h"
#include "rag/text/words.h"

namespace mneme::rag {
namespace {

constexpr size_t kHeadingWithin = 120;  // bytes before a quotation that may be what it stands under

// Whether a quotation, or what stands above it, says a word of the thing that is asked of in place of another: 敷金 of
// 敷金は？. True where no such word is known.
bool says_named(std::string_view named, const QuotedSentence& quote, const Hit& hit) {
  const size_t heading = quote.byte_begin - std::min(quote.byte_begin, kHeadingWithin);
  const std::string_view before = std::string_view(hit.text).substr(heading, quote.byte_begin - heading);
  std::unordered_set<std::string> said;
  for (const std::string_view text : {std::string_view(quote.text), before, std::string_view(hit.heading_path),
                                      std::string_view(hit.title), std::string_view(hit.names)}) {
    for (const std::string& word : words_of(text)) said.emplace(stem_of(word));
  }
  bool known = false;
  for (const std::string& word : words_of(named)) {
    if (is_stop_word(word)) continue;
    const std::string stem(stem_of(word));
    const auto tells = [&](const std::string& other) { return other == stem || is_form(stem, other); };
    if (std::any_of(said.begin(), said.end(), tells)) return true;
    known = true;
  }
  return !known;
}

}  // namespace

bool is_answered(const QuestionSources& found, const Embedder& embedder, double least_said) {
  if (!found.answerable) return false;
  const std::vector<std::reference_wrapper<const Hit>> hits(found.hits.begin(), found.hits.end());
  const std::vector<QuotedSentence> quotes = quotes_from(found, hits, embedder);
  if (quotes.empty() || quotes.front().says < least_said) return false;
  if (!says_named(found.named, quotes.front(), found.hits[static_cast<size_t>(quotes.front().passage)])) return false;
  return quotes.front().fits || (found.leaned_on.empty() && quotes.front().says >= kSaysItself);
}

}  // namespace mneme::rag

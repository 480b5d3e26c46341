#include "rag/answering/sources/answered_reading.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/answering/sources/source_quotes.h"
#include "rag/follow_ups/follow_up_words.h"
#include "rag/text/asked/price.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

constexpr size_t kHeadingWithin = 120;  // bytes before a quotation that may be what it stands under
constexpr double kNamed = 0.5;          // of the words of a thing that is named

using Stems = std::unordered_set<std::string>;

// Stems of a quotation and of what stands above it.
Stems stems_said(const QuotedSentence& quote, const Hit& hit) {
  const size_t heading = quote.byte_begin - std::min(quote.byte_begin, kHeadingWithin);
  const std::string_view before = std::string_view(hit.text).substr(heading, quote.byte_begin - heading);
  Stems said;
  for (const std::string_view text : {std::string_view(quote.text), before, std::string_view(hit.heading_path),
                                      std::string_view(hit.title), std::string_view(hit.names)}) {
    for (const std::string& word : words_of(text)) said.emplace(stem_of(word));
  }
  return said;
}

// The word, another form of it, a synonym, or in German a kind of it.
bool says_word(const Stems& said, const std::string& word) {
  const std::string stem(stem_of(word));
  const auto tells = [&](const std::string& other) {
    return other == stem || is_form(stem, other) || is_kind_of(other, stem) || is_compound_with(other, stem);
  };
  if (std::any_of(said.begin(), said.end(), tells)) return true;
  std::vector<std::string_view> others = synonyms_of(word);
  const std::vector<std::string_view> related = related_words(word);
  others.insert(others.end(), related.begin(), related.end());
  return std::any_of(others.begin(), others.end(),
                     [&](std::string_view other) { return said.contains(stem_of(other)); });
}

// Whether a quotation, or what stands above it, says what is named in a question: "bicycle" of "the price of the
// bicycle", 敷金 of 敷金は？, half of the words at least; of what is written without spaces any pair. True where only
// words that ask are named.
bool says_named(std::string_view named, const QuotedSentence& quote, const Hit& hit) {
  const Stems said = stems_said(quote, hit);
  int n = 0;
  int n_said = 0;
  const bool is_one_word = words_of(named).size() == 1;  // a name, even where it looks like grammar: "Mia"
  WordScanner scanner(named);
  for (Word word; scanner.next(word);) {
    if ((is_stop_word(word.text) && !is_one_word) || is_asking_verb(word.text) || is_price_word(word.text)) continue;
    const bool says = says_word(said, std::string(word.text));
    if (says && word.pair) return true;
    ++n;
    n_said += says ? 1 : 0;
  }
  return n == 0 || n_said >= kNamed * n;
}

}  // namespace

bool is_answered(const QuestionSources& found, const Embedder& embedder, double least_said) {
  if (!found.answerable) return false;
  const std::vector<std::reference_wrapper<const Hit>> hits(found.hits.begin(), found.hits.end());
  const std::vector<QuotedSentence> quotes = quotes_from(found, hits, embedder).sentences;
  if (quotes.empty() || quotes.front().says < least_said) return false;
  if (!says_named(found.named, quotes.front(), found.hits[static_cast<size_t>(quotes.front().passage)])) return false;
  return quotes.front().fits || (found.leaned_on.empty() && quotes.front().says >= kSaysItself);
}

}  // namespace mneme::rag

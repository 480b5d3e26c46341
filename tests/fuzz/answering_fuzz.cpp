// Any bytes as a question, the passages found for it and what a model answers: quotations, citations and the words that
// are marked lie within their texts, in order, and what is made of an answer is no larger than the answer.
#include "rag/answering/citations/citation_check.h"
#include "rag/answering/citations/cited_words.h"
#include "rag/answering/writing/query_rewriter.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/quoting/quoting.h"
#include "rag/retrieval/first_look.h"
#include "rag/retrieval/second_look.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace mneme::rag;
using mneme::fuzz::require;

constexpr char kBorder = '\f';  // between question, answer and passages
constexpr size_t kMostPassages = 8;

std::string_view take(std::string_view& rest) {
  const size_t end = std::min(rest.find(kBorder), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

void quote(std::string_view question, const std::vector<std::string_view>& texts) {
  std::vector<QuotePassage> passages;
  for (const std::string_view text : texts) passages.push_back({text, texts.back().substr(0, 80)});
  const std::vector<QuotedSentence> quotes = quote_sentences(question, passages);
  for (const QuotedSentence& one : quotes) {
    require(one.passage >= 0 && static_cast<size_t>(one.passage) < texts.size());
    require(one.byte_begin <= one.byte_end && one.byte_end <= texts[static_cast<size_t>(one.passage)].size());
  }
  (void)quoted_answer(quotes);
}

void check(std::string_view answer, std::string_view question, const std::vector<std::string_view>& texts) {
  const CitationCheck checked = check_citations(answer, question, texts, false);
  for (const UnsupportedSpan& span : checked.unsupported) {
    require(span.byte_begin <= span.byte_end && span.byte_end <= answer.size());
  }
}

void mark(std::string_view answer, std::string_view text) {
  for (const int n : {1, 2}) {
    const std::string said = words_citing(answer, n);
    require(said.size() <= 2 * answer.size());
    size_t last = 0;
    for (const Stretch& stretch : shared_stretches(text, said)) {
      require(stretch.begin >= last && stretch.begin < stretch.end && stretch.end <= text.size());
      last = stretch.end;
    }
    require(first_line_said(text, said) <= text.size());
  }
}

void look(std::string_view question, const std::vector<std::string_view>& texts) {
  const auto one = [](std::string_view) { return 1.0; };
  std::vector<LookedAt> passages;
  for (const std::string_view text : texts) {
    passages.push_back({std::string(text), std::string(text.substr(0, 60)), "a/b.md", std::string(text.substr(0, 30))});
  }
  std::vector<PassageEvidence> evidence(passages.size());
  FirstLook(question, one).look(passages, evidence);
  const SecondLook second(question, nullptr, one);
  for (size_t i = 0; i < passages.size(); ++i) second.look(passages[i], evidence[i]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view question = take(rest);
  const std::string_view answer = take(rest);
  std::vector<std::string_view> texts{take(rest)};
  while (!rest.empty() && texts.size() < kMostPassages) texts.push_back(take(rest));
  quote(question, texts);
  check(answer, question, texts);
  mark(answer, texts.front());
  look(question, texts);
  const std::vector<Turn> history{{std::string(texts.back()), std::string(answer)}};
  const std::string alone = standalone_query(question, history);
  (void)is_trustworthy(alone, question, history);
  return 0;
}

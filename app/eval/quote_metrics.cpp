#include "app/eval/quote_metrics.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/eval/answer_metrics.h"
#include "rag/answering/citations/cited_words.h"
#include "rag/quoting/outline/sentences.h"

namespace mneme::app {
namespace {

using Tokens = std::vector<std::string>;

std::vector<Tokens> sentence_tokens(std::string_view text) {
  std::vector<Tokens> sentences;
  for (const rag::Sentence& sentence : rag::split_sentences(text))
    sentences.push_back(answer_tokens(text.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin)));
  return sentences;
}

// Of what is said with a citation; what it says at different times stands on lines of its own.
std::vector<Tokens> cited_sentences(const std::string& words) {
  std::vector<Tokens> sentences = sentence_tokens(words);
  for (size_t begin = 0; begin < words.size();) {
    const size_t end = std::min(words.find('\n', begin), words.size());
    const std::vector<Tokens> of_line = sentence_tokens(std::string_view(words).substr(begin, end - begin));
    sentences.insert(sentences.end(), of_line.begin(), of_line.end());
    begin = end + 1;
  }
  return sentences;
}

bool holds_answer(const Tokens& sentence, const EvalQuestion& question) {
  return std::any_of(question.answers.begin(), question.answers.end(),
                     [&](const std::string& gold) { return contains_tokens(sentence, answer_tokens(gold)); });
}

bool share_one(const std::vector<Tokens>& said, const std::vector<Tokens>& right) {
  return std::any_of(said.begin(), said.end(),
                     [&](const Tokens& one) { return std::find(right.begin(), right.end(), one) != right.end(); });
}

}  // namespace

QuoteScore score_quotes(std::string_view answer, const EvalQuestion& question) {
  QuoteScore score;
  const std::vector<Tokens> said = sentence_tokens(strip_citations(answer));
  for (const int passage : question.supporting) {
    std::vector<Tokens> right = sentence_tokens(question.contexts[static_cast<size_t>(passage)].text);
    std::erase_if(right, [&](const Tokens& sentence) { return !holds_answer(sentence, question); });
    const bool cites = share_one(cited_sentences(rag::words_citing(answer, passage + 1)), right);
    if (cites) score.cites = 1;
    if (cites || share_one(said, right)) score.quotes = 1;
  }
  return score;
}

}  // namespace mneme::app

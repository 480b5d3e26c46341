#include "app/eval/quote_metrics.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/eval/answer_metrics.h"
#include "rag/answering/citation_check.h"
#include "rag/quoting/sentences.h"

namespace mneme::app {
namespace {

// What stands before a citation, back to the one before or the line break, and the numbers it names; the rest of a line
// names none.
struct CitedText {
  std::string_view text;
  std::vector<int> numbers;
};

std::vector<CitedText> cited_texts(std::string_view answer) {
  std::vector<CitedText> texts;
  size_t begin = 0;
  for (size_t at = 0; at < answer.size();) {
    size_t end = at;
    std::vector<int> numbers;
    if (answer[at] == '[') numbers = rag::parse_citation(answer, end);
    if (numbers.empty() && answer[at] != '\n') {
      ++at;
      continue;
    }
    texts.push_back({answer.substr(begin, at - begin), std::move(numbers)});
    begin = at = std::max(end, at + 1);
  }
  texts.push_back({answer.substr(begin), {}});
  return texts;
}

using Tokens = std::vector<std::string>;

std::vector<Tokens> sentence_tokens(std::string_view text) {
  std::vector<Tokens> sentences;
  for (const rag::Sentence& sentence : rag::split_sentences(text))
    sentences.push_back(answer_tokens(text.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin)));
  return sentences;
}

bool holds_answer(const Tokens& sentence, const EvalQuestion& question) {
  return std::any_of(question.answers.begin(), question.answers.end(),
                     [&](const std::string& gold) { return contains_tokens(sentence, answer_tokens(gold)); });
}

void score_sentence(const Tokens& said, const std::vector<int>& numbers, const EvalQuestion& question,
                    QuoteScore& score) {
  if (!holds_answer(said, question)) return;
  for (const int passage : question.supporting) {
    const std::vector<Tokens> sentences = sentence_tokens(question.contexts[static_cast<size_t>(passage)].text);
    if (std::find(sentences.begin(), sentences.end(), said) == sentences.end()) continue;
    score.quotes = 1;
    if (std::find(numbers.begin(), numbers.end(), passage + 1) != numbers.end()) score.cites = 1;
  }
}

}  // namespace

QuoteScore score_quotes(std::string_view answer, const EvalQuestion& question) {
  QuoteScore score;
  for (const CitedText& cited : cited_texts(answer))
    for (const Tokens& said : sentence_tokens(cited.text)) score_sentence(said, cited.numbers, question, score);
  return score;
}

}  // namespace mneme::app

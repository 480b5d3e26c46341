#include "app/eval/eval_citations.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/random.h"
#include "rag/answering/citations/citation_check.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/sentences.h"

namespace mneme::app {
namespace {

constexpr int kDefaultChunks = 6;

// Where the answer comes from: the passage, the sentence and the words.
struct Source {
  int passage = 0;
  std::string sentence;
  std::string answer;
};

std::optional<Source> source_of(const EvalQuestion& question) {
  for (const int passage : question.supporting) {
    const std::string& text = question.contexts[static_cast<size_t>(passage)].text;
    for (const rag::Sentence& span : rag::split_sentences(text)) {
      const std::string_view sentence = std::string_view(text).substr(span.byte_begin, span.byte_end - span.byte_begin);
      for (const std::string& answer : question.answers) {
        if (sentence.find(answer) == std::string_view::npos) continue;
        return Source{passage, rag::plain_sentence(sentence), answer};
      }
    }
  }
  return std::nullopt;
}

bool is_marked(const std::string& words, int n, const EvalQuestion& question,
               const std::vector<std::string_view>& passages) {
  const std::string answer = words + " [" + std::to_string(n) + "]";
  return !rag::check_citations(answer, question.question, passages, false).unsupported.empty();
}

void count(const std::string& words, int right, int wrong, const EvalQuestion& question,
           const std::vector<std::string_view>& passages, CitationCounts& counts) {
  ++counts.right;
  counts.flagged += is_marked(words, right, question, passages) ? 1 : 0;
  ++counts.planted;
  counts.caught += is_marked(words, wrong, question, passages) ? 1 : 0;
}

}  // namespace

CitationScores evaluate_citations(const EvalSet& set, const EvalCorpus& corpus, int n_chunks, uint64_t seed,
                                  const std::function<void(size_t)>& each, const CancelToken& cancel) {
  CitationScores scores;
  Random random(seed);
  for (size_t i = 0; i < set.questions.size(); ++i) {
    if (cancel.cancelled()) {
      scores.interrupted = true;
      return scores;
    }
    const EvalQuestion question =
        pad_with_distractors(set.questions[i], corpus, n_chunks > 0 ? n_chunks : kDefaultChunks, seed);
    const std::optional<Source> source = source_of(question);
    const int n = static_cast<int>(question.contexts.size());
    if (source.has_value() && n > 1) {
      std::vector<std::string_view> passages;
      passages.reserve(question.contexts.size());
      for (const EvalContext& context : question.contexts) passages.push_back(context.text);
      const int step = 1 + static_cast<int>(random.below(static_cast<uint64_t>(n - 1)));
      const int wrong = (source->passage + step) % n + 1;
      count(source->sentence, source->passage + 1, wrong, question, passages, scores.sentence);
      count(source->answer, source->passage + 1, wrong, question, passages, scores.bare);
    }
    each(i);
  }
  return scores;
}

}  // namespace mneme::app

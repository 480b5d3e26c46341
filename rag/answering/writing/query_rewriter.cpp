#include "rag/answering/writing/query_rewriter.h"

#include <algorithm>
#include <set>

#include "engine/language_model.h"
#include "rag/answering/writing/generator.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kTurnsBack = 3;
constexpr size_t kMaxAnswerBytes = 600;  // of an earlier answer; its beginning says what it was about
constexpr int kMaxTokens = 64;
constexpr size_t kMaxBytes = 400;
constexpr double kKeptShare = 0.5;  // of the question's own words
constexpr size_t kOwnWords = 2;     // that the model may bring: grammar that is no stop word

constexpr std::string_view kTask =
    "Rewrite the last question so that it can be understood without the conversation. Give only the question.\n";

std::set<std::string> content_stems(std::string_view text) {
  std::set<std::string> stems;
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) {
    if (!is_stop_word(word.text)) stems.emplace(stem_of(word.text));
  }
  return stems;
}

std::string conversation(std::string_view question, std::span<const Turn> history) {
  std::string text(kTask);
  const size_t first = history.size() - std::min(history.size(), kTurnsBack);
  for (const Turn& turn : history.subspan(first)) {
    text += "\nQuestion: " + turn.question + "\nAnswer: " + turn.answer.substr(0, kMaxAnswerBytes) + "\n";
  }
  return text + "\nLast question: " + std::string(question);
}

Result<std::string> write(engine::LanguageModel& model, const std::string& task, const CancelToken& cancel) {
  const PromptLayout& layout = PromptLayout::embedded();
  MNEME_ASSIGN_OR_RETURN(const PromptFrame frame, prompt_frame(model.tokenizer(), model.chat_template(), layout));
  PromptRequest request;
  request.question = task;
  const int trained = model.config().context_length;
  request.budget_tokens = (trained > 0 ? trained : 4096) - kMaxTokens;
  MNEME_ASSIGN_OR_RETURN(const Prompt prompt, build_prompt(model.tokenizer(), frame, layout, request));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(prompt.n_tokens() + kMaxTokens));
  MNEME_RETURN_IF_ERROR(sequence->append(prompt.all_ids(), cancel));
  GenerateOptions options;
  options.max_tokens = kMaxTokens;
  options.max_thought_tokens = 0;  // a question is to be put, not thought about: the rules' will do
  options.thinking = frame.thinking;
  options.stop_text = "\n";
  MNEME_ASSIGN_OR_RETURN(const Generation generation, generate_answer(model, *sequence, options, {}, cancel));
  if (generation.finish == Finish::kInterrupted) return cancelled();
  std::string text = generation.text;
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace

bool is_trustworthy(std::string_view rewritten, std::string_view question, std::span<const Turn> history) {
  if (rewritten.empty() || rewritten.size() > kMaxBytes || rewritten.find('\n') != std::string_view::npos) return false;
  const std::set<std::string> asked = content_stems(question);
  const std::set<std::string> made = content_stems(rewritten);
  std::set<std::string> known = asked;
  for (const Turn& turn : history) {
    known.merge(content_stems(turn.question));
    known.merge(content_stems(turn.answer));
  }
  const auto own = static_cast<size_t>(
      std::count_if(made.begin(), made.end(), [&](const std::string& stem) { return !known.contains(stem); }));
  const auto kept = static_cast<double>(
      std::count_if(asked.begin(), asked.end(), [&](const std::string& stem) { return made.contains(stem); }));
  const bool adds =
      std::any_of(made.begin(), made.end(), [&](const std::string& stem) { return !asked.contains(stem); });
  return adds && own <= kOwnWords && kept >= kKeptShare * static_cast<double>(asked.size());
}

Result<std::string> rewritten_query(engine::LanguageModel& model, std::string_view question,
                                    std::span<const Turn> history, const CancelToken& cancel) {
  std::string by_rules = standalone_query(question, history);
  if (history.empty() || !is_follow_up(question)) return by_rules;
  const Result<std::string> written = write(model, conversation(question, history), cancel);
  if (written.status().code() == StatusCode::kCancelled) return written.status();
  return written.ok() && is_trustworthy(*written, question, history) ? *written : by_rules;
}

}  // namespace mneme::rag

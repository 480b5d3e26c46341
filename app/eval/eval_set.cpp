#include "app/eval/eval_set.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "app/eval/answer_metrics.h"
#include "base/hash.h"
#include "base/random.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxSetBytes = uint64_t{1} << 30;
constexpr uint64_t kTestSplitModulus = 5;

// Typed access that never throws: a missing or wrong field gives the default.
std::string text_field(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  return found->is_number() ? found->dump() : "";
}

bool bool_field(const json& object, const char* key, bool fallback) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() ? found->get<bool>() : fallback;
}

const json& array_field(const json& object, const char* key) {
  static const json kEmpty = json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kEmpty;
}

// A text by itself is a list of one.
std::vector<std::string> texts_field(const json& object, const char* key) {
  std::vector<std::string> texts;
  if (std::string alone = text_field(object, key); !alone.empty()) texts.push_back(std::move(alone));
  for (const json& element : array_field(object, key)) {
    if (element.is_string()) texts.push_back(element.get<std::string>());
  }
  return texts;
}

void add_unique(std::vector<std::string>& list, std::string text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

Result<EvalSet> parse_squad(std::string_view bytes, const std::string& name) {
  const json root = json::parse(bytes, nullptr, false);
  if (root.is_discarded() || !root.is_object() || !root.contains("data")) {
    return corruption(name + " is not a SQuAD file: it has no JSON object with `data`.");
  }
  EvalSet set{.name = name, .questions = {}};
  for (const json& article : array_field(root, "data")) {
    for (const json& paragraph : array_field(article, "paragraphs")) {
      const EvalContext context{.title = text_field(article, "title"), .text = text_field(paragraph, "context")};
      for (const json& qa : array_field(paragraph, "qas")) {
        EvalQuestion question{.id = text_field(qa, "id"),
                              .question = text_field(qa, "question"),
                              .contexts = {context},
                              .answers = {},
                              .supporting = {0},
                              .answerable = !bool_field(qa, "is_impossible", false)};
        for (const json& answer : array_field(qa, "answers")) add_unique(question.answers, text_field(answer, "text"));
        if (!question.answerable) question.supporting.clear();
        set.questions.push_back(std::move(question));
      }
    }
  }
  return set;
}

EvalQuestion jsonl_question(const json& record) {
  EvalQuestion question{.id = text_field(record, "id"),
                        .question = text_field(record, "question"),
                        .contexts = {},
                        .answers = texts_field(record, "answers"),
                        .supporting = {},
                        .answerable = bool_field(record, "answerable", true)};
  for (const json& context : array_field(record, "contexts")) {
    question.contexts.push_back({.title = text_field(context, "title"), .text = text_field(context, "text")});
  }
  for (const json& index : array_field(record, "supporting")) {
    if (!index.is_number_integer()) continue;
    const auto value = index.get<int64_t>();
    if (value >= 0 && value < static_cast<int64_t>(question.contexts.size())) {
      question.supporting.push_back(static_cast<int>(value));
    }
  }
  return question;
}

// MuSiQue (Trivedi et al. 2022): paragraphs with is_supporting, answer and aliases.
EvalQuestion musique_question(const json& record) {
  EvalQuestion question{.id = text_field(record, "id"),
                        .question = text_field(record, "question"),
                        .contexts = {},
                        .answers = {},
                        .supporting = {},
                        .answerable = bool_field(record, "answerable", true)};
  for (const json& paragraph : array_field(record, "paragraphs")) {
    if (bool_field(paragraph, "is_supporting", false)) {
      question.supporting.push_back(static_cast<int>(question.contexts.size()));
    }
    question.contexts.push_back(
        {.title = text_field(paragraph, "title"), .text = text_field(paragraph, "paragraph_text")});
  }
  add_unique(question.answers, text_field(record, "answer"));
  for (std::string& alias : texts_field(record, "answer_aliases")) add_unique(question.answers, std::move(alias));
  return question;
}

// LongChat's line retrieval (Li et al. 2023): one prompt whose last line asks, the rest is the context.
EvalQuestion longchat_question(const json& record) {
  const std::string prompt = text_field(record, "prompt");
  const size_t end = prompt.find_last_not_of(" \n\t");
  const size_t last_line = end == std::string::npos ? std::string::npos : prompt.rfind('\n', end);
  EvalQuestion question{.id = text_field(record, "test_id"),
                        .question = last_line == std::string::npos ? prompt : prompt.substr(last_line + 1),
                        .contexts = {},
                        .answers = {},
                        .supporting = {0},
                        .answerable = true};
  question.contexts.push_back(
      {.title = "context", .text = last_line == std::string::npos ? "" : prompt.substr(0, last_line)});
  add_unique(question.answers, text_field(record, "expected_number"));
  for (std::string& topic : texts_field(record, "topics")) {
    if (question.answers.empty()) add_unique(question.answers, std::move(topic));  // the first topic is asked for
  }
  return question;
}

Result<EvalSet> parse_lines(std::string_view bytes, EvalFormat format, const std::string& name) {
  EvalSet set{.name = name, .questions = {}};
  int line_number = 0;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json record = json::parse(line, nullptr, false);
    if (record.is_discarded() || !record.is_object()) {
      return corruption(name + " line " + std::to_string(line_number) + " is not a JSON object; is --format right?");
    }
    switch (format) {
      case EvalFormat::kMusique: set.questions.push_back(musique_question(record)); break;
      case EvalFormat::kLongchat: set.questions.push_back(longchat_question(record)); break;
      default: set.questions.push_back(jsonl_question(record)); break;
    }
    EvalQuestion& added = set.questions.back();
    if (added.question.empty()) {
      return corruption(name + " line " + std::to_string(line_number) + " has no question; is --format right?");
    }
    if (added.id.empty()) added.id = std::to_string(line_number);
  }
  return set;
}

std::optional<EvalFormat> format_of_line(std::string_view line) {
  const json record = json::parse(line, nullptr, false);
  if (!record.is_object()) return std::nullopt;
  if (record.contains("contexts")) return EvalFormat::kJsonl;
  if (record.contains("paragraphs")) return EvalFormat::kMusique;
  if (record.contains("prompt")) return EvalFormat::kLongchat;
  return std::nullopt;
}

EvalFormat guess_format(std::string_view bytes, const std::string& name) {
  if (const auto format = format_of_line(bytes.substr(0, bytes.find('\n')))) return *format;
  if (json::accept(bytes)) return EvalFormat::kSquad;
  // Perhaps a set of lines whose first is damaged: the others tell, and reading it will name the line.
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    if (const auto format = format_of_line(bytes.substr(begin, end - begin))) return *format;
    begin = end + 1;
  }
  return name.ends_with(".jsonl") ? EvalFormat::kJsonl : EvalFormat::kSquad;
}

bool holds_answer(const EvalContext& context, const std::vector<std::vector<std::string>>& answers) {
  const std::vector<std::string> tokens = answer_tokens(context.text);
  return std::any_of(answers.begin(), answers.end(), [&](const std::vector<std::string>& answer) {
    return !answer.empty() && std::search(tokens.begin(), tokens.end(), answer.begin(), answer.end()) != tokens.end();
  });
}

}  // namespace

Result<EvalFormat> parse_eval_format(std::string_view name) {
  if (name.empty() || name == "auto") return EvalFormat::kAuto;
  if (name == "squad") return EvalFormat::kSquad;
  if (name == "musique") return EvalFormat::kMusique;
  if (name == "longchat") return EvalFormat::kLongchat;
  if (name == "jsonl") return EvalFormat::kJsonl;
  return usage_error("there is no question set format " + std::string(name) +
                     "; choose squad, musique, longchat or jsonl.");
}

Result<EvalSet> parse_eval_set(std::string_view bytes, EvalFormat format, const std::string& name) {
  if (format == EvalFormat::kAuto) format = guess_format(bytes, name);
  Result<EvalSet> set = format == EvalFormat::kSquad ? parse_squad(bytes, name) : parse_lines(bytes, format, name);
  if (set.ok() && set->questions.empty()) return corruption(name + " holds no questions.");
  return set;
}

Result<EvalSet> load_eval_set(const std::string& path, EvalFormat format) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         storage::read_whole(storage::FileEnv::posix(), path, kMaxSetBytes));
  MNEME_ASSIGN_OR_RETURN(EvalSet set, parse_eval_set(as_text(bytes), format, path));
  set.name = std::filesystem::path(path).filename().string();
  set.content = xxh3_128(bytes).hex();
  return set;
}

bool is_test_title(std::string_view title) {
  return xxh64(as_bytes(title)) % kTestSplitModulus == 0;
}

std::string_view split_title(const EvalQuestion& question) {
  if (!question.supporting.empty()) return question.contexts[static_cast<size_t>(question.supporting.front())].title;
  return question.contexts.empty() ? std::string_view(question.id) : question.contexts.front().title;
}

EvalCorpus corpus_of(const EvalSet& set) {
  EvalCorpus corpus;
  std::unordered_map<std::string_view, int> known;  // views into `set`
  for (const EvalQuestion& question : set.questions) {
    std::vector<int> ids;
    for (const EvalContext& context : question.contexts) {
      const auto [place, added] = known.try_emplace(context.text, static_cast<int>(corpus.documents.size()));
      if (added) corpus.documents.push_back(context);
      ids.push_back(place->second);
    }
    std::vector<int>& relevant = corpus.relevant.emplace_back();
    for (const int index : question.supporting) relevant.push_back(ids[static_cast<size_t>(index)]);
  }
  return corpus;
}

EvalQuestion pad_with_distractors(const EvalQuestion& question, const EvalCorpus& corpus, int n_chunks, uint64_t seed) {
  Random random(seed ^ xxh64(as_bytes(question.id)));
  const auto wanted = static_cast<size_t>(std::max(0, n_chunks));
  std::vector<std::pair<EvalContext, bool>> chosen;  // context, supporting
  for (size_t i = 0; i < question.contexts.size(); ++i) {
    const bool supporting = std::find(question.supporting.begin(), question.supporting.end(), static_cast<int>(i)) !=
                            question.supporting.end();
    chosen.emplace_back(question.contexts[i], supporting);
  }
  for (size_t i = chosen.size(); i-- > 0 && chosen.size() > wanted;) {
    if (!chosen[i].second) chosen.erase(chosen.begin() + static_cast<ptrdiff_t>(i));
  }
  std::vector<std::vector<std::string>> answers;
  for (const std::string& answer : question.answers) answers.push_back(answer_tokens(answer));
  // A corpus too small or too full of the answer gives fewer distractors rather than looking for ever.
  for (size_t tries = 0; chosen.size() < wanted && !corpus.documents.empty() && tries < 20 * wanted; ++tries) {
    const EvalContext& candidate = corpus.documents[random.below(corpus.documents.size())];
    const bool known =
        std::any_of(chosen.begin(), chosen.end(), [&](const auto& one) { return one.first.text == candidate.text; });
    if (known || holds_answer(candidate, answers)) continue;
    chosen.insert(chosen.begin() + static_cast<ptrdiff_t>(random.below(chosen.size() + 1)), {candidate, false});
  }
  EvalQuestion padded = question;
  padded.contexts.clear();
  padded.supporting.clear();
  for (auto& [context, supporting] : chosen) {
    if (supporting) padded.supporting.push_back(static_cast<int>(padded.contexts.size()));
    padded.contexts.push_back(std::move(context));
  }
  return padded;
}

}  // namespace mneme::app

#include "app/eval/eval_answers.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/eval/answer_metrics.h"
#include "app/eval/codec_answerer.h"
#include "app/eval/quote_metrics.h"
#include "app/output/result_file.h"
#include "engine/transformer/distribution.h"
#include "rag/answering/map_answering.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/workspace.h"
#include "storage/env/page_cache.h"

namespace mneme::app {
namespace {

using nlohmann::json;

// What the prompt layout trains a model to say when the documents hold no answer, in its short and long form.
constexpr const char* kNoAnswers[] = {"not in the documents", "The documents do not say."};

bool says_no(const std::string& answer) {
  const std::vector<std::string> tokens = answer_tokens(answer);
  for (const char* no : kNoAnswers) {
    if (tokens == answer_tokens(no)) return true;
  }
  return false;
}

rag::AskOptions ask_options(const EvalQuestion& question, const EvalLane& lane, const EvalAnswerOptions& options) {
  rag::AskOptions ask;
  for (const EvalContext& context : question.contexts) {
    ask.passages.push_back({.title = context.title, .text = context.text, .document = ""});
  }
  ask.short_answer = !options.long_answers;
  ask.mode = lane.mode;
  ask.recompute_ratio = lane.recompute_ratio;
  ask.full_layers = lane.full_layers;
  ask.selector = lane.selector;
  ask.retrieval = lane.retrieval;
  ask.kv_level = options.kv_level;
  ask.max_tokens = options.max_tokens;
  ask.seed = options.seed;
  ask.wants_logits = true;
  // The space is that between the header and an answer.
  if (lane.kind == LaneKind::kOnePrompt && !question.answers.empty()) ask.score_text = " " + question.answers.front();
  return ask;
}

AnswerRecord score(const EvalQuestion& question, const rag::Answer& answer, bool long_answers) {
  AnswerRecord record;
  const std::string text = strip_citations(answer.text);
  record.refused = !answer.in_documents || says_no(text);
  AnswerScore score;
  if (question.answerable) {
    score = score_answer(text, question.answers);
  } else {
    const double right = record.refused ? 1.0 : 0.0;
    score = {.em = right, .f1 = right, .contains = right, .rouge_l = right};
  }
  record.em = score.em;
  record.f1 = score.f1;
  record.contains = score.contains;
  record.rouge_l = score.rouge_l;
  const std::string first = text.substr(0, text.find('\n'));
  record.contains_first = question.answerable ? score_answer(first, question.answers).contains : score.contains;
  if (long_answers && question.answerable) {
    const QuoteScore quoted = score_quotes(answer.text, question);
    record.quotes = quoted.quotes;
    record.cites = quoted.cites;
  }
  if (answer.brief) {
    record.likely = answer.brief->probability;
    if (answer.brief->stated) record.stated_right = score_answer(answer.brief->text, question.answers).contains;
  }
  record.ttft_ms = answer.timing.ttft;
  record.recompute_ratio = answer.cache.recompute_ratio;
  record.bytes_read = answer.cache.bytes_read;
  record.bytes_fp16 = answer.cache.bytes_fp16;
  record.nll = answer.score_nll;
  record.answer = answer.text;
  return record;
}

// One run over a set.
class Evaluation {
 public:
  Evaluation(rag::Workspace& workspace, const EvalAnswerOptions& options, const CancelToken& cancel)
      : workspace_(workspace), options_(options), cancel_(cancel), others_(workspace), prefix_(workspace) {}

  // Before the first question, where lanes go through codecs.
  Status prepare() {
    if (options_.codecs.empty()) return {};
    MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, workspace_.model());
    if (model == nullptr) return usage_error("there is no language model whose KV could be coded; give --model M.");
    MNEME_ASSIGN_OR_RETURN(coded_, CodecAnswerer::make(*model, options_.codecs, cancel_));
    return {};
  }

  // One record per lane; empty when interrupted.
  Result<std::vector<AnswerRecord>> ask(const EvalQuestion& question) {
    const Status stored = store_passages(question);
    if (stored.code() == StatusCode::kCancelled) return std::vector<AnswerRecord>{};
    MNEME_RETURN_IF_ERROR(stored);
    std::vector<AnswerRecord> records;
    std::vector<std::vector<float>> logits;
    size_t full = options_.lanes.size();
    for (size_t i = 0; i < options_.lanes.size(); ++i) {
      const EvalLane& lane = options_.lanes[i];
      Result<rag::Answer> answer = ask(question, lane);
      const bool stopped = cancel_.cancelled() || answer.status().code() == StatusCode::kCancelled;
      if (stopped || (answer.ok() && answer->finish == rag::Finish::kInterrupted)) return std::vector<AnswerRecord>{};
      if (!answer.ok()) return answer.status().with_context("question " + question.id + ", " + lane.name + ": ");
      for (const std::string& note : answer->notes) notes_.insert(note);
      records.push_back(score(question, *answer, options_.long_answers));
      logits.push_back(std::move(answer->first_logits));
      if (lane.is_full() && full == options_.lanes.size()) full = i;
    }
    if (full < records.size()) add_distances(logits, full, records);
    return records;
  }

  const std::set<std::string>& notes() const { return notes_; }

 private:
  Result<rag::Answer> ask(const EvalQuestion& question, const EvalLane& lane) {
    const rag::AskOptions ask = ask_options(question, lane, options_);
    if (options_.cold && lane.reuses()) MNEME_RETURN_IF_ERROR(forget_stored());
    if (lane.codec) return coded_->ask(*lane.codec, question.question, ask, cancel_);
    if (lane.kind != LaneKind::kOnePrompt) {
      const auto kind = lane.kind == LaneKind::kMapReduce ? rag::MapKind::kReduce : rag::MapKind::kRerank;
      return rag::ask_by_map(others_, kind, question.question, ask, cancel_);
    }
    // The prefix lane has a sequence of its own: it may find what its last question left, not what other lanes did.
    rag::Answerer& answerer = lane.mode == rag::AnswerMode::kPrefix ? prefix_ : others_;
    return answerer.ask(question.question, ask, {}, cancel_);
  }

  // Stored KV is read from the disk again.
  Status forget_stored() const {
    const rag::WorkspaceOptions& home = workspace_.options();
    MNEME_RETURN_IF_ERROR(storage::drop_cached_pages(home.home + "/kv"));
    for (const std::string& root : home.kv.roots) MNEME_RETURN_IF_ERROR(storage::drop_cached_pages(root));
    return {};
  }

  Status store_passages(const EvalQuestion& question) {
    const bool any =
        std::any_of(options_.lanes.begin(), options_.lanes.end(), [](const auto& l) { return l.reuses(); });
    if (!any || workspace_.model_name() == "none") return {};
    const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options_.kv_level);
    if (!level) return usage_error("unknown KV level " + options_.kv_level + "; there are exact, high, medium, low.");
    MNEME_ASSIGN_OR_RETURN(const rag::Workspace::Kv kv, workspace_.kv());
    for (const EvalContext& context : question.contexts) {
      const rag::ChunkTokens tokens = kv.library->tokens_of(context.text);
      if (tokens.ids.empty() || kv.library->contains(tokens, *level)) continue;
      MNEME_RETURN_IF_ERROR(kv.library->compute(tokens, *level, cancel_));
    }
    return {};
  }

  // Of the lanes over the same prompt.
  void add_distances(const std::vector<std::vector<float>>& logits, size_t full,
                     std::vector<AnswerRecord>& records) const {
    for (size_t i = 0; i < records.size(); ++i) {
      if (options_.lanes[i].kind != LaneKind::kOnePrompt) continue;
      if (logits[full].empty() || logits[i].size() != logits[full].size()) continue;
      records[i].kl_full = engine::compare_distributions(logits[full], logits[i]).kl;
    }
  }

  rag::Workspace& workspace_;
  const EvalAnswerOptions& options_;
  const CancelToken& cancel_;
  rag::Answerer others_;
  rag::Answerer prefix_;
  std::unique_ptr<CodecAnswerer> coded_;
  std::set<std::string> notes_;
};

std::optional<std::vector<AnswerRecord>> known_records(const ResultFile& kept, const std::string& key, size_t n_lanes) {
  const json* known = kept.find(key);
  if (known == nullptr || !known->is_array() || known->size() != n_lanes) return std::nullopt;
  std::vector<AnswerRecord> records;
  for (const json& record : *known) records.push_back(AnswerRecord::from_json(record));
  return records;
}

json records_json(const std::vector<AnswerRecord>& records) {
  json list = json::array();
  for (const AnswerRecord& record : records) list.push_back(record.to_json());
  return list;
}

double number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::optional<double> optional_number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

json or_null(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

json AnswerRecord::to_json() const {
  return {{"em", em},
          {"f1", f1},
          {"contains", contains},
          {"contains_first", contains_first},
          {"rouge_l", rouge_l},
          {"quotes", or_null(quotes)},
          {"cites", or_null(cites)},
          {"likely", or_null(likely)},
          {"stated_right", or_null(stated_right)},
          {"ttft_ms", or_null(ttft_ms)},
          {"recompute_ratio", recompute_ratio},
          {"bytes_read", bytes_read},
          {"bytes_fp16", bytes_fp16},
          {"refused", refused},
          {"nll", or_null(nll)},
          {"kl_full", or_null(kl_full)},
          {"answer", answer}};
}

AnswerRecord AnswerRecord::from_json(const json& object) {
  AnswerRecord record;
  if (!object.is_object()) return record;
  record.em = number(object, "em");
  record.f1 = number(object, "f1");
  record.contains = number(object, "contains");
  record.contains_first = number(object, "contains_first");
  record.rouge_l = number(object, "rouge_l");
  record.quotes = optional_number(object, "quotes");
  record.cites = optional_number(object, "cites");
  record.likely = optional_number(object, "likely");
  record.stated_right = optional_number(object, "stated_right");
  record.ttft_ms = optional_number(object, "ttft_ms");
  record.recompute_ratio = number(object, "recompute_ratio");
  record.bytes_read = static_cast<int64_t>(number(object, "bytes_read"));
  record.bytes_fp16 = static_cast<int64_t>(number(object, "bytes_fp16"));
  record.refused = object.contains("refused") && object["refused"] == true;
  record.nll = optional_number(object, "nll");
  record.kl_full = optional_number(object, "kl_full");
  if (object.contains("answer") && object["answer"].is_string()) record.answer = object["answer"].get<std::string>();
  return record;
}

int64_t EvalAnswerResult::unanswerable() const {
  return std::count(answerable.begin(), answerable.end(), false);
}

Result<EvalAnswerResult> evaluate_answers(rag::Workspace& workspace, const EvalSet& set, const EvalCorpus& corpus,
                                          const EvalAnswerOptions& options, ResultFile& kept,
                                          const std::function<void(size_t)>& each, const CancelToken& cancel) {
  EvalAnswerResult result;
  result.lanes.resize(options.lanes.size());
  Evaluation evaluation(workspace, options, cancel);
  MNEME_RETURN_IF_ERROR(evaluation.prepare());
  std::map<std::string, int> seen;
  for (size_t i = 0; i < set.questions.size(); ++i) {
    // Ids of public sets are not always unique.
    const std::string key = set.questions[i].id + "#" + std::to_string(seen[set.questions[i].id]++);
    std::optional<std::vector<AnswerRecord>> records = known_records(kept, key, options.lanes.size());
    if (!records) {
      const EvalQuestion question = options.n_chunks > 0
                                        ? pad_with_distractors(set.questions[i], corpus, options.n_chunks, options.seed)
                                        : set.questions[i];
      MNEME_ASSIGN_OR_RETURN(records, evaluation.ask(question));
      if (records->empty()) {
        result.interrupted = true;
        break;
      }
      MNEME_RETURN_IF_ERROR(kept.add(key, records_json(*records)));
    }
    // Only now, so that an interrupted question counts for no lane.
    for (size_t lane = 0; lane < records->size(); ++lane) result.lanes[lane].push_back(std::move((*records)[lane]));
    result.answerable.push_back(set.questions[i].answerable);
    each(i);
  }
  result.notes.assign(evaluation.notes().begin(), evaluation.notes().end());
  return result;
}

}  // namespace mneme::app

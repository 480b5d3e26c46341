#include "rag/kv_reuse/quality_gate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/trace.h"
#include "engine/fusion/fuser.h"
#include "engine/kv/chunk_kv.h"
#include "engine/kv/memory_source.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "rag/kv_reuse/loading_controller.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/prompt/turn.h"
#include "rag/text/languages/notes.h"

namespace mneme::rag {
namespace {

using engine::TokenId;
using nlohmann::json;

// Ratios that are tried, the published r* first. Beyond the last little time is saved.
constexpr std::array kTriedRatios{0.15, 0.3, 0.5};

// At r*, depths of first layers in full: measure_full_layers().
constexpr size_t kTriedDepths = 2;

// Tokens of the full answer that are compared, the first one included.
constexpr int kPositions = 8;

// Longest passage of a probe in tokens, far above the built-in ones for any tokenizer in use.
constexpr int kMaxPassageTokens = 1024;

constexpr int kFormat = 1;

std::string printed(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

const std::vector<GateProbe>& probes() {
  static const std::vector<GateProbe> kProbes = {
      {{"The harbour of Lindholm was built in 1871 after a storm had destroyed the wooden piers. Two stone moles keep "
        "the swell out, and the ferry to the islands leaves from the northern one every morning at half past six.",
        "It is closed to ships of more than ninety metres. The pilot who brings larger ones to the roads outside is "
        "Marta Ekwall, who has held the post for twenty years.",
        "Visitors reach the town by rail. The station lies behind the fish market, ten minutes on foot from the quay, "
        "and luggage may be left there until nine in the evening."},
       "When was the harbour of Lindholm built?"},
      {{"Professor Adaeze Obi leads the laboratory for marine sensors. Her group designed the buoy that has drifted "
        "off the cape since spring and reports temperature and salt every quarter of an hour.",
        "Before that she worked in Trieste, where she wrote the handbook that students still use. She keeps bees and "
        "plays the cello in the university orchestra.",
        "The buoy runs on a small wind wheel. When the wind fails for more than four days, its battery is empty and "
        "the station on land sends a warning to the group."},
       "Where did the leader of the laboratory for marine sensors work before?"},
      {{"The contract was signed on 3 March. It obliges the supplier to deliver 400 pumps in five lots, the first of "
        "them six weeks after signing and the others at intervals of one month.",
        "If a lot is late by more than ten days, the buyer may deduct two per cent of its price. This does not apply "
        "where a strike or a flood has held the goods up.",
        "Disputes go to the court at the seat of the buyer, which is Graz. Changes of the contract need the signature "
        "of both parties."},
       "How many pumps does the supplier have to deliver?"},
      {{"To reset the device hold the red button for five seconds until the lamp blinks twice. All settings return to "
        "those of the factory; recordings on the card are kept.",
        "The blue button next to it starts a recording. A second press ends it, and a long press deletes the last one "
        "after a question on the display.",
        "The card is formatted in the menu under Storage. Cards of up to 128 gigabytes are supported; larger ones are "
        "recognised but only their first part is used."},
       "What does the blue button do?"},
  };
  return kProbes;
}

// The distributions a prompt leads to: of its first token, and of each after the forced ones before it.
using Distributions = std::vector<std::vector<float>>;

Distributions rows_of(std::span<const float> first, std::span<const float> rest, size_t vocab_size) {
  Distributions rows{{first.begin(), first.end()}};
  for (size_t at = 0; at + vocab_size <= rest.size(); at += vocab_size) {
    const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(at);
    rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(vocab_size));
  }
  return rows;
}

class Gate {
 public:
  Gate(engine::LanguageModel& model, const engine::KvCodec& codec, const engine::Selector& selector,
       const CancelToken& cancel, const MeasureProgress& progress)
      : model_(model), codec_(codec), selector_(selector), cancel_(cancel), progress_(progress) {}

  // Prompts, full answers and the chunks' KV of all probes.
  Status prepare() {
    const PromptLayout& layout = PromptLayout::embedded();
    MNEME_ASSIGN_OR_RETURN(const PromptFrame frame, prompt_frame(model_.tokenizer(), model_.chat_template(), layout));
    const int context = model_.config().context_length > 0 ? model_.config().context_length : 2048;
    for (const GateProbe& probe : gate_probes()) {
      PromptRequest request;
      for (const std::string_view passage : probe.passages) request.passages.push_back({"probe", passage});
      request.question = std::string(probe.question);
      request.budget_tokens = context - kPositions;
      MNEME_ASSIGN_OR_RETURN(Prompt prompt, build_prompt(model_.tokenizer(), frame, layout, request));
      if (!prompt.notes.empty()) return unsupported("the model's context is too short to measure its caches");
      MNEME_RETURN_IF_ERROR(add(std::move(prompt)));
      step_done();
    }
    return {};
  }

  Result<GateTrial> measure(double ratio, int n_full_layers, const GateBar& bar, int& positions) {
    GateTrial trial{.ratio = ratio};
    positions = 0;
    for (Case& one : cases_) {
      MNEME_ASSIGN_OR_RETURN(const Distributions blended, blend(one, ratio, n_full_layers));
      for (size_t i = 0; i < blended.size(); ++i) {
        const engine::DistributionDistance distance = engine::compare_distributions(one.full[i], blended[i]);
        trial.kl += distance.kl;
        trial.greedy_match += distance.same_top ? 1.0 : 0.0;
        ++positions;
      }
      step_done();
    }
    trial.kl /= std::max(positions, 1);
    trial.greedy_match /= std::max(positions, 1);
    // Written so that a NaN fails.
    trial.passed = positions > 0 && trial.kl <= bar.kl && trial.greedy_match >= bar.greedy_match;
    return trial;
  }

 private:
  struct Case {
    Prompt prompt;
    engine::MemoryKvSource source;
    std::vector<TokenId> forced;  // the full answer's tokens
    Distributions full;
  };

  Status add(Prompt prompt) {
    Case one{.prompt = std::move(prompt), .source = engine::MemoryKvSource(), .forced = {}, .full = {}};
    MNEME_RETURN_IF_ERROR(answer_in_full(one));
    if (calculator_ == nullptr) {
      MNEME_ASSIGN_OR_RETURN(calculator_,
                             engine::ChunkKvCalculator::make(model_, one.prompt.prefix, kMaxPassageTokens));
    }
    for (engine::PromptSegment& segment : one.prompt.plan.segments) {
      if (segment.chunk < 0) continue;
      MNEME_ASSIGN_OR_RETURN(const engine::ChunkKv kv, calculator_->calculate(segment.ids, cancel_));
      const Result<int> added = one.source.add(kv, codec_);
      const bool is_not_stored = added.status().code() == StatusCode::kUnsupported;  // so answers compute it too
      if (!added.ok() && !is_not_stored) return added.status();
      segment.chunk = is_not_stored ? -1 : *added;
    }
    cases_.push_back(std::move(one));
    return {};
  }

  // Of a probe: its answer and KV, or one trial. Fewer are taken where the first trials pass.
  void step_done() {
    const auto most = static_cast<double>(gate_probes().size() * (1 + kTriedRatios.size() + kTriedDepths));
    ++n_steps_done_;
    if (progress_) progress_(std::min(1.0, n_steps_done_ / most));
  }

  Result<std::unique_ptr<engine::Sequence>> new_sequence(const Case& one) {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Sequence> sequence,
                           model_.new_sequence(one.prompt.n_tokens() + kPositions));
    sequence->set_priority(engine::Priority::kBackground);
    return sequence;
  }

  Status answer_in_full(Case& one) {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence, new_sequence(one));
    MNEME_RETURN_IF_ERROR(sequence->append(one.prompt.all_ids(), cancel_));
    for (int i = 0;; ++i) {
      one.full.emplace_back(sequence->logits().begin(), sequence->logits().end());
      const auto top = std::max_element(one.full.back().begin(), one.full.back().end());
      const auto token = static_cast<TokenId>(top - one.full.back().begin());
      if (i + 1 == kPositions || model_.tokenizer().is_end_of_generation(token)) return {};
      one.forced.push_back(token);
      MNEME_RETURN_IF_ERROR(sequence->append(std::span(&token, 1), cancel_));
    }
  }

  Result<Distributions> blend(Case& one, double ratio, int n_full_layers) {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence, new_sequence(one));
    if (!one.prompt.prefix.empty()) MNEME_RETURN_IF_ERROR(sequence->append(one.prompt.prefix, cancel_));
    engine::FuseOptions options;
    options.selector = selector_;
    options.ratio = ratio;
    options.priority = engine::Priority::kBackground;
    options.n_full_layers = n_full_layers;
    MNEME_ASSIGN_OR_RETURN(const engine::FuseReport report, engine::fuse(model_, *sequence, one.prompt.plan, one.source,
                                                                         one.source.codecs(), options, cancel_));
    if (!report.failures.empty()) return report.failures.front();
    const std::vector<float> first(sequence->logits().begin(), sequence->logits().end());
    std::vector<float> rest;
    if (!one.forced.empty()) MNEME_RETURN_IF_ERROR(sequence->append_with_logits(one.forced, rest, cancel_));
    return rows_of(first, rest, first.size());
  }

  engine::LanguageModel& model_;
  const engine::KvCodec& codec_;
  const engine::Selector& selector_;
  const CancelToken& cancel_;
  const MeasureProgress& progress_;
  int n_steps_done_ = 0;
  std::unique_ptr<engine::ChunkKvCalculator> calculator_;
  std::vector<Case> cases_;
};

double number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

// A count that nobody would believe is none.
int count(const json& object, const char* key) {
  const double value = number(object, key);
  return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
}

bool is_saved_gate(const json& object) {
  if (!object.is_object() || !object.contains("format") || !object.contains("trials")) return false;
  return object["format"] == kFormat && object["trials"].is_array() && !object["trials"].empty();
}

// What a run of the gate can have written: a share of rows. NaN is none.
bool is_saved_trial(const json& trial) {
  if (!trial.is_object()) return false;
  const double ratio = number(trial, "ratio");
  return ratio >= 0 && ratio <= 1;
}

json json_of(const GateTrial& trial) {
  // JSON has no NaN: it becomes null, and comes back as one.
  return {{"ratio", trial.ratio},
          {"kl", std::isfinite(trial.kl) ? json(trial.kl) : json(nullptr)},
          {"greedy_match", trial.greedy_match},
          {"passed", trial.passed}};
}

GateTrial trial_of(const json& saved) {
  return {.ratio = number(saved, "ratio"),
          .kl = number(saved, "kl"),
          .greedy_match = number(saved, "greedy_match"),
          .passed = saved.contains("passed") && saved["passed"] == true};
}

// At the depths between which the loading controller chooses.
Result<std::optional<GateTrial>> measure_full_layers(Gate& gate, int n_layers, double ratio, const GateBar& bar) {
  std::optional<GateTrial> worse;
  const int most = most_full_layers(n_layers);
  for (const int depth : std::array<int, kTriedDepths>{(most + 1) / 2, most}) {
    if (depth == 0 || (worse && !worse->passed)) break;
    int positions = 0;
    MNEME_ASSIGN_OR_RETURN(const GateTrial trial, gate.measure(ratio, depth, bar, positions));
    if (!worse || !trial.passed || trial.kl > worse->kl) worse = trial;
  }
  return worse;
}

}  // namespace

std::span<const GateProbe> gate_probes() {
  return probes();
}

bool GateReport::is_whole(int n_layers) const {
  return !passed() || full_layers || most_full_layers(n_layers) == 0;
}

std::string GateReport::refusal(std::string_view question) const {
  if (trials.empty()) return note_for(question, &NoteTexts::caches_not_measured);
  const GateTrial& last = trials.back();
  return note_for(question, &NoteTexts::caches_differ,
                  {{"kl", printed("%.3g", last.kl)},
                   {"percent", printed("%.0f", last.greedy_match * 100)},
                   {"share", printed("%g", last.ratio)}});
}

std::string GateReport::to_json() const {
  json list = json::array();
  for (const GateTrial& trial : trials) list.push_back(json_of(trial));
  json saved{{"format", kFormat}, {"positions", positions}, {"trials", std::move(list)}};
  if (full_layers) saved["full_layers"] = json_of(*full_layers);
  return saved.dump();
}

Result<GateReport> GateReport::parse(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  const Status damaged = corruption("a saved quality gate cannot be read; it will be measured again");
  if (!is_saved_gate(object)) return damaged;
  GateReport report;
  report.positions = count(object, "positions");
  for (const json& trial : object["trials"]) {
    if (!is_saved_trial(trial)) return damaged;
    report.trials.push_back(trial_of(trial));
  }
  if (object.contains("full_layers")) {
    if (!is_saved_trial(object["full_layers"])) return damaged;
    report.full_layers = trial_of(object["full_layers"]);
  }
  return report;
}

Result<GateReport> measure_gate(engine::LanguageModel& model, const engine::KvCodec& codec,
                                const engine::Selector& selector, const GateBar& bar, const CancelToken& cancel,
                                const MeasureProgress& progress) {
  const trace::Span span("quality gate", "kv");
  Gate gate(model, codec, selector, cancel, progress);
  MNEME_RETURN_IF_ERROR(gate.prepare());
  GateReport report;
  for (const double ratio : kTriedRatios) {
    MNEME_ASSIGN_OR_RETURN(const GateTrial trial, gate.measure(ratio, 0, bar, report.positions));
    report.trials.push_back(trial);
    if (trial.passed) break;
  }
  if (report.passed()) {
    MNEME_ASSIGN_OR_RETURN(report.full_layers,
                           measure_full_layers(gate, model.config().n_kv_layers(), report.least_ratio(), bar));
  }
  return report;
}

}  // namespace mneme::rag

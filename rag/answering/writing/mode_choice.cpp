#include "rag/answering/writing/mode_choice.h"

#include <algorithm>
#include <optional>

#include "engine/language_model.h"
#include "rag/kv_reuse/fusing_prefiller.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

// Calibration and gate run some 15,000 tokens: more than a question should wait for when the processor does it with a
// model of this size. Registering the model does it then.
constexpr int64_t kMeasuredWithinAQuestionBytes = int64_t{1} << 30;

bool is_reusing(AnswerMode mode) {
  return mode == AnswerMode::kReuse || mode == AnswerMode::kBlend;
}

Result<engine::KvLevel> level_of(const std::string& name) {
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(name);
  if (level) return *level;
  return usage_error("unknown KV level " + name + "; there are exact, high, medium, low");
}

// Everything is computed; in a chat, behind what is there already, which is as exact.
AnswerMode exact_mode(const AskOptions& options) {
  return options.chat != nullptr ? AnswerMode::kPrefix : AnswerMode::kFull;
}

bool measured_too_slowly(engine::LanguageModel& model) {
  return model.backend().name() == "cpu" && model.weight_bytes() > kMeasuredWithinAQuestionBytes;
}

// With a time goal, the coarser levels that caches are stored at are asked about too; the share that all of them need
// is repaired.
Status ask_coarser_gates(KvLibrary& library, engine::KvLevel level, const Asked& asked, ModeChoice& choice) {
  for (size_t i = 0; i < choice.levels.size(); ++i) choice.levels[i] = i <= static_cast<size_t>(level);
  for (const engine::KvLevel coarser : library.levels_beside(level)) {
    if (coarser <= level) continue;
    std::optional<GateReport> gate = library.saved_gate(coarser);
    if (!gate && measured_too_slowly(library.model())) continue;
    if (!gate) {
      asked.stage("measuring");
      MNEME_ASSIGN_OR_RETURN(gate, library.gate(coarser, asked.cancel));
    }
    if (!gate->passed()) continue;
    choice.levels[static_cast<size_t>(coarser)] = true;
    choice.least_ratio = std::max(choice.least_ratio, gate->least_ratio());
  }
  return {};
}

// Blending as the gate allows it.
Result<ModeChoice> ask_gate(KvLibrary& library, engine::KvLevel level, const Asked& asked) {
  const AskOptions& options = asked.options;
  ModeChoice choice{.mode = exact_mode(options)};
  std::optional<GateReport> gate = library.saved_gate(level);
  if (!gate && library.is_measuring()) {
    choice.notes.push_back(note_for(asked.question, &NoteTexts::being_tried_out));
    return choice;
  }
  if (gate && !gate->is_whole(library.model().config().n_kv_layers()) && !measured_too_slowly(library.model()))
    gate.reset();
  if (!gate && measured_too_slowly(library.model())) {
    choice.notes.push_back(note_for(asked.question, &NoteTexts::caches_not_measured));
    return choice;
  }
  if (!gate) asked.stage("measuring");
  if (!gate) {
    Result<GateReport> measured = library.gate(level, asked.cancel);
    if (!measured.ok()) return measured.status();
    gate = std::move(measured).value();
  }
  if (!gate->passed()) {
    choice.notes.push_back(gate->refusal(asked.question));
    return choice;
  }
  choice.mode = AnswerMode::kBlend;
  choice.least_ratio = gate->least_ratio();
  choice.computes_first_layers = gate->passed_full_layers();
  if (options.first_token_goal_ms) {
    MNEME_RETURN_IF_ERROR(ask_coarser_gates(library, level, asked, choice));
  }
  return choice;
}

}  // namespace

Result<ModeChoice> choose_mode(Workspace& workspace, engine::LanguageModel& model, const Asked& asked) {
  const AskOptions& options = asked.options;
  MNEME_ASSIGN_OR_RETURN(const engine::KvLevel level, level_of(options.kv_level));
  if (options.mode && !is_reusing(*options.mode)) return ModeChoice{.mode = *options.mode};
  const bool asked_for = options.mode.has_value() || options.recompute_ratio.has_value();
  const Result<Workspace::Kv> kv = workspace.kv();
  const Status usable = kv.ok() ? Status() : kv.status();
  if (!usable.ok() && asked_for) return usable;
  if (!usable.ok()) return ModeChoice{.mode = exact_mode(options), .notes = {usable.message()}};
  KvLibrary& library = *kv->library;
  const bool overridden = options.recompute_ratio.has_value() || options.mode == AnswerMode::kReuse;
  if (overridden) {
    MNEME_RETURN_IF_ERROR(library.codec(level, asked.cancel).status());
    return ModeChoice{.mode = options.mode.value_or(AnswerMode::kBlend)};
  }
  Result<ModeChoice> choice = ask_gate(library, level, asked);
  if (!choice.ok()) {
    // Stopped: the answer itself will say so. Otherwise caches cannot be had, or not be judged.
    const bool stopped = choice.status().code() == StatusCode::kCancelled;
    return ModeChoice{.mode = exact_mode(options),
                      .notes = stopped ? std::vector<std::string>{} : std::vector{choice.status().message()}};
  }
  if (choice->mode == AnswerMode::kBlend && !library.speed().profile().measured() && !measured_too_slowly(model)) {
    asked.stage("measuring");
    // Without a profile the controller keeps to r* and loads what there is.
    static_cast<void>(library.speed().prepare(asked.cancel));
  }
  return choice;
}

Result<std::unique_ptr<Prefiller>> prefiller_for(Workspace& workspace, const ModeChoice& choice,
                                                 std::optional<double> seconds_left) {
  if (choice.mode == AnswerMode::kFull || choice.mode == AnswerMode::kPrefix) {
    return make_append_prefiller(choice.mode == AnswerMode::kPrefix);
  }
  MNEME_ASSIGN_OR_RETURN(const Workspace::Kv kv, workspace.kv());
  FusingOptions options;
  options.repairs = choice.mode == AnswerMode::kBlend;
  options.least_ratio = choice.least_ratio;
  options.computes_first_layers = choice.computes_first_layers;
  options.seconds_left = seconds_left;
  options.goal_levels = choice.levels;
  return std::unique_ptr<Prefiller>(std::make_unique<FusingPrefiller>(*kv.library, *kv.background, std::move(options)));
}

bool are_caches_prepared(Workspace& workspace, const std::string& kv_level) {
  const Result<engine::KvLevel> level = level_of(kv_level);
  const Result<Workspace::Kv> kv = workspace.kv();
  // Where there can be no caches, there is nothing to prepare.
  if (!level.ok() || !kv.ok()) return true;
  const std::optional<GateReport> gate = kv->library->saved_gate(*level);
  return gate && gate->is_whole(kv->library->model().config().n_kv_layers()) &&
         kv->library->speed().profile().measured();
}

Status prepare_caches(Workspace& workspace, const std::string& kv_level, const CancelToken& cancel,
                      const std::function<void(double share)>& progress) {
  MNEME_ASSIGN_OR_RETURN(const engine::KvLevel level, level_of(kv_level));
  MNEME_ASSIGN_OR_RETURN(const Workspace::Kv kv, workspace.kv());
  MNEME_RETURN_IF_ERROR(kv.library->gate(level, cancel, progress).status());
  return kv.library->speed().prepare(cancel);
}

}  // namespace mneme::rag

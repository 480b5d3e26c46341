// Which mode answers a question, settled before its clock starts: what the user asked for; else blending where the
// model's quality gate passes, at the share that passed; else everything is computed, and the answer says why. What is
// measured once per model (calibration, gate, speed) is measured here. Threads: one at a time.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "rag/kv_reuse/prefiller.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class Workspace;

struct ModeChoice {
  AnswerMode mode = AnswerMode::kFull;
  double least_ratio = 0.15;            // r* of blending
  bool computes_first_layers = false;   // the controller may have first layers computed for the whole prompt
  std::vector<std::string> notes = {};  // why it is not what one would expect
  // Levels that a time goal may choose from, by KvLevel: those at least as fine as the one asked for, and coarser ones
  // that pass the gate too.
  std::array<bool, 4> levels = {true, true, true, true};
};

// The callback for stages hears "measuring" when something is measured. kUsage for an unknown level; kUnsupported when
// the user asked for caches that this model cannot have.
Result<ModeChoice> choose_mode(Workspace& workspace, engine::LanguageModel& model, const Asked& asked);

// What puts a prompt into a sequence in that mode. kUnsupported for a mode this build or model cannot do. seconds_left:
// of a time goal for the first token, if there is one.
Result<std::unique_ptr<Prefiller>> prefiller_for(Workspace& workspace, const ModeChoice& choice,
                                                 std::optional<double> seconds_left = std::nullopt);

// Calibrates, measures speed and quality gate where that was not done: what registering a model does, and the first
// question otherwise. Background work: questions go first. progress: of the work, a share now and then.
Status prepare_caches(Workspace& workspace, const std::string& kv_level, const CancelToken& cancel,
                      const std::function<void(double share)>& progress = {});
// Whether that would do nothing. Opens the model in use.
bool are_caches_prepared(Workspace& workspace, const std::string& kv_level);

}  // namespace mneme::rag

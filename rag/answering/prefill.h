// How a prompt gets into a sequence: one strategy per answer mode. `full` and `prefix` live here; those that reuse
// stored chunk KV live in rag/kv_reuse.
// Ownership: borrows all arguments for the call. Threads: one prefill at a time per model.
#pragma once

#include <memory>
#include <optional>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/ask_options.h"
#include "rag/answering/mode_choice.h"
#include "rag/answering/prompt_builder.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::rag {

class Workspace;

struct PrefillReport {
  CacheReport cache;
  std::optional<double> load_ms;
  std::optional<double> recompute_ms;
  std::vector<std::string> notes;
};

class Prefiller {
 public:
  virtual ~Prefiller() = default;
  // Afterwards the sequence holds exactly the prompt, with the logits of its last token. The sequence may come with the
  // tokens of an earlier prompt in it.
  virtual Result<PrefillReport> prefill(engine::LanguageModel& model, engine::Sequence& sequence, const Prompt& prompt,
                                        const AskOptions& options, const CancelToken& cancel) = 0;
};

// `full`: everything anew. `prefix`: everything behind what the sequence begins with already.
std::unique_ptr<Prefiller> make_append_prefiller(bool keeps_prefix);

// kUnsupported for a mode this build or model cannot do. seconds_left: of a time goal for the first token, if there is
// one.
Result<std::unique_ptr<Prefiller>> make_prefiller(Workspace& workspace, const ModeChoice& choice,
                                                  std::optional<double> seconds_left = std::nullopt);

}  // namespace mneme::rag

// How a prompt gets into a sequence: one strategy per answer mode.
// Ownership: borrows all arguments for the call. Threads: one prefill at a time per model.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "rag/kv_reuse/cache_report.h"
#include "rag/prompt/prompt_builder.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::rag {

class ChatKv;

// What the asker has a say in; those that load nothing do not look at it.
struct PrefillOptions {
  std::string kv_level = "medium";
  std::optional<double> recompute_ratio{};  // overrides the loading controller
  std::optional<int> full_layers{};         // first layers computed for all rows; likewise
  std::string selector{};                   // rows to recompute (engine/fusion/selector.h); empty: the default
  uint64_t seed = 0;                        // of selectors that draw
  ChatKv* chat = nullptr;                   // whose earlier turns are used; borrowed
  std::vector<Hash128> not_stored{};        // passages' text hashes: whose KV is not stored where it is not yet
};

struct PrefillReport {
  CacheReport cache;
  std::optional<double> load_ms;
  std::optional<double> recompute_ms;
  std::string refused_cache{};  // why what was computed behind an earlier answer could not be stored; "": nothing was
  std::vector<std::string> failed_caches{};  // why stored ones could not be used and were computed again, one each
};

class Prefiller {
 public:
  virtual ~Prefiller() = default;
  // Afterwards the sequence holds exactly the prompt, with the logits of its last token. The sequence may come with the
  // tokens of an earlier prompt in it.
  virtual Result<PrefillReport> prefill(engine::LanguageModel& model, engine::Sequence& sequence, const Prompt& prompt,
                                        const PrefillOptions& options, const CancelToken& cancel) = 0;
};

// `full`: everything anew. `prefix`: everything behind what the sequence begins with already.
std::unique_ptr<Prefiller> make_append_prefiller(bool keeps_prefix);

}  // namespace mneme::rag

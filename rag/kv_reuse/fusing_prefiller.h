// Answering from stored chunk KV: `reuse` takes it as it is, `blend` repairs a share of the rows (engine/fusion), as
// the loading controller plans. Chunks that are not stored are computed with the prompt, and stored behind the answer
// under their own key (never a blended one). In a chat, what the sequence holds already is kept as far as the prompts
// agree, and the earlier turns come from the chat's own KV (chat_kv.h). Ownership: borrows library and background for
// its life. Threads: one prefill at a time.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/prefiller.h"
#include "rag/kv_reuse/stream_plan.h"

namespace mneme::rag {

struct FusingOptions {
  bool repairs = true;        // blend; else reuse
  double least_ratio = 0.15;  // r*, by the quality gate
  // Whether the loading controller may have first layers computed for all rows: where the quality gate passed that.
  bool computes_first_layers = true;
  // The time goal: seconds that are left until the first token. Every passage then comes at the finest of these levels
  // that keeps it, or from its text (timed_loading.h). Unset: at the level asked for, as soon as possible.
  std::optional<double> seconds_left = {};
  std::array<bool, kStreamLevels> goal_levels = {true, true, true, true};  // by KvLevel
  // For measurements: past the page cache; and storage held back to a bandwidth (bytes per second at a time in
  // seconds).
  bool direct_io = false;
  std::function<double(double)> bandwidth = {};
};

class FusingPrefiller final : public Prefiller {
 public:
  FusingPrefiller(KvLibrary& library, KvBackground& background, FusingOptions options)
      : library_(library), background_(background), options_(std::move(options)) {}

  Result<PrefillReport> prefill(engine::LanguageModel& model, engine::Sequence& sequence, const Prompt& prompt,
                                const PrefillOptions& options, const CancelToken& cancel) override;

 private:
  KvLibrary& library_;
  KvBackground& background_;
  const FusingOptions options_;
};

}  // namespace mneme::rag

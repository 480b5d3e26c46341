// What the measurements of fusion stand on: a model, a store of its own in a temporary home with the KV of a number of
// passages, and prompts over them. No retrieval: the time to the first token is that of loading, repairing and the
// question. Ownership: owns all of it. Threads: the main thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/bench/bench.h"
#include "app/context.h"
#include "app/temporary_folder.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/fusing_prefiller.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::app {

// A way to answer: mode, and for blend the share (none: the loading controller's) and where the bytes come from.
struct FusionLane {
  rag::AnswerMode mode = rag::AnswerMode::kFull;
  std::optional<double> ratio;
  std::optional<double> bandwidth;      // bytes per second; none: as fast as it goes
  std::optional<int> full_layers = {};  // first layers computed in full; none: the controller's choice
  std::string name() const;             // "blend", "blend@0.15", "blend@0.15+5" (first layers in full), "auto"
  bool is_auto() const { return mode == rag::AnswerMode::kBlend && !ratio; }
};

// The lanes that the options name: modes, times the ratios and first layers in full for blend. `auto` is blend by the
// controller.
Result<std::vector<FusionLane>> fusion_lanes(const BenchOptions& options);

struct FusionRun {
  double first_token_ms = 0.0;
  engine::TokenId first_token = 0;
  rag::PrefillReport report;
};

class FusionBed {
 public:
  // Computes and stores the KV of n_passages passages, calibrating first.
  static Result<std::unique_ptr<FusionBed>> make(Context& context, const BenchOptions& options, int n_passages);
  ~FusionBed();
  FusionBed(const FusionBed&) = delete;
  FusionBed& operator=(const FusionBed&) = delete;

  engine::LanguageModel& model() { return *model_; }
  rag::KvLibrary& library() { return *library_; }
  rag::KvBackground& background() { return *background_; }
  int n_passages() const { return static_cast<int>(passages_.size()); }

  // These passages, in this order, and a question of 32 tokens.
  rag::Prompt prompt(std::span<const int> passages) const;
  // Runs a prompt to its first token. The prefix is in place for all modes but full; nothing else is, unless
  // keeps_sequence: then the last prompt's rows are (mode prefix may find more than the prefix there).
  Result<FusionRun> run(const rag::Prompt& prompt, const FusionLane& lane, bool keeps_sequence = false);
  // Decodes n tokens behind the last run; milliseconds.
  Result<double> decode(engine::TokenId first, int n);

 private:
  explicit FusionBed(Context& context, const BenchOptions& options, TemporaryFolder folder);
  Status fill(int n_passages);
  Status store_passages(engine::KvLevel level);
  std::vector<engine::TokenId> passage_ids(int n_passages) const;

  Context& context_;
  const BenchOptions options_;
  TemporaryFolder folder_;
  std::unique_ptr<engine::LanguageModel> model_;
  std::unique_ptr<storage::Catalogue> catalogue_;
  std::unique_ptr<rag::KvLibrary> library_;
  std::unique_ptr<rag::KvBackground> background_;
  std::vector<std::vector<engine::TokenId>> passages_;
  std::unique_ptr<engine::Sequence> sequence_;
  int sequence_tokens_ = 0;
};

}  // namespace mneme::app

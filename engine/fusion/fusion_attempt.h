// One attempt at fusing a prompt, with every chunk of the layout taken from the source. Used by fuser.cpp alone.
// Ownership: borrows everything for its lifetime. Threads: one.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/backend/attention_sums.h"
#include "engine/fusion/fuser.h"
#include "engine/fusion/fusion_rows.h"
#include "engine/fusion/layer_loader.h"
#include "engine/fusion/layer_placer.h"
#include "engine/transformer/forward_pass.h"

namespace mneme::engine {

// A chunk that could not be loaded.
struct ChunkFailure {
  int source_chunk = -1;
  Status status;
};

class FusionAttempt {
 public:
  FusionAttempt(LanguageModel& model, Sequence& sequence, const FusionRows& layout, KvSource& source,
                std::span<const KvCodec* const> codecs, const FuseOptions& options, const CancelToken& cancel);

  // Fills report and the last row's logits. A chunk that cannot be loaded ends the attempt; failure() then names it.
  Status run(FuseReport& report, std::vector<float>& logits);

  const std::optional<ChunkFailure>& failure() const { return failure_; }

 private:
  bool may_be_coarse() const;
  bool must_look() const;  // the question runs over stored KV before rows are chosen
  bool is_all_computed() const { return codecs_.empty() || n_full_layers_ == n_layers_; }
  std::vector<int> all_rows() const;
  std::vector<Candidate> scored_candidates(const std::vector<int>& among) const;
  void start_loading();
  Status begin(std::vector<int> current);
  Status score_rows(FuseReport& report);
  Status look(FuseReport& report);
  Status look_through_layers(const LookLayers& looked, FuseReport& report);
  void find_words();
  void widen_scores(const PlacedChunk& chunk);
  int most_rows() const;
  Status run_in_steps(FuseReport& report);
  Status run_chosen(FuseReport& report);
  Status make_room_for_look();
  Status run_full_layers(FuseReport& report);
  Status run_layers(int first_layer, FuseReport& report);
  Status run_last_row();
  void count_loading(FuseReport& report) const;
  Status run_layer(int layer, FuseReport& report);
  void count_rows(FuseReport& report) const;
  bool loads() const { return placer_ != nullptr || loader_ != nullptr; }
  const RopeConfig* rope_of(int layer) const;
  void place(int layer, int chunk, std::span<const f16> keys, std::span<const f16> values);
  Status place_layer(int layer);
  Status place_encoded(int layer, std::span<const ChunkLayer> chunks);
  Status finish_decoding(FuseReport& report);
  Status fail(size_t chunk, const Status& status);
  Status project_and_narrow(int layer, int budget);
  Status add_question_scores(int layer);
  Status take_question_scores();
  void add_to_scores(std::span<const float> mass);
  Status add_mass_on_host(int layer, std::span<const int> looking, std::span<float> mass);
  void keep(const std::vector<int>& kept);
  int budget(double share) const { return static_cast<int>(std::lround(share * layout_.n_chunk_rows)); }
  int n_current_chunk_rows() const;
  TokenPos first_position() const { return layout_.rows.front().position; }
  int n_rows() const { return static_cast<int>(layout_.rows.size()); }

  LanguageModel& model_;
  const ModelConfig& config_;
  Sequence& sequence_;
  const FusionRows& layout_;
  const FuseOptions& options_;
  const CancelToken& cancel_;
  const int n_layers_;  // with keys and values: what stands behind them runs for the last row alone
  const int n_full_layers_;
  const std::vector<double> shares_;
  std::vector<const KvCodec*> codecs_;  // of the layout's chunks, in its order
  std::unique_ptr<KvSource> placed_;    // the source as the layout uses it

  ForwardPass* pass_ = nullptr;
  ForwardPass* look_pass_ = nullptr;  // where rows wait behind the first layers while the question looks
  // Where chunks are loaded at all, one of them: between operations, or beside them. What is loaded beside them goes
  // to the device as it is stored where that decodes it.
  std::unique_ptr<LayerPlacer> placer_;
  std::unique_ptr<EncodedKvPlacer> encoded_placer_;
  std::unique_ptr<LayerLoader> loader_;
  int first_loaded_layer_ = 0;
  int n_placed_layers_ = 0;              // placed by the look at them
  std::unique_ptr<AttentionSums> sums_;  // while a device looks
  std::vector<int> current_;             // rows of the prompt that run now, ascending
  std::vector<float> scores_;            // per row of the prompt, where they are known before anything is computed
  std::vector<uint8_t> word_starts_;     // per row of the prompt, for selectors that take whole words
  std::optional<ChunkFailure> failure_;
};

}  // namespace mneme::engine

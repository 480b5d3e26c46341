// The codebooks, codes and sums of values of one sequence on a GPU, for all layers that retrieve (engine/pq/pq_index.h
// is the same on the host): trained on a sample of the keys, trained anew when the sequence has grown fourfold,
// extended in groups of tokens. Nothing of it goes to the host. Threads: one at a time.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/pq_layer_view.h"
#include "engine/backend/cuda/pq_training.h"

namespace mneme::engine::cuda {

class PqDeviceIndex {
 public:
  // options have passed check_retrieval_options() and rank by cells.
  PqDeviceIndex(Device& device, const RetrievalOptions& options, const KvCacheOptions& kv, const ModelConfig& config);

  // Enqueues what brings a layer up to date with tokens [0, n_tokens), which are in place. Whether it has trained;
  // failures are the device's.
  bool update(const KvView& kv, int layer, int n_tokens);
  // Whether that reads keys and values of all tokens; else of those that are new, as a rule.
  bool trains_at(int layer, int n_tokens) const;
  // After updates that trained, when they are done: gives back the memory that only training needs.
  void end_training();
  // Tokens from n_tokens on are no more.
  void forget(int n_tokens);

  int n_coded(int layer) const { return at(layer).n_coded; }
  bool has_values(int layer) const { return at(layer).n_valued > 0; }
  PqLayerView view(int layer) const;
  // Of a layer's codes (PqNumbers): another number when some that may be counted are no more.
  int edition(int layer) const { return at(layer).edition; }
  // The next kernels count candidates up to `end`.
  void counts_to(int layer, int end) { at(layer).counted_end = std::max(at(layer).counted_end, end); }

  int64_t memory_bytes() const { return static_cast<int64_t>(memory_.size()); }
  int iterations() const { return memory_.size() > 0 ? iterations_ : 0; }

 private:
  struct Layer {
    int place = -1;  // among those that retrieve; -1: it does not
    int n_clusters = 0;
    int n_trained = 0;  // tokens there were when it was trained; 0: not yet
    int n_coded = 0;
    int n_valued = 0;  // tokens whose values are summed, sinks left out; 0: none
    // Of codes, and how far cells may be counted by them. Whether they are, the device knows (CountedCells): training
    // makes it forget.
    int edition = 1;
    int counted_end = 0;
    void start_anew() {
      const int kept = place;
      *this = {};
      place = kept;
    }
  };
  // Room for so many points of all heads on their way through training and coding.
  struct Scratch {
    float* points = nullptr;
    uint8_t* codes = nullptr;
    float* centroids = nullptr;
    int* chosen = nullptr;
    CodeSums sums;
  };
  Layer& at(int layer) { return layers_[static_cast<size_t>(layer)]; }
  const Layer& at(int layer) const { return layers_[static_cast<size_t>(layer)]; }
  bool open();
  Scratch scratch(int n_points);
  PqPoints points_of(const Scratch& scratch, int n) const;
  void train(const KvView& kv, int layer, int n_tokens);
  void cluster(const Scratch& scratch, const PqPoints& points, int n_clusters);
  void encode(const KvView& kv, int layer, int n_tokens, int at_once);
  void sum_values(const KvView& kv, int layer, int at_once);

  Device& device_;
  const RetrievalOptions options_;
  const KvCacheOptions kv_;
  const int iterations_;
  int64_t code_stride_ = 0;
  int64_t layer_bytes_ = 0;
  std::vector<Layer> layers_;
  std::vector<int> orders_;  // (n_layers, head_dim)
  DeviceBuffer device_orders_;
  DeviceBuffer memory_;  // (layers that retrieve, layer_bytes_)
  DeviceBuffer scratch_;
};

}  // namespace mneme::engine::cuda

// KV of one sequence on a GPU, in pages of kPageTokens tokens with all layers (kv_view.h). Pages never move; growing
// copies nothing. Keys before RoPE are rotated on the device while they are put in place. A sequence that may grow
// beyond the device's memory has its pages in the host's (host_kv.h).
//
// place() copies its input at once and returns: the next layer's bytes go up on a stream of their own while this one's
// are rotated or attended to. Threads: one at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_retrieval.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/host_kv.h"
#include "engine/backend/cuda/kv_decoder.h"
#include "engine/backend/cuda/kv_encoder.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/rope_angles.h"
#include "engine/backend/layer_states.h"

namespace mneme::engine::cuda {

// Two layers' KV on their way to a cache: one is copied up while the other is put in place.
class LayerStaging {
 public:
  explicit LayerStaging(Device& device) : device_(device) {}
  ~LayerStaging();
  LayerStaging(const LayerStaging&) = delete;
  LayerStaging& operator=(const LayerStaging&) = delete;

  struct Layer {
    const f16* keys = nullptr;  // null: it failed
    const f16* values = nullptr;
  };
  // Copies a layer up on the copy stream; the compute stream waits for it.
  Layer begin(std::span<const f16> keys, std::span<const f16> values);
  // What was enqueued on the compute stream until now is the last to use the layer.
  void end();

 private:
  struct Slot {
    DeviceBuffer memory;
    cudaEvent_t arrived = nullptr;
    cudaEvent_t used = nullptr;
  };
  bool open(Slot& slot);

  Device& device_;
  Slot slots_[2];
  int current_ = 0;
};

// Where a cache's pages lie: in the device's memory where that holds all the cache may ever hold, or in the host's.
enum class KvHome { kWhereItFits, kHost };

// What the caches of one backend share.
struct SharedByCaches {
  Device& device;
  RopeAngles& ropes;
  LayerStaging& staging;
  KvDecoder& decoder;
  KvEncoder& encoder;
};

class CudaKvCache final : public KvCache {
 public:
  // kUnsupported for heads wider than kMaxHeadDim; kResource.
  static Result<std::unique_ptr<CudaKvCache>> make(const KvCacheOptions& options, KvHome home,
                                                   const SharedByCaches& shared);
  ~CudaKvCache() override;

  Status reserve(int n_tokens) override;
  void place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
             const RopeConfig* rope) override;
  std::unique_ptr<EncodedKvPlacer> place_encoded(int first_layer) override;
  Status read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
              std::span<f16> values) const override;
  Result<EncodedLayers> encode(TokenPos first, int n_tokens, const KvCodec& codec) override;
  int64_t memory_bytes() const override;
  int64_t free_bytes(int64_t of_device) const override;
  bool in_host_memory() const override { return host_ != nullptr; }
  Status set_retrieval(const RetrievalOptions& options, const ModelConfig& config) override;
  Status prepare_retrieval(int n_tokens, ClusteringModel* times, const CancelToken& cancel) override;
  void forget(int n_tokens) override;
  int state_tokens() const override { return states_ != nullptr ? states_->n_tokens() : 0; }
  void keep_state() override;
  int kept_state(int n_tokens) const override { return states_ != nullptr ? states_->kept(n_tokens) : 0; }
  int restore_state(int n_tokens) override { return states_ != nullptr ? states_->restore(n_tokens) : 0; }
  RetrievalReport retrieval_report() const override;

  // Layers with equal heads are of one kind: a view shows one kind's, which are counted among themselves.
  struct LayerPlace {
    int kind = 0;
    int index = 0;
  };
  LayerPlace place_of(int layer) const { return places_[static_cast<size_t>(layer)]; }
  int n_kinds() const { return static_cast<int>(kinds_.size()); }

  // Rows at these positions are about to be written and to attend in a layer. view() holds until the next call.
  void begin_rows(int layer, std::span<const TokenPos> positions);
  // They have been written.
  void end_rows(int layer, std::span<const TokenPos> positions);
  KvView view(int kind = 0) const;
  CudaRetrieval* retrieval() const { return retrieval_.get(); }  // null: everything is attended to
  LayerStates* states() const { return states_.get(); }          // null: all layers attend

 private:
  CudaKvCache(const KvCacheOptions& options, const SharedByCaches& shared);
  Status open(KvHome home);
  Status open_in_host_memory();
  int most_pages() const { return (options_.max_tokens + kPageTokens - 1) / kPageTokens; }
  void lay_out();
  int64_t page_bytes() const { return std::max<int64_t>(1, page_bytes_); }
  int n_reserved() const {
    return (host_ != nullptr ? host_->n_pages() : static_cast<int>(pages_.size())) * kPageTokens;
  }
  bool range_is_valid(int layer, TokenPos first, int n_tokens, size_t n_keys, size_t n_values) const;

  Device& device_;
  RopeAngles& ropes_;
  LayerStaging& staging_;
  KvDecoder& decoder_;
  KvEncoder& encoder_;
  struct Kind {
    LayerHeads heads;
    int n_layers = 0;
    int64_t head_bytes = 0;
    int64_t layer_bytes = 0;
    int first_layer = 0;  // where they begin in a page, counted in layers of this kind
  };
  std::vector<Kind> kinds_;
  std::vector<LayerPlace> places_;  // of the layers
  int64_t page_bytes_ = 0;
  DeviceBuffer page_table_;  // pointers to the pages, for as many as max_tokens need
  std::vector<DeviceBuffer> pages_;
  std::unique_ptr<HostKv> host_;  // null: pages lie in pages_
  KvView host_view_;              // of host_, where the layer at hand is
  std::unique_ptr<CudaRetrieval> retrieval_;
  std::unique_ptr<LayerStates> states_;
};

}  // namespace mneme::engine::cuda

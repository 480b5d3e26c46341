// Stored KV decoded on the device and put in place in one sequence's cache: one prompt's chunks.
// Ownership: borrows cache, decoder and rotations. Threads: as EncodedKvPlacer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_decoder.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/rope_angles.h"
#include "engine/backend/encoded_kv.h"
#include "engine/types.h"

namespace mneme::engine::cuda {

// Where batches go, and how much is in one.
struct EncodedTarget {
  KvView view;
  KvShape shape;
  int max_tokens = 0;
  int first_layer = 0;  // of the model: the view's first
  // Decoded: 8K tokens of a layer with 1,024 channels, so that what is under way fills a large device and takes little
  // of a small one.
  int64_t batch_bytes = int64_t{32} << 20;
};

class CudaEncodedPlacer final : public EncodedKvPlacer {
 public:
  CudaEncodedPlacer(Device& device, RopeAngles& ropes, KvDecoder& decoder, const EncodedTarget& target)
      : device_(device), ropes_(ropes), decoder_(decoder), target_(target) {}
  ~CudaEncodedPlacer() override;

  bool takes(int layer, const KvCodec& codec) const override;
  std::vector<Status> place(int layer, std::span<const EncodedChunk> chunks, const RopeConfig* rope) override;
  Result<DeviceDecoding> finish() override;

 private:
  // The positions of a batch's rows on the device and their angles: the same on every layer where the same chunks come.
  struct BatchRows {
    std::vector<int> positions;
    DeviceBuffer on_device;
    struct Angles {
      const RopeConfig* rope = nullptr;
      DeviceBuffer memory;
      RotationRef rotation;
    };
    std::vector<Angles> angles;
  };
  // Pieces of one layer that are decoded together, and which of place()'s chunks they are of.
  struct Batch {
    size_t number = 0;  // in the layer
    int n_tokens = 0;
    std::vector<EncodedPiece> pieces;
    std::vector<TokenPos> firsts;  // where each one's positions begin
    std::vector<size_t> chunks;
    void add(EncodedPiece piece, TokenPos first, size_t chunk);
    void clear();
    std::vector<int> positions() const;  // of all pieces, one behind the other
  };
  bool make_flags();
  int64_t token_bytes() const;
  void place_batch(int layer, Batch& batch, const RopeConfig* rope, std::vector<Status>& statuses);
  SynthesisPlacing placing_of(int layer, const Batch& batch, const RopeConfig* rope);
  BatchRows& rows_of(size_t batch, std::vector<int> positions);
  RotationRef rotation_of(BatchRows& rows, const RopeConfig& rope);

  Device& device_;
  RopeAngles& ropes_;
  KvDecoder& decoder_;
  const EncodedTarget target_;
  DeviceBuffer damaged_;  // an int per position: set where a chunk begins that is
  std::vector<std::unique_ptr<BatchRows>> rows_;
  int64_t bytes_decoded_ = 0;
};

}  // namespace mneme::engine::cuda

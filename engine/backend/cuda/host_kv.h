// KV of one sequence that the device's memory has no room for. It lies in pinned memory of the host, in the pages of
// kv_view.h, which the device reads and writes by itself; the host's pages are the truth. There are two ways to use it:
//
// - Decoding by retrieval reads few rows where they lie and writes its own there: home().
// - Steps that attend to everything get a layer at a time in the device's memory: open_layer(). There is room for two
//   layers, so that the next one comes up while one is computed with; what a step writes goes down behind it. Copies in
//   both directions run on one stream of their own, in the order they are given, beside the compute stream: a page that
//   comes up has gone down before. What lies in the device's memory is a copy, and forgotten where home is written.
//
// Pages are allocated four at a time: their rows of one layer lie side by side, so that copies are long enough for the
// bus's full speed (2 MB of an 8B model), and memory is pinned as the sequence grows.
// Ownership: belongs to one cache. Threads: one at a time.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/types.h"

namespace mneme::engine::cuda {

class HostKv {
 public:
  // Of pages as `shape` has them on the device, layer_bytes of one page; for at most max_tokens tokens. kResource.
  static Result<std::unique_ptr<HostKv>> make(Device& device, const KvView& shape, int n_layers, int max_tokens);
  ~HostKv();
  HostKv(const HostKv&) = delete;
  HostKv& operator=(const HostKv&) = delete;

  // Room for so many pages; kResource: nothing has changed.
  Status reserve(int n_pages);
  int n_pages() const { return static_cast<int>(chunks_.size()) * kChunkPages; }
  int64_t memory_bytes() const { return static_cast<int64_t>(chunks_.size()) * chunk_bytes(); }  // of the host

  // Where the pages lie. What was written before is there for kernels enqueued from now on.
  KvView home();
  // A kernel that is enqueued next writes a token at home.
  void write_home(int layer, TokenPos position);

  // A layer in the device's memory, with those of the tokens [0, n_tokens) that are in place; the next layer follows.
  // Kernels enqueued from now on may read it, and write it if wrote() is called after them, until the layer after the
  // next is opened.
  KvView open_layer(int layer, int n_tokens);
  // The same where tokens [first, first + n) are to be written and nothing else is read.
  KvView open_to_write(int layer, TokenPos first, int n);
  // Kernels that have been enqueued wrote tokens at these positions, ascending, to the open layer.
  void wrote(int layer, std::span<const TokenPos> positions);
  void wrote(int layer, TokenPos first, int n);

  // Tokens from n_tokens on are no more.
  void forget(int n_tokens);

  // Of the copies; for whoever copies blocks of pages (kv_block_cache.h).
  cudaStream_t stream() const { return stream_; }

 private:
  static constexpr int kChunkPages = 4;

  // Room for a layer in the device's memory.
  struct Slot {
    int layer = -1;
    std::vector<bool> is_there;  // by page
    cudaEvent_t up = nullptr;    // pages have come up
    cudaEvent_t down = nullptr;  // pages have gone down
    bool goes_up = false;        // and the compute stream has not waited for it
    bool goes_down = false;
  };

  HostKv(Device& device, const KvView& shape, int n_layers, int max_tokens);
  Status open();
  int64_t chunk_bytes() const { return layer_bytes_ * n_layers_ * kChunkPages; }
  Slot& slot_of(int layer) { return slots_[layer & 1]; }
  int& written(int layer) { return written_[static_cast<size_t>(layer)]; }
  std::byte* host_page(int layer, int page) const;
  std::byte* device_page(int layer, int page) const;
  void wait_for_compute();
  void bring_up(int layer, int first_page, int end_page);
  void take_down(int layer, int first_page, int end_page);
  void await(Slot& slot);
  KvView open_view() const;
  void copy_pages(int layer, int first_page, int end_page, cudaMemcpyKind kind);

  Device& device_;
  const KvView shape_;
  const int n_layers_;
  const int most_pages_;
  const int64_t layer_bytes_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t computed_ = nullptr;
  std::vector<std::byte*> chunks_;  // pinned: (n_layers, kChunkPages, layer_bytes) each
  std::vector<int> written_;        // by layer: one more than the last position written
  Slot slots_[2];
  DeviceBuffer window_;                     // (2, most_pages, layer_bytes)
  DeviceBuffer home_table_, window_table_;  // (most_pages) addresses
};

}  // namespace mneme::engine::cuda

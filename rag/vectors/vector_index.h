// Nearest vectors of one collection: a scan below kExactLimit vectors, where it is both faster and exact; above it an
// HNSW graph, with an exact scan over the vectors the graph does not hold yet.
// Threads: search() from any number of threads, also beside add(), erase() and build_graph(), which are serialised.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/vectors/vector_store.h"

namespace mneme::rag {

class HnswGraph;

struct VectorHit {
  int64_t key = 0;
  float similarity = 0.0f;
};

class VectorIndex {
 public:
  // A scan of a million int8 vectors reads a quarter of a gigabyte: 15 to 20 ms of memory bandwidth, and it is exact. A
  // graph answers in a tenth of that, but on vectors that lie close together (short passages of everyday words) it
  // found less than a fifth of the nearest ten at 100,000; it is for what no scan can do in time.
  static constexpr uint32_t kExactLimit = 1'500'000;

  // exact_limit: the most vectors that are scanned rather than searched by a graph; tests and measurements set their
  // own.
  explicit VectorIndex(int dim, uint32_t exact_limit = kExactLimit);
  ~VectorIndex();

  int dim() const { return store_.dim(); }
  size_t size() const;      // live vectors
  size_t n_rows() const;    // erased ones included
  int64_t max_key() const;  // 0 when empty

  // Keys must ascend from call to call (chunk ids do). False when full.
  bool add(int64_t key, std::span<const float> vector);
  void erase(std::span<const int64_t> keys);  // unknown keys are passed over

  // The k live vectors of largest dot product, best first; ties by key. `accept` (may be empty) filters by key.
  // exact: scan whatever the size.
  std::vector<VectorHit> search(std::span<const float> query, int k, const std::function<bool(int64_t)>& accept = {},
                                bool exact = false) const;

  // The dot product with one vector; nothing for a key that is not there.
  std::optional<float> similarity(const QuantisedQuery& query, int64_t key) const;

  // Brings the graph up to date when there are enough vectors for one. Searches go on meanwhile.
  Status build_graph(int n_threads, const CancelToken& cancel = never_cancelled());
  bool wants_graph() const;
  bool has_graph() const;

  // The body of an index file (hnsw_format.md), given to `sink` piece by piece: at a million vectors the whole would
  // be 400 MB beside the 400 MB it is made from. Adding waits meanwhile, searching does not.
  using Sink = std::function<Status(ByteSpan)>;
  Status serialise(const Sink& sink) const;
  std::vector<std::byte> serialise() const;
  // And back: `source` fills a span with the bytes that come next, of which there are `size` in all. Everything is
  // checked; kCorruption.
  using Source = std::function<Status(MutableByteSpan)>;
  static Result<std::unique_ptr<VectorIndex>> read(const Source& source, uint64_t size, int dim,
                                                   uint32_t exact_limit = kExactLimit);
  static Result<std::unique_ptr<VectorIndex>> parse(ByteSpan bytes, int dim, uint32_t exact_limit = kExactLimit);

  // Bytes held by vectors and graph, about.
  uint64_t memory_bytes() const;

 private:
  bool append_rows(ByteSpan bytes);    // as the file has them
  uint32_t row_of(int64_t key) const;  // store_.size() when it is not there
  std::vector<VectorHit> scan(const QuantisedQuery& query, int k, uint32_t first,
                              const std::function<bool(int64_t)>& accept) const;

  const uint32_t exact_limit_;
  mutable std::shared_mutex mutex_;  // shared: read rows, marks and the graph pointer; exclusive: change them
  Mutex building_;                   // one build at a time
  VectorStore store_;
  std::shared_ptr<HnswGraph> graph_;
};

}  // namespace mneme::rag

// A navigable small-world graph (Malkov and Yashunin, arXiv 1603.09320; hnswlib) over the first rows of a VectorStore.
// The graph holds row numbers only: the vectors stay in the store, once. Erased rows stay in the graph as stepping
// stones and are left out of results by the caller.
// Ownership: borrows the store, which must outlive it. Threads: search() may run concurrently; extend() alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/status.h"
#include "rag/vectors/vector_store.h"

namespace mneme::rag {

class HnswGraph {
 public:
  explicit HnswGraph(const VectorStore& store);
  ~HnswGraph();

  uint32_t n_rows() const;  // rows [0, n_rows) of the store are in the graph

  // Adds rows up to `end`. kCancelled leaves the graph unusable: drop it. kResource when memory runs out.
  Status extend(uint32_t end, int n_threads, const CancelToken& cancel);
  // A copy to extend while this one is searched.
  Result<std::unique_ptr<HnswGraph>> copy() const;

  struct Found {
    uint32_t row;
    float similarity;
  };
  // At least `breadth` candidates are held on the way; best first.
  std::vector<Found> search(const QuantisedQuery& query, int k, int breadth) const;

  uint64_t memory_bytes() const;  // about

  void serialise(std::vector<std::byte>& out) const;
  // Every link is checked against the store's size.
  static Result<std::unique_ptr<HnswGraph>> parse(ByteReader& reader, const VectorStore& store);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mneme::rag

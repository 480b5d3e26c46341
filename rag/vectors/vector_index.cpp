#include "rag/vectors/vector_index.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>

#include "rag/vectors/hnsw_graph.h"

namespace mneme::rag {

namespace {

// Of 38,128 passages of real documents, asked for by headings, 192 find 0.925 of the nearest ten and 1024 find 0.990,
// in two milliseconds (tests/bench/search_bench.cpp). Where a graph is used at all, scanning takes ten times as long.
constexpr int kSearchBreadth = 1024;
// Rows outside the graph are scanned; this many of them are worth a rebuild.
constexpr uint32_t kTailLimit = 20'000;
// Of a file, between two steps of reading or writing it.
constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr uint64_t kRowOverhead = 13;  // key, scale, mark

bool better(const VectorHit& a, const VectorHit& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.key < b.key;
}

// Keeps the k best seen.
class TopHits {
 public:
  explicit TopHits(int k) : k_(static_cast<size_t>(std::max(k, 0))) { heap_.reserve(k_ + 1); }
  float floor() const {
    return heap_.size() < k_ || k_ == 0 ? -std::numeric_limits<float>::infinity() : heap_.front().similarity;
  }
  void offer(const VectorHit& hit) {
    if (k_ == 0) return;
    if (heap_.size() == k_ && !better(hit, heap_.front())) return;
    if (heap_.size() == k_) {
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.pop_back();
    }
    heap_.push_back(hit);
    std::push_heap(heap_.begin(), heap_.end(), better);
  }
  std::vector<VectorHit> take() {
    std::sort(heap_.begin(), heap_.end(), better);
    return std::move(heap_);
  }

 private:
  size_t k_;
  std::vector<VectorHit> heap_;  // worst kept on top
};

template <typename T>
void append_array(std::vector<std::byte>& out, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

VectorIndex::VectorIndex(int dim, uint32_t exact_limit) : exact_limit_(exact_limit), store_(dim) {}
VectorIndex::~VectorIndex() = default;

size_t VectorIndex::size() const {
  std::shared_lock lock(mutex_);
  return store_.size() - store_.n_erased();
}

size_t VectorIndex::n_rows() const {
  std::shared_lock lock(mutex_);
  return store_.size();
}

int64_t VectorIndex::max_key() const {
  std::shared_lock lock(mutex_);
  return store_.size() == 0 ? 0 : store_.key(store_.size() - 1);
}

bool VectorIndex::add(int64_t key, std::span<const float> vector) {
  std::unique_lock lock(mutex_);
  assert(store_.size() == 0 || key > store_.key(store_.size() - 1));
  return store_.append(key, vector);
}

uint32_t VectorIndex::row_of(int64_t key) const {
  uint32_t low = 0;
  uint32_t high = store_.size();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (store_.key(middle) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < store_.size() && store_.key(low) == key ? low : store_.size();
}

void VectorIndex::erase(std::span<const int64_t> keys) {
  std::unique_lock lock(mutex_);
  for (const int64_t key : keys) {
    if (const uint32_t row = row_of(key); row < store_.size()) store_.erase(row);
  }
}

std::optional<float> VectorIndex::similarity(const QuantisedQuery& query, int64_t key) const {
  std::shared_lock lock(mutex_);
  const uint32_t row = row_of(key);
  if (row >= store_.size() || store_.erased(row)) return std::nullopt;
  return store_.similarity(query, row);
}

std::vector<VectorHit> VectorIndex::scan(const QuantisedQuery& query, int k, uint32_t first,
                                         const std::function<bool(int64_t)>& accept) const {
  TopHits top(k);
  std::array<float, VectorStore::kScanned> similarities;
  const uint32_t end = store_.size();
  for (uint32_t row = first; row < end;) {
    const uint32_t n = std::min(end - row, VectorStore::kScanned - row % VectorStore::kScanned);
    store_.similarities(query, row, std::span(similarities).first(n));
    for (uint32_t i = 0; i < n; ++i) {
      if (similarities[i] < top.floor() || store_.erased(row + i)) continue;
      const int64_t key = store_.key(row + i);
      if (!accept || accept(key)) top.offer({key, similarities[i]});
    }
    row += n;
  }
  return top.take();
}

std::vector<VectorHit> VectorIndex::search(std::span<const float> query, int k,
                                           const std::function<bool(int64_t)>& accept, bool exact) const {
  const QuantisedQuery quantised = quantise_query(query);
  std::shared_lock lock(mutex_);
  if (exact || graph_ == nullptr || graph_->n_rows() == 0) return scan(quantised, k, 0, accept);
  const uint32_t in_graph = graph_->n_rows();
  TopHits top(k);
  int kept = 0;
  for (const HnswGraph::Found& found : graph_->search(quantised, k, std::max(kSearchBreadth, 2 * k))) {
    if (store_.erased(found.row)) continue;
    const int64_t key = store_.key(found.row);
    if (accept && !accept(key)) continue;
    top.offer({key, found.similarity});
    ++kept;
  }
  // A filter that few rows pass leaves the graph's neighbourhood empty: then look at every row.
  if (kept < k && (accept || store_.n_erased() > 0)) return scan(quantised, k, 0, accept);
  for (const VectorHit& hit : scan(quantised, k, in_graph, accept)) top.offer(hit);
  return top.take();
}

bool VectorIndex::wants_graph() const {
  std::shared_lock lock(mutex_);
  const uint32_t in_graph = graph_ == nullptr ? 0 : graph_->n_rows();
  if (in_graph == 0) return store_.size() > exact_limit_;
  return store_.size() - in_graph > kTailLimit;
}

bool VectorIndex::has_graph() const {
  std::shared_lock lock(mutex_);
  return graph_ != nullptr && graph_->n_rows() > 0;
}

Status VectorIndex::build_graph(int n_threads, const CancelToken& cancel) {
  MutexLock building(building_);
  if (!wants_graph()) return {};
  std::shared_ptr<HnswGraph> next;
  uint32_t end = 0;
  {
    std::shared_lock lock(mutex_);
    end = store_.size();
    if (graph_ != nullptr) {
      MNEME_ASSIGN_OR_RETURN(next, graph_->copy());
    } else {
      next = std::make_shared<HnswGraph>(store_);
    }
  }
  MNEME_RETURN_IF_ERROR(next->extend(end, n_threads, cancel));
  std::unique_lock lock(mutex_);
  graph_ = std::move(next);
  return {};
}

Status VectorIndex::serialise(const Sink& sink) const {
  std::shared_lock lock(mutex_);
  std::vector<std::byte> piece;
  const uint32_t count = store_.size();
  append_array<uint32_t>(piece, std::span(&count, 1));
  for (uint32_t row = 0; row < count; ++row) {
    const int64_t key = store_.key(row);
    const float scale = store_.scale(row);
    const uint8_t erased = store_.erased(row) ? 1 : 0;
    append_array<int64_t>(piece, std::span(&key, 1));
    append_array<float>(piece, std::span(&scale, 1));
    append_array<uint8_t>(piece, std::span(&erased, 1));
    append_array<int8_t>(piece, store_.values(row));
    if (piece.size() < kPieceBytes) continue;
    MNEME_RETURN_IF_ERROR(sink(piece));
    piece.clear();
  }
  if (graph_ != nullptr) {
    graph_->serialise(piece);
  } else {
    const uint32_t none = 0;
    append_array<uint32_t>(piece, std::span(&none, 1));
  }
  return sink(piece);
}

std::vector<std::byte> VectorIndex::serialise() const {
  std::vector<std::byte> out;
  // A sink that only keeps the bytes does not fail.
  (void)serialise([&](ByteSpan piece) {
    out.insert(out.end(), piece.begin(), piece.end());
    return Status{};
  });
  return out;
}

bool VectorIndex::append_rows(ByteSpan bytes) {
  ByteReader reader(bytes);
  while (reader.left() > 0) {
    const int64_t key = reader.read<int64_t>();
    const float scale = reader.read<float>();
    const uint8_t erased = reader.read<uint8_t>();
    const ByteSpan values = reader.read_bytes(static_cast<size_t>(dim()));
    const int64_t last_key = store_.size() == 0 ? 0 : store_.key(store_.size() - 1);
    if (!reader.ok() || key <= last_key || !(scale >= 0.0f && scale < 1e6f)) return false;
    const std::span<const int8_t> quantised(reinterpret_cast<const int8_t*>(values.data()), values.size());
    if (!store_.append_quantised(key, quantised, scale)) return false;
    if (erased != 0) store_.erase(store_.size() - 1);
  }
  return true;
}

Result<std::unique_ptr<VectorIndex>> VectorIndex::read(const Source& source, uint64_t size, int dim,
                                                       uint32_t exact_limit) {
  const auto damaged = [] { return corruption("the vector index is damaged"); };
  auto index = std::make_unique<VectorIndex>(dim, exact_limit);
  uint32_t count = 0;
  if (size < sizeof count) return damaged();
  MNEME_RETURN_IF_ERROR(source(std::as_writable_bytes(std::span(&count, 1))));
  uint64_t left = size - sizeof count;
  const uint64_t row_bytes = static_cast<uint64_t>(dim) + kRowOverhead;
  if (left / row_bytes < count) return damaged();
  const uint64_t rows_a_piece = std::max<uint64_t>(1, kPieceBytes / row_bytes);
  std::vector<std::byte> piece;
  for (uint64_t row = 0; row < count;) {
    const uint64_t n = std::min<uint64_t>(rows_a_piece, count - row);
    piece.resize(n * row_bytes);
    MNEME_RETURN_IF_ERROR(source(piece));
    if (!index->append_rows(piece)) return damaged();
    row += n;
    left -= piece.size();
  }
  piece.resize(left);
  MNEME_RETURN_IF_ERROR(source(piece));
  ByteReader reader(piece);
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<HnswGraph> graph, HnswGraph::parse(reader, index->store_));
  if (reader.left() != 0) return damaged();
  if (graph->n_rows() > 0) index->graph_ = std::move(graph);
  return index;
}

Result<std::unique_ptr<VectorIndex>> VectorIndex::parse(ByteSpan bytes, int dim, uint32_t exact_limit) {
  size_t at = 0;
  const Source source = [&](MutableByteSpan out) -> Status {
    if (out.size() > bytes.size() - at) return corruption("the vector index is damaged");
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    at += out.size();
    return {};
  };
  return read(source, bytes.size(), dim, exact_limit);
}

uint64_t VectorIndex::memory_bytes() const {
  std::shared_lock lock(mutex_);
  return store_.memory_bytes() + (graph_ == nullptr ? 0 : graph_->memory_bytes());
}

}  // namespace mneme::rag

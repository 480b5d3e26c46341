// The only translation unit that sees hnswlib: its headers define functions that are not inline.
#include "rag/vectors/hnsw_graph.h"

// hnswlib asks for memory ahead by the entry behind the last one of a list, up to three bytes behind what it allocated:
// within what malloc() gives, but an address sanitizer ends the program there. The define leaves that out.
#if defined(__SANITIZE_ADDRESS__)
#define NO_MANUAL_VECTORIZATION
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NO_MANUAL_VECTORIZATION
#endif
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#include <hnswlib/hnswlib.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <thread>

namespace mneme::rag {

namespace {

constexpr size_t kLinks = 16;                 // M: links per node above the ground level; twice that on it
constexpr size_t kBuildBreadth = 128;         // ef_construction
constexpr uint32_t kQueryRow = ~uint32_t{0};  // stands for the thread's query in distance calls

thread_local const QuantisedQuery* current_query = nullptr;

float distance(const void* a, const void* b, const void* store) {
  uint32_t row_a, row_b;
  std::memcpy(&row_a, a, sizeof row_a);
  std::memcpy(&row_b, b, sizeof row_b);
  const VectorStore& vectors = *static_cast<const VectorStore*>(store);
  if (row_a == kQueryRow) return 1.0f - vectors.similarity(*current_query, row_b);
  return 1.0f - vectors.similarity(row_a, row_b);
}

// The "vectors" hnswlib keeps are row numbers of the store.
class RowSpace final : public hnswlib::SpaceInterface<float> {
 public:
  explicit RowSpace(const VectorStore& store) : store_(&store) {}
  size_t get_data_size() override { return sizeof(uint32_t); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance; }
  void* get_dist_func_param() override { return const_cast<VectorStore*>(store_); }

 private:
  const VectorStore* store_;
};

using Graph = hnswlib::HierarchicalNSW<float>;

template <typename T>
void append_value(std::vector<std::byte>& out, T value) {
  const size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

}  // namespace

struct HnswGraph::State {
  explicit State(const VectorStore& vectors) : store(vectors), space(vectors) {}
  const VectorStore& store;
  RowSpace space;
  std::unique_ptr<Graph> graph;

  std::unique_ptr<Graph> make(size_t capacity) {
    return std::make_unique<Graph>(&space, std::max<size_t>(capacity, 1), kLinks, kBuildBreadth);
  }
};

HnswGraph::HnswGraph(const VectorStore& store) : state_(std::make_unique<State>(store)) {}
HnswGraph::~HnswGraph() = default;

uint32_t HnswGraph::n_rows() const {
  return state_->graph == nullptr ? 0 : static_cast<uint32_t>(state_->graph->cur_element_count);
}

Status HnswGraph::extend(uint32_t end, int n_threads, const CancelToken& cancel) {
  const uint32_t begin = n_rows();
  if (end <= begin) return {};
  std::atomic<bool> out_of_memory{false};
  try {
    if (state_->graph == nullptr) {
      state_->graph = state_->make(end);
    } else if (state_->graph->max_elements_ < end) {
      state_->graph->resizeIndex(end);
    }
    std::atomic<uint32_t> next{begin};
    const auto work = [&] {
      try {
        for (uint32_t row = next++; row < end && !cancel.cancelled() && !out_of_memory; row = next++) {
          state_->graph->addPoint(&row, row);
        }
      } catch (const std::exception&) {
        out_of_memory = true;
      }
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < n_threads; ++i) helpers.emplace_back(work);
    work();
  } catch (const std::exception&) {
    out_of_memory = true;
  }
  if (out_of_memory) return resource_error("not enough memory for the vector graph; searches scan the vectors instead");
  return cancel.cancelled() ? cancelled() : Status{};
}

Result<std::unique_ptr<HnswGraph>> HnswGraph::copy() const {
  std::vector<std::byte> bytes;
  serialise(bytes);
  ByteReader reader(bytes);
  return parse(reader, state_->store);
}

std::vector<HnswGraph::Found> HnswGraph::search(const QuantisedQuery& query, int k, int breadth) const {
  std::vector<Found> found;
  if (n_rows() == 0 || k <= 0) return found;
  current_query = &query;
  const uint32_t row = kQueryRow;
  // hnswlib looks at max(its own breadth, k) candidates, so asking for more is how one call widens its search.
  auto queue = state_->graph->searchKnn(&row, static_cast<size_t>(std::max(k, breadth)));
  current_query = nullptr;
  found.resize(queue.size());
  for (size_t i = found.size(); i-- > 0; queue.pop()) {
    found[i] = {static_cast<uint32_t>(queue.top().second), 1.0f - queue.top().first};
  }
  return found;
}

uint64_t HnswGraph::memory_bytes() const {
  if (state_->graph == nullptr) return 0;
  // Links of the ground level, one node in kLinks with links above it, and the table from labels to nodes.
  constexpr uint64_t kTableBytes = 40;
  const Graph& graph = *state_->graph;
  return uint64_t{graph.max_elements_} * (graph.size_data_per_element_ + kTableBytes + sizeof(void*) + sizeof(int)) +
         uint64_t{n_rows()} / kLinks * (graph.size_links_per_element_ + sizeof(void*));
}

// Layout: hnsw_format.md.
void HnswGraph::serialise(std::vector<std::byte>& out) const {
  const uint32_t count = n_rows();
  append_value<uint32_t>(out, count);
  if (count == 0) return;
  Graph& graph = *state_->graph;
  append_value<uint32_t>(out, graph.enterpoint_node_);
  append_value<uint32_t>(out, static_cast<uint32_t>(graph.maxlevel_));
  for (uint32_t node = 0; node < count; ++node) {
    append_value<uint32_t>(out, static_cast<uint32_t>(graph.getExternalLabel(node)));
    const int levels = graph.element_levels_[node];
    append_value<uint8_t>(out, static_cast<uint8_t>(levels));
    for (int level = 0; level <= levels; ++level) {
      const hnswlib::linklistsizeint* list = graph.get_linklist_at_level(node, level);
      const uint16_t n_links = graph.getListCount(const_cast<hnswlib::linklistsizeint*>(list));
      append_value<uint16_t>(out, n_links);
      const size_t at = out.size();
      out.resize(at + n_links * sizeof(uint32_t));
      std::memcpy(out.data() + at, list + 1, n_links * sizeof(uint32_t));
    }
  }
}

namespace {

// One node's links into the graph; false when they cannot be right.
bool parse_node(ByteReader& reader, uint32_t node, uint32_t count, int max_level, std::vector<bool>& seen,
                Graph& graph) {
  const uint32_t row = reader.read<uint32_t>();
  const int levels = reader.read<uint8_t>();
  if (!reader.ok() || row >= count || seen[row] || levels > max_level) return false;
  seen[row] = true;
  std::memset(graph.get_linklist0(node), 0, graph.size_data_per_element_);
  graph.setExternalLabel(node, row);
  std::memcpy(graph.getDataByInternalId(node), &row, sizeof row);
  graph.linkLists_[node] = nullptr;
  if (levels > 0) {
    char* lists = static_cast<char*>(std::calloc(static_cast<size_t>(levels) + 1, graph.size_links_per_element_));
    if (lists == nullptr) return false;
    graph.linkLists_[node] = lists;
  }
  graph.element_levels_[node] = levels;  // from here on the destructor frees the lists
  for (int level = 0; level <= levels; ++level) {
    const uint16_t n_links = reader.read<uint16_t>();
    if (!reader.ok() || n_links > (level == 0 ? graph.maxM0_ : graph.maxM_)) return false;
    const ByteSpan links = reader.read_bytes(n_links * sizeof(uint32_t));
    if (!reader.ok()) return false;
    hnswlib::linklistsizeint* list = graph.get_linklist_at_level(node, level);
    graph.setListCount(list, n_links);
    if (n_links > 0) std::memcpy(list + 1, links.data(), links.size());
    for (uint16_t i = 0; i < n_links; ++i) {
      if (list[1 + i] >= count) return false;
    }
  }
  return true;
}

// A link on level l must lead to a node that has that level.
bool levels_agree(const Graph& graph, uint32_t count) {
  for (uint32_t node = 0; node < count; ++node) {
    for (int level = 1; level <= graph.element_levels_[node]; ++level) {
      hnswlib::linklistsizeint* list = graph.get_linklist(node, level);
      for (uint16_t i = 0; i < graph.getListCount(list); ++i) {
        if (graph.element_levels_[list[1 + i]] < level) return false;
      }
    }
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<HnswGraph>> HnswGraph::parse(ByteReader& reader, const VectorStore& store) {
  const auto damaged = [] { return corruption("the vector graph is damaged"); };
  auto parsed = std::make_unique<HnswGraph>(store);
  const uint32_t count = reader.read<uint32_t>();
  if (!reader.ok() || count > store.size()) return damaged();
  if (count == 0) return parsed;
  const uint32_t entry = reader.read<uint32_t>();
  const uint32_t max_level = reader.read<uint32_t>();
  if (!reader.ok() || entry >= count || max_level > 64 || reader.left() / 7 < count) return damaged();
  try {
    parsed->state_->graph = parsed->state_->make(count);
    Graph& graph = *parsed->state_->graph;
    std::vector<bool> seen(count);
    for (uint32_t node = 0; node < count; ++node) {
      graph.cur_element_count = node + 1;  // before: the lists of a node that is damaged are freed as well
      if (!parse_node(reader, node, count, static_cast<int>(max_level), seen, graph)) return damaged();
      graph.label_lookup_[graph.getExternalLabel(node)] = node;
    }
    if (graph.element_levels_[entry] != static_cast<int>(max_level) || !levels_agree(graph, count)) return damaged();
    graph.enterpoint_node_ = entry;
    graph.maxlevel_ = static_cast<int>(max_level);
  } catch (const std::exception&) {
    return resource_error("not enough memory for the vector graph");
  }
  return parsed;
}

}  // namespace mneme::rag

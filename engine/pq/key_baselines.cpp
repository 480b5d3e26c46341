// The policies that PQ retrieval is compared with, in plain f32: they serve measurements, not speed. Each follows its
// paper's idea; what it needs beyond the keys and queries of decoding (such as attention weights of the prefill) is
// replaced as said below.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/f16.h"
#include "engine/pq/key_selector.h"

namespace mneme::engine {
namespace {

constexpr int kQuestPage = 16;       // tokens that share bounds
constexpr int kInfLlmBlock = 64;     // tokens chosen together
constexpr int kRepresentatives = 4;  // tokens that speak for a block

float dot(const float* a, const float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

class Baseline : public KeySelector {
 public:
  explicit Baseline(const KeySelectorShape& shape) : shape_(shape) {}
  Status update(int /*layer*/, int /*kv_head*/, int /*n_tokens*/, const KeyReader& /*reader*/,
                const CancelToken& /*cancel*/) override {
    return {};
  }
  int n_indexed(int /*layer*/) const override { return std::numeric_limits<int>::max(); }
  void forget(int /*n_tokens*/) override {}

 protected:
  size_t head_index(int layer, int kv_head) const {
    return static_cast<size_t>(layer) * static_cast<size_t>(shape_.n_kv_heads) + static_cast<size_t>(kv_head);
  }
  size_t n_all_heads() const { return static_cast<size_t>(shape_.n_layers) * static_cast<size_t>(shape_.n_kv_heads); }
  const KeySelectorShape shape_;
};

class ExactSelector final : public Baseline {
 public:
  using Baseline::Baseline;
  void select(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch,
              std::vector<TokenPos>& out) override {
    if (!query.weighed) weigh_all(query, reader, scratch);
    const std::vector<TokenPos> chosen = largest_weights(of_candidates(query, scratch), query.k, query.begin);
    out.insert(out.end(), chosen.begin(), chosen.end());
  }
  bool weigh(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch) override {
    weigh_all(query, reader, scratch);
    scratch.by_cells = false;
    scratch.combined.clear();
    for (const float weight : of_candidates(query, scratch)) {
      const float number = weight > 0 ? weight : 0.0f;  // of keys that are no numbers there is no weight
      scratch.combined.push_back(static_cast<int16_t>(std::bit_cast<uint32_t>(number) >> 16));
    }
    scratch.n_candidates = static_cast<int>(scratch.combined.size());
    return true;
  }

 private:
  void weigh_all(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch) const {
    KeyQuery all = query;
    if (query.n_tokens > 0) {
      all.begin = 0;
      all.end = query.n_tokens;
    }
    exact_weights(all, shape_.head_dim, reader, scratch.weights);
  }
  static std::span<const float> of_candidates(const KeyQuery& query, const SelectScratch& scratch) {
    const int first = query.n_tokens > 0 ? query.begin : 0;
    return std::span(scratch.weights).subspan(static_cast<size_t>(first), static_cast<size_t>(query.end - query.begin));
  }
};

// The window has the whole budget (step_budget()); nothing is left to choose.
class WindowSelector final : public Baseline {
 public:
  using Baseline::Baseline;
  void select(const KeyQuery& /*query*/, const KeyReader& /*reader*/, SelectScratch& /*scratch*/,
              std::vector<TokenPos>& /*out*/) override {}
};

// H2O: a token once dropped never comes back, and those with the largest accumulated attention stay. The paper sums
// over the prefill's rows as well; here the sum begins with the first decoded token, which sees all keys.
class H2oSelector final : public Baseline {
 public:
  explicit H2oSelector(const KeySelectorShape& shape) : Baseline(shape), heads_(n_all_heads()) {}

  void forget(int n_tokens) override {
    for (Head& head : heads_)
      if (head.end > n_tokens) head = Head{};
  }

  void select(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch,
              std::vector<TokenPos>& out) override {
    Head& head = heads_[head_index(query.layer, query.kv_head)];
    for (TokenPos p = std::max(head.end, query.begin); p < query.end; ++p) {
      head.kept.push_back(p);
      head.sums.push_back(0.0f);
    }
    head.end = query.end;
    // Weights over all keys, taken where something was kept: dropped tokens have no say in the ranking.
    exact_weights(query, shape_.head_dim, reader, scratch.weights);
    for (size_t i = 0; i < head.kept.size(); ++i)
      if (head.kept[i] >= query.begin) head.sums[i] += scratch.weights[static_cast<size_t>(head.kept[i] - query.begin)];
    const std::vector<TokenPos> best = largest_weights(head.sums, query.k, 0);
    Head next;
    next.end = head.end;
    for (const TokenPos i : best) {
      next.kept.push_back(head.kept[static_cast<size_t>(i)]);
      next.sums.push_back(head.sums[static_cast<size_t>(i)]);
    }
    head = std::move(next);
    out.insert(out.end(), head.kept.begin(), head.kept.end());
  }

 private:
  struct Head {
    TokenPos end = 0;            // tokens that have had their chance: [0, end)
    std::vector<TokenPos> kept;  // ascending
    std::vector<float> sums;     // of kept
  };
  std::vector<Head> heads_;
};

// SparQ: approximate scores from the dimensions where the query is largest, summed over the heads that share the keys.
class SparqSelector final : public Baseline {
 public:
  SparqSelector(const KeySelectorShape& shape, int n_dims) : Baseline(shape), n_dims_(n_dims) {}

  void select(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch,
              std::vector<TokenPos>& out) override {
    const int head_dim = shape_.head_dim;
    std::vector<float> magnitude(static_cast<size_t>(head_dim), 0.0f);
    for (int h = 0; h < query.n_heads; ++h)
      for (int d = 0; d < head_dim; ++d)
        magnitude[static_cast<size_t>(d)] += std::fabs(query.queries[static_cast<size_t>(h * head_dim + d)]);
    const int n_dims = n_dims_ > 0 ? std::min(n_dims_, head_dim) : std::max(1, head_dim / 4);
    const std::vector<TokenPos> kept = largest_weights(magnitude, n_dims, 0);
    // The other dimensions of the queries become 0; the temperature makes up for what they would have added.
    std::vector<float> cut(query.queries.size(), 0.0f);
    KeyQuery sparse = query;
    for (int h = 0; h < query.n_heads; ++h)
      for (const TokenPos d : kept) {
        const auto i = static_cast<size_t>(h * head_dim + d);
        cut[i] = query.queries[i];
      }
    sparse.queries = cut;
    exact_weights(sparse, head_dim, reader, scratch.weights);
    const std::vector<TokenPos> chosen = largest_weights(scratch.weights, query.k, query.begin);
    out.insert(out.end(), chosen.begin(), chosen.end());
  }

 private:
  const int n_dims_;
};

// Scores of units of tokens (pages, blocks) by some bound; whole units are taken, the best first, until k tokens are.
class UnitSelector : public Baseline {
 public:
  UnitSelector(const KeySelectorShape& shape, int unit) : Baseline(shape), unit_(unit), heads_(n_all_heads()) {}

  Status update(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel) override {
    std::vector<float>& summary = heads_[head_index(layer, kv_head)];
    std::vector<float> keys(static_cast<size_t>(unit_) * static_cast<size_t>(shape_.head_dim));
    for (size_t unit = summary.size() / summary_size(); (static_cast<int>(unit) + 1) * unit_ <= n_tokens; ++unit) {
      if (cancel.cancelled()) return cancelled();
      reader.read_keys(layer, kv_head, static_cast<TokenPos>(unit) * unit_, unit_, 1, {}, keys.data());
      summarise(keys, summary);
    }
    return {};
  }
  int n_indexed(int layer) const override {
    size_t n = std::numeric_limits<size_t>::max();
    for (int head = 0; head < shape_.n_kv_heads; ++head)
      n = std::min(n, heads_[head_index(layer, head)].size() / summary_size());
    return static_cast<int>(n) * unit_;
  }
  void forget(int n_tokens) override {
    for (std::vector<float>& summary : heads_)
      summary.resize(std::min(summary.size(), static_cast<size_t>(n_tokens / unit_) * summary_size()));
  }
  int64_t memory_bytes() const override {
    int64_t n = 0;
    for (const std::vector<float>& summary : heads_) n += static_cast<int64_t>(summary.size());
    return n * int64_t{sizeof(f16)};  // as a real one would keep them
  }

  void select(const KeyQuery& query, const KeyReader& /*reader*/, SelectScratch& scratch,
              std::vector<TokenPos>& out) override {
    const std::vector<float>& summary = heads_[head_index(query.layer, query.kv_head)];
    const int first = query.begin / unit_;
    const int last = (query.end - 1) / unit_;
    std::vector<float>& scores = scratch.weights;
    scores.assign(static_cast<size_t>(last - first + 1), 0.0f);
    for (int unit = first; unit <= last; ++unit)
      for (int h = 0; h < query.n_heads; ++h)
        scores[static_cast<size_t>(unit - first)] +=
            query.scale * unit_score(query.queries.data() + int64_t{h} * shape_.head_dim,
                                     summary.data() + static_cast<size_t>(unit) * summary_size());
    std::vector<int> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)]; });
    const size_t before = out.size();
    for (const int unit : order) {
      const TokenPos begin = std::max(query.begin, (first + unit) * unit_);
      const TokenPos end = std::min(query.end, (first + unit + 1) * unit_);
      for (TokenPos p = begin; p < end && static_cast<int>(out.size() - before) < query.k; ++p) out.push_back(p);
    }
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
  }

 protected:
  virtual size_t summary_size() const = 0;  // floats per unit
  // keys: (unit, head_dim), whole units only.
  virtual void summarise(const std::vector<float>& keys, std::vector<float>& summary) const = 0;
  virtual float unit_score(const float* query, const float* summary) const = 0;

  const int unit_;

 private:
  std::vector<std::vector<float>> heads_;
};

// Quest: the largest score any key within a page's extents could have.
class QuestSelector final : public UnitSelector {
 public:
  explicit QuestSelector(const KeySelectorShape& shape) : UnitSelector(shape, kQuestPage) {}

 private:
  size_t summary_size() const override { return 2 * static_cast<size_t>(shape_.head_dim); }
  void summarise(const std::vector<float>& keys, std::vector<float>& summary) const override {
    const auto dim = static_cast<size_t>(shape_.head_dim);
    for (const bool maximum : {false, true})
      for (size_t d = 0; d < dim; ++d) {
        float bound = keys[d];
        for (size_t i = d; i < keys.size(); i += dim)
          bound = maximum ? std::max(bound, keys[i]) : std::min(bound, keys[i]);
        summary.push_back(bound);
      }
  }
  float unit_score(const float* query, const float* summary) const override {
    float sum = 0;
    for (int d = 0; d < shape_.head_dim; ++d)
      sum += std::max(query[d] * summary[d], query[d] * summary[shape_.head_dim + d]);
    return sum;
  }
};

// InfLLM: the largest score of a block's representatives. The paper picks those by the attention they get from nearby
// tokens, which is not there at decoding; here they are the keys that differ most from the block's mean.
class InfLlmSelector final : public UnitSelector {
 public:
  explicit InfLlmSelector(const KeySelectorShape& shape) : UnitSelector(shape, kInfLlmBlock) {}

 private:
  size_t summary_size() const override {
    return static_cast<size_t>(kRepresentatives) * static_cast<size_t>(shape_.head_dim);
  }
  void summarise(const std::vector<float>& keys, std::vector<float>& summary) const override {
    const auto dim = static_cast<size_t>(shape_.head_dim);
    std::vector<float> mean(dim, 0.0f);
    for (size_t i = 0; i < keys.size(); ++i) mean[i % dim] += keys[i] / static_cast<float>(unit_);
    std::vector<float> distance(static_cast<size_t>(unit_), 0.0f);
    for (size_t i = 0; i < keys.size(); ++i) distance[i / dim] += (keys[i] - mean[i % dim]) * (keys[i] - mean[i % dim]);
    for (const TokenPos token : largest_weights(distance, kRepresentatives, 0)) {
      const auto row = keys.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(token) * dim);
      summary.insert(summary.end(), row, row + static_cast<std::ptrdiff_t>(dim));
    }
  }
  float unit_score(const float* query, const float* summary) const override {
    float best = -std::numeric_limits<float>::infinity();
    for (int r = 0; r < kRepresentatives; ++r)
      best = std::max(best, dot(query, summary + int64_t{r} * shape_.head_dim, shape_.head_dim));
    return best;
  }
};

}  // namespace

std::unique_ptr<KeySelector> make_baseline_selector(const RetrievalOptions& options, const KeySelectorShape& shape) {
  switch (options.method) {
    case RetrievalMethod::kSinkWindow: return std::make_unique<WindowSelector>(shape);
    case RetrievalMethod::kH2o: return std::make_unique<H2oSelector>(shape);
    case RetrievalMethod::kSparq: return std::make_unique<SparqSelector>(shape, options.sparq_dims);
    case RetrievalMethod::kQuest: return std::make_unique<QuestSelector>(shape);
    case RetrievalMethod::kInfLlm: return std::make_unique<InfLlmSelector>(shape);
    case RetrievalMethod::kExact:
    case RetrievalMethod::kPq: break;
  }
  return std::make_unique<ExactSelector>(shape);
}

}  // namespace mneme::engine

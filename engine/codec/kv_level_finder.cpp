#include "engine/codec/kv_level_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "engine/codec/kv_transform.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

namespace {

constexpr double kLeastNonZero = 1.0 / 600;  // components that are non-zero more rarely are dropped
constexpr double kExceptionCost = 48 * 256;
constexpr double kOutside = 4e-5;  // share of numbers left to exceptions

// One component's integers at a step.
struct ComponentCounts {
  std::map<int, uint64_t> counts;
  double excess = 0;  // sum over non-zero ones of |integer| - |value| / step
  uint64_t total = 0, non_zero = 0;
  double magnitude = 0;
};

// Of every stride-th token.
ComponentCounts count_component(const std::vector<float>& components, int kv_dim, int component, double step,
                                size_t stride) {
  ComponentCounts result;
  const size_t n_tokens = components.size() / static_cast<size_t>(kv_dim);
  const float* const values = components.data() + static_cast<size_t>(component) * n_tokens;
  const auto inverse = static_cast<float>(1.0 / step);
  std::vector<uint64_t> dense(513);
  for (size_t t = 0; t < n_tokens; t += stride) {
    const float value = values[t];
    const int integer = quantise_component(value, inverse);
    ++result.total;
    if (std::abs(integer) <= 256) {
      ++dense[integer + 256];
    } else {
      ++result.counts[integer];
    }
    if (integer == 0) continue;
    ++result.non_zero;
    result.magnitude += std::abs(integer);
    result.excess += std::abs(integer) - std::fabs(value) * inverse;
  }
  for (int i = -256; i <= 256; ++i) {
    if (dense[i + 256] > 0) result.counts[i] = dense[i + 256];
  }
  return result;
}

// Components with alike integers share a table: three classes per doubling of the mean magnitude.
int class_key(const ComponentCounts& counts) {
  const double mean = (counts.magnitude + 0.5) / (static_cast<double>(counts.total) + 1.0);
  return static_cast<int>(std::lround(3 * std::log2(mean)));
}

struct ClassCounts {
  std::map<int, uint64_t> counts;
  double excess = 0;
  uint64_t total = 0, non_zero = 0;
  void add(const ComponentCounts& other) {
    for (const auto& [integer, count] : other.counts) counts[integer] += count;
    excess += other.excess;
    total += other.total;
    non_zero += other.non_zero;
  }
};

KvCodingClass make_class(const ClassCounts& counts) {
  KvCodingClass result;
  // The smallest reach that leaves few numbers outside.
  std::vector<uint64_t> by_magnitude(129);
  for (const auto& [integer, count] : counts.counts) by_magnitude[std::min(std::abs(integer), 128)] += count;
  uint64_t outside = by_magnitude[128];
  int reach = 127;
  const auto allowed = static_cast<uint64_t>(kOutside * static_cast<double>(counts.total));
  while (reach > 1 && outside + by_magnitude[reach] <= allowed) outside += by_magnitude[reach--];
  result.reach = static_cast<uint8_t>(reach);
  std::vector<uint64_t> symbols(2 * static_cast<size_t>(reach) + 1, 1);  // every symbol at least once
  for (const auto& [integer, count] : counts.counts) symbols[std::clamp(integer, -reach, reach) + reach] += count;
  result.frequencies = make_rans_frequencies(symbols);
  result.shrink = counts.non_zero > 0 ? static_cast<float>(counts.excess / static_cast<double>(counts.non_zero)) : 0.0f;
  result.shrink = std::clamp(result.shrink, -0.25f, 0.25f);
  return result;
}

double bits_of(const ClassCounts& counts, const KvCodingClass& coding_class) {
  constexpr double kExceptionBits = 48;
  double bits = 0;
  const int reach = coding_class.reach;
  for (const auto& [integer, count] : counts.counts) {
    const int inside = std::clamp(integer, -reach, reach);
    bits += static_cast<double>(count) *
            (kRansBits - std::log2(static_cast<double>(coding_class.frequencies[inside + reach])) +
             (inside != integer ? kExceptionBits : 0));
  }
  return bits;
}

// The same by the integer costs that encoding decides by.
double cost_of(const std::map<int, uint64_t>& counts, const KvCodingClass& coding_class) {
  double cost = 0;
  for (const auto& [integer, count] : counts) {
    const int reach = coding_class.reach;
    const int inside = std::clamp(integer, -reach, reach);
    cost += static_cast<double>(count) *
            (rans_cost(coding_class.frequencies[inside + reach]) + (inside != integer ? kExceptionCost : 0));
  }
  return cost / 256;
}

class LevelFinder {
 public:
  LevelFinder(const KvComponents& components, int kv_dim, int group_dim, ThreadPool& pool)
      : components_(components), kv_dim_(kv_dim), group_dim_(group_dim), pool_(pool) {}

  // The level at a step, and the bits per number it takes on the sample (every stride-th token).
  KvLevelProfile make(double step, size_t stride, double& bits_per_element) const {
    KvLevelProfile level;
    std::map<int, ClassCounts> classes;
    std::vector<std::array<std::vector<int>, 2>> keys(components_.size());
    double elements = 0;
    for (size_t layer = 0; layer < components_.size(); ++layer) {
      for (int part = 0; part < 2; ++part) {
        keys[layer][part] = classify(components_[layer][part], step, stride, classes);
        elements += static_cast<double>(components_[layer][part].size()) / static_cast<double>(stride);
      }
    }
    std::map<int, uint8_t> numbers;
    double bits = 0;
    for (const auto& [key, counts] : classes) {
      numbers[key] = static_cast<uint8_t>(level.classes.size());
      level.classes.push_back(make_class(counts));
      bits += bits_of(counts, level.classes.back());
    }
    bits_per_element = bits / elements;
    for (const auto& parts : keys) {
      auto& own = level.layers.emplace_back();
      for (int part = 0; part < 2; ++part) {
        own[part].step = static_cast<float>(step);
        for (const int key : parts[part])
          own[part].classes.push_back(key == kNone ? KvPartLevel::kDropped : numbers[key]);
      }
    }
    return level;
  }

  // Fills layer_bits.
  void measure_layers(double step, size_t stride, KvLevelProfile& level) const {
    for (size_t layer = 0; layer < components_.size(); ++layer) {
      double bits = 0;
      double elements = 0;
      for (int part = 0; part < 2; ++part) {
        const std::vector<float>& values = components_[layer][part];
        const size_t n_looked_at = (values.size() / kv_dim_ + stride - 1) / stride;
        elements += static_cast<double>(n_looked_at * kv_dim_);
        const std::vector<ComponentCounts> counts = count_all(values, step, stride);
        for (int c = 0; c < kv_dim_; ++c) {
          const uint8_t number = level.layers[layer][part].classes[c];
          if (number != KvPartLevel::kDropped) bits += cost_of(counts[c].counts, level.classes[number]);
        }
      }
      level.layer_bits.push_back(static_cast<float>(std::max(bits / elements, 1e-3)));
    }
  }

  // The level with the finest step that spends no more than these bits on a number, judged by some of the tokens.
  Result<KvLevelProfile> find(double bits_per_element, const CancelToken& cancel) const {
    constexpr size_t kJudgedTokens = 1536;
    constexpr int kRounds = 22;
    const size_t n_tokens = components_[0][0].size() / static_cast<size_t>(kv_dim_);
    const size_t stride = std::max<size_t>(1, n_tokens / kJudgedTokens);
    double low = 1e-5;
    double high = 1e3;  // bits fall as the step grows
    double bits = 0;
    for (int round = 0; round < kRounds; ++round) {
      if (cancel.cancelled()) return cancelled();
      const double step = std::sqrt(low * high);
      make(step, stride, bits);
      (bits > bits_per_element ? low : high) = step;
    }
    KvLevelProfile level = make(high, 1, bits);
    measure_layers(high, stride, level);
    return level;
  }

 private:
  static constexpr int kNone = INT32_MIN;

  std::vector<ComponentCounts> count_all(const std::vector<float>& values, double step, size_t stride) const {
    constexpr size_t kComponents = 16;  // at once
    std::vector<ComponentCounts> counts(kv_dim_);
    pool_.parallel_for(static_cast<size_t>(kv_dim_), kComponents, [&](int, size_t begin, size_t end) {
      for (size_t c = begin; c < end; ++c)
        counts[c] = count_component(values, kv_dim_, static_cast<int>(c), step, stride);
    });
    return counts;
  }

  // Each component's class key; the last components of a group that hardly ever show are dropped.
  std::vector<int> classify(const std::vector<float>& values, double step, size_t stride,
                            std::map<int, ClassCounts>& classes) const {
    std::vector<int> keys(kv_dim_, kNone);
    const std::vector<ComponentCounts> counts = count_all(values, step, stride);
    for (int g = 0; g < kv_dim_; g += group_dim_) {
      int kept = group_dim_;
      while (kept > 0 && static_cast<double>(counts[g + kept - 1].non_zero) <
                             kLeastNonZero * static_cast<double>(counts[g + kept - 1].total)) {
        --kept;
      }
      for (int c = g; c < g + kept; ++c) {
        keys[c] = std::clamp(class_key(counts[c]), -30, 30);
        classes[keys[c]].add(counts[c]);
      }
    }
    return keys;
  }

  const KvComponents& components_;
  int kv_dim_;
  int group_dim_;
  ThreadPool& pool_;
};

}  // namespace

Result<KvLevelProfile> find_level(const KvComponents& components, int kv_dim, int group_dim, double bits_per_element,
                                  ThreadPool& pool, const CancelToken& cancel) {
  return LevelFinder(components, kv_dim, group_dim, pool).find(bits_per_element, cancel);
}

}  // namespace mneme::engine

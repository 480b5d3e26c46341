#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "engine/codec/cachegen.h"

namespace mneme::engine {

namespace {

constexpr size_t kMinTokens = 256;
constexpr double kOutside = 4e-5;  // share of differences left to exceptions
constexpr int kMaxReach = 127;

constexpr std::array<std::pair<std::string_view, CachegenOptions>, 4> kNames{
    {{"cachegen", {}},
     {"cachegen-no-differences", {.differences = false, .layer_bins = true, .channel_tables = true}},
     {"cachegen-one-bin", {.differences = true, .layer_bins = false, .channel_tables = true}},
     {"cachegen-one-table", {.differences = true, .layer_bins = true, .channel_tables = false}}}};

// The bin of a layer in standard deviations: 0.5, 1, 1.5 for the three thirds of the layers.
double bin_of(int layer, int n_layers, KvLevel level, const CachegenOptions& options) {
  const int third = 3 * layer / n_layers;
  const double depth = options.layer_bins ? 0.5 * (1 + third) : 1.0;
  return depth * (level == KvLevel::kHigh ? 0.5 : level == KvLevel::kLow ? 2.0 : 1.0);
}

using Counts = std::array<uint64_t, 256>;

RansFrequencies table_of(const Counts& counts, int n_symbols) {
  std::vector<uint64_t> smoothed(counts.begin(), counts.begin() + n_symbols);
  for (uint64_t& count : smoothed) ++count;  // every symbol at least once
  return make_rans_frequencies(smoothed);
}

}  // namespace

std::optional<CachegenOptions> cachegen_options(std::string_view name) {
  for (const auto& [known, options] : kNames) {
    if (known == name) return options;
  }
  return std::nullopt;
}

std::string_view cachegen_name(const CachegenOptions& options) {
  for (const auto& [name, known] : kNames) {
    if (known.differences == options.differences && known.layer_bins == options.layer_bins &&
        known.channel_tables == options.channel_tables) {
      return name;
    }
  }
  return "cachegen-other";
}

namespace cachegen_detail {

f16 anchor_scale(std::span<const f16> row) {
  float largest = 0;
  for (const f16 value : row) {
    const float magnitude = std::fabs(to_f32(value));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return to_f16(largest);
}

int anchor_integer(f16 value, f16 scale) {
  const float unit = anchor_unit(scale);
  const float number = to_f32(value);
  if (!(unit > 0) || !std::isfinite(number)) return 0;
  return static_cast<int>(std::clamp(std::nearbyint(number / unit), -127.0f, 127.0f));
}

int difference_integer(f16 value, float base, float bin) {
  const float number = to_f32(value);
  if (!std::isfinite(number)) return 0;
  return static_cast<int>(
      std::clamp(std::nearbyint((number - base) / bin), -float{kMostDifference}, float{kMostDifference}));
}

}  // namespace cachegen_detail

namespace {

// One part of one layer over all windows.
class PartCalibration {
 public:
  PartCalibration(std::vector<const std::vector<f16>*> windows, int kv_dim, const CachegenOptions& options)
      : windows_(std::move(windows)), kv_dim_(static_cast<size_t>(kv_dim)), options_(options), mean_(kv_dim_) {
    measure_means();
  }

  const std::vector<float>& mean() const { return mean_; }

  // `bin` standard deviations for every channel.
  std::vector<float> bins(double bin) const {
    std::vector<float> bins;
    bins.reserve(kv_dim_);
    std::vector<double> squares(kv_dim_);
    double count = 0;
    // The spread of differences sets the bins, also where they are not coded as such: sizes then compare at one error.
    visit(true, [&](size_t c, f16 value, float base) {
      const double difference = std::isfinite(to_f32(value)) ? to_f32(value) - base : 0.0;
      squares[c] += difference * difference;
      if (c == 0) ++count;
    });
    for (const double square : squares) {
      bins.push_back(static_cast<float>(std::max(bin * std::sqrt(square / std::max(count, 1.0)), 1e-6)));
    }
    return bins;
  }

  // Counts the integers; `differences` by bin, `anchors` by all tokens, since any may become one.
  void count(const std::vector<float>& bins, int reach, std::vector<Counts>& anchors,
             std::vector<Counts>& differences) const {
    visit(options_.differences, [&](size_t c, f16 value, float base) {
      const int integer = cachegen_detail::difference_integer(value, base, bins[c]);
      const int symbol = std::clamp(integer, -reach, reach) + reach;
      ++differences[c][static_cast<size_t>(symbol)];
    });
    for (const std::vector<f16>* window : windows_) {
      for (size_t at = 0; at < window->size(); at += kv_dim_) {
        const std::span<const f16> row = std::span(*window).subspan(at, kv_dim_);
        const f16 scale = cachegen_detail::anchor_scale(row);
        for (size_t c = 0; c < kv_dim_; ++c) {
          const int symbol = cachegen_detail::anchor_integer(row[c], scale) + kMaxReach;
          ++anchors[c][static_cast<size_t>(symbol)];
        }
      }
    }
  }

  // The smallest reach that leaves few integers outside.
  int reach(const std::vector<float>& bins) const {
    std::vector<uint64_t> by_magnitude(kMaxReach + 2);
    uint64_t total = 0;
    visit(options_.differences, [&](size_t c, f16 value, float base) {
      const int integer = std::abs(cachegen_detail::difference_integer(value, base, bins[c]));
      ++by_magnitude[static_cast<size_t>(std::min(integer, kMaxReach + 1))];
      ++total;
    });
    uint64_t outside = by_magnitude[kMaxReach + 1];
    const auto allowed = static_cast<uint64_t>(kOutside * static_cast<double>(total));
    int reach = kMaxReach;
    while (reach > 1 && outside + by_magnitude[static_cast<size_t>(reach)] <= allowed) {
      outside += by_magnitude[static_cast<size_t>(reach--)];
    }
    return reach;
  }

 private:
  void measure_means() {
    std::vector<double> sums(kv_dim_);
    double count = 0;
    for (const std::vector<f16>* window : windows_) {
      for (size_t i = 0; i < window->size(); ++i) {
        const float value = to_f32((*window)[i]);
        if (std::isfinite(value)) sums[i % kv_dim_] += value;
      }
      const size_t n_rows = window->size() / kv_dim_;
      count += static_cast<double>(n_rows);
    }
    for (size_t c = 0; c < kv_dim_; ++c) mean_[c] = static_cast<float>(sums[c] / std::max(count, 1.0));
  }

  // take(channel, value, what it is coded relative to) for all tokens coded as differences: to the anchor, or, with
  // `to_anchor` off, to the mean (then all tokens are).
  template <typename Take>
  void visit(bool to_anchor, const Take& take) const {
    std::vector<float> base(mean_);
    for (const std::vector<f16>* window : windows_) {
      for (size_t token = 0; token * kv_dim_ < window->size(); ++token) {
        const std::span<const f16> row = std::span(*window).subspan(token * kv_dim_, kv_dim_);
        if (to_anchor && token % kCachegenGroup == 0) {
          const f16 scale = cachegen_detail::anchor_scale(row);
          for (size_t c = 0; c < kv_dim_; ++c) {
            base[c] = static_cast<float>(cachegen_detail::anchor_integer(row[c], scale)) *
                      cachegen_detail::anchor_unit(scale);
          }
          continue;
        }
        for (size_t c = 0; c < kv_dim_; ++c) take(c, row[c], base[c]);
      }
    }
  }

  const std::vector<const std::vector<f16>*> windows_;
  const size_t kv_dim_;
  const CachegenOptions options_;
  std::vector<float> mean_;
};

Counts sum_of(const std::vector<Counts>& counts) {
  Counts sum{};
  for (const Counts& own : counts) {
    for (size_t s = 0; s < sum.size(); ++s) sum[s] += own[s];
  }
  return sum;
}

}  // namespace

void CachegenCalibrator::add(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values) {
  assert(keys.size() == static_cast<size_t>(n_tokens) * shape_.kv_dim() && values.size() == keys.size());
  (void)n_tokens;
  windows_[layer].push_back(
      {std::vector<f16>(keys.begin(), keys.end()), std::vector<f16>(values.begin(), values.end())});
}

namespace {

using Calibrations = std::vector<std::array<std::unique_ptr<PartCalibration>, 2>>;  // [layer][part]

void make_channel_tables(const Calibrations& calibrations, CachegenProfile& profile) {
  const auto kv_dim = static_cast<size_t>(profile.shape.kv_dim());
  for (size_t layer = 0; layer < calibrations.size(); ++layer) {
    CachegenLayer& own = profile.layers[layer];
    for (size_t part = 0; part < 2; ++part) {
      std::vector<Counts> anchors(kv_dim), differences(kv_dim);
      calibrations[layer][part]->count(own.bin[part], own.reach[part], anchors, differences);
      for (const Counts& counts : anchors) own.anchor_tables.push_back(table_of(counts, 2 * kMaxReach + 1));
      for (const Counts& counts : differences) {
        own.difference_tables.push_back(table_of(counts, 2 * own.reach[part] + 1));
      }
    }
  }
}

// One table for the whole model needs one reach for all: the largest.
void make_common_tables(const Calibrations& calibrations, CachegenProfile& profile) {
  const auto kv_dim = static_cast<size_t>(profile.shape.kv_dim());
  uint8_t reach = 1;
  for (const CachegenLayer& layer : profile.layers) reach = std::max({reach, layer.reach[0], layer.reach[1]});
  std::vector<Counts> anchors, differences;
  for (size_t layer = 0; layer < calibrations.size(); ++layer) {
    for (size_t part = 0; part < 2; ++part) {
      profile.layers[layer].reach[part] = reach;
      std::vector<Counts> part_anchors(kv_dim), part_differences(kv_dim);
      calibrations[layer][part]->count(profile.layers[layer].bin[part], reach, part_anchors, part_differences);
      anchors.push_back(sum_of(part_anchors));
      differences.push_back(sum_of(part_differences));
    }
  }
  for (CachegenLayer& layer : profile.layers) {
    layer.anchor_tables = {table_of(sum_of(anchors), 2 * kMaxReach + 1)};
    layer.difference_tables = {table_of(sum_of(differences), 2 * reach + 1)};
  }
}

}  // namespace

Result<CachegenProfile> CachegenCalibrator::finish(KvLevel level, const CachegenOptions& options) const {
  CachegenProfile profile{shape_, options, level, std::vector<CachegenLayer>(shape_.n_layers)};
  Calibrations calibrations(shape_.n_layers);
  for (int layer = 0; layer < shape_.n_layers; ++layer) {
    size_t n_tokens = 0;
    for (const Window& window : windows_[layer]) n_tokens += window[0].size() / shape_.kv_dim();
    if (n_tokens < kMinTokens) {
      return usage_error("calibration needs at least " + std::to_string(kMinTokens) + " tokens of text and got " +
                         std::to_string(n_tokens) + ".");
    }
    CachegenLayer& own = profile.layers[layer];
    for (int part = 0; part < 2; ++part) {
      std::vector<const std::vector<f16>*> windows;
      for (const Window& window : windows_[layer]) windows.push_back(&window[part]);
      calibrations[layer][part] = std::make_unique<PartCalibration>(std::move(windows), shape_.kv_dim(), options);
      own.mean[part] = calibrations[layer][part]->mean();
      own.bin[part] = calibrations[layer][part]->bins(bin_of(layer, shape_.n_layers, level, options));
      own.reach[part] = static_cast<uint8_t>(calibrations[layer][part]->reach(own.bin[part]));
    }
  }
  (options.channel_tables ? make_channel_tables : make_common_tables)(calibrations, profile);
  return profile;
}

}  // namespace mneme::engine

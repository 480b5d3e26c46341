#include "engine/pq/codebook.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/pq/kmeans.h"

namespace mneme::engine {
namespace {

constexpr int kWideEntries = 256;
constexpr float kMostCode = 127.0f;  // of a centroid's dimension
constexpr int kMostPartDim = 1024;   // heads have no more
constexpr float kLog2E = 1.44269504f;
constexpr int kSpreadKeys = 4096;          // that the variance is measured on
constexpr float kUsualKeys = 8.0f;         // a code's variance is mixed with so many keys of the usual one
constexpr float kMostHalfVariance = 2.0f;  // beyond, no key may be as heavy as a normal distribution has some

// Variances of two dimensions, taken for independent, after a turn.
void turn_spread(float& x, float& y, double cosine, double sine) {
  const double cosine_2 = cosine * cosine;
  const double sine_2 = sine * sine;
  const double turned_x = x * cosine_2 + y * sine_2;
  y = static_cast<float>(x * sine_2 + y * cosine_2);
  x = static_cast<float>(turned_x);
}

}  // namespace

Result<Codebook> Codebook::train(const KeyParts& parts, std::span<const float> keys, int n_keys,
                                 const CodebookOptions& options, const PqKernels& kernels, const CancelToken& cancel) {
  Codebook book;
  book.n_parts_ = parts.n_parts;
  book.part_dim_ = parts.part_dim;
  const int n_codes = 1 << options.n_bits;
  book.width_ = (n_codes + 15) / 16 * 16;
  book.entries_ = n_codes <= kTableEntries ? kTableEntries : kWideEntries;
  const int64_t stride = int64_t{parts.n_parts} * parts.part_dim;
  for (int part = 0; part < parts.n_parts; ++part) {
    MNEME_ASSIGN_OR_RETURN(const Clusters clusters,
                           k_means({keys.data() + int64_t{part} * parts.part_dim, stride, n_keys, parts.part_dim},
                                   {.n_clusters = n_codes,
                                    .max_iterations = options.iterations,
                                    .seed = options.seed + static_cast<uint64_t>(part)},
                                   kernels, cancel));
    book.iterations_ = std::max(book.iterations_, clusters.iterations);
    book.n_clusters_.push_back(clusters.n_clusters);
    const TransposedCentroids t =
        transpose_centroids(clusters.centroids.data(), clusters.n_clusters, parts.part_dim, book.width_);
    const auto width = static_cast<size_t>(book.width_);
    const size_t first_row = book.scales_.size();
    const auto n_rows = static_cast<size_t>(parts.part_dim);
    book.scales_.resize(first_row + n_rows);
    book.centroids_.resize((first_row + n_rows) * width);
    for (size_t d = 0; d < n_rows; ++d) book.set_row(first_row + d, std::span(t.columns).subspan(d * width, width));
  }
  if (book.entries_ == kTableEntries) book.measure_spread(keys, n_keys, kernels);
  return book;
}

void Codebook::set_row(size_t row, std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  scales_[row] = largest / kMostCode;
  const float inverse = largest > 0 ? kMostCode / largest : 0.0f;
  int8_t* codes = centroids_.data() + row * values.size();
  for (size_t c = 0; c < values.size(); ++c) codes[c] = static_cast<int8_t>(std::lround(values[c] * inverse));
}

void Codebook::get_row(size_t row, std::span<float> values) const {
  const int8_t* codes = centroids_.data() + row * values.size();
  for (size_t c = 0; c < values.size(); ++c) values[c] = scales_[row] * static_cast<float>(codes[c]);
}

std::vector<float> Codebook::columns_of(int part) const {
  const auto width = static_cast<size_t>(width_);
  const auto n_rows = static_cast<size_t>(part_dim_);
  std::vector<float> columns(n_rows * width);
  for (size_t d = 0; d < n_rows; ++d)
    get_row(static_cast<size_t>(part) * n_rows + d, std::span(columns).subspan(d * width, width));
  return columns;
}

void Codebook::multiply(std::span<const float> query, int part, const PqKernels& kernels, float* out) const {
  const auto n_rows = static_cast<size_t>(part_dim_);
  const size_t first = static_cast<size_t>(part) * n_rows;
  float scaled[kMostPartDim];
  for (size_t d = 0; d < n_rows; ++d) scaled[d] = query[first + d] * scales_[first + d];
  kernels.products(scaled, part_dim_, centroids_.data() + first * static_cast<size_t>(width_), width_, out);
}

void Codebook::measure_spread(std::span<const float> keys, int n_keys, const PqKernels& kernels) {
  const auto dim = static_cast<size_t>(n_parts_) * static_cast<size_t>(part_dim_);
  const int step = (n_keys + kSpreadKeys - 1) / kSpreadKeys;
  std::vector<float> some;
  for (int i = 0; i < n_keys; i += step) {
    const auto key = keys.subspan(static_cast<size_t>(i) * dim, dim);
    some.insert(some.end(), key.begin(), key.end());
  }
  const size_t n = some.size() / dim;
  std::vector<uint8_t> codes(static_cast<size_t>(n_parts_) * n);
  std::vector<uint8_t*> of_part(static_cast<size_t>(n_parts_));
  for (size_t p = 0; p < of_part.size(); ++p) of_part[p] = codes.data() + p * n;
  encode(some, static_cast<int>(n), kernels, of_part);
  spreads_.assign(dim, 0.0f);
  spread_of_.assign(static_cast<size_t>(n_parts_) * static_cast<size_t>(width_), 0.0f);
  for (int p = 0; p < n_parts_; ++p)
    measure_part(p, some, std::span<const uint8_t>(codes).subspan(static_cast<size_t>(p) * n, n));
}

// keys: (codes.size(), n_parts, part_dim).
void Codebook::measure_part(int part, std::span<const float> keys, std::span<const uint8_t> codes) {
  const auto dim = static_cast<size_t>(part_dim_);
  const auto width = static_cast<size_t>(width_);
  const std::vector<float> columns = columns_of(part);
  const auto spreads = std::span(spreads_).subspan(static_cast<size_t>(part) * dim, dim);
  const auto of_code = std::span(spread_of_).subspan(static_cast<size_t>(part) * width, width);
  std::vector<float> counts(width);
  for (size_t i = 0; i < codes.size(); ++i) {
    const float* key = keys.data() + (i * static_cast<size_t>(n_parts_) + static_cast<size_t>(part)) * dim;
    ++counts[codes[i]];
    for (size_t d = 0; d < dim; ++d) {
      const float away = key[d] - columns[d * width + codes[i]];
      spreads[d] += away * away / static_cast<float>(codes.size());
      of_code[codes[i]] += away * away;
    }
  }
  const float usual = std::accumulate(spreads.begin(), spreads.end(), 0.0f);
  for (size_t c = 0; c < width; ++c)
    of_code[c] = usual > 0 ? (of_code[c] / usual + kUsualKeys) / (counts[c] + kUsualKeys) : 0.0f;
}

// In units of the products, which are yet to be scaled.
void Codebook::add_spread(std::span<const float> query, float scale, int part, std::span<float> products) const {
  float sums[4] = {};
  for (size_t d = 0; d < query.size(); ++d)
    sums[d % 4] += query[d] * query[d] * spreads_[static_cast<size_t>(part * part_dim_) + d];
  // The variance of scale * query . key, halved; both in units of the products.
  const float along = 0.5f * scale * (sums[0] + sums[1] + sums[2] + sums[3]);
  const float most = kMostHalfVariance / (static_cast<float>(n_parts_) * scale);
  const float* shares = spread_of_.data() + static_cast<size_t>(part * width_);
  for (size_t c = 0; c < static_cast<size_t>(width_); ++c) products[c] += std::min(along * shares[c], most);
}

std::vector<float> Codebook::centroid(int part, int code) const {
  const std::vector<float> columns = columns_of(part);
  std::vector<float> values(static_cast<size_t>(part_dim_));
  for (size_t d = 0; d < values.size(); ++d)
    values[d] = columns[d * static_cast<size_t>(width_) + static_cast<size_t>(code)];
  return values;
}

void Codebook::encode(std::span<const float> keys, int n_keys, const PqKernels& kernels,
                      std::span<uint8_t* const> codes) const {
  std::vector<float> half_norms(static_cast<size_t>(width_));
  for (int part = 0; part < n_parts_; ++part) {
    const std::vector<float> columns = columns_of(part);
    std::fill(half_norms.begin(), half_norms.end(), 0.0f);
    for (size_t i = 0; i < columns.size(); ++i)
      half_norms[i % static_cast<size_t>(width_)] += 0.5f * columns[i] * columns[i];
    std::fill(half_norms.begin() + n_clusters_[static_cast<size_t>(part)], half_norms.end(),
              std::numeric_limits<float>::infinity());
    kernels.nearest({.n_points = n_keys,
                     .dim = part_dim_,
                     .points = keys.data() + int64_t{part} * part_dim_,
                     .point_stride = int64_t{n_parts_} * part_dim_,
                     .n_centroids = width_,
                     .centroids = columns.data(),
                     .half_norms = half_norms.data(),
                     .codes = codes[static_cast<size_t>(part)]});
  }
}

float Codebook::make_tables(std::span<const float> query, float scale, const PqKernels& kernels,
                            std::span<int16_t> tables) const {
  const int16_t floor = score_floor(n_parts_);
  float left_out = 0;
  float products[kWideEntries];
  for (int part = 0; part < n_parts_; ++part) {
    multiply(query, part, kernels, products);
    const int n = n_clusters_[static_cast<size_t>(part)];
    float largest = -std::numeric_limits<float>::infinity();
    for (int c = 0; c < n; ++c) largest = std::max(largest, products[c] * scale);
    left_out += largest;
    const auto table =
        tables.subspan(static_cast<size_t>(part) * static_cast<size_t>(entries_), static_cast<size_t>(entries_));
    std::fill(table.begin(), table.end(), floor);
    for (int c = 0; c < n; ++c) {
      const float units = (products[c] * scale - largest) * (kLog2E * kScoreUnit);
      // Written so that what is not a number gets the floor.
      if (units > floor) table[static_cast<size_t>(c)] = static_cast<int16_t>(std::lround(std::min(units, 0.0f)));
    }
  }
  return left_out;
}

float Codebook::make_weights(std::span<const float> query, float scale, bool by_spread, const PqKernels& kernels,
                             std::span<float> weights) const {
  float left_out = 0;
  for (int part = 0; part < n_parts_; ++part) {
    float* of_part = weights.data() + part * kTableEntries;
    multiply(query, part, kernels, of_part);
    if (by_spread && scale > 0) {
      const auto own = static_cast<size_t>(part_dim_);
      add_spread(query.subspan(static_cast<size_t>(part) * own, own), scale, part,
                 {of_part, static_cast<size_t>(width_)});
    }
    // Codes that no key has must not decide what the largest is.
    std::fill(of_part + n_clusters_[static_cast<size_t>(part)], of_part + kTableEntries, of_part[0]);
    left_out += kernels.weigh(of_part, kTableEntries, scale);
  }
  return left_out;
}

void Codebook::rotate(const KeyParts& parts, const RopeConfig& rope, int positions) {
  const int half = rope.n_rot / 2;
  std::vector<int> place(parts.order.size());  // of each dimension
  for (size_t i = 0; i < parts.order.size(); ++i) place[static_cast<size_t>(parts.order[i])] = static_cast<int>(i);
  std::vector<float> row_a(static_cast<size_t>(width_)), row_b(row_a.size());
  for (int pair = 0; pair < half; ++pair) {
    const bool split = rope.layout == RopeLayout::kSplitHalf;
    const int a = place[static_cast<size_t>(split ? pair : 2 * pair)];
    const int b = place[static_cast<size_t>(split ? pair + half : 2 * pair + 1)];
    const double angle = static_cast<double>(positions) * rope.inverse_frequencies[static_cast<size_t>(pair)];
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    get_row(static_cast<size_t>(a), row_a);
    get_row(static_cast<size_t>(b), row_b);
    if (!spreads_.empty())
      turn_spread(spreads_[static_cast<size_t>(a)], spreads_[static_cast<size_t>(b)], cosine, sine);
    for (size_t c = 0; c < row_a.size(); ++c) {
      const double x = row_a[c];
      const double y = row_b[c];
      row_a[c] = static_cast<float>(x * cosine - y * sine);
      row_b[c] = static_cast<float>(x * sine + y * cosine);
    }
    set_row(static_cast<size_t>(a), row_a);
    set_row(static_cast<size_t>(b), row_b);
  }
}

}  // namespace mneme::engine

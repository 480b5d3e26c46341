#include "engine/codec/kv_moments.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace mneme::engine {

namespace {

// Rows that are multiplied at once: the products of a group, up to 128 KiB, are read and written once for all of them.
constexpr int kBlockRows = 8;

}  // namespace

KvMoments::KvMoments(int kv_dim, int group_dim)
    : kv_dim_(kv_dim),
      group_dim_(group_dim),
      sums_(kv_dim),
      products_(static_cast<size_t>(kv_dim) * group_dim),
      block_(static_cast<size_t>(kBlockRows) * kv_dim) {
  assert(group_dim > 0 && kv_dim % group_dim == 0);
}

void KvMoments::add(std::span<const f16> rows) {
  assert(rows.size() % kv_dim_ == 0);
  int in_block = 0;
  for (size_t at = 0; at < rows.size(); at += kv_dim_) {
    double* const row = block_.data() + static_cast<size_t>(in_block) * kv_dim_;
    bool finite = true;
    for (int c = 0; c < kv_dim_; ++c) {
      row[c] = to_f32(rows[at + c]);
      finite = finite && std::isfinite(row[c]);
    }
    if (finite && ++in_block == kBlockRows) add_block(std::exchange(in_block, 0));
  }
  add_block(in_block);
}

void KvMoments::add_block(int n_rows) {
  n_rows_ += n_rows;
  for (int t = 0; t < n_rows; ++t) {
    for (int c = 0; c < kv_dim_; ++c) sums_[c] += block_[static_cast<size_t>(t) * kv_dim_ + c];
  }
  // Rows that are missing count nothing.
  std::fill(block_.begin() + static_cast<ptrdiff_t>(n_rows) * kv_dim_, block_.end(), 0.0);
  for (int first = 0; first < kv_dim_ && n_rows > 0; first += group_dim_) {
    const double* const x = block_.data() + first;
    for (int i = 0; i < group_dim_; ++i) {
      double* const to = products_.data() + (static_cast<size_t>(first) + i) * group_dim_;
      for (int j = i; j < group_dim_; ++j) {
        double sum = to[j];
        for (int t = 0; t < kBlockRows; ++t) sum += x[t * kv_dim_ + i] * x[t * kv_dim_ + j];
        to[j] = sum;
      }
    }
  }
}

double KvMoments::mean(int channel) const {
  return n_rows_ > 0 ? sums_[channel] / static_cast<double>(n_rows_) : 0;
}

double KvMoments::covariance(int group, int i, int j) const {
  if (n_rows_ == 0) return 0;
  const int first = group * group_dim_;
  const auto [low, high] = std::minmax(i, j);
  const double product = products_[(static_cast<size_t>(first) + low) * group_dim_ + high];
  return product / static_cast<double>(n_rows_) - mean(first + i) * mean(first + j);
}

}  // namespace mneme::engine

// Means and covariances of channels, gathered while rows pass by, so that calibration need not keep them.
// Threads: one at a time per object.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/f16.h"

namespace mneme::engine {

// Of keys, or values, of one layer. Plain double arithmetic in the rows' order: the same on every machine.
class KvMoments {
 public:
  // Covariances are gathered within groups of so many neighbouring channels, of which there is a whole number.
  KvMoments(int kv_dim, int group_dim);

  // (n, kv_dim). A row that holds infinities or NaN is left out.
  void add(std::span<const f16> rows);

  size_t n_rows() const { return n_rows_; }

  // Of rows that were added; 0 without any.
  double mean(int channel) const;
  double variance(int channel) const {
    return covariance(channel / group_dim_, channel % group_dim_, channel % group_dim_);
  }
  // Of the i-th and the j-th channel of a group.
  double covariance(int group, int i, int j) const;

 private:
  void add_block(int n_rows);

  int kv_dim_;
  int group_dim_;
  size_t n_rows_ = 0;
  std::vector<double> sums_;      // (kv_dim)
  std::vector<double> products_;  // [group](group_dim, group_dim): j >= i only
  std::vector<double> block_;     // (rows, kv_dim)
};

}  // namespace mneme::engine

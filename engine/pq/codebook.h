// The product quantiser of one KV head: a codebook per part of the key, codes of keys, and the lookup tables a query
// makes of it. Method: product quantisation (Jegou et al. 2011) as PQCache uses it, inner product at query time.
// Centroids are kept in 8 bits, one scale per dimension, and transposed, as the tables are made from them: what the
// rounding moves them by is a hundredth of how far keys lie from them. Threads: const functions from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/model/model_config.h"
#include "engine/pq/key_parts.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

struct CodebookOptions {
  int n_bits = 6;
  int iterations = 8;
  uint64_t seed = 1;
};

class Codebook {
 public:
  // keys: (n_keys, head_dim) f32 with their dimensions in the order of `parts`, finite; n_keys >= 1.
  static Result<Codebook> train(const KeyParts& parts, std::span<const float> keys, int n_keys,
                                const CodebookOptions& options, const PqKernels& kernels,
                                const CancelToken& cancel = never_cancelled());

  // Codes of keys, as train() takes them: codes[part][i] for i in [0, n_keys).
  void encode(std::span<const float> keys, int n_keys, const PqKernels& kernels, std::span<uint8_t* const> codes) const;

  // The lookup tables of one query, its dimensions in the order of the parts: (n_parts, entries()) score units of
  // scale * (query . centroid) relative to the part's largest. Gives the sum of those largest, in nats: what was left
  // out.
  float make_tables(std::span<const float> query, float scale, const PqKernels& kernels,
                    std::span<int16_t> tables) const;

  // The same in f32, for tables of at most kTableEntries entries: (n_parts, kTableEntries) weights e^(scale * query .
  // centroid) relative to the part's largest, at least e^kCellFloor. The query is finite. by_spread: what a key of the
  // code weighs on average, rather than its centroid: keys that lie around it at random with variance v along the query
  // weigh e^(v / 2) as much, as an exponential gains more than it loses.
  float make_weights(std::span<const float> query, float scale, bool by_spread, const PqKernels& kernels,
                     std::span<float> weights) const;

  // Turns every centroid by `positions`: codes of keys at positions p then stand for the same keys at p + positions.
  // Exact where the parts keep the rotated pairs together (KeyParts::keeps_pairs), up to the rounding to 8 bits.
  void rotate(const KeyParts& parts, const RopeConfig& rope, int positions);

  // The centroid of code `code` in `part`, (part_dim).
  std::vector<float> centroid(int part, int code) const;

  int n_parts() const { return n_parts_; }
  int part_dim() const { return part_dim_; }
  int entries() const { return entries_; }  // of a table: kTableEntries, or 256 for codes wider than 6 bits
  int iterations() const { return iterations_; }
  int64_t memory_bytes() const {
    return static_cast<int64_t>(centroids_.size() +
                                (scales_.size() + spreads_.size() + spread_of_.size()) * sizeof(float));
  }

 private:
  void measure_spread(std::span<const float> keys, int n_keys, const PqKernels& kernels);
  void measure_part(int part, std::span<const float> keys, std::span<const uint8_t> codes);
  void add_spread(std::span<const float> query, float scale, int part, std::span<float> products) const;
  // One dimension of all centroids of its part: width_ values to or from 8 bits.
  void set_row(size_t row, std::span<const float> values);
  void get_row(size_t row, std::span<float> values) const;
  // (part_dim, width) f32.
  std::vector<float> columns_of(int part) const;
  // (width): of a query's part, in its dimensions' order.
  void multiply(std::span<const float> query, int part, const PqKernels& kernels, float* out) const;

  int n_parts_ = 0;
  int part_dim_ = 0;
  int width_ = 0;  // columns kept: 2^bits rounded up to 16
  int entries_ = 0;
  int iterations_ = 0;
  std::vector<int> n_clusters_;    // per part: fewer than 2^bits where keys are few
  std::vector<int8_t> centroids_;  // (n_parts, part_dim, width), times scales_
  std::vector<float> scales_;      // (n_parts, part_dim)
  // The variance of keys around their centroids: by dimension (n_parts, part_dim) over all keys, and the share of that
  // (n_parts, width) which the keys of a code have.
  std::vector<float> spreads_;
  std::vector<float> spread_of_;
};

}  // namespace mneme::engine

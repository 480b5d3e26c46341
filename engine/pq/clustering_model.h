// How long clustering and prefill take on this machine, as fitted from what was measured: clustering is linear in keys
// times iterations, a layer's prefill linear in its rows plus their attention to what stands before them. It says how
// many iterations stay within a share of the prefill [PQCache §3.3; there clustering runs beside the GPU, here it takes
// the same cores, hence a share instead of all of the layer's time].
// Threads: safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/status.h"

namespace mneme::engine {

// seconds = a * x + b * y by least squares; older measurements fade, so that a fit follows the machine.
class TwoTermFit {
 public:
  void add(double x, double y, double seconds);
  double predict(double x, double y) const;
  bool ready() const { return n_ >= 2; }
  double weight() const { return n_; }

  std::string to_text() const;
  static Result<TwoTermFit> parse(std::string_view text);

 private:
  double n_ = 0;
  double xx_ = 0, xy_ = 0, yy_ = 0, xs_ = 0, ys_ = 0;
};

class ClusteringModel {
 public:
  // One layer's clustering: keys that k-means saw, its iterations, keys that were given codes.
  void add_clustering(double training_keys, double iterations, double coded_keys, double seconds);
  // One layer's prefill of `rows` rows after `context` others.
  void add_layer(double rows, double context, double seconds);

  // The most iterations that keep the clustering of n_tokens within `share` of their prefill, kMinIterations to
  // kMaxIterations; `otherwise` while too little has been measured.
  int iterations_for(double n_tokens, double training_keys, double share, int otherwise) const;

  static constexpr int kMinIterations = 2;
  static constexpr int kMaxIterations = 16;

  // For keeping between runs (ClusteringProfileStore).
  std::string to_text() const;
  Status restore(std::string_view text);

 private:
  mutable Mutex mutex_;
  TwoTermFit clustering_ MNEME_GUARDED_BY(mutex_);  // x: training keys * iterations, y: coded keys
  TwoTermFit layer_ MNEME_GUARDED_BY(mutex_);       // x: rows, y: rows * (context + rows / 2)
};

// Where the model's fits are kept between runs. The engine knows no storage; whoever opens a model gives one.
class ClusteringProfileStore {
 public:
  virtual ~ClusteringProfileStore() = default;
  virtual Result<std::string> load() = 0;  // kNotFound when there is none yet
  virtual Status save(std::string_view text) = 0;
};

}  // namespace mneme::engine

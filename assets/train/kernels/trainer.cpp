// The C interface that fast.py loads: a model, its gradients, threads that share the packs of a batch, and AdamW.
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "model.h"
#include "tiles.h"

using namespace mneme_train;

namespace {

struct Trainer {
  explicit Trainer(const Shape& shape, int n_threads) : model(shape), work(n_threads), grads(n_threads) {
    const size_t n = model.weights.size();
    for (auto& g : grads) g.resize(n);
    first.resize(n);
    second.resize(n);
  }

  template <class Job>
  void on_threads(Job job) {
    std::vector<std::thread> others;
    for (size_t t = 1; t < work.size(); ++t) others.emplace_back([&, t] { job(static_cast<int>(t)); });
    job(0);
    for (auto& thread : others) thread.join();
  }

  std::pair<size_t, size_t> share(int thread) const {
    const size_t n = model.weights.size(), k = work.size();
    return {n * thread / k / 16 * 16, thread + 1 == static_cast<int>(k) ? n : n * (thread + 1) / k / 16 * 16};
  }

  Model model;
  std::vector<Work> work;           // one per thread
  std::vector<Array<float>> grads;  // one per thread; the first ends as the sum
  Array<float> first, second;       // AdamW's moments
};

}  // namespace

extern "C" {

// nullptr where the processor or the system has no AMX tiles.
void* mneme_train_new(int dim, int layers, int heads, int kv_heads, int ffn, int vocab, float norm_eps,
                      float rope_theta, int threads) {
  if (!request_tiles()) return nullptr;
  return new Trainer({dim, layers, heads, kv_heads, ffn, vocab, norm_eps, rope_theta}, threads);
}
void mneme_train_free(void* handle) {
  delete static_cast<Trainer*>(handle);
}
long mneme_train_size(void* handle) {
  return static_cast<long>(static_cast<Trainer*>(handle)->model.weights.size());
}
float* mneme_train_weights(void* handle) {
  return static_cast<Trainer*>(handle)->model.weights.data();
}
float* mneme_train_grads(void* handle) {
  return static_cast<Trainer*>(handle)->grads[0].data();
}
float* mneme_train_moment(void* handle, int which) {
  auto* t = static_cast<Trainer*>(handle);
  return (which == 1 ? t->first : t->second).data();
}

// After weights were changed from outside, and after every step.
void mneme_train_round(void* handle) {
  auto* t = static_cast<Trainer*>(handle);
  t->on_threads([&](int thread) { t->model.round_weights(thread, static_cast<int>(t->work.size())); });
}

// Runs the packs, each on the thread that is free; with `train`, leaves the summed gradients in mneme_train_grads.
void mneme_train_run(void* handle, const Pack* packs, int n_packs, int train) {
  auto* t = static_cast<Trainer*>(handle);
  std::atomic<int> next{0};
  t->on_threads([&](int thread) {
    configure_tiles();
    auto& grads = t->grads[thread];
    if (train) std::fill(grads.begin(), grads.end(), 0.0F);
    for (int i = next++; i < n_packs; i = next++)
      run_pack(t->model, packs[i], t->work[thread], train ? grads.data() : nullptr);
  });
  if (!train) return;
  t->on_threads([&](int thread) {
    const auto [from, to] = t->share(thread);
    float* sum = t->grads[0].data();
    for (size_t k = 1; k < t->grads.size(); ++k) {
      const float* more = t->grads[k].data();
      for (size_t i = from; i < to; ++i) sum[i] += more[i];
    }
  });
}

// AdamW (1711.05101) with the gradient cut to `clip`. `step` counts from 1; `decay` falls on matrices only, by
// `decayed` (one byte per parameter / 32). Returns the gradient's norm.
float mneme_train_adam(void* handle, float rate, float beta1, float beta2, float eps, float decay, float clip,
                       long step, const unsigned char* decayed) {
  auto* t = static_cast<Trainer*>(handle);
  std::vector<double> sums(t->work.size());
  const float* g = t->grads[0].data();
  t->on_threads([&](int thread) {
    const auto [from, to] = t->share(thread);
    double total = 0;
    for (size_t i = from; i < to; ++i) total += static_cast<double>(g[i]) * g[i];
    sums[thread] = total;
  });
  double total = 0;
  for (const double s : sums) total += s;
  const float norm = static_cast<float>(std::sqrt(total)), cut = norm > clip ? clip / norm : 1.0F;
  const float fix1 = 1.0F / (1.0F - std::pow(beta1, static_cast<float>(step)));
  const float fix2 = 1.0F / (1.0F - std::pow(beta2, static_cast<float>(step)));
  t->on_threads([&](int thread) {
    const auto [from, to] = t->share(thread);
    float *w = t->model.weights.data(), *m = t->first.data(), *v = t->second.data();
    for (size_t block = from / 32; block < (to + 31) / 32; ++block) {
      const float keep = decayed[block] ? 1.0F - rate * decay : 1.0F;
      for (size_t i = std::max(from, block * 32); i < std::min(to, block * 32 + 32); ++i) {
        const float x = g[i] * cut;
        m[i] = beta1 * m[i] + (1.0F - beta1) * x;
        v[i] = beta2 * v[i] + (1.0F - beta2) * x * x;
        w[i] = w[i] * keep - rate * (m[i] * fix1) / (std::sqrt(v[i] * fix2) + eps);
      }
    }
  });
  mneme_train_round(handle);
  return norm;
}

}  // extern "C"

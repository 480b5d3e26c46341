// The C interface that fast.py loads: a model, its gradients, threads that share the packs of a batch, and AdamW.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "model.h"
#include "muon.h"
#include "tiles.h"

using namespace mneme_train;

namespace {

void pin(int processor) {
  processor %= static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

struct Trainer {
  explicit Trainer(const Shape& shape, int n_threads)
      : active(n_threads), model(shape), work(n_threads), muon_work(n_threads), grads(n_threads) {
    const size_t n = model.weights.size();
    for (auto& g : grads) g.resize(n);
    first.resize(n);
    second.resize(n);
  }

  template <class Job>
  void on_threads(Job job) {
    std::vector<std::thread> others;
    for (size_t t = 1; t < active; ++t) {
      others.emplace_back([&, t] {
        if (pinned_from >= 0) pin(pinned_from + static_cast<int>(t));
        job(static_cast<int>(t));
      });
    }
    job(0);
    for (auto& thread : others) thread.join();
  }

  std::pair<size_t, size_t> share(int thread) const {
    const size_t n = model.weights.size(), k = active;
    return {n * thread / k / 16 * 16, thread + 1 == static_cast<int>(k) ? n : n * (thread + 1) / k / 16 * 16};
  }

  int pinned_from = -1;
  size_t active;  // threads that work now
  Model model;
  std::vector<Work> work;  // one per thread
  std::vector<MuonWork> muon_work;
  std::vector<Array<float>> grads;  // one per thread; the first ends as the sum
  Array<float> first, second;       // AdamW's moments
};

struct AdamStep {
  float rate, beta1, beta2, eps, second_fix, cut;
};

// Sixteen parameters.
void adam_step(const AdamStep& by, float keep, const float* grad, float* first, float* second, float* weight) {
  const __m512 x = _mm512_mul_ps(_mm512_loadu_ps(grad), _mm512_set1_ps(by.cut));
  const __m512 m = _mm512_fmadd_ps(_mm512_set1_ps(by.beta1), _mm512_sub_ps(_mm512_loadu_ps(first), x), x);
  const __m512 xx = _mm512_mul_ps(x, x);
  const __m512 v = _mm512_fmadd_ps(_mm512_set1_ps(by.beta2), _mm512_sub_ps(_mm512_loadu_ps(second), xx), xx);
  _mm512_storeu_ps(first, m);
  _mm512_storeu_ps(second, v);
  const __m512 size = _mm512_sqrt_ps(_mm512_mul_ps(v, _mm512_set1_ps(by.second_fix)));
  const __m512 change =
      _mm512_div_ps(_mm512_mul_ps(m, _mm512_set1_ps(by.rate)), _mm512_add_ps(size, _mm512_set1_ps(by.eps)));
  _mm512_storeu_ps(weight, _mm512_fmsub_ps(_mm512_loadu_ps(weight), _mm512_set1_ps(keep), change));
}

double square_sum(const float* x, size_t from, size_t to) {
  double total = 0;
  for (size_t i = from; i < to; i += 4096) {
    __m512 sum = _mm512_setzero_ps();
    for (size_t j = i; j < std::min(to, i + 4096); j += 16) {
      sum = _mm512_fmadd_ps(_mm512_loadu_ps(x + j), _mm512_loadu_ps(x + j), sum);
    }
    total += _mm512_reduce_add_ps(sum);
  }
  return total;
}

}  // namespace

extern "C" {

// Keeps thread i on processor `first` + i (modulo their number) from now on: on a busy machine the system else puts new
// threads behind each other.
void mneme_train_pin(void* handle, int first) {
  static_cast<Trainer*>(handle)->on_threads([first](int thread) { pin(first + thread); });
  static_cast<Trainer*>(handle)->pinned_from = first;
}

// From now on `n` threads work, at most as many as the trainer was made with.
void mneme_train_threads(void* handle, int n) {
  auto* t = static_cast<Trainer*>(handle);
  t->active = std::clamp<size_t>(n, 1, t->work.size());
}

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
  t->on_threads([&](int thread) { t->model.round_weights(thread, static_cast<int>(t->active)); });
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
    for (size_t k = 1; k < t->active; ++k) {
      const float* more = t->grads[k].data();
      for (size_t i = from; i < to; ++i) sum[i] += more[i];
    }
  });
}

// The blocks' matrices by Muon, cut into the parts that are factors of their own (q, k, v; gate, up). To be called
// before mneme_train_adam, which then leaves them alone. Their momentum takes the place of AdamW's first moment.
void mneme_train_muon(void* handle, float rate, float decay, float beta) {
  auto* t = static_cast<Trainer*>(handle);
  struct Part {
    size_t at;
    int rows, cols;
  };
  std::vector<Part> parts;
  const Shape& s = t->model.shape;
  for (const Layer& l : t->model.layers) {
    const int q = s.heads * kHeadDim, kv = s.kv_heads * kHeadDim;
    const auto rows_at = [](const Matrix& m, int row) { return m.at + static_cast<size_t>(row) * m.in; };
    parts.push_back({l.qkv.at, q, l.qkv.in});
    parts.push_back({rows_at(l.qkv, q), kv, l.qkv.in});
    parts.push_back({rows_at(l.qkv, q + kv), kv, l.qkv.in});
    parts.push_back({l.mix.at, l.mix.out, l.mix.in});
    parts.push_back({l.gate_up.at, s.ffn, l.gate_up.in});
    parts.push_back({rows_at(l.gate_up, s.ffn), s.ffn, l.gate_up.in});
    parts.push_back({l.down.at, l.down.out, l.down.in});
  }
  std::atomic<size_t> next{0};
  t->on_threads([&](int thread) {
    configure_tiles();
    for (size_t i = next++; i < parts.size(); i = next++) {
      const Part& p = parts[i];
      muon_step(&t->grads[0][p.at], p.rows, p.cols, rate, 1.0F - rate * decay, beta, &t->first[p.at],
                &t->model.weights[p.at], t->muon_work[thread]);
    }
  });
}

// AdamW (1711.05101) with the gradient cut to `clip`. `step` counts from 1; `decay` falls on matrices only, by
// `decayed` (one byte per parameter / 32). Returns the gradient's norm.
float mneme_train_adam(void* handle, float rate, float beta1, float beta2, float eps, float decay, float clip,
                       long step, const unsigned char* kinds) {
  auto* t = static_cast<Trainer*>(handle);
  std::vector<double> sums(t->work.size());
  const float* g = t->grads[0].data();
  t->on_threads([&](int thread) {
    const auto [from, to] = t->share(thread);
    sums[thread] = square_sum(g, from, to);
  });
  double total = 0;
  for (const double s : sums) total += s;
  const float norm = static_cast<float>(std::sqrt(total)), cut = norm > clip ? clip / norm : 1.0F;
  const float first_fix = 1.0F / (1.0F - std::pow(beta1, static_cast<float>(step)));
  const float second_fix = 1.0F / (1.0F - std::pow(beta2, static_cast<float>(step)));
  const AdamStep by{rate * first_fix, beta1, beta2, eps, second_fix, cut};
  t->on_threads([&](int thread) {
    const auto [from, to] = t->share(thread);
    for (size_t i = from; i < to; i += 16) {
      if (kinds[i / 32] == 2) continue;
      const float keep = kinds[i / 32] ? 1.0F - rate * decay : 1.0F;
      adam_step(by, keep, g + i, &t->first[i], &t->second[i], &t->model.weights[i]);
    }
  });
  mneme_train_round(handle);
  return norm;
}

}  // extern "C"

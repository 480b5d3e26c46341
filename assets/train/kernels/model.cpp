#include "model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tiles.h"

namespace mneme_train {

namespace {

void round_rows(const float* x, size_t n, bf16* out) {
  for (size_t i = 0; i < n; i += 16) store_bf16(out + i, _mm512_loadu_ps(x + i));
}

// out = x / rms(x) * gain; scale[i] = 1 / rms of row i.
void normalise(const float* x, const float* gain, int n, int dim, float eps, float* scale, bf16* out) {
  for (int i = 0; i < n; ++i) {
    const float* row = x + static_cast<long>(i) * dim;
    __m512 sum = _mm512_setzero_ps();
    for (int d = 0; d < dim; d += 16) sum = _mm512_fmadd_ps(_mm512_loadu_ps(row + d), _mm512_loadu_ps(row + d), sum);
    scale[i] = 1.0F / std::sqrt(_mm512_reduce_add_ps(sum) / dim + eps);
    const __m512 by = _mm512_set1_ps(scale[i]);
    for (int d = 0; d < dim; d += 16) {
      store_bf16(out + static_cast<long>(i) * dim + d,
                 _mm512_mul_ps(_mm512_mul_ps(_mm512_loadu_ps(row + d), by), _mm512_loadu_ps(gain + d)));
    }
  }
}

// Adds the gradient through normalise to dx and dgain.
void normalise_backward(const float* x, const float* gain, const float* scale, const float* dout, int n, int dim,
                        float* dx, float* dgain) {
  for (int i = 0; i < n; ++i) {
    const long at = static_cast<long>(i) * dim;
    __m512 sum = _mm512_setzero_ps();
    for (int d = 0; d < dim; d += 16) {
      const __m512 g = _mm512_mul_ps(_mm512_loadu_ps(dout + at + d), _mm512_loadu_ps(gain + d));
      sum = _mm512_fmadd_ps(g, _mm512_loadu_ps(x + at + d), sum);
    }
    const float s = scale[i];
    const __m512 by = _mm512_set1_ps(s), pull = _mm512_set1_ps(s * s * s / dim * _mm512_reduce_add_ps(sum));
    for (int d = 0; d < dim; d += 16) {
      const __m512 row = _mm512_loadu_ps(x + at + d), back = _mm512_mul_ps(_mm512_loadu_ps(dout + at + d), by);
      _mm512_storeu_ps(dgain + d, _mm512_fmadd_ps(back, row, _mm512_loadu_ps(dgain + d)));
      __m512 sum_dx = _mm512_fmadd_ps(back, _mm512_loadu_ps(gain + d), _mm512_loadu_ps(dx + at + d));
      _mm512_storeu_ps(dx + at + d, _mm512_fnmadd_ps(pull, row, sum_dx));
    }
  }
}

void rotation_tables(const Shape& s, const Pack& p, Work& w) {
  float *cosine = sized(w.cosine, 32UL * p.n), *sine = sized(w.sine, 32UL * p.n);
  float frequency[32];
  for (int d = 0; d < 32; ++d) frequency[d] = std::pow(s.rope_theta, -static_cast<float>(d) / 32);
  for (int i = 0; i < p.n; ++i) {
    for (int d = 0; d < 32; ++d) {
      const float angle = static_cast<float>(p.positions[i]) * frequency[d];
      cosine[32 * i + d] = std::cos(angle);
      sine[32 * i + d] = std::sin(angle);
    }
  }
}

// Rotates the query and key heads in place.
void rotate(const Shape& s, int n, const Work& w, bf16* qkv) {
  const long width = s.attention().width();
  for (int i = 0; i < n; ++i) {
    for (int h = 0; h < s.heads + s.kv_heads; ++h) {
      bf16* at = qkv + i * width + h * kHeadDim;
      for (int d = 0; d < 32; d += 16) {
        const __m512 c = _mm512_loadu_ps(&w.cosine[32 * i + d]), t = _mm512_loadu_ps(&w.sine[32 * i + d]);
        const __m512 a = load_bf16(at + d), b = load_bf16(at + 32 + d);
        store_bf16(at + d, _mm512_fmsub_ps(a, c, _mm512_mul_ps(b, t)));
        store_bf16(at + 32 + d, _mm512_fmadd_ps(a, t, _mm512_mul_ps(b, c)));
      }
    }
  }
}

// Turns gradients back by the same angles and rounds them; values are only rounded.
void rotate_back(const Shape& s, int n, const Work& w, const float* dqkv, bf16* out) {
  const long width = s.attention().width();
  for (int i = 0; i < n; ++i) {
    for (int h = 0; h < s.heads + s.kv_heads; ++h) {
      const long at = i * width + h * kHeadDim;
      for (int d = 0; d < 32; d += 16) {
        const __m512 c = _mm512_loadu_ps(&w.cosine[32 * i + d]), t = _mm512_loadu_ps(&w.sine[32 * i + d]);
        const __m512 a = _mm512_loadu_ps(dqkv + at + d), b = _mm512_loadu_ps(dqkv + at + 32 + d);
        store_bf16(out + at + d, _mm512_fmadd_ps(a, c, _mm512_mul_ps(b, t)));
        store_bf16(out + at + 32 + d, _mm512_fmsub_ps(b, c, _mm512_mul_ps(a, t)));
      }
    }
    const long values = i * width + (s.heads + s.kv_heads) * kHeadDim;
    round_rows(dqkv + values, static_cast<size_t>(s.kv_heads) * kHeadDim, out + values);
  }
}

// product = silu(gate) * up
void gate(int n, int ffn, const bf16* gate_up, bf16* product) {
  const __m512 one = _mm512_set1_ps(1.0F);
  for (int i = 0; i < n; ++i) {
    const bf16* row = gate_up + static_cast<long>(i) * 2 * ffn;
    for (int f = 0; f < ffn; f += 16) {
      const __m512 g = load_bf16(row + f);
      const __m512 s = _mm512_div_ps(g, _mm512_add_ps(one, exp16(_mm512_sub_ps(_mm512_setzero_ps(), g))));
      store_bf16(product + static_cast<long>(i) * ffn + f, _mm512_mul_ps(s, load_bf16(row + ffn + f)));
    }
  }
}

void gate_backward(int n, int ffn, const bf16* gate_up, const bf16* dproduct, bf16* out) {
  const __m512 one = _mm512_set1_ps(1.0F);
  for (int i = 0; i < n; ++i) {
    const bf16* row = gate_up + static_cast<long>(i) * 2 * ffn;
    bf16* to = out + static_cast<long>(i) * 2 * ffn;
    for (int f = 0; f < ffn; f += 16) {
      const __m512 g = load_bf16(row + f), u = load_bf16(row + ffn + f);
      const __m512 d = load_bf16(dproduct + static_cast<long>(i) * ffn + f);
      const __m512 sigma = _mm512_div_ps(one, _mm512_add_ps(one, exp16(_mm512_sub_ps(_mm512_setzero_ps(), g))));
      const __m512 silu = _mm512_mul_ps(g, sigma);
      // d silu / d gate = sigma * (1 + gate * (1 - sigma))
      const __m512 slope = _mm512_mul_ps(sigma, _mm512_fmadd_ps(g, _mm512_sub_ps(one, sigma), one));
      store_bf16(to + f, _mm512_mul_ps(_mm512_mul_ps(d, u), slope));
      store_bf16(to + ffn + f, _mm512_mul_ps(d, silu));
    }
  }
}

// x += rows * w^T
void add_product(const bf16* rows, const Matrix& m, int n, float* x) {
  multiply(row_major(rows, m.in), right_tiles(m.forward.data(), m.in), n, m.out, m.in,
           [&](int i, int j, const float* block) {
             for (int r = 0; r < 32; ++r) {
               float* at = x + static_cast<long>(i + r) * m.out + j;
               for (int d = 0; d < 32; d += 16) {
                 _mm512_storeu_ps(at + d, _mm512_add_ps(_mm512_loadu_ps(at + d), _mm512_load_ps(block + 32 * r + d)));
               }
             }
           });
}

void product(const bf16* rows, const Matrix& m, int n, bf16* out) {
  multiply_to(row_major(rows, m.in), right_tiles(m.forward.data(), m.in), n, m.out, m.in, out, m.out);
}

template <class T>
void product_backward(const bf16* dout, const Matrix& m, int n, T* din) {
  multiply_to(row_major(dout, m.out), right_tiles(m.backward.data(), m.out), n, m.in, m.out, din, m.in);
}

// grads (out x in) += dout^T * rows
void weight_gradient(const bf16* dout, const bf16* rows, const Matrix& m, int n, Work& w, float* grads) {
  bf16* left = sized(w.tiles_left, static_cast<size_t>(n) * m.out);
  bf16* right = sized(w.tiles_right, static_cast<size_t>(n) * m.in);
  pack_left_transposed(dout, m.out, n, m.out, left);
  pack_right(rows, m.in, n, m.in, right);
  multiply_add(left_tiles(left, n), right_tiles(right, n), m.out, m.in, n, grads + m.at, m.in);
}

Segment segment(const Pack& p, int row) {
  const int start = p.row_start[row];
  return {p.row_start[row + 1] - start, p.context_end[row], p.branch_start + start, p.see_end + start,
          p.see_again ? p.see_again + start : nullptr};
}

void layer_forward(const Model& m, int index, const Pack& p, Work& w) {
  const Shape& s = m.shape;
  const Layer& l = m.layers[index];
  Saved& v = w.layers[index];
  const size_t n = p.n, dim = s.dim;
  const Heads heads = s.attention();
  float* x = w.x.data();
  std::memcpy(sized(v.in, n * dim), x, sizeof(float) * n * dim);
  normalise(x, &m.weights[l.norm1], p.n, s.dim, s.norm_eps, sized(v.scale1, n), sized(v.normed1, n * dim));
  product(v.normed1.data(), l.qkv, p.n, sized(v.qkv, n * l.qkv.out));
  rotate(s, p.n, w, v.qkv.data());
  sized(v.mixed, n * l.mix.in);
  sized(v.log_sum, n * s.heads);
  for (int row = 0; row < p.n_rows; ++row) {
    const size_t at = p.row_start[row];
    attend(segment(p, row), heads, &v.qkv[at * l.qkv.out], &v.mixed[at * l.mix.in], &v.log_sum[at * s.heads],
           w.attention);
  }
  add_product(v.mixed.data(), l.mix, p.n, x);
  std::memcpy(sized(v.middle, n * dim), x, sizeof(float) * n * dim);
  normalise(x, &m.weights[l.norm2], p.n, s.dim, s.norm_eps, sized(v.scale2, n), sized(v.normed2, n * dim));
  product(v.normed2.data(), l.gate_up, p.n, sized(v.gate_up, n * l.gate_up.out));
  gate(p.n, s.ffn, v.gate_up.data(), sized(v.product, n * s.ffn));
  add_product(v.product.data(), l.down, p.n, x);
}

void layer_backward(const Model& m, int index, const Pack& p, Work& w, float* grads) {
  const Shape& s = m.shape;
  const Layer& l = m.layers[index];
  const Saved& v = w.layers[index];
  const size_t n = p.n, dim = s.dim;
  float *dx = w.dx.data(), *rows = sized(w.grad_rows, n * std::max<size_t>(dim, l.qkv.out));
  bf16* small = sized(w.small, n * std::max(dim, n ? static_cast<size_t>(std::max(s.ffn, l.mix.in)) : 0));
  bf16* rounded = sized(w.last, n * dim);
  bf16* wide = sized(w.wide, n * std::max(l.gate_up.out, l.qkv.out));

  round_rows(dx, n * dim, rounded);
  weight_gradient(rounded, v.product.data(), l.down, p.n, w, grads);
  product_backward(rounded, l.down, p.n, small);
  gate_backward(p.n, s.ffn, v.gate_up.data(), small, wide);
  weight_gradient(wide, v.normed2.data(), l.gate_up, p.n, w, grads);
  product_backward(wide, l.gate_up, p.n, rows);
  normalise_backward(v.middle.data(), &m.weights[l.norm2], v.scale2.data(), rows, p.n, s.dim, dx, grads + l.norm2);

  round_rows(dx, n * dim, rounded);
  weight_gradient(rounded, v.mixed.data(), l.mix, p.n, w, grads);
  product_backward(rounded, l.mix, p.n, small);
  for (int row = 0; row < p.n_rows; ++row) {
    const size_t at = p.row_start[row];
    attend_backward(segment(p, row), s.attention(), &v.qkv[at * l.qkv.out], &v.mixed[at * l.mix.in],
                    &v.log_sum[at * s.heads], small + at * l.mix.in, rows + at * l.qkv.out, w.attention);
  }
  rotate_back(s, p.n, w, rows, wide);
  weight_gradient(wide, v.normed1.data(), l.qkv, p.n, w, grads);
  product_backward(wide, l.qkv, p.n, rows);
  normalise_backward(v.in.data(), &m.weights[l.norm1], v.scale1.data(), rows, p.n, s.dim, dx, grads + l.norm1);
}

// Cross entropy of one row of logits; turns the row into weight * (softmax - target) in bf16.
void score_row(const float* logits, int vocab, int target, float weight, float* loss, int32_t* guess, bf16* gradient) {
  __m512 tops = _mm512_loadu_ps(logits);
  for (int j = 16; j < vocab; j += 16) tops = _mm512_max_ps(tops, _mm512_loadu_ps(logits + j));
  const float top = _mm512_reduce_max_ps(tops);
  const __m512 max = _mm512_set1_ps(top);
  for (int j = 0; j < vocab; j += 16) {
    if (const __mmask16 hit = _mm512_cmpeq_ps_mask(_mm512_loadu_ps(logits + j), max)) {
      *guess = j + __builtin_ctz(hit);
      break;
    }
  }
  __m512 sum = _mm512_setzero_ps();
  for (int j = 0; j < vocab; j += 16) sum = _mm512_add_ps(sum, exp16(_mm512_sub_ps(_mm512_loadu_ps(logits + j), max)));
  const float log_sum = top + std::log(_mm512_reduce_add_ps(sum));
  *loss = log_sum - logits[target];
  const __m512 shift = _mm512_set1_ps(log_sum), by = _mm512_set1_ps(weight);
  for (int j = 0; j < vocab; j += 16) {
    store_bf16(gradient + j, _mm512_mul_ps(exp16(_mm512_sub_ps(_mm512_loadu_ps(logits + j), shift)), by));
  }
  alignas(64) float one[16] = {weight * (std::exp(logits[target] - log_sum) - 1.0F)};
  bf16 rounded[16];
  store_bf16(rounded, _mm512_load_ps(one));
  gradient[target] = rounded[0];
}

// Scores the chosen positions; with gradients, leaves the residual stream's in w.dx.
void head(const Model& m, const Pack& p, Work& w, float* grads) {
  const Shape& s = m.shape;
  const size_t n = (p.n_scored + 31) / 32 * 32, dim = s.dim;
  constexpr int kSlab = 32;
  sized(w.final_grad, 2 * n * dim);
  float *chosen = w.final_grad.data(), *back = chosen + n * dim;
  std::fill(chosen, chosen + n * dim, 0.0F);
  for (int i = 0; i < p.n_scored; ++i) std::memcpy(chosen + i * dim, &w.x[p.scored[i] * dim], sizeof(float) * dim);
  bf16* rows = sized(w.last, std::max(n, static_cast<size_t>(p.n)) * dim);
  normalise(chosen, &m.weights[m.norm], static_cast<int>(n), s.dim, s.norm_eps, sized(w.final_scale, n), rows);
  float* logits = sized(w.logits, static_cast<size_t>(kSlab) * s.vocab);
  bf16* gradient = sized(w.dlogits, n * s.vocab);
  for (size_t at = 0; at < n; at += kSlab) {
    multiply_to(row_major(rows + at * dim, s.dim), right_tiles(m.embed.forward.data(), s.dim), kSlab, s.vocab, s.dim,
                logits, s.vocab);
    for (size_t i = at; i < at + kSlab; ++i) {
      bf16* to = gradient + i * s.vocab;
      if (i < static_cast<size_t>(p.n_scored)) {
        score_row(logits + (i - at) * s.vocab, s.vocab, p.target[i], p.weight[i], p.loss + i, p.guess + i, to);
      } else {
        std::fill(to, to + s.vocab, 0);
      }
    }
  }
  if (!grads) return;
  weight_gradient(gradient, rows, m.embed, static_cast<int>(n), w, grads);
  product_backward(gradient, m.embed, static_cast<int>(n), back);
  w.final_grad.resize(std::max(w.final_grad.size(), 3 * n * dim));
  chosen = w.final_grad.data();
  float* dchosen = chosen + 2 * n * dim;
  std::fill(dchosen, dchosen + n * dim, 0.0F);
  normalise_backward(chosen, &m.weights[m.norm], w.final_scale.data(), chosen + n * dim, static_cast<int>(n), s.dim,
                     dchosen, grads + m.norm);
  w.dx.assign(static_cast<size_t>(p.n) * dim, 0.0F);
  for (int i = 0; i < p.n_scored; ++i) {
    for (size_t d = 0; d < dim; ++d) w.dx[p.scored[i] * dim + d] += dchosen[i * dim + d];
  }
}

size_t place(Matrix& m, int out, int in, size_t at) {
  m.at = at;
  m.out = out;
  m.in = in;
  m.forward.resize(m.size());
  m.backward.resize(m.size());
  return at + m.size();
}

}  // namespace

Model::Model(const Shape& given) : shape(given), layers(given.layers) {
  size_t at = place(embed, shape.vocab, shape.dim, 0);
  matrices_.push_back(&embed);
  for (Layer& l : layers) {
    l.norm1 = at;
    at = place(l.qkv, shape.attention().width(), shape.dim, at + shape.dim);
    at = place(l.mix, shape.dim, shape.heads * kHeadDim, at);
    l.norm2 = at;
    at = place(l.gate_up, 2 * shape.ffn, shape.dim, at + shape.dim);
    at = place(l.down, shape.dim, shape.ffn, at);
    for (Matrix* m : {&l.qkv, &l.mix, &l.gate_up, &l.down}) matrices_.push_back(m);
  }
  norm = at;
  weights.resize(at + shape.dim);
}

void Model::round_weights(int from_matrix, int step) {
  Array<bf16> rounded;
  for (size_t i = from_matrix; i < matrices_.size(); i += step) {
    Matrix& m = *matrices_[i];
    rounded.resize(m.size());
    round_rows(&weights[m.at], m.size(), rounded.data());
    pack_right_transposed(rounded.data(), m.in, m.out, m.in, m.forward.data());
    pack_right(rounded.data(), m.in, m.out, m.in, m.backward.data());
  }
}

void run_pack(const Model& m, const Pack& p, Work& w, float* grads) {
  const size_t dim = m.shape.dim;
  w.layers.resize(m.layers.size());
  sized(w.x, p.n * dim);
  rotation_tables(m.shape, p, w);
  for (int i = 0; i < p.n; ++i)
    std::memcpy(&w.x[i * dim], &m.weights[m.embed.at + p.ids[i] * dim], sizeof(float) * dim);
  for (size_t l = 0; l < m.layers.size(); ++l) layer_forward(m, static_cast<int>(l), p, w);
  head(m, p, w, grads);
  if (!grads) return;
  for (size_t l = m.layers.size(); l-- > 0;) layer_backward(m, static_cast<int>(l), p, w, grads);
  for (int i = 0; i < p.n; ++i) {
    float* row = grads + m.embed.at + p.ids[i] * dim;
    for (size_t d = 0; d < dim; ++d) row[d] += w.dx[i * dim + d];
  }
}

}  // namespace mneme_train

// A llama-shaped language model for training: forward and backward pass of packs of token rows, on one thread each.
//
// Master weights, gradients and the residual stream are fp32; matrix products take bf16 factors and sum in fp32. The
// parameters lie in one array in the order of parameter_list() in fast.py. Rotation pairs are (i, i + 32) as in
// model.py.
#pragma once
#include <cstddef>
#include <vector>

#include "attention.h"
#include "bf16.h"
#include "memory.h"

namespace mneme_train {

// dim and ffn are multiples of 32, vocab of 32, the head dimension is 64.
struct Shape {
  int dim, layers, heads, kv_heads, ffn, vocab;
  float norm_eps, rope_theta;
  Heads attention() const { return {heads, kv_heads}; }
};

// A weight matrix (out x in) and its two factors in tiles, made again after every step.
struct Matrix {
  size_t at = 0;
  int out = 0, in = 0;
  Array<bf16> forward, backward;
  size_t size() const { return static_cast<size_t>(out) * in; }
};

struct Layer {
  size_t norm1 = 0, norm2 = 0;
  Matrix qkv, mix, gate_up, down;
};

class Model {
 public:
  explicit Model(const Shape& shape);
  // Rounds the master weights into tiles.
  void round_weights(int from_matrix, int step);

  Shape shape;
  Matrix embed;
  std::vector<Layer> layers;
  size_t norm = 0;
  Array<float> weights;

 private:
  std::vector<Matrix*> matrices_;
};

// Rows side by side; every row's length is a multiple of 32 (the rest is padding that nothing sees and no loss
// touches).
struct Pack {
  int n = 0;
  const int32_t *ids = nullptr, *positions = nullptr;
  // Relative to the row's first token, see attention.h; see_again may be nullptr.
  const int32_t *branch_start = nullptr, *see_end = nullptr, *see_again = nullptr;
  int n_rows = 0;
  const int32_t *row_start = nullptr, *context_end = nullptr;  // row_start has n_rows + 1 entries
  int n_scored = 0;                                            // positions whose next token is scored
  const int32_t *scored = nullptr, *target = nullptr;
  const float* weight = nullptr;  // of the loss; already divided by the sum over the whole batch
  float* loss = nullptr;          // out: cross entropy per scored position
  int32_t* guess = nullptr;       // out: most likely token
};

// Activations of one layer, kept for the backward pass.
struct Saved {
  Array<float> in, middle, scale1, scale2, log_sum;
  Array<bf16> normed1, qkv, mixed, normed2, gate_up, product;
};

// Memory of one thread.
struct Work {
  std::vector<Saved> layers;
  Array<float> x, dx, grad_rows, logits, final_scale, final_grad;
  Array<bf16> small, wide, tiles_left, tiles_right, last, dlogits;
  Array<float> cosine, sine;
  AttentionWork attention;
};

// Adds the gradients of the pack's weighted loss to `grads` (nullptr: scores only).
void run_pack(const Model& model, const Pack& pack, Work& work, float* grads);

}  // namespace mneme_train

// Muon: the update of a matrix is its momentum with all singular values made about equal (K. Jordan and others,
// https://kellerjordan.github.io/posts/muon), scaled to the size of an AdamW update so that both share one rate
// (Moonlight, 2502.16982).
#pragma once
#include <cstddef>

#include "bf16.h"
#include "memory.h"

namespace mneme_train {

struct MuonWork {
  Array<bf16> x, product, packed;
  Array<float> wide, square;
};

// rows x cols at `weight`, `momentum` and `grad`, one after the other; sizes are multiples of 32. The momentum is
// updated too.
void muon_step(const float* grad, int rows, int cols, float rate, float keep, float beta, float* momentum,
               float* weight, MuonWork& w);

}  // namespace mneme_train

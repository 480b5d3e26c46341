// How a head's dimensions are cut into parts for product quantisation. The pairs of dimensions that RoPE turns together
// stay in one part, so that turning a codebook by a position turns what it stands for: codes made at one place of a
// document serve at any other (tests/unit/pq/codebook_test.cpp shows it). Threads: pure functions.
#pragma once

#include <vector>

#include "engine/model/model_config.h"

namespace mneme::engine {

// order[i]: the dimension that stands at place i; part p holds places [p, p + 1) * head_dim / n_parts.
struct KeyParts {
  int n_parts = 0;
  int part_dim = 0;
  std::vector<int> order;
  bool keeps_pairs = false;  // every rotated pair lies within one part
};

// rope: null for layers without. n_parts divides head_dim.
KeyParts make_key_parts(int head_dim, int n_parts, const RopeConfig* rope);

}  // namespace mneme::engine

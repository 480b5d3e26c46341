// Which experts a token uses, and by how much. Threads: one call at a time per object.
#pragma once

#include <span>
#include <vector>

#include "engine/model/model_config.h"

namespace mneme::engine::cpu {

class ExpertChoice {
 public:
  struct Chosen {
    int expert;
    float weight;
  };

  // n_used: how many a token uses, of those groups that may be used at least as many.
  ExpertChoice(const ExpertRouting& routing, int n_used) : routing_(routing), n_used_(n_used) {}

  // logits: the router's, one an expert; overwritten. bias: as many, added to the weights to choose by, or null. The
  // result, best first, ties to the lower expert, is valid until the next call.
  std::span<const Chosen> choose(std::span<float> logits, const float* bias);

 private:
  void keep_best_groups();

  const ExpertRouting& routing_;
  const int n_used_;
  std::vector<float> worth_;  // what experts are chosen by
  std::vector<float> group_worth_;
  std::vector<int> order_;
  std::vector<Chosen> chosen_;
};

}  // namespace mneme::engine::cpu

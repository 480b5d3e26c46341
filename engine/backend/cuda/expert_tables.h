// A layer's experts' matrices as tables on the device. Threads: one at a time.
#pragma once

#include <map>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_objects.h"

namespace mneme::engine::cuda {

struct ExpertTable {
  const MatrixRef* gate = nullptr;  // (n_experts) each
  const MatrixRef* up = nullptr;
  const MatrixRef* down = nullptr;
};

class ExpertTables {
 public:
  explicit ExpertTables(Device& device) : device_(device) {}
  // Made when a layer is first asked for.
  ExpertTable get(const ExpertWeights& weights);

 private:
  Device& device_;
  std::map<const Matrix*, DeviceBuffer> tables_;  // by the first gate matrix
};

}  // namespace mneme::engine::cuda

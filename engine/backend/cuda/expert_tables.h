// A layer's experts' matrices and biases as tables on the device. Threads: one at a time.
#pragma once

#include <map>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/product_kernels.h"

namespace mneme::engine::cuda {

struct ExpertTable {
  ExpertMatrices gate;  // no matrices where experts are not gated
  ExpertMatrices up;
  ExpertMatrices down;
};

class ExpertTables {
 public:
  explicit ExpertTables(Device& device) : device_(device) {}
  // Made when a layer is first asked for; of use only while the device is ok().
  ExpertTable get(const ExpertWeights& weights);

 private:
  struct Made {
    DeviceBuffer buffer;
    ExpertTable table;
    bool is_there = false;
  };
  void make(const ExpertWeights& weights, Made& out);

  Device& device_;
  std::map<const Matrix*, Made> tables_;  // by the first matrix
};

}  // namespace mneme::engine::cuda

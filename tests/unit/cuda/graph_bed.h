// Models on the pretended GPU, whose steps may run as graphs.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "engine/backend/cuda/cuda_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {

class GraphBed : public ::testing::Test {
 protected:
  void SetUp() override { opener_ = test_device().open; }
  void TearDown() override {
    test_device().open = opener_;
    simt::machine() = {};
  }
  static std::unique_ptr<LoadedModel> load(const RandomModel& family, bool graphs, bool overlap = false) {
    test_device().open = [=](int) { return engine::cuda::make_cuda_backend({.overlap = overlap, .graphs = graphs}); };
    return load_model(random_gguf(family));
  }

 private:
  decltype(TestDevice::open) opener_;
};

}  // namespace mneme::testing

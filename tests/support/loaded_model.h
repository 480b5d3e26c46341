// A model from GGUF bytes with its backend and weights, below LanguageModel: for tests that drive the layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/model_config.h"
#include "engine/transformer/forward_pass.h"
#include "engine/transformer/model_weights.h"

namespace mneme::testing {

// The device that tests of the engine run on: the CPU, unless a test program for another one says so before its tests
// run. Tests that open models by path pass `name` on; "cpu" where the program cannot choose the other by name.
struct TestDevice {
  std::string name = "cpu";
  std::function<Result<std::unique_ptr<engine::Backend>>(int n_threads)> open;
  // Of outputs whose values are of size one. On the tile unit, queries and weights of many rows have 17 bits.
  double attention_tolerance = 5e-5;
  // Of logits after rows were dropped on the way, in standard deviations: KV rounded to f16 on the other side.
  double subset_tolerance = 1e-3;
  // Of all logits, in standard deviations, with weights of 32 bits and, where the device rounds activations to the
  // weights' type, of 16. Both sides hold KV in f16; a value may be rounded to either side where f32 and f64 sums
  // differ in the last bit, hence not tighter.
  double pass_tolerance = 1e-3;
  double f16_tolerance = 1e-3;
  double bf16_tolerance = 1e-3;
  double fused_tolerance = 5e-3;  // of stored keys, rounded to fp16 before they are turned and once more after it
  double fused_expert_tolerance = 5e-3;  // the same of models with experts, of which a device may choose another
};
TestDevice& test_device();
// Fails the test (null) when it does not open.
std::unique_ptr<engine::Backend> open_test_backend(int n_threads);

struct LoadedModel {
  std::vector<std::byte> bytes;
  std::unique_ptr<gguf::GgufFile> file;
  engine::ModelConfig config;
  std::unique_ptr<engine::Backend> backend;
  std::unique_ptr<engine::ModelWeights> weights;
  std::unique_ptr<engine::ForwardPass> pass;

  std::unique_ptr<engine::KvCache> new_cache(int max_tokens, bool keep_unrotated_keys = false) const;
};

// Fails the test (null) when anything goes wrong.
std::unique_ptr<LoadedModel> load_model(std::vector<std::byte> bytes, int n_threads = 2, int max_rows = 512,
                                        int context_tokens = 0);

// Gives every head of every layer a sink (engine::LayerConfig), whatever the family.
void give_sinks(LoadedModel& model, uint64_t seed);

// Writes bytes to a file of this test in the process's folder and gives its path.
std::string write_temporary(const std::vector<std::byte>& bytes, const std::string& name);

// Largest difference of two vectors over the standard deviation of the second.
double relative_error(const float* got, const std::vector<double>& expected);

}  // namespace mneme::testing

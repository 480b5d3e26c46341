#include "tests/support/loaded_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "base/random.h"
#include "engine/devices/open_backend.h"
#include "engine/model/config_reader.h"
#include "tests/support/process_folder.h"

namespace mneme::testing {

namespace {

Status load(LoadedModel& model, int n_threads, int max_rows, int context_tokens) {
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::parse(model.bytes, "test.gguf"));
  model.file = std::make_unique<gguf::GgufFile>(std::move(file));
  MNEME_ASSIGN_OR_RETURN(const engine::Architecture* architecture, engine::read_architecture(*model.file));
  MNEME_ASSIGN_OR_RETURN(model.config, engine::read_model_config(*model.file, context_tokens));
  MNEME_ASSIGN_OR_RETURN(model.backend, test_device().open(n_threads));
  MNEME_ASSIGN_OR_RETURN(model.weights,
                         engine::load_model_weights(*model.file, *architecture, model.config, *model.backend));
  MNEME_ASSIGN_OR_RETURN(model.pass, engine::ForwardPass::make(model.config, *model.weights, *model.backend, max_rows));
  return {};
}

}  // namespace

TestDevice& test_device() {
  static TestDevice device{
      "cpu", [](int n_threads) { return engine::open_backend({.device = "cpu", .n_threads = n_threads}); }, 5e-5, 1e-3};
  return device;
}

std::unique_ptr<engine::Backend> open_test_backend(int n_threads) {
  auto backend = test_device().open(n_threads);
  EXPECT_TRUE(backend.ok()) << backend.status().message();
  return backend.ok() ? std::move(*backend) : nullptr;
}

std::unique_ptr<engine::KvCache> LoadedModel::new_cache(int max_tokens, bool keep_unrotated_keys) const {
  auto cache = backend->make_kv_cache({.n_layers = config.n_layers,
                                       .n_kv_heads = config.n_kv_heads,
                                       .head_dim = config.head_dim,
                                       .max_tokens = max_tokens,
                                       .keep_unrotated_keys = keep_unrotated_keys,
                                       .state_layers = config.state_layers(),
                                       .delta = config.delta});
  EXPECT_TRUE(cache.ok()) << cache.status().message();
  EXPECT_TRUE((*cache)->reserve(max_tokens).ok());
  return std::move(*cache);
}

std::unique_ptr<LoadedModel> load_model(std::vector<std::byte> bytes, int n_threads, int max_rows, int context_tokens) {
  auto model = std::make_unique<LoadedModel>();
  model->bytes = std::move(bytes);
  const Status status = load(*model, n_threads, max_rows, context_tokens);
  EXPECT_TRUE(status.ok()) << status.message();
  return status.ok() ? std::move(model) : nullptr;
}

void give_sinks(LoadedModel& model, uint64_t seed) {
  Random random(seed);
  for (engine::LayerConfig& layer : model.config.layers) {
    layer.sinks.resize(static_cast<size_t>(model.config.n_heads));
    for (float& sink : layer.sinks) sink = 3.0f + 2.0f * random.gaussian();
  }
}

std::string write_temporary(const std::vector<std::byte>& bytes, const std::string& name) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(test->test_suite_name()) + "_" + test->name() + "_" + name;
  std::replace(file.begin(), file.end(), '/', '_');
  const std::string path = test::process_folder() + "/" + file;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

double relative_error(const float* got, const std::vector<double>& expected) {
  double mean = 0;
  for (const double value : expected) mean += value / static_cast<double>(expected.size());
  double variance = 0;
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    variance += (expected[i] - mean) * (expected[i] - mean) / static_cast<double>(expected.size());
    const double difference = std::abs(got[i] - expected[i]);
    largest = std::isfinite(difference) ? std::max(largest, difference) : HUGE_VAL;
  }
  return largest / std::sqrt(variance);
}

}  // namespace mneme::testing

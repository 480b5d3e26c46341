// The CUDA backend as a whole on the pretended device: the path through cuBLAS (played by a plain function), the exact
// mode, independence of the order in which threads run, steps that allocate nothing.
#include "engine/backend/cuda/cuda_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/f16.h"
#include "base/random.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cuda/device_memory.h"
#include "engine/backend/cuda/self_check.h"
#include "engine/gguf/quant_blocks.h"
#include "engine/step_runner.h"
#include "engine/transformer/model_weights.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {
namespace {

using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;
using gguf::TensorType;

// --- A library that is none: column-major products as cuBLAS defines them, counted -----------------------------------

int products_done = 0;
int64_t products_added = 0;  // numbers added to what was there

double element(const void* data, int type, int64_t at) {
  if (type == 0) return static_cast<const float*>(data)[at];
  if (type == 2) return to_f32(static_cast<const f16*>(data)[at]);
  EXPECT_EQ(type, 14);
  return to_f32(static_cast<const bf16*>(data)[at]);
}

int plain_gemm(void*, int trans_a, int trans_b, int m, int n, int k, const void* alpha, const void* a, int a_type,
               int lda, const void* b, int b_type, int ldb, const void* beta, void* c, int c_type, int ldc, int, int) {
  EXPECT_EQ(*static_cast<const float*>(alpha), 1.0f);
  const float before = *static_cast<const float*>(beta);
  EXPECT_TRUE(before == 0.0f || before == 1.0f);
  EXPECT_EQ(c_type, 0);
  EXPECT_GE(lda, trans_a != 0 ? k : m);
  EXPECT_GE(ldb, trans_b != 0 ? n : k);
  EXPECT_GE(ldc, m);
  ++products_done;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      double sum = 0;
      for (int i = 0; i < k; ++i) {
        const int64_t at_a = trans_a != 0 ? int64_t{row} * lda + i : int64_t{i} * lda + row;
        const int64_t at_b = trans_b != 0 ? int64_t{i} * ldb + column : int64_t{column} * ldb + i;
        sum += element(a, a_type, at_a) * element(b, b_type, at_b);
      }
      float& out = static_cast<float*>(c)[int64_t{column} * ldc + row];
      out = static_cast<float>(before == 0.0f ? sum : out + sum);
      products_added += before == 0.0f ? 0 : 1;
    }
  return 0;
}

const engine::cuda::BlasTable kPlainBlas{
    .create = [](void** handle) { return *handle = &products_done, 0; },
    .destroy = [](void*) { return 0; },
    .set_stream = [](void*, cudaStream_t) { return 0; },
    .gemm = plain_gemm,
};
const engine::cuda::BlasTable* plain_blas() {
  return &kPlainBlas;
}

// --- Models
// ------------------------------------------------------------------------------------------------------------

class CudaBackendTest : public ::testing::Test {
 protected:
  void SetUp() override { opener_ = test_device().open; }
  void TearDown() override {
    test_device().open = opener_;
    simt::machine() = {};
  }
  static void use(const engine::cuda::CudaOptions& options) {
    test_device().open = [options](int) { return engine::cuda::make_cuda_backend(options); };
  }

 private:
  decltype(TestDevice::open) opener_;
};

std::vector<int> ids_of(size_t n, uint64_t seed, uint32_t vocab_size = 97) {
  Random random(seed);
  std::vector<int> ids(n);
  for (int& id : ids) id = static_cast<int>(random.below(vocab_size));
  return ids;
}

std::vector<float> run(LoadedModel& model, engine::KvCache& cache, const std::vector<int>& ids, int first) {
  std::vector<TokenPos> positions;
  std::vector<int> rows;
  for (size_t i = 0; i < ids.size(); ++i) {
    positions.push_back(first + static_cast<int>(i));
    rows.push_back(static_cast<int>(i));
  }
  const RowGroup group{&cache, 0, static_cast<int>(ids.size())};
  EXPECT_TRUE(model.pass->begin(RowSet{positions, {&group, 1}}, std::vector<TokenId>(ids.begin(), ids.end())).ok());
  for (int layer = 0; layer < model.config.n_layers; ++layer) model.pass->run_layer(layer);
  std::vector<float> logits;
  const Status status = model.pass->logits(rows, logits);
  EXPECT_TRUE(status.ok()) << status.message();
  return logits;
}

// Largest error of a prefill against the fp64 reference, in standard deviations of the logits.
double prefill_error(const RandomModel& description, size_t length) {
  const auto model = load_model(random_gguf(description));
  if (model == nullptr) return HUGE_VAL;
  const auto cache = model->new_cache(static_cast<int>(length));
  const auto ids = ids_of(length, description.seed + 1, description.vocab_size);
  const auto logits = run(*model, *cache, ids, 0);
  const auto expected = ReferenceModel(*model->file).all_logits(ids);
  double largest = 0;
  for (size_t row = 0; row < expected.size(); ++row)
    largest = std::max(largest, relative_error(logits.data() + row * expected[row].size(), expected[row]));
  return largest;
}

RandomModel wide(TensorType type, const char* architecture = "llama") {
  return {.architecture = architecture,
          .dim = 256,
          .n_heads = 4,
          .n_kv_heads = 2,
          .head_dim = 64,
          .ffn_dim = 512,
          .type = type,
          .seed = 31};
}

RandomModel with_shared_expert(TensorType type) {
  RandomModel model = wide(type, "qwen2moe");
  model.n_experts = 8;
  model.n_experts_used = 3;
  model.shared_ffn_dim = 160;
  return model;
}

TEST_F(CudaBackendTest, ManyRowsThroughBlas) {
  use({.blas = plain_blas});
  products_done = 0;
  // f32 weights: nothing is rounded. f16 (also quantised weights, dequantised to f16): 11 bits of activations. bf16: 8.
  EXPECT_LE(prefill_error(wide(TensorType::kF32), 20), test_device().pass_tolerance);
  EXPECT_LE(prefill_error(wide(TensorType::kF16), 20), 6e-3);
  products_added = 0;
  EXPECT_LE(prefill_error(wide(TensorType::kBF16), 20), 3e-2);
  EXPECT_EQ(products_added, 2 * 2 * 20 * 256) << "both blocks of both layers are added to the residual stream at once";
  for (const TensorType type :
       {TensorType::kQ8_0, TensorType::kQ4_K, TensorType::kQ6_K, TensorType::kIQ4_XS, TensorType::kMXFP4})
    EXPECT_LE(prefill_error(wide(type), 20), 1e-2) << static_cast<int>(type);
  EXPECT_GT(products_done, 0);
  // Odd widths, biases, norms after the residual, fused matrices, soft caps.
  EXPECT_LE(prefill_error({.architecture = "llama",
                           .dim = 60,
                           .n_heads = 5,
                           .n_kv_heads = 5,
                           .head_dim = 10,
                           .ffn_dim = 77,
                           .type = TensorType::kF16,
                           .qkv_bias = true},
                          21),
            6e-3);
  EXPECT_LE(prefill_error({.architecture = "phi3", .type = TensorType::kF16, .seed = 3}, 30), 6e-3);
  EXPECT_LE(prefill_error({.architecture = "gemma2", .type = TensorType::kF16, .seed = 4, .window = 8}, 30), 6e-3);
}

// The shared expert's products go through the library, in halves that are scaled; those of experts and routers do not.
TEST_F(CudaBackendTest, SharedExpertsThroughBlas) {
  use({.blas = plain_blas});
  RandomModel model = with_shared_expert(TensorType::kF32);
  EXPECT_LE(prefill_error(model, 20), test_device().pass_tolerance);
  products_done = 0;
  model.type = TensorType::kF16;
  EXPECT_LE(prefill_error(model, 20), 6e-3);
  EXPECT_EQ(products_done, 2 * (2 + 2) + 1) << "of each layer Q, K and V together and the output, and of the shared "
                                               "expert gate and up together and down; once the logits";
}

// Matrices that lie side by side are one product of many rows, with the same bits; few rows take them as ever.
TEST_F(CudaBackendTest, MatricesSideBySideAreOneProduct) {
  // Rows of 128 bytes: 50 of Q are whole pieces of memory, 77 of the gate are not.
  RandomModel narrow = wide(TensorType::kF16);
  narrow.dim = 60;
  narrow.n_heads = narrow.n_kv_heads = 5;
  narrow.head_dim = 10;
  narrow.ffn_dim = 77;
  RandomModel biased = wide(TensorType::kBF16);
  biased.qkv_bias = true;
  const RandomModel plain = {.architecture = "starcoder2", .type = TensorType::kF16};  // without a gate
  struct Case {
    RandomModel model;
    int fewer;  // products of two layers
  };
  std::vector<Case> cases = {{narrow, 4}, {biased, 6}, {plain, 4}, {with_shared_expert(TensorType::kF16), 6}};
  for (const TensorType type : {TensorType::kF32, TensorType::kF16, TensorType::kBF16, TensorType::kQ8_0,
                                TensorType::kQ4_K, TensorType::kMXFP4})
    cases.push_back({wide(type), 6});
  for (const Case& c : cases) {
    int products[2] = {};
    std::vector<float> logits[2];
    for (const bool joins : {false, true}) {
      use({.blas = plain_blas, .joins = joins});
      const auto model = load_model(random_gguf(c.model));
      ASSERT_NE(model, nullptr);
      const auto cache = model->new_cache(60);
      products_done = 0;
      logits[joins] = run(*model, *cache, ids_of(20, 1), 0);
      const auto next = run(*model, *cache, ids_of(3, 2), 20);
      logits[joins].insert(logits[joins].end(), next.begin(), next.end());
      products[joins] = products_done;
    }
    EXPECT_EQ(products[1], products[0] - c.fewer) << c.model.architecture << ", " << static_cast<int>(c.model.type);
    EXPECT_EQ(logits[1], logits[0]) << c.model.architecture << ", " << static_cast<int>(c.model.type);
  }
}

TEST_F(CudaBackendTest, FewRowsNeedNoBlas) {
  use({.blas = plain_blas});
  products_done = 0;
  EXPECT_LE(prefill_error(wide(TensorType::kF16), 8), 1e-3);
  EXPECT_EQ(products_done, 0);
}

TEST_F(CudaBackendTest, TheExactModeRoundsNothing) {
  use({.blas = plain_blas, .exact = true});
  for (const size_t length : {1u, 20u})
    for (const TensorType type : {TensorType::kF16, TensorType::kBF16, TensorType::kQ8_0, TensorType::kQ4_K})
      EXPECT_LE(prefill_error(wide(type), length), 1e-3) << static_cast<int>(type) << ", " << length << " rows";
}

TEST_F(CudaBackendTest, ThreadsMayRunInAnyOrder) {
  for (const RandomModel& description :
       {wide(TensorType::kQ4_K), RandomModel{.architecture = "qwen3moe", .n_experts = 8, .n_experts_used = 3},
        with_shared_expert(TensorType::kMXFP4), RandomModel{.architecture = "gemma2", .n_layers = 3, .window = 16},
        RandomModel{.architecture = "bert"}}) {
    std::vector<std::vector<float>> results;
    for (const auto order : {simt::ThreadOrder::kAscending, simt::ThreadOrder::kDescending}) {
      simt::machine().order = order;
      const auto model = load_model(random_gguf(description));
      ASSERT_NE(model, nullptr);
      const auto cache = model->new_cache(60);
      if (!model->config.causal) {
        std::vector<TokenPos> positions = {0, 1, 2, 3, 4};
        const RowGroup group{cache.get(), 0, 5};
        ASSERT_TRUE(model->pass->begin(RowSet{positions, {&group, 1}}, std::vector<TokenId>{5, 6, 7, 8, 9}).ok());
        for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
        std::vector<float> hidden(5 * static_cast<size_t>(model->config.dim));
        ASSERT_TRUE(model->backend->read(model->pass->hidden(), 5, hidden).ok());
        results.push_back(hidden);
        continue;
      }
      auto logits = run(*model, *cache, ids_of(50, 1), 0);
      const auto next = run(*model, *cache, ids_of(3, 2), 50);
      logits.insert(logits.end(), next.begin(), next.end());
      results.push_back(logits);
    }
    EXPECT_EQ(results[0], results[1]) << description.architecture;
  }
}

// What a step launches is what a small model's decoding costs. Per layer: Q K V of the normed row, attention with its
// heads, its output product with the residual, gate and up of the normed row with the activation, down with the
// residual; once: embedding, angles, norm, output. Quantised weights whose rows are no multiple of 128 take both norms
// and the activation by themselves, since each rounds 32 neighbours together.
TEST_F(CudaBackendTest, ADecodingStepLaunchesNoMoreThanItMust) {
  use({});
  struct Launches {
    TensorType type;
    uint32_t dim;
    int of_layer;
  };
  for (const auto& [type, dim, per_layer] :
       {Launches{TensorType::kF16, 64, 5}, Launches{TensorType::kQ8_0, 128, 5}, Launches{TensorType::kQ8_0, 64, 8}}) {
    auto model = load_model(random_gguf({.n_layers = 3, .dim = dim, .head_dim = 32, .type = type}));
    ASSERT_NE(model, nullptr);
    const auto cache = model->new_cache(60);
    run(*model, *cache, ids_of(20, 1), 0);
    const int64_t launches = simt::counters().launches;
    run(*model, *cache, ids_of(1, 2), 20);
    EXPECT_EQ(simt::counters().launches - launches, 4 + 3 * per_layer);
  }
}

// With experts, behind the three of attention: norm, router, choice, gate, up, activation, down, their mix, the
// residual. A shared expert has gate and up with the activation, and down; its router is multiplied with the other one.
// Quantised weights have the activation by itself, and, since routers are F32 in files but not here, the router as
// well.
TEST_F(CudaBackendTest, ADecodingStepOfExpertsLaunchesNoMoreThanItMust) {
  use({});
  struct Launches {
    TensorType type;
    int of_shared;
  };
  constexpr int kOfAttention = 3;
  for (const auto& [type, of_shared] : {Launches{TensorType::kF32, 2}, Launches{TensorType::kQ8_0, 4}})
    for (const bool shares : {false, true}) {
      RandomModel description = with_shared_expert(type);
      if (!shares) description.architecture = "qwen3moe", description.shared_ffn_dim = 0;
      const auto model = load_model(random_gguf(description));
      ASSERT_NE(model, nullptr);
      const auto cache = model->new_cache(60);
      run(*model, *cache, ids_of(20, 1), 0);
      run(*model, *cache, ids_of(1, 2), 20);
      const int64_t launches = simt::counters().launches;
      run(*model, *cache, ids_of(1, 2), 21);
      EXPECT_EQ(simt::counters().launches - launches, 4 + 2 * (kOfAttention + 9 + (shares ? of_shared : 0)));
    }
}

TEST_F(CudaBackendTest, ScalesBeyondF16AreRefused) {
  std::vector<std::byte> block(17 * 4);
  const engine::TensorView tensor{
      .name = "blk.0.ffn_up.weight", .type = TensorType::kMXFP4, .n_out = 4, .n_in = 32, .bytes = block};
  const auto backend = *engine::cuda::make_cuda_backend({});
  block[17 * 3] = std::byte{gguf::kMxfp4HighestExponent};
  EXPECT_TRUE(backend->load_matrix(tensor).ok());
  block[17 * 3] = std::byte{gguf::kMxfp4HighestExponent + 1};
  const Status refused = backend->load_matrix(tensor).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnsupported);
  EXPECT_EQ(refused.message(), "tensor blk.0.ffn_up.weight has scales above 32768, which are not supported");
  EXPECT_EQ(engine::make_cpu_backend(1)->load_matrix(tensor).status().message(), refused.message());
}

// Kernels that begin before the one ahead has ended must all wait for it first: the stand-in ends the program
// otherwise.
TEST_F(CudaBackendTest, EveryKernelWaitsForTheOnesAhead) {
  std::vector<std::vector<float>> results;
  for (const int major : {8, 9}) {
    simt::machine().major = major;
    use({.blas = plain_blas, .overlap = true});
    for (const RandomModel& description :
         {wide(TensorType::kQ4_K), wide(TensorType::kBF16), with_shared_expert(TensorType::kMXFP4),
          RandomModel{.architecture = "qwen3moe", .n_experts = 8, .n_experts_used = 3}}) {
      const int64_t before = simt::counters().overlapped;
      const auto model = load_model(random_gguf(description));
      ASSERT_NE(model, nullptr);
      const auto cache = model->new_cache(200, true);
      run(*model, *cache, ids_of(20, 1), 0);
      std::vector<f16> keys(100 * static_cast<size_t>(model->config.kv_dim()), to_f16(0.5f));
      cache->place(0, 20, 100, keys, keys, &model->config.ropes[0]);
      cache->place(1, 20, 100, keys, keys, &model->config.ropes[0]);
      ASSERT_TRUE(cache->read(0, 0, 120, true, keys = std::vector<f16>(120 * keys.size() / 100), {}).ok());
      results.push_back(run(*model, *cache, ids_of(1, 2), 120));
      EXPECT_EQ(simt::counters().overlapped > before, major == 9);
    }
  }
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(results[i], results[i + 4]);
}

TEST_F(CudaBackendTest, LargeDevicesTakeLargerSteps) {
  EXPECT_EQ((*engine::cuda::make_cuda_backend({}))->most_step_rows(), 512);
  simt::machine().memory_bytes = size_t{80} << 30;
  EXPECT_EQ((*engine::cuda::make_cuda_backend({}))->most_step_rows(), 4096);
  simt::machine().memory_bytes = size_t{24} << 30;
  const auto backend = *engine::cuda::make_cuda_backend({});
  EXPECT_EQ(backend->most_step_rows(), 2048);
  EXPECT_EQ(engine::StepRunner({}, {}, *backend).most_rows(), 2048);
}

TEST_F(CudaBackendTest, DecodingAllocatesNothing) {
  auto model = load_model(random_gguf({.n_layers = 3, .type = TensorType::kF16}));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(400);
  run(*model, *cache, ids_of(20, 1), 0);
  run(*model, *cache, ids_of(1, 2), 20);
  const int64_t allocations = simt::counters().allocations;
  const auto memory = engine::cuda::DeviceMemory::of(0);
  const int64_t used = memory->used_bytes();
  for (int position = 21; position < 150; ++position) run(*model, *cache, ids_of(1, 3), position);
  EXPECT_EQ(simt::counters().allocations, allocations);
  EXPECT_LE(memory->used_bytes() - used, int64_t{64} << 10)
      << "only partial results of attention grow, with the context";
}

// A device that computes wrong numbers is found before anything is answered with them.
int wrong_gemm(void*, int, int, int m, int n, int, const void*, const void*, int, int, const void*, int, int,
               const void*, void* c, int, int ldc, int, int) {
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) static_cast<float*>(c)[int64_t{column} * ldc + row] = 0.25f;
  return 0;
}

TEST_F(CudaBackendTest, WrongResultsAreFoundWhenItOpens) {
  EXPECT_TRUE(engine::cuda::check_results(**engine::cuda::make_cuda_backend({})).ok());
  EXPECT_TRUE(engine::cuda::check_results(**engine::cuda::make_cuda_backend({.blas = plain_blas})).ok());
  static engine::cuda::BlasTable wrong = kPlainBlas;
  const engine::cuda::BlasFinder give_wrong = []() -> const engine::cuda::BlasTable* { return &wrong; };
  wrong.gemm = wrong_gemm;
  const Status found = engine::cuda::check_results(**engine::cuda::make_cuda_backend({.blas = give_wrong}));
  EXPECT_EQ(found.code(), StatusCode::kUnsupported);
  EXPECT_NE(found.message().find("its results are wrong (products with F32)"), std::string::npos) << found.message();
  wrong.gemm = [](void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                  const void*, void*, int, int, int, int) { return 14; };
  EXPECT_EQ(engine::cuda::check_results(**engine::cuda::make_cuda_backend({.blas = give_wrong})).code(),
            StatusCode::kIo);
}

TEST_F(CudaBackendTest, AnEmptyStepIsNone) {
  auto model = load_model(random_gguf({}));
  ASSERT_NE(model, nullptr);
  ASSERT_TRUE(model->pass->begin(RowSet{}, {}).ok());
  const int64_t launches = simt::counters().launches;
  for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
  std::vector<float> logits;
  EXPECT_TRUE(model->pass->logits({}, logits).ok());
  EXPECT_EQ(simt::counters().launches, launches);
}

// Long contexts are cut along the keys; sequences of different lengths and kinds of KV decode in one step.
TEST_F(CudaBackendTest, SequencesOfDifferentKindsDecodeTogether) {
  auto model = load_model(random_gguf({.n_heads = 4, .n_kv_heads = 2, .head_dim = 32, .seed = 9}));
  ASSERT_NE(model, nullptr);
  const engine::KvCacheOptions options{.n_layers = model->config.n_layers,
                                       .n_kv_heads = 2,
                                       .head_dim = 32,
                                       .max_tokens = 500,
                                       .type = engine::KvType::kQ8_0};
  std::vector<std::unique_ptr<engine::KvCache>> caches;
  std::vector<int> lengths = {400, 3, 130};
  std::vector<std::vector<float>> alone;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (i == 2) {
      caches.push_back(*model->backend->make_kv_cache(options));
      ASSERT_TRUE(caches.back()->reserve(500).ok());
    } else {
      caches.push_back(model->new_cache(500, i == 1));
    }
    run(*model, *caches[i], ids_of(static_cast<size_t>(lengths[i]), 20 + i), 0);
    alone.push_back(run(*model, *caches[i], {7}, lengths[i]));
  }
  const std::vector<TokenPos> positions(lengths.begin(), lengths.end());
  const RowGroup groups[] = {{caches[0].get(), 0, 1}, {caches[1].get(), 1, 1}, {caches[2].get(), 2, 1}};
  ASSERT_TRUE(model->pass->begin(RowSet{positions, groups}, std::vector<TokenId>{7, 7, 7}).ok());
  for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
  std::vector<float> together;
  ASSERT_TRUE(model->pass->logits(std::vector<int>{0, 1, 2}, together).ok());
  for (size_t i = 0; i < alone.size(); ++i) {
    const std::vector<double> expected(alone[i].begin(), alone[i].end());
    EXPECT_LE(relative_error(together.data() + i * expected.size(), expected), 1e-3) << "sequence " << i;
  }
}

}  // namespace
}  // namespace mneme::testing

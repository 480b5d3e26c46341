// What a model's stored KV is bound to: everything that decides what it computes, and nothing else.
#include "engine/model/model_identity.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/gguf/gguf_file.h"
#include "engine/gguf/gguf_writer.h"

namespace mneme::engine {
namespace {

using gguf::TensorType;

struct Tensor {
  std::string name = "w";
  std::vector<uint64_t> dims = {4, 2};
  TensorType type = TensorType::kF16;
  std::vector<std::byte> bytes = std::vector<std::byte>(16);
};

struct Model {
  std::string name = "a name";
  std::string architecture = "llama";
  std::string key = "llama.layers";
  uint32_t number = 1;
  std::vector<std::string> tokens = {"a", "b"};
  std::vector<Tensor> tensors = {Tensor()};
  std::vector<RopeConfig> ropes = {{.inverse_frequencies = {1.0f, 0.5f}}};
};

std::string identity_of(const Model& model) {
  gguf::GgufWriter writer;
  writer.add_text("general.name", model.name);
  writer.add_u32(model.key, model.number);
  writer.add_texts("tokenizer.ggml.tokens", model.tokens);
  for (const Tensor& tensor : model.tensors) writer.add_tensor(tensor.name, tensor.dims, tensor.type, tensor.bytes);
  const std::vector<std::byte> bytes = writer.finish();
  const auto file = gguf::GgufFile::parse(bytes, "model.gguf");
  EXPECT_TRUE(file.ok()) << file.status().message();
  ModelConfig config;
  config.architecture = model.architecture;
  config.ropes = model.ropes;
  return model_identity(*file, config).hex();
}

TEST(ModelIdentity, WhateverDecidesWhatIsComputedCounts) {
  const std::vector<std::function<void(Model&)>> changes = {
      [](Model&) {},
      [](Model& m) { m.architecture = "llama2", m.key = "llama.layers"; },
      [](Model& m) { m.key = "llama.heads"; },
      [](Model& m) { m.number = 2; },
      [](Model& m) { m.tokens = {"b", "a"}; },
      [](Model& m) { m.tokens = {"a"}; },
      [](Model& m) { m.tokens = {"ab", ""}; },
      [](Model& m) { m.tensors[0].name = "v"; },
      [](Model& m) { m.tensors[0].type = TensorType::kBF16; },
      [](Model& m) { m.tensors[0].dims = {2, 4}; },
      [](Model& m) { m.tensors[0].bytes[15] = std::byte{1}; },
      [](Model& m) { m.tensors.push_back({.name = "x"}); },
      [](Model& m) { m.tensors.push_back({.name = "x", .dims = {8, 1}}); },
      [](Model& m) { m.ropes[0].inverse_frequencies[1] = 0.25f; },
      [](Model& m) { m.ropes[0].attention_factor = 2; },
      [](Model& m) { m.ropes.push_back(m.ropes[0]); },
  };
  std::set<std::string> identities;
  for (size_t i = 0; i < changes.size(); ++i) {
    Model model;
    changes[i](model);
    EXPECT_TRUE(identities.insert(identity_of(model)).second) << i;
  }
  EXPECT_EQ(identity_of({}), identity_of({.name = "another name"}));
}

// Weights are read a piece at a time.
TEST(ModelIdentity, EveryPieceOfTheWeightsCounts) {
  constexpr size_t kElements = (size_t{8} << 20) + 1;  // more than a piece
  Model model;
  model.tensors[0] = {.dims = {kElements}, .bytes = std::vector<std::byte>(2 * kElements)};
  std::set<std::string> identities = {identity_of(model)};
  for (const size_t at : {size_t{0}, kElements, 2 * kElements - 1}) {
    model.tensors[0].bytes[at] = std::byte{1};
    EXPECT_TRUE(identities.insert(identity_of(model)).second) << at;
  }
}

}  // namespace
}  // namespace mneme::engine

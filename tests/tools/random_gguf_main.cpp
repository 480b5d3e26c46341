// Writes a GGUF file with random weights, for comparing with other programs:
//   random_gguf OUT shape NAME TYPE [SEED]        a named shape (bench-336m)
//   random_gguf OUT ARCHITECTURE TYPE [key=value ...]   a small model of an architecture, with a vocabulary
// Keys are the fields of tests/support/random_gguf.h: n_layers, dim, n_heads, n_kv_heads, head_dim, n_rot, ffn_dim,
// vocab_size, context, seed, n_experts, n_experts_used, shared_ffn_dim, window, original_context, rope_base,
// rope_factor, rope_scaling, tied, qkv_bias, fused_qkv, fused_gate, pooling, n_labels, dense, yarn_log_multiplier,
// temperature_scale, unigram, expert_ffn_dim, n_shared, leading_dense, n_groups, n_groups_used, gating, normalise,
// expert_scale, draft_layers, qk_norm, window_step, window_head_dim, full_kv_heads, shared_kv, shared_ffn,
// layer_input_dim, keys_as_values, fused_experts, layer_scales, kv_rank, q_rank, plain_dim, value_dim, whole_kv_b,
// choice_bias, attention_interval, state_dim, state_value_dim, state_key_heads, state_value_heads, conv_width,
// conv_bias, state_norm, rotates.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/gguf/tensor_type.h"
#include "engine/model/random_model.h"
#include "tests/support/random_gguf.h"

namespace {

using mneme::testing::RandomModel;

bool set(RandomModel& model, const std::string& key, const std::string& value) {
  const std::map<std::string, uint32_t*> numbers = {{"n_layers", &model.n_layers},
                                                    {"dim", &model.dim},
                                                    {"n_heads", &model.n_heads},
                                                    {"n_kv_heads", &model.n_kv_heads},
                                                    {"head_dim", &model.head_dim},
                                                    {"n_rot", &model.n_rot},
                                                    {"ffn_dim", &model.ffn_dim},
                                                    {"vocab_size", &model.vocab_size},
                                                    {"context", &model.context},
                                                    {"n_experts", &model.n_experts},
                                                    {"n_experts_used", &model.n_experts_used},
                                                    {"shared_ffn_dim", &model.shared_ffn_dim},
                                                    {"window", &model.window},
                                                    {"original_context", &model.original_context},
                                                    {"pooling", &model.pooling},
                                                    {"n_labels", &model.n_labels},
                                                    {"dense", &model.dense},
                                                    {"expert_ffn_dim", &model.expert_ffn_dim},
                                                    {"n_shared", &model.n_shared},
                                                    {"leading_dense", &model.leading_dense},
                                                    {"n_groups", &model.n_groups},
                                                    {"n_groups_used", &model.n_groups_used},
                                                    {"gating", &model.gating},
                                                    {"draft_layers", &model.draft_layers},
                                                    {"window_step", &model.window_step},
                                                    {"window_head_dim", &model.window_head_dim},
                                                    {"full_kv_heads", &model.full_kv_heads},
                                                    {"shared_kv", &model.shared_kv},
                                                    {"shared_ffn", &model.shared_ffn},
                                                    {"layer_input_dim", &model.layer_input_dim},
                                                    {"kv_rank", &model.kv_rank},
                                                    {"q_rank", &model.q_rank},
                                                    {"plain_dim", &model.plain_dim},
                                                    {"value_dim", &model.value_dim},
                                                    {"attention_interval", &model.attention_interval},
                                                    {"state_dim", &model.state_dim},
                                                    {"state_value_dim", &model.state_value_dim},
                                                    {"state_key_heads", &model.state_key_heads},
                                                    {"state_value_heads", &model.state_value_heads},
                                                    {"conv_width", &model.conv_width}};
  const std::map<std::string, float*> reals = {{"rope_base", &model.rope_base},
                                               {"rope_factor", &model.rope_factor},
                                               {"yarn_log_multiplier", &model.yarn_log_multiplier},
                                               {"temperature_scale", &model.temperature_scale},
                                               {"expert_scale", &model.expert_scale}};
  const std::map<std::string, bool*> flags = {{"tied", &model.tied},
                                              {"conv_bias", &model.conv_bias},
                                              {"state_norm", &model.state_norm},
                                              {"rotates", &model.rotates},
                                              {"qkv_bias", &model.qkv_bias},
                                              {"fused_qkv", &model.fused_qkv},
                                              {"fused_gate", &model.fused_gate},
                                              {"unigram", &model.unigram},
                                              {"normalise", &model.normalise},
                                              {"qk_norm", &model.qk_norm},
                                              {"keys_as_values", &model.keys_as_values},
                                              {"layer_scales", &model.layer_scales},
                                              {"whole_kv_b", &model.whole_kv_b},
                                              {"choice_bias", &model.choice_bias},
                                              {"fused_experts", &model.fused_experts}};
  if (const auto found = numbers.find(key); found != numbers.end()) {
    *found->second = static_cast<uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
  } else if (const auto real = reals.find(key); real != reals.end()) {
    *real->second = std::strtof(value.c_str(), nullptr);
  } else if (const auto flag = flags.find(key); flag != flags.end()) {
    *flag->second = value == "1" || value == "true";
  } else if (key == "seed") {
    model.seed = std::strtoull(value.c_str(), nullptr, 10);
  } else if (key == "rope_scaling") {
    model.rope_scaling = value;
  } else {
    return false;
  }
  return true;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3)
    return fail("usage: random_gguf OUT ARCHITECTURE TYPE [key=value ...], or OUT shape NAME TYPE");
  const bool shape = arguments[1] == "shape";
  const auto type = mneme::gguf::tensor_type_from_name(arguments[shape && arguments.size() > 3 ? 3 : 2]);
  if (!type) return fail("unknown tensor type");
  std::vector<std::byte> bytes;
  if (shape) {
    const uint64_t seed = arguments.size() > 4 ? std::strtoull(arguments[4].c_str(), nullptr, 10) : 1;
    auto made = mneme::engine::make_random_gguf(arguments[2], *type, seed);
    if (!made.ok()) return fail(made.status().message());
    bytes = std::move(*made);
  } else {
    RandomModel model{.architecture = arguments[1], .vocab_size = 320, .type = *type, .vocabulary = true};
    for (size_t i = 3; i < arguments.size(); ++i) {
      const size_t equals = arguments[i].find('=');
      if (equals == std::string::npos || !set(model, arguments[i].substr(0, equals), arguments[i].substr(equals + 1)))
        return fail("unknown setting " + arguments[i]);
    }
    bytes = mneme::testing::random_gguf(model);
  }
  std::ofstream file(arguments[0], std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file.flush().good() ? 0 : fail("cannot write " + arguments[0]);
}

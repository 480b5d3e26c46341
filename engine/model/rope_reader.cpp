#include "engine/model/rope_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/rope_scaling.h"

namespace mneme::engine {

namespace {

class RopeReader {
 public:
  RopeReader(const ModelMetadata& metadata, const Architecture& architecture, bool has_windows, int context_tokens,
             ModelConfig& config)
      : metadata_(metadata),
        architecture_(architecture),
        has_windows_(has_windows),
        context_tokens_(context_tokens),
        config_(config) {}

  Status read() {
    ModelConfig& c = config_;
    int n_rot = 0;
    MNEME_RETURN_IF_ERROR(metadata_.read_int("rope.dimension_count", 2, c.head_dim, c.head_dim, n_rot));
    if (n_rot % 2 != 0) return metadata_.damaged("its " + metadata_.key("rope.dimension_count") + " is odd");
    double base = 0;
    MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.freq_base", 1.0001, 1e12, 10000.0, base));
    RopeScaling scaling;
    MNEME_RETURN_IF_ERROR(read_scaling(scaling));
    if (architecture_.latent) move_sharpening(scaling);
    const int context = context_tokens_ > 0 ? context_tokens_ : c.context_length;
    const bool stretched = context > scaling.original_context;
    std::vector<float> divisors;
    MNEME_RETURN_IF_ERROR(read_divisors("rope_freqs.weight", n_rot, divisors));
    if (scaling.kind == RopeScalingKind::kLongRope) {
      divisors.clear();
      const char* name = stretched ? "rope_factors_long.weight" : "rope_factors_short.weight";
      MNEME_RETURN_IF_ERROR(read_divisors(name, n_rot, divisors));
      if (divisors.empty()) return metadata_.damaged(std::string("tensor '") + name + "' is missing");
    }
    c.ropes.push_back(make_rope(architecture_.rope_layout, n_rot, base, scaling, divisors));
    if (architecture_.unscaled_window_rope && has_windows_) {
      c.ropes.push_back(make_rope(architecture_.rope_layout, n_rot, base, RopeScaling{}, {}));
    } else if (architecture_.default_window_rope_base > 0) {
      double window_base = 0;
      MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.freq_base_swa", 1.0001, 1e12,
                                                  architecture_.default_window_rope_base, window_base));
      int window_n_rot = n_rot;
      if (architecture_.layer_shapes) MNEME_RETURN_IF_ERROR(read_window_dimensions(n_rot, window_n_rot));
      c.ropes.push_back(make_rope(architecture_.rope_layout, window_n_rot, window_base, RopeScaling{}, {}));
    }
    return {};
  }

 private:
  // Of window layers, whose heads may be shorter.
  Status read_window_dimensions(int n_rot, int& window_n_rot) const {
    int head_dim = 0;
    MNEME_RETURN_IF_ERROR(
        metadata_.read_int("attention.key_length_swa", 2, config_.head_dim, config_.head_dim, head_dim));
    MNEME_RETURN_IF_ERROR(
        metadata_.read_int("rope.dimension_count_swa", 2, head_dim, std::min(n_rot, head_dim), window_n_rot));
    if (window_n_rot % 2 != 0) return metadata_.damaged("its " + metadata_.key("rope.dimension_count_swa") + " is odd");
    return {};
  }

  Status read_scaling(RopeScaling& scaling) const {
    const std::string_view type = metadata_.file().text(metadata_.key("rope.scaling.type")).value_or("none");
    if (type == "linear") {
      scaling.kind = RopeScalingKind::kLinear;
    } else if (type == "yarn") {
      scaling.kind = RopeScalingKind::kYarn;
    } else if (type == "longrope" || metadata_.file().find_tensor("rope_factors_long.weight") != nullptr) {
      scaling.kind = RopeScalingKind::kLongRope;
    } else if (type != "none" && type != "llama3") {
      return metadata_.refused("its rope scaling is not supported (supported: none, linear, yarn, longrope, llama3)");
    }
    MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.scaling.factor", 1e-3, 1e6, 1.0, scaling.factor));
    if (scaling.kind == RopeScalingKind::kNone &&
        metadata_.file().find(metadata_.key("rope.scaling.type")) == nullptr) {
      // The key that older files use instead of a type and a factor.
      MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.scale_linear", 1e-3, 1e6, 1.0, scaling.factor));
      if (scaling.factor != 1.0) scaling.kind = RopeScalingKind::kLinear;
    }
    MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.scaling.original_context_length", 1.0, kMaxContext,
                                                config_.context_length, scaling.original_context));
    MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.scaling.yarn_beta_fast", 1e-3, 1e6, 32.0, scaling.beta_fast));
    MNEME_RETURN_IF_ERROR(metadata_.read_number("rope.scaling.yarn_beta_slow", 1e-3, 1e6, 1.0, scaling.beta_slow));
    MNEME_RETURN_IF_ERROR(
        metadata_.read_number("rope.scaling.yarn_log_multiplier", 0.0, 100.0, 0.0, scaling.log_multiplier));
    double natural = 1.0;
    const double stretch = config_.context_length / scaling.original_context;
    if (scaling.kind == RopeScalingKind::kLongRope && stretch > 1.0 && scaling.original_context > 1.0)
      natural = std::sqrt(1.0 + std::log(stretch) / std::log(scaling.original_context));
    return metadata_.read_number("rope.scaling.attn_factor", 1e-3, 1e3, natural, scaling.attention_factor);
  }

  // Latent attention is sharpened as a whole, not its rotated part alone, so YaRN's factor goes from the rotations to
  // the scale of scores [DeepSeek-V2 2405.04434]. The files have a tenth of its multiplier.
  void move_sharpening(RopeScaling& scaling) {
    if (scaling.kind != RopeScalingKind::kYarn || scaling.log_multiplier == 0.0) return;
    const double sharpening = 1.0 + scaling.log_multiplier * std::log(scaling.factor);
    config_.attention_scale *= static_cast<float>(sharpening * sharpening);
    scaling.log_multiplier = 1.0;  // which leaves the rotations as long as they are
  }

  // Frequency divisors from a tensor of n_rot / 2 f32; none when the file has no such tensor.
  Status read_divisors(std::string_view name, int n_rot, std::vector<float>& divisors) const {
    const gguf::TensorInfo* tensor = metadata_.file().find_tensor(name);
    if (tensor == nullptr) return {};
    const auto count = static_cast<size_t>(n_rot) / 2;
    if (tensor->type != gguf::TensorType::kF32 || tensor->bytes.size() != count * sizeof(float))
      return metadata_.damaged("tensor '" + std::string(name) + "' is not " + std::to_string(count) +
                               " numbers of type F32");
    divisors.resize(count);
    std::memcpy(divisors.data(), tensor->bytes.data(), tensor->bytes.size());
    for (const float divisor : divisors) {
      if (!(divisor > 0.0f && divisor <= std::numeric_limits<float>::max()))
        return metadata_.damaged("tensor '" + std::string(name) + "' holds a factor that is not positive");
    }
    return {};
  }

  const ModelMetadata& metadata_;
  const Architecture& architecture_;
  const bool has_windows_;
  const int context_tokens_;
  ModelConfig& config_;
};

}  // namespace

Status read_ropes(const ModelMetadata& metadata, const Architecture& architecture, bool has_windows, int context_tokens,
                  ModelConfig& config) {
  return RopeReader(metadata, architecture, has_windows, context_tokens, config).read();
}

}  // namespace mneme::engine

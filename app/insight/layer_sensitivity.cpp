#include "app/insight/layer_sensitivity.h"

#include <algorithm>
#include <cmath>

#include "app/eval/level_perplexity.h"
#include "engine/kv/kv_shape.h"

namespace mneme::app {
namespace {

double deviation_of(std::span<const f16> values) {
  double sum = 0;
  double squares = 0;
  for (const f16 value : values) {
    const double wide = to_f32(value);
    sum += wide;
    squares += wide * wide;
  }
  const double n = static_cast<double>(std::max<size_t>(values.size(), 1));
  return std::sqrt(std::max(0.0, squares / n - (sum / n) * (sum / n)));
}

std::vector<f16> rounded(std::span<const f16> values, double relative_step) {
  std::vector<f16> result(values.begin(), values.end());
  const double step = relative_step * deviation_of(values);
  if (!(step > 0)) return result;
  for (f16& value : result) value = to_f16(static_cast<float>(std::nearbyint(to_f32(value) / step) * step));
  return result;
}

class RoundingCodec final : public engine::KvCodec {
 public:
  RoundingCodec(const engine::KvShape& shape, int first_layer, int n_layers, double step)
      : raw_(engine::make_raw_codec(shape)), first_layer_(first_layer), n_layers_(n_layers), step_(step) {}

  std::string_view name() const override { return "rounding"; }
  engine::KvLevel level() const override { return engine::KvLevel::kExact; }
  uint32_t id() const override { return raw_->id(); }  // never stored
  const engine::KvShape& shape() const override { return raw_->shape(); }

  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    if (layer < first_layer_ || layer >= first_layer_ + n_layers_) {
      return raw_->encode_layer(layer, n_tokens, keys, values, out);
    }
    return raw_->encode_layer(layer, n_tokens, rounded(keys, step_), rounded(values, step_), out);
  }

  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override {
    return raw_->decode_layer(layer, n_tokens, payload, keys, values);
  }

 private:
  const std::unique_ptr<engine::KvCodec> raw_;
  const int first_layer_;
  const int n_layers_;
  const double step_;
};

// Groups of neighbouring layers as equal as can be, then all layers as one.
std::vector<LayerSensitivity> groups_of(int n_layers, int n_groups, std::span<const double> steps) {
  std::vector<LayerSensitivity> groups;
  const int n = std::clamp(n_groups, 1, n_layers);
  for (const double step : steps) {
    for (int group = 0; group < n; ++group) {
      const int begin = n_layers * group / n;
      const int end = n_layers * (group + 1) / n;
      groups.push_back({.first_layer = begin, .n_layers = end - begin, .step = step, .perplexity = 0, .increase = 0});
    }
    if (n > 1) {
      groups.push_back({.first_layer = 0, .n_layers = n_layers, .step = step, .perplexity = 0, .increase = 0});
    }
  }
  return groups;
}

}  // namespace

std::unique_ptr<engine::KvCodec> make_rounding_codec(const engine::KvShape& shape, int first_layer, int n_layers,
                                                     double step) {
  return std::make_unique<RoundingCodec>(shape, first_layer, n_layers, step);
}

Result<std::vector<LayerSensitivity>> layer_sensitivity(engine::LanguageModel& model,
                                                        std::span<const engine::TokenId> ids, int window, int n_groups,
                                                        std::span<const double> steps, const CancelToken& cancel) {
  const engine::KvShape shape = engine::kv_shape_of(model.config());
  std::vector<LayerSensitivity> groups = groups_of(shape.n_layers, n_groups, steps);
  std::vector<std::unique_ptr<engine::KvCodec>> codecs;
  codecs.reserve(groups.size());
  for (const LayerSensitivity& group : groups) {
    codecs.push_back(make_rounding_codec(shape, group.first_layer, group.n_layers, group.step));
  }
  LevelPerplexity measured(model, std::move(codecs));
  const auto width = static_cast<size_t>(window);
  for (size_t begin = 0; begin + width <= ids.size(); begin += width) {
    MNEME_RETURN_IF_ERROR(measured.add_window(ids.subspan(begin, width), cancel));
  }
  if (measured.tokens() == 0) return usage_error("the text is shorter than one window; give a longer text.");
  const double exact = measured.perplexity(measured.exact());
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].perplexity = measured.perplexity(measured.scores()[i]);
    groups[i].increase = groups[i].perplexity / exact - 1;
  }
  return groups;
}

}  // namespace mneme::app

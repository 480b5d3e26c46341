#include "tests/support/reference_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/f16.h"
#include "engine/gguf/dequantize.h"

namespace mneme::testing {

namespace {

double silu(double x) {
  return x / (1.0 + std::exp(-x));
}
double gelu(double x) {
  return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
}
double gelu_tanh(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

void add_to(Vector& x, const Vector& y) {
  for (size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

Vector through_f16(Vector x) {
  for (double& value : x) value = to_f32(to_f16(static_cast<float>(value)));
  return x;
}

std::string block(int layer) {
  return "blk." + std::to_string(layer) + ".";
}

}  // namespace

ReferenceModel::ReferenceModel(const gguf::GgufFile& file, bool round_kv) : file_(file), round_kv_(round_kv) {
  architecture_ = std::string(*file.text("general.architecture"));
  for (const gguf::TensorInfo& info : file.tensors()) {
    ReferenceTensor& out = tensors_[info.name];
    out.n_in = info.dims[0];
    std::vector<float> row(info.dims[0]);
    const auto row_bytes = static_cast<size_t>(gguf::row_bytes(info.type, static_cast<int64_t>(row.size())));
    for (uint64_t r = 0; r < info.n_rows(); ++r) {
      gguf::dequantize_row(info.type, info.bytes.data() + r * row_bytes, static_cast<int64_t>(row.size()), row.data());
      out.values.insert(out.values.end(), row.begin(), row.end());
    }
  }
  n_layers_ = static_cast<int>(number("block_count", 0) - number("nextn_predict_layers", 0));
  dim_ = static_cast<int>(number("embedding_length", 0));
  n_heads_ = static_cast<int>(number("attention.head_count", 0));
  // Where a list says it, tensors do as well.
  n_kv_heads_ = static_cast<int>(number("attention.head_count_kv", n_heads_));
  head_dim_ = static_cast<int>(number("attention.key_length", static_cast<double>(dim_) / n_heads_));
  if (is_latent()) {
    n_kv_heads_ = n_heads_;  // as they are made here
    head_dim_ = static_cast<int>(number("attention.key_length_mla", head_dim_));
    value_dim_ = static_cast<int>(number("attention.value_length_mla", number("attention.value_length", 0)));
  }
  window_ = static_cast<int>(number("attention.sliding_window", 0));
  epsilon_ = number(has_layer_norms() ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon", 0);
}

double ReferenceModel::number(const std::string& suffix, double otherwise) const {
  return file_.number(architecture_ + "." + suffix).value_or(otherwise);
}

Vector ReferenceModel::multiply(const std::string& name, const Vector& x, size_t first_row, size_t n_rows) const {
  const ReferenceTensor& w = tensor(name);
  if (n_rows == 0) n_rows = w.values.size() / w.n_in;
  Vector y(n_rows);
  for (size_t row = 0; row < n_rows; ++row) {
    const double* weights = w.values.data() + (first_row + row) * w.n_in;
    for (size_t i = 0; i < w.n_in; ++i) y[row] += weights[i] * x[i];
  }
  return y;
}

void ReferenceModel::add_bias(const std::string& name, Vector& y, size_t first) const {
  if (!has(name)) return;
  for (size_t i = 0; i < y.size(); ++i) y[i] += tensor(name).values[first + i];
}

Vector ReferenceModel::rms_norm(const std::string& name, const Vector& x) const {
  double squares = 0;
  for (const double value : x) squares += value * value;
  const double scale = 1.0 / std::sqrt(squares / static_cast<double>(x.size()) + epsilon_);
  Vector y(x.size());
  for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] * scale * tensor(name + ".weight").values[i];
  return y;
}

Vector ReferenceModel::layer_norm(const std::string& name, const Vector& x) const {
  double mean = 0;
  for (const double value : x) mean += value / static_cast<double>(x.size());
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
  Vector y(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    y[i] = (x[i] - mean) / std::sqrt(variance + epsilon_) * tensor(name + ".weight").values[i];
  add_bias(name + ".bias", y);
  return y;
}

Vector ReferenceModel::norm(const std::string& name, const Vector& x) const {
  if (has(name)) {  // as some converters name it
    Vector y = bare_norm(x);
    for (size_t i = 0; i < y.size(); ++i) y[i] *= tensor(name).values[i];
    return y;
  }
  if (!has(name + ".weight")) return x;
  return has_layer_norms() ? layer_norm(name, x) : rms_norm(name, x);
}

Vector ReferenceModel::bare_norm(const Vector& x) const {
  double squares = 0;
  for (const double value : x) squares += value * value;
  Vector y = x;
  for (double& value : y) value /= std::sqrt(squares / static_cast<double>(x.size()) + epsilon_);
  return y;
}

size_t ReferenceModel::head_dim_of(int layer) const {
  return static_cast<size_t>(is_window_layer(layer) ? number("attention.key_length_swa", head_dim_) : head_dim_);
}

bool ReferenceModel::reads_others_kv(int layer) const {
  return layer >= n_kv_layers();
}

// The last layer of its own kind that has keys and values.
int ReferenceModel::kv_layer(int layer) const {
  int source = layer;
  while (reads_others_kv(source) || is_window_layer(source) != is_window_layer(layer)) --source;
  return source;
}

// name: empty for a norm without weights.
void ReferenceModel::norm_heads(const std::string& name, size_t head_dim, Vector& x) const {
  if (!name.empty() && !has(name + ".weight")) return;
  if (is("olmo2") || is("olmoe") || is("minimax-m2")) {  // over all heads
    x = rms_norm(name, x);
    return;
  }
  const auto size = static_cast<std::ptrdiff_t>(head_dim);
  for (auto head = x.begin(); head != x.end(); head += size) {
    const Vector own(head, head + size);
    const Vector normed = name.empty() ? bare_norm(own) : rms_norm(name, own);
    std::copy(normed.begin(), normed.end(), head);
  }
}

// A rotated key, normed: rounded without the norm's weights, as the engine keeps it.
Vector ReferenceModel::normed_key(const std::string& name, Vector key) const {
  const Vector& weights = tensor(name + ".weight").values;
  norm_heads(name, static_cast<size_t>(head_dim_), key);
  for (size_t i = 0; i < key.size(); ++i) key[i] /= weights[i % weights.size()];
  if (round_kv_) key = through_f16(key);
  for (size_t i = 0; i < key.size(); ++i) key[i] *= weights[i % weights.size()];
  return key;
}

// Ministral 3 scales a query by 1 + beta ln(1 + floor(position / original context)).
void ReferenceModel::grow(const Row& row, Vector& query) const {
  const double beta = number("attention.temperature_scale", 0);
  if (beta == 0) return;
  const double original = number("rope.scaling.original_context_length", 1);
  const double steps = std::floor(row.position / number("attention.temperature_length", original));
  for (double& value : query) value *= 1.0 + beta * std::log(1.0 + steps);
}

bool ReferenceModel::is_window_layer(int layer) const {
  if (window_ == 0) return false;
  if (is("gemma4")) return (*file_.flags("gemma4.attention.sliding_window_pattern"))[static_cast<size_t>(layer)];
  if (is("gemma2")) return layer % 2 == 0;
  if (is("gemma3") || is("gemma-embedding")) return layer % 6 != 5;
  if (is("olmo2") || is("exaone4")) return layer % 4 != 3;
  if (is("gpt-oss")) return layer % 2 == 0;
  if (is("cohere2")) return layer % 4 != 3;
  if (is("modern-bert")) return layer % 3 != 0;
  return is("phi3") || is("lfm2");
}

double ReferenceModel::frequency(int pair, int n_rot, bool window_layer) const {
  if (is("olmo2") && window_layer) return std::pow(number("rope.freq_base", 10000.0), -2.0 * pair / n_rot);
  if ((is("gemma3") || is("gemma-embedding")) && window_layer) return std::pow(10000.0, -2.0 * pair / n_rot);
  const bool own_base = (is("modern-bert") || is("gemma4")) && window_layer;
  const double base = number(own_base ? "rope.freq_base_swa" : "rope.freq_base", 10000.0);
  const double plain = std::pow(base, -2.0 * pair / n_rot);
  const auto at = static_cast<size_t>(pair);
  if (is("gemma4") && window_layer) return plain;
  if (has("rope_freqs.weight")) return plain / tensor("rope_freqs.weight").values[at];
  if (has("rope_factors_long.weight"))
    return plain / tensor(long_context ? "rope_factors_long.weight" : "rope_factors_short.weight").values[at];
  const std::string scaling(file_.text(architecture_ + ".rope.scaling.type").value_or("none"));
  const double factor = number("rope.scaling.factor", 1.0);
  if (scaling == "linear") return plain / factor;
  if (scaling != "yarn") return plain;
  // YaRN (2309.00071): pairs that turn more than 32 times over the original context stay, those that turn less than
  // once are interpolated, a linear ramp over pair indices lies between.
  const double context = number("rope.scaling.original_context_length", number("context_length", 0));
  const auto pair_of_turns = [&](double turns) {
    return n_rot * std::log(context / (turns * 2.0 * std::numbers::pi)) / (2.0 * std::log(base));
  };
  const double low = std::max(0.0, std::floor(pair_of_turns(32.0)));
  const double high = std::min(n_rot - 1.0, std::ceil(pair_of_turns(1.0)));
  const double interpolated = std::clamp((pair - low) / std::max(0.001, high - low), 0.0, 1.0);
  return plain * (1.0 - interpolated) + plain / factor * interpolated;
}

double ReferenceModel::rotation_gain(bool window_layer) const {
  if (is("olmo2") && window_layer) return 1.0;
  double gain = number("rope.scaling.attn_factor", 1.0);
  if (file_.text(architecture_ + ".rope.scaling.type") != "yarn") return gain;
  // DeepSeek scales scores instead, unless the multiplier is unsaid: mscale over mscale_all_dim, which are equal.
  if (is_latent() && number("rope.scaling.yarn_log_multiplier", 0.0) != 0.0) return gain;
  const double log_factor = 0.1 * std::log(number("rope.scaling.factor", 1.0));
  return gain * (log_factor + 1.0) / (number("rope.scaling.yarn_log_multiplier", 0.0) * log_factor + 1.0);
}

void ReferenceModel::rotate(int layer, int position, Vector& heads) const {
  if (is_nemotron_h() || !file_.boolean(architecture_ + ".rope.scaling.finetuned").value_or(true)) return;
  if (is("bert") || is("jina-bert-v2") || (is("smollm3") && layer % 4 == 3)) return;
  if ((is("exaone4") || is("cohere2")) && window_ != 0 && !is_window_layer(layer)) return;
  const auto head_dim = static_cast<int>(head_dim_of(layer));
  const bool own_count = is("gemma4") && is_window_layer(layer);
  const int n_rot = static_cast<int>(number(own_count ? "rope.dimension_count_swa" : "rope.dimension_count", head_dim));
  // Pairs (2i, 2i+1); all others pair i with i + n_rot/2.
  const bool neighbours = is("llama") || is("smollm3") || is("internlm2") || is("ernie4_5") || is("granite") ||
                          is("granitemoe") || is("granitehybrid") || is("glm4") || is("mistral3") || is("chatglm") ||
                          is("minicpm") || is("ernie4_5-moe") || is("deepseek") || is("arcee") || is_latent() ||
                          is_cohere();
  for (size_t head = 0; head < heads.size(); head += static_cast<size_t>(head_dim)) {
    for (int pair = 0; pair < n_rot / 2; ++pair) {
      const double angle = position * frequency(pair, n_rot, is_window_layer(layer));
      const size_t a = head + static_cast<size_t>(neighbours ? 2 * pair : pair);
      const size_t b = neighbours ? a + 1 : a + static_cast<size_t>(n_rot) / 2;
      const double x = heads[a];
      const double y = heads[b];
      heads[a] = (x * std::cos(angle) - y * std::sin(angle)) * rotation_gain(is_window_layer(layer));
      heads[b] = (x * std::sin(angle) + y * std::cos(angle)) * rotation_gain(is_window_layer(layer));
    }
  }
}

ReferenceModel::Cache ReferenceModel::empty_cache() const {
  const auto n = static_cast<size_t>(n_layers_);
  return {std::vector<std::map<int, Vector>>(n), std::vector<std::map<int, Vector>>(n), std::vector<State>(n)};
}

ReferenceModel::Row ReferenceModel::begin(int token, int position, int type) const {
  const auto width = static_cast<size_t>(dim_);
  const auto row_of = [&](const std::string& name, int row) {
    const auto first = tensor(name).values.begin() + static_cast<std::ptrdiff_t>(row) * dim_;
    return Vector(first, first + dim_);
  };
  Row row{position, row_of("token_embd.weight", token), {}, {}, {}, {}};
  const double scale = is_gemma() ? std::sqrt(static_cast<double>(width)) : number("embedding_scale", 1.0);
  for (double& value : row.hidden) value *= scale;
  if (has("token_types.weight")) add_to(row.hidden, row_of("token_types.weight", type));
  if (has("position_embd.weight")) add_to(row.hidden, row_of("position_embd.weight", position));
  if (!is_convolution()) row.hidden = norm("token_embd_norm", row.hidden);
  if (has("per_layer_token_embd.weight")) row.layer_inputs = make_layer_inputs(token, row.hidden);
  return row;
}

// Gemma 3n, 4: of every layer the mean (but for a factor) of a table's entry and a projection of the embedding.
Vector ReferenceModel::make_layer_inputs(int token, const Vector& hidden) const {
  const ReferenceTensor& table = tensor("per_layer_token_embd.weight");
  const auto width = static_cast<size_t>(number("embedding_length_per_layer_input", 0));
  Vector inputs = multiply("per_layer_model_proj.weight", hidden);
  for (double& value : inputs) value /= std::sqrt(static_cast<double>(dim_));
  for (size_t first = 0; first < inputs.size(); first += width) {
    const auto begin = inputs.begin() + static_cast<std::ptrdiff_t>(first);
    const Vector normed = rms_norm("per_layer_proj_norm", Vector(begin, begin + static_cast<std::ptrdiff_t>(width)));
    for (size_t i = 0; i < width; ++i) {
      const double entry = table.values[static_cast<size_t>(token) * table.n_in + first + i];
      inputs[first + i] = (normed[i] + entry * std::sqrt(static_cast<double>(width))) / std::numbers::sqrt2;
    }
  }
  return inputs;
}

void ReferenceModel::take_layer_input(int layer, Row& row) const {
  const std::string prefix = block(layer);
  if (!row.layer_inputs.empty()) {
    Vector gate = multiply(prefix + "inp_gate.weight", row.hidden);
    const size_t first = static_cast<size_t>(layer) * gate.size();
    for (size_t i = 0; i < gate.size(); ++i) gate[i] = activation(gate[i]) * row.layer_inputs[first + i];
    add_to(row.hidden, rms_norm(prefix + "post_norm", multiply(prefix + "proj.weight", gate)));
  }
  if (!has(prefix + "layer_output_scale.weight")) return;
  for (double& value : row.hidden) value *= tensor(prefix + "layer_output_scale.weight").values[0];
}

// DeepSeek-V2 (2405.04434), section 2.1, as it stands there: all heads' keys and values are made whole of the latent
// and the rotated part that they share, both rounded as they are kept.
void ReferenceModel::project_latent(int layer, Row& row, Cache& cache) const {
  const std::string prefix = block(layer);
  const Vector x = norm(prefix + "attn_norm", row.hidden);
  const auto n_rot = static_cast<std::ptrdiff_t>(number("rope.dimension_count", 0));
  row.query = has(prefix + "attn_q.weight")
                  ? multiply(prefix + "attn_q.weight", x)
                  : multiply(prefix + "attn_q_b.weight",
                             rms_norm(prefix + "attn_q_a_norm", multiply(prefix + "attn_q_a.weight", x)));
  const auto turn = [&](Vector::iterator first) {  // n_rot numbers, at the beginning of a head of their own
    Vector whole(first, first + n_rot);
    whole.resize(static_cast<size_t>(head_dim_));
    rotate(layer, row.position, whole);
    std::copy_n(whole.begin(), n_rot, first);
  };
  for (auto head = row.query.begin(); head != row.query.end(); head += head_dim_) turn(head + head_dim_ - n_rot);
  grow(row, row.query);
  Vector latent = multiply(prefix + "attn_kv_a_mqa.weight", x);
  Vector rotated(latent.end() - n_rot, latent.end());
  latent.resize(latent.size() - static_cast<size_t>(n_rot));
  latent = rms_norm(prefix + "attn_kv_a_norm", latent);
  turn(rotated.begin());
  if (round_kv_) latent = through_f16(latent), rotated = through_f16(rotated);
  Vector& keys = cache.keys[static_cast<size_t>(layer)][row.position] = {};
  Vector& values = cache.values[static_cast<size_t>(layer)][row.position] = {};
  for (int head = 0; head < n_heads_; ++head) {
    const Vector plain = latent_key(prefix, head, latent);
    keys.insert(keys.end(), plain.begin(), plain.end());
    keys.insert(keys.end(), rotated.begin(), rotated.end());
    const Vector value = latent_value(prefix, head, latent);
    values.insert(values.end(), value.begin(), value.end());
  }
}

// A head's key but for its rotated part: by rows of attn_kv_b, or by columns of attn_k_b, which is turned.
Vector ReferenceModel::latent_key(const std::string& prefix, int head, const Vector& latent) const {
  const auto plain_dim = static_cast<size_t>(head_dim_) - static_cast<size_t>(number("rope.dimension_count", 0));
  const auto at = static_cast<size_t>(head);
  if (has(prefix + "attn_kv_b.weight"))
    return multiply(prefix + "attn_kv_b.weight", latent, at * (plain_dim + static_cast<size_t>(value_dim_)), plain_dim);
  Vector key(plain_dim);
  const Vector& turned = tensor(prefix + "attn_k_b.weight").values;
  for (size_t i = 0; i < latent.size(); ++i) {
    for (size_t d = 0; d < plain_dim; ++d) key[d] += latent[i] * turned[(at * latent.size() + i) * plain_dim + d];
  }
  return key;
}

Vector ReferenceModel::latent_value(const std::string& prefix, int head, const Vector& latent) const {
  const auto plain_dim = static_cast<size_t>(head_dim_) - static_cast<size_t>(number("rope.dimension_count", 0));
  const auto value_dim = static_cast<size_t>(value_dim_);
  const auto at = static_cast<size_t>(head);
  if (has(prefix + "attn_kv_b.weight"))
    return multiply(prefix + "attn_kv_b.weight", latent, at * (plain_dim + value_dim) + plain_dim, value_dim);
  return multiply(prefix + "attn_v_b.weight", latent, at * value_dim, value_dim);
}

// YaRN's factor of all scores: (0.1 mscale_all_dim ln(factor) + 1)^2, of which files have a tenth of mscale_all_dim.
double ReferenceModel::score_scale() const {
  const double plain = number("attention.scale", 1.0 / std::sqrt(static_cast<double>(head_dim_)));
  if (!is_latent() || file_.text(architecture_ + ".rope.scaling.type") != "yarn") return plain;
  const double mscale = number("rope.scaling.yarn_log_multiplier", 0.0) / 0.1;
  const double gain = 0.1 * mscale * std::log(number("rope.scaling.factor", 1.0)) + 1.0;
  return plain * gain * gain;
}

void ReferenceModel::project(int layer, std::vector<Row>& rows, Cache& cache) const {
  if (is_latent()) {
    for (Row& row : rows) project_latent(layer, row, cache);
    return;
  }
  const std::string prefix = block(layer);
  const auto q_dim = static_cast<size_t>(n_heads_) * static_cast<size_t>(head_dim_);
  const auto kv_dim = static_cast<size_t>(n_kv_heads_) * static_cast<size_t>(head_dim_);
  for (Row& row : rows) {
    const Vector x = norms_inputs() ? norm(prefix + "attn_norm", row.hidden) : row.hidden;
    if (keeps_state(layer)) row.mixed = mix_state(prefix, x, cache.states[static_cast<size_t>(layer)]);
    if (!has(prefix + "attn_output.weight")) continue;
    Vector key;
    Vector value;
    if (has(prefix + "attn_qkv.weight")) {
      const std::string fused = prefix + "attn_qkv";
      row.query = multiply(fused + ".weight", x, 0, q_dim);
      key = multiply(fused + ".weight", x, q_dim, kv_dim);
      value = multiply(fused + ".weight", x, q_dim + kv_dim, kv_dim);
      add_bias(fused + ".bias", row.query, 0);
      add_bias(fused + ".bias", key, q_dim);
      add_bias(fused + ".bias", value, q_dim + kv_dim);
    } else {
      row.query = multiply(prefix + "attn_q.weight", x);
      key = multiply(prefix + "attn_k.weight", x);
      value = multiply(prefix + (has(prefix + "attn_v.weight") ? "attn_v.weight" : "attn_k.weight"), x);
      add_bias(prefix + "attn_q.bias", row.query);
      add_bias(prefix + "attn_k.bias", key);
      add_bias(prefix + "attn_v.bias", value);
    }
    const bool norms_later = is("hunyuan-dense") || is("hunyuan-moe");
    if (is_delta_net()) split_gates(row, static_cast<size_t>(head_dim_));
    if (!norms_later) norm_heads(prefix + "attn_q_norm", head_dim_of(layer), row.query);
    rotate(layer, row.position, row.query);
    grow(row, row.query);
    if (reads_others_kv(layer)) continue;
    if (!norms_later) norm_heads(prefix + "attn_k_norm", head_dim_of(layer), key);
    if (is("gemma4")) norm_heads("", head_dim_of(layer), value);
    rotate(layer, row.position, key);
    if (norms_later) norm_heads(prefix + "attn_q_norm", static_cast<size_t>(head_dim_), row.query);
    cache.keys[static_cast<size_t>(layer)][row.position] = norms_later ? normed_key(prefix + "attn_k_norm", key)
                                                           : round_kv_ ? through_f16(key)
                                                                       : key;
    cache.values[static_cast<size_t>(layer)][row.position] = round_kv_ ? through_f16(value) : value;
  }
}

bool ReferenceModel::is_seen(int layer, int query, int key, int last) const {
  if (key > (sees_all() ? last : query)) return false;
  if (!is_window_layer(layer)) return true;
  return sees_all() ? std::abs(key - query) <= window_ / 2 : key > query - window_;
}

// ALiBi (2108.12409): of 2^k heads the h-th has the slope 2^(-8 h / 2^k), counted from 1; the heads beyond 2^k take
// every other slope of twice as many.
double ReferenceModel::distance_cost(int head, int distance) const {
  if (!is("jina-bert-v2")) return 0;
  int power = 1;
  while (power * 2 <= n_heads_) power *= 2;
  const double exponent = head < power ? 8.0 * (head + 1) / power : 4.0 * (2 * (head - power) + 1) / power;
  return std::pow(2.0, -exponent) * std::abs(distance);
}

Vector ReferenceModel::attend(int layer, const Row& row, const Cache& cache, int last_position) const {
  const auto& keys = cache.keys[static_cast<size_t>(kv_layer(layer))];
  const auto& values = cache.values[static_cast<size_t>(kv_layer(layer))];
  const size_t size = head_dim_of(layer);
  const size_t value_size = is_latent() ? static_cast<size_t>(value_dim_) : size;
  const auto n_kv_heads = static_cast<int>(keys.begin()->second.size() / size);
  const double softcap = is("gemma2") ? number("attn_logit_softcapping", 50.0) : 0.0;
  Vector out(static_cast<size_t>(n_heads_) * value_size);
  for (int head = 0; head < n_heads_; ++head) {
    const size_t q = static_cast<size_t>(head) * size;
    const auto kv_head = static_cast<size_t>(head / (n_heads_ / n_kv_heads));
    const size_t kv = kv_head * size;
    std::vector<std::pair<int, double>> weights;
    double total = 0;
    double largest = -1e300;
    for (const auto& [position, key] : keys) {
      if (!is_seen(layer, row.position, position, last_position)) continue;
      double score = 0;
      for (size_t i = 0; i < size; ++i) score += row.query[q + i] * key[kv + i];
      score *= is("gemma4") ? number("attention.scale", 1.0) : score_scale();
      score -= distance_cost(head, row.position - position);
      if (softcap > 0) score = softcap * std::tanh(score / softcap);
      weights.emplace_back(position, score);
      largest = std::max(largest, score);
    }
    const std::string sinks = block(layer) + "attn_sinks.weight";
    if (has(sinks)) total += std::exp(tensor(sinks).values[static_cast<size_t>(head)] - largest);
    for (auto& [position, weight] : weights) total += weight = std::exp(weight - largest);
    for (const auto& [position, weight] : weights) {
      const double* value = values.at(position).data() + kv_head * value_size;
      double* sum = out.data() + static_cast<size_t>(head) * value_size;
      for (size_t i = 0; i < value_size; ++i) sum[i] += weight / total * value[i];
    }
  }
  for (size_t i = 0; i < row.gate.size(); ++i) out[i] /= 1.0 + std::exp(-row.gate[i]);
  return out;
}

Vector ReferenceModel::gated(const Vector& gate, const Vector& up) const {
  Vector out(up.size());
  if (is("gpt-oss")) {
    for (size_t i = 0; i < up.size(); ++i) {
      const double g = std::min(gate[i], 7.0);
      out[i] = g / (1.0 + std::exp(-1.702 * g)) * (std::clamp(up[i], -7.0, 7.0) + 1.0);
    }
    return out;
  }
  for (size_t i = 0; i < up.size(); ++i) out[i] = activation(gate[i]) * up[i];
  return out;
}

double ReferenceModel::activation(double x) const {
  if (is("arcee") || is("nemotron") || is_nemotron_h()) return x > 0 ? x * x : 0;
  if (is_gemma() || is("starcoder2")) return gelu_tanh(x);
  return (is_encoder() && !is("nomic-bert")) || is("modern-bert") ? gelu(x) : silu(x);
}

// What the expert makes of x; `width` is its inner one.
Vector ReferenceModel::expert(const std::string& prefix, size_t expert, size_t width, const Vector& x) const {
  const std::string fused = prefix + "ffn_gate_up_exps.weight";
  if (has(fused)) {  // gate, then up, of every expert
    const Vector gate = multiply(fused, x, 2 * expert * width, width);
    const Vector inner = gated(gate, multiply(fused, x, (2 * expert + 1) * width, width));
    return multiply(prefix + "ffn_down_exps.weight", inner, expert * x.size(), x.size());
  }
  Vector inner = multiply(prefix + "ffn_up_exps.weight", x, expert * width, width);
  add_bias(prefix + "ffn_up_exps.bias", inner, expert * width);
  if (has(prefix + "ffn_gate_exps.weight")) {
    Vector gate = multiply(prefix + "ffn_gate_exps.weight", x, expert * width, width);
    add_bias(prefix + "ffn_gate_exps.bias", gate, expert * width);
    inner = gated(gate, inner);
  } else {
    for (double& value : inner) value = activation(value);
  }
  Vector y = multiply(prefix + "ffn_down_exps.weight", inner, expert * x.size(), x.size());
  add_bias(prefix + "ffn_down_exps.bias", y, expert * x.size());
  return y;
}

// An expert that all tokens use, some models' by as much as the token says.
Vector ReferenceModel::shared_expert(const std::string& prefix, const Vector& x) const {
  Vector inner = multiply(prefix + "ffn_up_shexp.weight", x);
  if (has(prefix + "ffn_gate_shexp.weight")) {
    inner = gated(multiply(prefix + "ffn_gate_shexp.weight", x), inner);
  } else {
    for (double& value : inner) value = activation(value);
  }
  Vector y = multiply(prefix + "ffn_down_shexp.weight", inner);
  if (!has(prefix + "ffn_gate_inp_shexp.weight")) return y;
  const double logit = multiply(prefix + "ffn_gate_inp_shexp.weight", x)[0];
  for (double& value : y) value /= 1.0 + std::exp(-logit);
  return y;
}

// The weight of each expert before any choice: softmax or sigmoid.
Vector ReferenceModel::expert_weights(const std::string& prefix, const Vector& x) const {
  Vector weights = multiply(prefix + "ffn_gate_inp.weight", x);
  add_bias(prefix + "ffn_gate_inp.bias", weights);
  const bool unsaid = is_latent() && has(prefix + "exp_probs_b.bias");
  if (number("expert_gating_func", unsaid || is("minimax-m2") || is("lfm2moe") || is("nemotron_h_moe") ? 2 : 1) == 2) {
    for (double& weight : weights) weight = 1.0 / (1.0 + std::exp(-weight));
    return weights;
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (double& weight : weights) total += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= total;
  return weights;
}

// The experts a token uses: the best by weight and bias, of the groups whose best two are worth most.
std::vector<size_t> ReferenceModel::chosen_experts(const std::string& prefix, Vector worth) const {
  add_bias(prefix + "exp_probs_b.bias", worth);
  const auto n_groups = static_cast<size_t>(number("expert_group_count", 1));
  const auto n_groups_used = static_cast<size_t>(number("expert_group_used_count", 1));
  const size_t size = worth.size() / n_groups;
  std::vector<std::pair<double, size_t>> groups;
  for (size_t group = 0; group < n_groups; ++group) {
    Vector members(worth.begin() + static_cast<std::ptrdiff_t>(group * size),
                   worth.begin() + static_cast<std::ptrdiff_t>((group + 1) * size));
    std::sort(members.rbegin(), members.rend());
    groups.emplace_back(n_groups == 1 ? 0.0 : members[0] + members[1], group);
  }
  std::sort(groups.rbegin(), groups.rend());
  std::vector<size_t> experts;
  for (size_t i = 0; i < n_groups_used; ++i) {
    for (size_t e = 0; e < size; ++e) experts.push_back(groups[i].second * size + e);
  }
  std::sort(experts.begin(), experts.end(), [&](size_t a, size_t b) { return worth[a] > worth[b]; });
  experts.resize(static_cast<size_t>(number("expert_used_count", 0)));
  return experts;
}

Vector ReferenceModel::expert_mix(const std::string& prefix, const Vector& x) const {
  const Vector weights = expert_weights(prefix, x);
  const std::vector<size_t> used = chosen_experts(prefix, weights);
  const bool by_metadata = is_latent() || is("dots1") || is("bailingmoe2") || is("glm4moe") || is("nemotron_h_moe");
  const bool never = is("qwen2moe") || is("olmoe") || is("nomic-bert-moe") || is("deepseek");
  const bool normalises = by_metadata ? file_.boolean(architecture_ + ".expert_weights_norm").value_or(false) : !never;
  double total = 0;
  for (const size_t e : used) total += weights[e];
  const double scale = number("expert_weights_scale", 1.0) / (normalises ? total : 1.0);
  const size_t ffn = tensor(prefix + "ffn_down_exps.weight").n_in;
  Vector out(x.size());
  for (const size_t e : used) {
    const Vector y = expert(prefix, e, ffn, x);
    for (size_t j = 0; j < out.size(); ++j) out[j] += weights[e] * scale * y[j];
  }
  if (has(prefix + "ffn_up_shexp.weight")) add_to(out, shared_expert(prefix, x));
  return out;
}

// Gemma 4's, x before any norm: the router reads another norm of it than the experts.
Vector ReferenceModel::experts_beside(const std::string& prefix, const Vector& x) const {
  const Vector plain = norm(prefix + "ffn_norm", x);
  const Vector dense = multiply(prefix + "ffn_down.weight", gated(multiply(prefix + "ffn_gate.weight", plain),
                                                                  multiply(prefix + "ffn_up.weight", plain)));
  Vector asked = bare_norm(x);
  for (size_t i = 0; i < asked.size(); ++i)
    asked[i] *= tensor(prefix + "ffn_gate_inp.scale").values[i] / std::sqrt(static_cast<double>(dim_));
  const Vector weights = expert_weights(prefix, asked);
  const std::vector<size_t> used = chosen_experts(prefix, weights);
  double total = 0;
  for (const size_t e : used) total += weights[e];
  const Vector read = norm(prefix + "pre_ffw_norm_2", x);
  const size_t width = tensor(prefix + "ffn_down_exps.weight").n_in;
  Vector mix(x.size());
  for (const size_t e : used) {
    const double weight = weights[e] / total * tensor(prefix + "ffn_down_exps.scale").values[e];
    const Vector y = expert(prefix, e, width, read);
    for (size_t i = 0; i < mix.size(); ++i) mix[i] += weight * y[i];
  }
  Vector out = norm(prefix + "post_ffw_norm_1", dense);
  add_to(out, norm(prefix + "post_ffw_norm_2", mix));
  return out;
}

// Nemotron-H's layers are of one block each.
bool ReferenceModel::has_feed_forward(const std::string& prefix) const {
  return has(prefix + "ffn_down.weight") || has(prefix + "ffn_down_exps.weight");
}

Vector ReferenceModel::feed_forward(const std::string& prefix, const Vector& x) const {
  if (has(prefix + "ffn_gate_inp.weight")) return expert_mix(prefix, x);
  Vector inner;
  const bool may_fuse = is("phi3") || is("glm4") || is("chatglm") || is("modern-bert") || is("jina-bert-v2");
  if (may_fuse && !has(prefix + "ffn_gate.weight")) {
    const size_t ffn = tensor(prefix + "ffn_down.weight").n_in;
    inner = gated(multiply(prefix + "ffn_up.weight", x, 0, ffn), multiply(prefix + "ffn_up.weight", x, ffn, ffn));
  } else {
    inner = multiply(prefix + "ffn_up.weight", x);
    add_bias(prefix + "ffn_up.bias", inner);
    if (has(prefix + "ffn_gate.weight")) {
      inner = gated(multiply(prefix + "ffn_gate.weight", x), inner);
    } else {
      for (double& value : inner) value = activation(value);
    }
  }
  Vector y = multiply(prefix + "ffn_down.weight", inner);
  add_bias(prefix + "ffn_down.bias", y);
  return y;
}

void ReferenceModel::finish(int layer, std::vector<Row>& rows, const Cache& cache) const {
  const std::string prefix = block(layer);
  int last_position = 0;
  for (const Row& row : rows) last_position = std::max(last_position, row.position);
  for (Row& row : rows) {
    Vector y(row.hidden.size());
    if (has(prefix + "attn_output.weight")) {
      y = multiply(prefix + "attn_output.weight", attend(layer, row, cache, last_position));
      add_bias(prefix + "attn_output.bias", y);
    }
    if (keeps_state(layer)) add_to(y, output_of_state(prefix, row.mixed));
    const bool norms_later = is_delta_net() || is("gpt-oss") || is("seed_oss") || is("glm4moe");
    const std::string ffn_norm = is_nemotron_h() ? "attn_norm" : norms_later ? "post_attention_norm" : "ffn_norm";
    if (!norms_later && has(prefix + "post_attention_norm.weight")) y = rms_norm(prefix + "post_attention_norm", y);
    for (double& value : y) value *= number("residual_scale", 1.0);
    if (is_cohere()) add_to(y, feed_forward(prefix, norm(prefix + "attn_norm", row.hidden)));
    add_to(row.hidden, y);
    if (is_cohere() || !has_feed_forward(prefix)) continue;
    if (is_encoder()) row.hidden = layer_norm(prefix + "attn_output_norm", row.hidden);
    const bool beside = has(prefix + "pre_ffw_norm_2.weight");
    Vector z = beside ? experts_beside(prefix, row.hidden)
                      : feed_forward(prefix, norms_inputs() ? norm(prefix + ffn_norm, row.hidden) : row.hidden);
    if (has(prefix + "post_ffw_norm.weight")) z = rms_norm(prefix + "post_ffw_norm", z);
    for (double& value : z) value *= number("residual_scale", 1.0);
    add_to(row.hidden, z);
    if (is("gemma4")) take_layer_input(layer, row);
    if (is_encoder()) row.hidden = layer_norm(prefix + "layer_output_norm", row.hidden);
  }
}

Vector ReferenceModel::output(const Row& row) const {
  return norm(is_convolution() ? "token_embd_norm" : "output_norm", row.hidden);
}

Vector ReferenceModel::logits(const Row& row) const {
  const Vector x = output(row);
  Vector y = multiply(has("output.weight") ? "output.weight" : "token_embd.weight", x);
  const double scale = number("logit_scale", 1.0);
  for (double& value : y) value *= is_cohere() ? scale : 1.0 / scale;
  const double softcap = is_gemma() ? number("final_logit_softcapping", is("gemma2") ? 30.0 : 0.0) : 0.0;
  if (softcap > 0) {
    for (double& value : y) value = softcap * std::tanh(value / softcap);
  }
  return y;
}

std::vector<ReferenceModel::Row> ReferenceModel::prefill(const std::vector<int>& ids, Cache& cache,
                                                         int first_position) const {
  std::vector<Row> rows;
  rows.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) rows.push_back(begin(ids[i], first_position + static_cast<int>(i)));
  for (int layer = 0; layer < n_layers_; ++layer) run_layer(layer, rows, cache);
  return rows;
}

std::vector<Vector> ReferenceModel::all_logits(const std::vector<int>& ids) const {
  Cache cache = empty_cache();
  std::vector<Vector> out;
  for (const Row& row : prefill(ids, cache)) out.push_back(logits(row));
  return out;
}

}  // namespace mneme::testing

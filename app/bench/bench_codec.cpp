// bench codec: every KV codec and level on the same chunk, one core; and the device, where it codes by itself.
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/bench/bench_kv.h"
#include "app/bench/codec_contenders.h"
#include "app/bench/device_coding.h"
#include "app/bench/kv_numbers.h"
#include "app/bench/synthetic_kv.h"
#include "app/eval/kv_codec_set.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "app/session.h"
#include "app/text_input.h"
#include "base/stopwatch.h"
#include "engine/codec/codec_list.h"
#include "engine/devices/open_backend.h"
#include "engine/model/random_model.h"
#include "rag/kv_reuse/kv_codecs.h"

namespace mneme::app {
namespace {

using engine::ChunkKv;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultTokens = 512;
constexpr int kDevicePassages = 16;     // that a device decodes at once, unless said
constexpr double kLeastSeconds = 0.05;  // of one timing: passes are repeated until then
constexpr uint64_t kMaxTextBytes = uint64_t{64} << 20;

struct Contender : CodecContender {
  explicit Contender(CodecContender way) : CodecContender(std::move(way)) {}

  const std::vector<ChunkKv>* input = nullptr;  // its own where the numbers are of another format
  std::optional<double> entropy_bound;

  std::vector<double> encode_mb_s, decode_mb_s;
  std::optional<DeviceCodingRates> device;
};

// MB/s of fp16 KV that `pass` over the chunk reaches.
template <typename Pass>
Result<double> rate_of(size_t bytes, const Pass& pass) {
  const Clock::time_point begin = Clock::now();
  double seconds = 0;
  double passes = 0;
  while (seconds < kLeastSeconds) {
    MNEME_RETURN_IF_ERROR(pass());
    ++passes;
    seconds = seconds_since(begin);
  }
  return static_cast<double>(bytes) * passes / seconds / 1e6;
}

class CodecBench {
 public:
  CodecBench(engine::KvShape shape, const std::vector<ChunkKv>& chunk) : shape_(shape), chunk_(chunk) {}

  void add(Contender contender) { contenders_.push_back(std::move(contender)); }

  // What the backend codes by itself, each codec in turn.
  Status measure_device(engine::Backend& backend, int n_passages, int reps) {
    for (Contender& contender : contenders_) {
      if (contender.owned == nullptr || contender.input != nullptr) continue;
      MNEME_ASSIGN_OR_RETURN(contender.device,
                             device_coding(backend, *contender.owned, chunk_.front(), n_passages, reps));
    }
    return {};
  }

  Result<json> run(Context& context, int reps) {
    Progress bar(context.output, "runs");
    const auto total = static_cast<uint64_t>(reps + 1) * contenders_.size();
    uint64_t done = 0;
    for (int rep = -1; rep < reps; ++rep) {
      for (Contender& contender : contenders_) {
        if (context.cancel.cancelled()) return cancelled();
        MNEME_RETURN_IF_ERROR(time(contender, rep >= 0));
        bar.update(++done, total, contender.codec);
      }
    }
    json results = json::array();
    for (Contender& contender : contenders_) {
      MNEME_ASSIGN_OR_RETURN(json result, result_json(contender));
      results.push_back(std::move(result));
    }
    return results;
  }

 private:
  const ChunkKv& input(const Contender& contender) const {
    return contender.input != nullptr ? contender.input->front() : chunk_.front();
  }

  Status time(Contender& contender, bool counts) {
    const ChunkKv& kv = input(contender);
    std::vector<std::vector<std::byte>> payloads(static_cast<size_t>(shape_.n_layers));
    const size_t bytes = fp16_bytes(kv);
    MNEME_ASSIGN_OR_RETURN(const double encode, rate_of(bytes, [&]() -> Status {
                             for (int layer = 0; layer < shape_.n_layers; ++layer) {
                               payloads[static_cast<size_t>(layer)].clear();
                               MNEME_RETURN_IF_ERROR(contender.encode(layer, kv, payloads[static_cast<size_t>(layer)]));
                             }
                             return {};
                           }));
    std::vector<f16> keys(kv.keys.front().size()), values(keys.size());
    MNEME_ASSIGN_OR_RETURN(const double decode, rate_of(bytes, [&]() -> Status {
                             for (int layer = 0; layer < shape_.n_layers; ++layer) {
                               MNEME_RETURN_IF_ERROR(contender.decode(
                                   layer, kv.n_tokens, payloads[static_cast<size_t>(layer)], keys, values));
                             }
                             return {};
                           }));
    if (!counts) return {};
    contender.encode_mb_s.push_back(encode);
    contender.decode_mb_s.push_back(decode);
    return {};
  }

  Result<json> result_json(const Contender& contender) const {
    const ChunkKv& kv = input(contender);
    std::vector<std::byte> payload;
    std::vector<f16> keys(kv.keys.front().size()), values(keys.size());
    size_t bytes = 0;
    double key_error = 0;
    double value_error = 0;
    for (int layer = 0; layer < shape_.n_layers; ++layer) {
      const auto l = static_cast<size_t>(layer);
      payload.clear();
      MNEME_RETURN_IF_ERROR(contender.encode(layer, kv, payload));
      MNEME_RETURN_IF_ERROR(contender.decode(layer, kv.n_tokens, payload, keys, values));
      bytes += payload.size();
      if (contender.input != nullptr) continue;  // not fp16
      key_error += relative_error(kv.keys[l], keys, shape_.kv_dim()) / shape_.n_layers;
      value_error += relative_error(kv.values[l], values, shape_.kv_dim()) / shape_.n_layers;
    }
    const double ratio = static_cast<double>(fp16_bytes(kv)) / static_cast<double>(bytes);
    const double operations = contender.owned != nullptr ? contender.owned->decode_operations() : 0.0;
    return json{{"codec", contender.codec},
                {"level", contender.level.empty() ? json(nullptr) : json(contender.level)},
                {"ratio", ratio},
                {"bits_per_element", 16.0 / ratio},
                {"entropy_bound_bits", contender.entropy_bound ? json(*contender.entropy_bound) : json(nullptr)},
                {"encode_mb_s", spread_of(contender.encode_mb_s).median},
                {"decode_mb_s", spread_of(contender.decode_mb_s).median},
                {"encode_spread", spread_json(contender.encode_mb_s)},
                {"decode_spread", spread_json(contender.decode_mb_s)},
                {"device_decode_gb_s", rates_json(contender.device, &DeviceCodingRates::decode_gb_s)},
                {"device_place_gb_s", rates_json(contender.device, &DeviceCodingRates::place_gb_s)},
                {"device_encode_gb_s", rates_json(contender.device, &DeviceCodingRates::encode_gb_s)},
                {"operations_per_element", operations},
                {"key_error", contender.input == nullptr ? json(key_error) : json(nullptr)},
                {"value_error", contender.input == nullptr ? json(value_error) : json(nullptr)}};
  }

  static json rates_json(const std::optional<DeviceCodingRates>& rates, std::vector<double> DeviceCodingRates::* of) {
    return rates && !((*rates).*of).empty() ? spread_json((*rates).*of) : json(nullptr);
  }

  engine::KvShape shape_;
  const std::vector<ChunkKv>& chunk_;
  std::vector<Contender> contenders_;
};

// Every other passage calibrates, the rest are measured on: a codec must not know its text.
void split_passages(std::vector<std::string>& calibration, std::vector<std::string>& measured) {
  const std::vector<std::string> passages = rag::calibration_passages();
  for (size_t i = 0; i < passages.size(); ++i) (i % 2 == 0 ? calibration : measured).push_back(passages[i]);
}

struct Input {
  std::unique_ptr<engine::LanguageModel> model;
  std::unique_ptr<engine::Backend> own_backend;  // where there is no model
  std::optional<KvCodecSet> codecs;
  std::vector<ChunkKv> chunk;  // one
  engine::Backend& backend() { return model != nullptr ? model->backend() : *own_backend; }
};

Result<Input> model_input(Context& context, const KvBenchOptions& options, int n_tokens) {
  if (!options.shape.empty()) {
    return usage_error(
        "keys and values of random weights show nothing; give a --model instead of --shape, or --kv synthetic.");
  }
  Input input;
  MNEME_ASSIGN_OR_RETURN(input.model, open_model(context));
  std::vector<std::string> calibration, texts;
  split_passages(calibration, texts);
  if (!options.path.empty()) {
    MNEME_ASSIGN_OR_RETURN(std::string text, read_text_file(options.path, kMaxTextBytes));
    texts = {std::move(text)};
  }
  std::string joined;
  for (const std::string& text : texts) joined += text + "\n";
  texts = {joined};
  MNEME_ASSIGN_OR_RETURN(input.chunk, compute_text_kv(*input.model, texts, n_tokens, n_tokens, context.cancel));
  if (input.chunk.empty() || input.chunk.front().n_tokens < n_tokens) {
    return usage_error("the text has fewer than " + std::to_string(n_tokens) +
                       " tokens; give --tokens or a longer one.");
  }
  MNEME_ASSIGN_OR_RETURN(input.codecs,
                         KvCodecSet::calibrate(*input.model, calibration, all_kv_codecs(), context.cancel));
  return input;
}

Result<engine::KvShape> synthetic_shape(const KvBenchOptions& options) {
  engine::KvShape shape = kSyntheticShape;
  if (options.shape.empty()) return shape;
  MNEME_ASSIGN_OR_RETURN(const engine::RandomKvHeads heads, engine::random_kv_heads(options.shape));
  shape.n_kv_heads = heads.n_kv_heads;
  shape.head_dim = heads.head_dim;
  return shape;
}

Result<Input> synthetic_input(Context& context, const KvBenchOptions& options, int n_tokens) {
  Input input;
  MNEME_ASSIGN_OR_RETURN(const engine::KvShape shape, synthetic_shape(options));
  MNEME_ASSIGN_OR_RETURN(input.own_backend, engine::open_backend(device_options(context.options)));
  const std::vector<ChunkKv> calibration = synthetic_kv(shape, 6, 512, 100);
  MNEME_ASSIGN_OR_RETURN(input.codecs, KvCodecSet::calibrate(shape, calibration, context.cancel));
  input.chunk = synthetic_kv(shape, 1, n_tokens, 7);
  return input;
}

}  // namespace

Result<json> bench_codec(Context& context, const KvBenchOptions& options) {
  const int n_tokens = options.tokens > 0 ? options.tokens : kDefaultTokens;
  MNEME_ASSIGN_OR_RETURN(Input input, options.synthetic ? synthetic_input(context, options, n_tokens)
                                                        : model_input(context, options, n_tokens));
  const engine::KvShape shape = input.codecs.value().shape();
  const std::vector<ChunkKv> brain = as_bf16(input.chunk);
  CodecBench bench(shape, input.chunk);
  bench.add(Contender(memcpy_contender()));
  bench.add(Contender(zstd_contender()));
  for (const KvCodecChoice& choice : all_kv_codecs()) {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::KvCodec> codec, input.codecs->make(choice));
    Contender contender(codec_contender(std::move(codec)));
    if (choice.codec == "exact") contender.entropy_bound = entropy_bound(input.chunk.front(), shape.kv_dim(), false);
    bench.add(std::move(contender));
    if (choice.codec != "exact") continue;
    Contender bf16(codec_contender(engine::make_exact_codec(shape, engine::NumberFormat::kBf16)));
    bf16.input = &brain;
    bf16.entropy_bound = entropy_bound(brain.front(), shape.kv_dim(), true);
    bench.add(std::move(bf16));
  }
  const int n_passages = options.chunks > 0 ? options.chunks : kDevicePassages;
  MNEME_RETURN_IF_ERROR(bench.measure_device(input.backend(), n_passages, options.reps));
  return bench.run(context, options.reps);
}

}  // namespace mneme::app

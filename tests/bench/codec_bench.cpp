// Speed of the KV codecs on one core, in bytes of fp16 KV; memcpy of the same bytes for comparison. KV made here: few
// hidden directions mixed into all channels, of the default model's shape and of an 8B model's.
#include <benchmark/benchmark.h>

#include <cstring>

#include "base/random.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/kv_calibration.h"

namespace mneme::engine {
namespace {

constexpr int kTokens = 512;

std::vector<f16> make_part(uint64_t seed, int channels) {
  Random fixed(1);
  constexpr int kHidden = 64;
  std::vector<float> mix(static_cast<size_t>(kHidden) * channels);
  for (float& m : mix) m = fixed.gaussian();
  Random random(seed);
  std::vector<f16> out;
  for (int t = 0; t < kTokens; ++t) {
    std::vector<float> row(channels, 0.0f);
    for (int h = 0; h < kHidden; ++h) {
      const float hidden = random.gaussian() / static_cast<float>(h + 1);
      for (int c = 0; c < channels; ++c) row[c] += hidden * mix[static_cast<size_t>(h) * channels + c];
    }
    for (const float value : row) out.push_back(to_f16(value + 0.01f * random.gaussian()));
  }
  return out;
}

struct Case {
  KvShape shape;
  std::vector<f16> keys, values;
  std::unique_ptr<KvCodec> codec;
};

// state.range: kv heads of 64, then codec: 0 exact, 1-3 levels of transform.
Case make_case(const benchmark::State& state) {
  Case result;
  result.shape = {1, static_cast<int>(state.range(0)), 64};
  result.keys = make_part(2, result.shape.kv_dim());
  result.values = make_part(3, result.shape.kv_dim());
  KvCalibrator calibrator(result.shape);
  calibrator.add(0, kTokens, result.keys, result.values);
  auto profile = calibrator.finish({});
  result.codec = *make_kv_codec(result.shape, static_cast<KvLevel>(state.range(1)),
                                std::make_shared<const KvProfile>(*std::move(profile)));
  return result;
}

int64_t fp16_bytes(const Case& c) {
  return static_cast<int64_t>((c.keys.size() + c.values.size()) * sizeof(f16));
}

void encode(benchmark::State& state) {
  const Case c = make_case(state);
  std::vector<std::byte> out;
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(c.codec->encode_layer(0, kTokens, c.keys, c.values, out).ok());
  }
  state.SetBytesProcessed(state.iterations() * fp16_bytes(c));
  state.counters["ratio"] = static_cast<double>(fp16_bytes(c)) / static_cast<double>(out.size());
}
BENCHMARK(encode)->ArgsProduct({{2, 16}, {0, 1, 2, 3}})->Unit(benchmark::kMicrosecond);

void decode(benchmark::State& state) {
  const Case c = make_case(state);
  std::vector<std::byte> out;
  if (!c.codec->encode_layer(0, kTokens, c.keys, c.values, out).ok()) return;
  std::vector<f16> keys(c.keys.size()), values(c.values.size());
  for (auto _ : state) benchmark::DoNotOptimize(c.codec->decode_layer(0, kTokens, out, keys, values).ok());
  state.SetBytesProcessed(state.iterations() * fp16_bytes(c));
}
BENCHMARK(decode)->ArgsProduct({{2, 16}, {0, 1, 2, 3}})->Unit(benchmark::kMicrosecond);

void copy(benchmark::State& state) {
  const std::vector<f16> from = make_part(2, static_cast<int>(state.range(0)) * 64);
  std::vector<f16> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size() * sizeof(f16));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * from.size() * sizeof(f16)));
}
BENCHMARK(copy)->Arg(2)->Arg(16)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace mneme::engine

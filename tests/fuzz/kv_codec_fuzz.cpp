// Any bytes as a KV payload of every codec and as a calibration profile: refused or decoded into finite bounds of
// memory, never out of them.
#include <memory>
#include <vector>

#include "base/random.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/kv_calibration.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace mneme::engine;
using mneme::f16;

constexpr KvShape kShape{2, 2, 16};
constexpr int kTokens = 24;

std::vector<f16> random_part(uint64_t seed, int n_tokens) {
  mneme::Random random(seed);
  std::vector<f16> values;
  for (int i = 0; i < n_tokens * kShape.kv_dim(); ++i) values.push_back(mneme::to_f16(random.gaussian()));
  return values;
}

std::shared_ptr<const KvProfile> make_profile() {
  constexpr int kCalibrationTokens = 300;
  KvCalibrator calibrator(kShape);
  for (int layer = 0; layer < kShape.n_layers; ++layer) {
    const auto seed = static_cast<uint64_t>(layer);
    calibrator.add(layer, kCalibrationTokens, random_part(seed, kCalibrationTokens),
                   random_part(seed + 100, kCalibrationTokens));
  }
  auto profile = calibrator.finish({});
  mneme::fuzz::require(profile.ok());
  return std::make_shared<const KvProfile>(*std::move(profile));
}

std::vector<std::unique_ptr<KvCodec>> make_codecs() {
  const std::shared_ptr<const KvProfile> profile = make_profile();
  std::vector<std::unique_ptr<KvCodec>> codecs;
  codecs.push_back(make_raw_codec(kShape));
  codecs.push_back(make_exact_codec(kShape));
  codecs.push_back(make_uniform_codec(kShape, 8));
  codecs.push_back(make_uniform_codec(kShape, 4));
  for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    codecs.push_back(*make_kv_codec(kShape, level, profile));
  }
  return codecs;
}

// What an undamaged layer looks like, by each codec: encoded once, not for every input.
std::vector<std::vector<std::byte>> encode_all(const std::vector<std::unique_ptr<KvCodec>>& codecs) {
  std::vector<std::vector<std::byte>> payloads(codecs.size());
  for (size_t i = 0; i < codecs.size(); ++i) {
    const auto status =
        codecs[i]->encode_layer(0, kTokens, random_part(7, kTokens), random_part(8, kTokens), payloads[i]);
    mneme::fuzz::require(status.ok());
  }
  return payloads;
}

// A valid payload with bytes of the input laid over it: gets past the first checks.
std::vector<std::byte> damaged(std::vector<std::byte> bytes, mneme::fuzz::Input& input) {
  for (int i = 0; i < 64 && !input.empty() && !bytes.empty(); ++i) {
    const size_t at = (static_cast<size_t>(input.byte()) * 256 + input.byte()) % bytes.size();
    bytes[at] = static_cast<std::byte>(input.byte());
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<std::unique_ptr<KvCodec>> codecs = make_codecs();
  static const std::vector<std::vector<std::byte>> payloads = encode_all(codecs);
  mneme::fuzz::Input input(data, size);
  const uint8_t what = input.byte();
  if (what % 16 == 15) {
    const auto profile = KvProfile::parse(input.rest_bytes());
    mneme::fuzz::require(profile.ok() || !profile.status().message().empty());
    if (profile.ok() && profile->shape.kv_dim() <= 4096)
      (void)make_transform_codec(std::make_shared<const KvProfile>(*profile), KvLevel::kLow);
    return 0;
  }
  const size_t which = what % codecs.size();
  const KvCodec& codec = *codecs[which];
  const int n_tokens = (what & 0x80) != 0 ? kTokens : 1 + input.byte() % 64;
  std::vector<f16> keys(static_cast<size_t>(n_tokens) * kShape.kv_dim());
  std::vector<f16> values(keys.size());
  mneme::Status status;
  if ((what & 0x80) != 0) {
    status = codec.decode_layer(0, n_tokens, damaged(payloads[which], input), keys, values);
  } else {
    status = codec.decode_layer(input.byte() % 2, n_tokens, input.rest_bytes(), keys, values);
  }
  mneme::fuzz::require(status.ok() || !status.message().empty());
  return 0;
}

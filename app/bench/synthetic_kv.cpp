#include "app/bench/synthetic_kv.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>
#include <vector>

#include "base/background.h"
#include "base/random.h"
#include "engine/language_model.h"

namespace mneme::app {
namespace {

constexpr int kPoolTokens = 4096;  // made once per layer, read from a random place for every block
constexpr int kBlockTokens = 512;
constexpr int kTopics = 48;
constexpr int kLayersAtOnce = 16;
constexpr int kTopicTokens = 40;  // that a topic lasts on average
constexpr float kOutlierMean = 4.0f;
constexpr int kOutlierEvery = 16;  // dimensions
constexpr float kTopicStrength = 1.2f;

// Standard deviation of a dimension: a power law, in an order of its own per head.
float strength(int rank) {
  return 1.6f / std::pow(1.0f + static_cast<float>(rank), 0.35f);
}

// (kPoolTokens, width) keys or values of one layer.
std::vector<f16> make_pool(int n_heads, int head_dim, bool keys, Random& random) {
  const auto width = static_cast<size_t>(n_heads * head_dim);
  std::vector<float> mean(width), deviation(width);
  for (size_t d = 0; d < width; ++d) {
    mean[d] = keys && random.below(kOutlierEvery) == 0 ? kOutlierMean * random.gaussian() : 0.0f;
    deviation[d] = strength(static_cast<int>(random.below(static_cast<uint64_t>(head_dim))));
  }
  std::vector<float> topics(kTopics * width);
  for (size_t i = 0; i < topics.size(); ++i) topics[i] = kTopicStrength * deviation[i % width] * random.gaussian();
  std::vector<f16> pool(static_cast<size_t>(kPoolTokens) * width);
  size_t topic = 0;
  for (size_t token = 0; token < static_cast<size_t>(kPoolTokens); ++token) {
    if (random.below(kTopicTokens) == 0) topic = random.below(kTopics) * width;
    for (size_t d = 0; d < width; ++d)
      pool[token * width + d] = to_f16(mean[d] + topics[topic + d] + deviation[d] * random.gaussian());
  }
  return pool;
}

struct Pools {
  std::vector<f16> keys;
  std::vector<f16> values;
};

// Those of a layer, drawn beside others': most of the time goes into drawing.
std::future<Pools> start_pools(const engine::ModelConfig& config, uint64_t seed) {
  const auto draw = [n_heads = config.n_kv_heads, head_dim = config.head_dim, seed] {
    Random random(seed);
    std::vector<f16> keys = make_pool(n_heads, head_dim, true, random);
    return Pools{std::move(keys), make_pool(n_heads, head_dim, false, random)};
  };
  std::future<Pools> drawn = in_background(draw);
  if (drawn.valid()) return drawn;
  std::promise<Pools> here;
  here.set_value(draw());
  return here.get_future();
}

}  // namespace

std::vector<engine::ChunkKv> synthetic_kv(const engine::KvShape& shape, int n_chunks, int n_tokens, uint64_t seed) {
  constexpr int kHidden = 64;
  const auto kv_dim = static_cast<size_t>(shape.kv_dim());
  std::vector<engine::ChunkKv> chunks(static_cast<size_t>(n_chunks));
  for (int layer = 0; layer < shape.n_layers; ++layer) {
    for (int part = 0; part < 2; ++part) {
      Random fixed(static_cast<uint64_t>(layer * 2 + part));  // the model: the same for all chunks
      std::vector<float> mix(kHidden * kv_dim);
      std::vector<float> mean(kv_dim);
      for (float& value : mix) value = fixed.gaussian();
      for (float& value : mean) value = fixed.gaussian();
      Random random(seed * 1000 + static_cast<uint64_t>(layer * 2 + part));
      for (engine::ChunkKv& chunk : chunks) {
        chunk.n_tokens = n_tokens;
        std::vector<f16>& out = (part == 0 ? chunk.keys : chunk.values).emplace_back();
        for (int t = 0; t < n_tokens; ++t) {
          std::vector<float> row(mean);
          for (int h = 0; h < kHidden; ++h) {
            const float hidden = random.gaussian() / std::sqrt(static_cast<float>(h + 1));
            for (size_t c = 0; c < kv_dim; ++c) row[c] += hidden * mix[static_cast<size_t>(h) * kv_dim + c];
          }
          for (const float value : row) out.push_back(to_f16(value + 0.2f * random.gaussian()));
        }
      }
    }
  }
  return chunks;
}

Status place_structured_kv(engine::LanguageModel& model, engine::Sequence& sequence, int n_tokens, uint64_t seed) {
  const engine::ModelConfig& config = model.config();
  Random random(seed);
  MNEME_RETURN_IF_ERROR(engine::check_kv_of_parts(model.config()));
  MNEME_RETURN_IF_ERROR(sequence.kv().reserve(n_tokens));
  const auto width = static_cast<size_t>(config.kv_dim());
  std::vector<std::future<Pools>> pools;
  for (int layer = 0; layer < config.n_layers; ++layer) {
    while (std::ssize(pools) < std::min(config.n_layers, layer + kLayersAtOnce))
      pools.push_back(start_pools(config, random.next()));
    const engine::LayerConfig& settings = config.layers[static_cast<size_t>(layer)];
    const bool rotates = settings.uses_rope && !config.ropes.empty();
    const engine::RopeConfig* rope = rotates ? &config.ropes[static_cast<size_t>(settings.rope_index)] : nullptr;
    const Pools of_layer = pools[static_cast<size_t>(layer)].get();
    for (int first = 0; first < n_tokens; first += kBlockTokens) {
      const int count = std::min(kBlockTokens, n_tokens - first);
      const size_t from = random.below(kPoolTokens - kBlockTokens) * width;
      const size_t elements = static_cast<size_t>(count) * width;
      sequence.kv().place(layer, first, count, std::span(of_layer.keys).subspan(from, elements),
                          std::span(of_layer.values).subspan(from, elements), rope);
    }
    MNEME_RETURN_IF_ERROR(model.backend().synchronize());
  }
  std::vector<engine::TokenId> ids(static_cast<size_t>(n_tokens));
  for (engine::TokenId& id : ids)
    id = static_cast<engine::TokenId>(random.below(static_cast<uint64_t>(config.vocab_size)));
  sequence.adopt(ids, std::vector<float>(static_cast<size_t>(config.vocab_size), 0.0f));
  return {};
}

}  // namespace mneme::app

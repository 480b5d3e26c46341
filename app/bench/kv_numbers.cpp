#include "app/bench/kv_numbers.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "app/insight/kv_statistics.h"

namespace mneme::app {

using engine::ChunkKv;

size_t fp16_bytes(const ChunkKv& kv) {
  size_t bytes = 0;
  for (const auto& keys : kv.keys) bytes += 2 * keys.size() * sizeof(f16);
  return bytes;
}

std::vector<ChunkKv> as_bf16(const std::vector<ChunkKv>& chunks) {
  std::vector<ChunkKv> result = chunks;
  for (ChunkKv& kv : result) {
    for (auto* part : {&kv.keys, &kv.values}) {
      for (std::vector<f16>& layer : *part) {
        for (f16& value : layer) {
          const auto bits = std::bit_cast<uint32_t>(to_f32(value));
          value.bits = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
        }
      }
    }
  }
  return result;
}

double entropy_bound(const ChunkKv& kv, int kv_dim, bool bf16) {
  double bits = 0;
  int parts = 0;
  for (const auto* part : {&kv.keys, &kv.values}) {
    for (const std::vector<f16>& layer : *part) {
      std::vector<uint32_t> low(256);
      std::vector<std::vector<uint32_t>> high(static_cast<size_t>(kv_dim), std::vector<uint32_t>(256));
      for (size_t i = 0; i < layer.size(); ++i) {
        const uint32_t raw = layer[i].bits;
        const uint32_t planes = bf16 ? (raw << 1 | raw >> 15) & 0xffff : raw;
        ++high[i % static_cast<size_t>(kv_dim)][planes >> 8];
        ++low[planes & 0xff];
      }
      double high_bits = 0;
      for (const auto& counts : high) high_bits += entropy_bits(counts) / kv_dim;
      bits += high_bits + entropy_bits(low);
      ++parts;
    }
  }
  return bits / parts;
}

double relative_error(const std::vector<f16>& from, const std::vector<f16>& back, int kv_dim) {
  const auto width = static_cast<size_t>(kv_dim);
  std::vector<double> sum(width);
  for (size_t i = 0; i < from.size(); ++i) sum[i % width] += to_f32(from[i]);
  double error = 0;
  double variance = 0;
  const double n = static_cast<double>(from.size()) / kv_dim;
  for (size_t i = 0; i < from.size(); ++i) {
    const double value = to_f32(from[i]);
    error += (value - to_f32(back[i])) * (value - to_f32(back[i]));
    variance += (value - sum[i % width] / n) * (value - sum[i % width] / n);
  }
  return variance > 0 ? std::sqrt(error / variance) : 0.0;
}

}  // namespace mneme::app

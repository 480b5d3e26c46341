#include "engine/codec/kv_profile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/codec/layer_kinds.h"

namespace mneme::engine {

namespace {

constexpr char kMagic[4] = {'M', 'K', 'V', 'P'};
constexpr char kMagicOfKinds[4] = {'M', 'K', 'V', 'K'};  // profiles of several kinds of layers
constexpr uint32_t kMostLayers = 4096;
constexpr uint32_t kMostHeads = 4096;  // and elements of one
constexpr int kMaxGroup = 128;
constexpr int kMostReach = 127;  // a symbol is a byte

class Writer {
 public:
  template <typename T>
  void put(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  template <typename T>
  void put_all(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte> out;
};

// Reads count values; empty and not ok when they are not there.
template <typename T>
std::vector<T> read_all(ByteReader& reader, size_t count) {
  std::vector<T> values;
  if (!reader.ok() || count > reader.left() / sizeof(T)) {
    reader.skip(reader.left() + 1);
    return values;
  }
  const ByteSpan bytes = reader.read_bytes(count * sizeof(T));
  values.resize(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool all_finite(const std::vector<float>& values, bool positive) {
  for (const float value : values) {
    if (!std::isfinite(value) || (positive && !(value > 1e-20f))) return false;
  }
  return true;
}

bool read_basis(ByteReader& reader, size_t kv_dim, size_t group_dim, KvBasis& basis) {
  basis.mean = read_all<float>(reader, kv_dim);
  basis.weight = read_all<float>(reader, kv_dim);
  basis.vectors = read_all<f16>(reader, kv_dim * group_dim);
  if (!reader.ok() || !all_finite(basis.mean, false) || !all_finite(basis.weight, true)) return false;
  for (const f16 value : basis.vectors) {
    if (!std::isfinite(to_f32(value))) return false;
  }
  return true;
}

bool read_class(ByteReader& reader, KvCodingClass& coding_class) {
  coding_class.reach = reader.read<uint8_t>();
  coding_class.shrink = reader.read<float>();
  if (coding_class.reach > kMostReach) return false;
  const size_t n_symbols = 2 * size_t{coding_class.reach} + 1;
  coding_class.frequencies = read_all<uint16_t>(reader, n_symbols);
  coding_class.frequencies.resize(256, 0);
  // Every symbol that encoding may produce must have a code.
  uint32_t sum = 0;
  for (size_t s = 0; s < n_symbols; ++s) {
    if (coding_class.frequencies[s] == 0) return false;
    sum += coding_class.frequencies[s];
  }
  return reader.ok() && std::isfinite(coding_class.shrink) && sum == kRansTotal;
}

bool read_part_level(ByteReader& reader, size_t kv_dim, size_t n_classes, KvPartLevel& part) {
  part.step = reader.read<float>();
  part.classes = read_all<uint8_t>(reader, kv_dim);
  if (!reader.ok() || !std::isfinite(part.step) || !(part.step > 1e-20f)) return false;
  for (const uint8_t number : part.classes) {
    if (number != KvPartLevel::kDropped && number >= n_classes) return false;
  }
  return true;
}

bool read_level(ByteReader& reader, size_t n_layers, size_t kv_dim, KvLevelProfile& level) {
  const auto n_classes = reader.read<uint8_t>();
  level.classes.resize(n_classes);
  for (KvCodingClass& coding_class : level.classes) {
    if (!read_class(reader, coding_class)) return false;
  }
  level.layers.resize(n_layers);
  for (auto& parts : level.layers) {
    for (KvPartLevel& part : parts) {
      if (!read_part_level(reader, kv_dim, n_classes, part)) return false;
    }
  }
  level.layer_bits = read_all<float>(reader, n_layers);
  return reader.ok() && all_finite(level.layer_bits, true);
}

Status check_version(ByteReader& reader) {
  const auto version = reader.read<uint32_t>();
  if (!reader.ok() || version == KvProfile::kVersion) return {};
  return unsupported("the KV calibration profile has version " + std::to_string(version) + ", this program knows " +
                     std::to_string(KvProfile::kVersion) + "; calibrate the model again.");
}

}  // namespace

int kv_group_dim(int kv_dim) {
  for (int group = std::min(kv_dim, kMaxGroup) / 16 * 16; group > 0; group -= 16) {
    if (kv_dim % group == 0) return group;
  }
  return 0;
}

double KvProfile::bits_per_element(KvLevel level) const {
  double bits = 0;
  double numbers = 0;
  for (const KvProfile& kind : kinds) {
    const double of_kind = static_cast<double>(kind.shape.kv_dim()) * kind.shape.n_layers;
    bits += kind.bits_per_element(level) * of_kind;
    numbers += of_kind;
  }
  if (!kinds.empty()) return bits / std::max(numbers, 1.0);
  const std::vector<float>& of_layers = levels[static_cast<size_t>(level) - 1].layer_bits;
  if (of_layers.empty()) return 0;
  return std::accumulate(of_layers.begin(), of_layers.end(), 0.0) / static_cast<double>(of_layers.size());
}

// Layers' kinds, then each kind's profile behind its length.
std::vector<std::byte> KvProfile::serialise_kinds() const {
  Writer writer;
  for (const char c : kMagicOfKinds) writer.put(c);
  writer.put(kVersion);
  writer.put(static_cast<uint32_t>(shape.n_layers));
  for (const KvHeads& heads : shape.layers) {
    writer.put(static_cast<uint32_t>(heads.n_kv_heads));
    writer.put(static_cast<uint32_t>(heads.head_dim));
  }
  for (const KvProfile& kind : kinds) {
    const std::vector<std::byte> own = kind.serialise();
    writer.put(static_cast<uint64_t>(own.size()));
    writer.put_all(own);
  }
  return std::move(writer.out);
}

Result<KvProfile> KvProfile::parse_kinds(ByteReader& reader) {
  const Status damaged = corruption("the KV calibration profile is damaged; calibrate the model again.");
  const auto n_layers = reader.read<uint32_t>();
  if (!reader.ok() || n_layers == 0 || n_layers > kMostLayers || n_layers > reader.left() / (2 * sizeof(uint32_t)))
    return damaged;
  KvProfile profile;
  profile.shape.n_layers = static_cast<int>(n_layers);
  for (uint32_t layer = 0; layer < n_layers; ++layer) {
    const auto n_kv_heads = reader.read<uint32_t>();
    const auto head_dim = reader.read<uint32_t>();
    if (n_kv_heads == 0 || n_kv_heads > kMostHeads || head_dim == 0 || head_dim > kMostHeads) return damaged;
    const KvHeads heads{static_cast<int>(n_kv_heads), static_cast<int>(head_dim)};
    profile.shape.layers.push_back(heads);
    profile.shape.n_kv_heads = std::max(profile.shape.n_kv_heads, heads.n_kv_heads);
    profile.shape.head_dim = std::max(profile.shape.head_dim, heads.head_dim);
  }
  for (const KvShape& shape : layer_kinds(profile.shape).shapes) {
    const auto n_bytes = reader.read<uint64_t>();
    if (!reader.ok() || n_bytes > reader.left()) return damaged;
    MNEME_ASSIGN_OR_RETURN(KvProfile kind, parse_one(reader.read_bytes(static_cast<size_t>(n_bytes))));
    if (kind.shape != shape) return damaged;
    profile.kinds.push_back(std::move(kind));
  }
  if (!reader.ok() || reader.left() != 0) return damaged;
  return profile;
}

std::vector<std::byte> KvProfile::serialise() const {
  if (!kinds.empty()) return serialise_kinds();
  Writer writer;
  for (const char c : kMagic) writer.put(c);
  writer.put(kVersion);
  for (const int value : {shape.n_layers, shape.n_kv_heads, shape.head_dim, group_dim}) {
    writer.put(static_cast<uint32_t>(value));
  }
  for (const auto& parts : bases) {
    for (const KvBasis& basis : parts) {
      writer.put_all(basis.mean);
      writer.put_all(basis.weight);
      writer.put_all(basis.vectors);
    }
  }
  for (const KvLevelProfile& level : levels) {
    writer.put(static_cast<uint8_t>(level.classes.size()));
    for (const KvCodingClass& coding_class : level.classes) {
      writer.put(coding_class.reach);
      writer.put(coding_class.shrink);
      for (int s = 0; s <= 2 * coding_class.reach; ++s) writer.put(coding_class.frequencies[s]);
    }
    for (const auto& parts : level.layers) {
      for (const KvPartLevel& part : parts) {
        writer.put(part.step);
        writer.put_all(part.classes);
      }
    }
    writer.put_all(level.layer_bits);
  }
  return std::move(writer.out);
}

Result<KvProfile> KvProfile::parse(ByteSpan bytes) {
  ByteReader reader(bytes);
  if (as_text(reader.read_bytes(4)) != std::string_view(kMagicOfKinds, 4)) return parse_one(bytes);
  MNEME_RETURN_IF_ERROR(check_version(reader));
  return parse_kinds(reader);
}

Result<KvProfile> KvProfile::parse_one(ByteSpan bytes) {
  ByteReader reader(bytes);
  if (as_text(reader.read_bytes(4)) != std::string_view(kMagic, 4)) {
    return corruption("these bytes are not a KV calibration profile; calibrate the model again.");
  }
  MNEME_RETURN_IF_ERROR(check_version(reader));
  KvProfile profile;
  uint32_t numbers[4];
  for (uint32_t& number : numbers) number = reader.read<uint32_t>();
  const Status damaged = corruption("the KV calibration profile is damaged; calibrate the model again.");
  if (!reader.ok() || numbers[0] == 0 || numbers[0] > kMostLayers || numbers[1] == 0 || numbers[1] > kMostHeads ||
      numbers[2] == 0 || numbers[2] > kMostHeads) {
    return damaged;
  }
  profile.shape = {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
  profile.group_dim = static_cast<int>(numbers[3]);
  const auto kv_dim = static_cast<size_t>(profile.shape.kv_dim());
  if (profile.group_dim <= 0 || profile.group_dim != kv_group_dim(profile.shape.kv_dim())) return damaged;
  if (numbers[0] > reader.left() / (kv_dim * 16)) return damaged;
  profile.bases.resize(numbers[0]);
  for (auto& parts : profile.bases) {
    for (KvBasis& basis : parts) {
      if (!read_basis(reader, kv_dim, static_cast<size_t>(profile.group_dim), basis)) return damaged;
    }
  }
  for (KvLevelProfile& level : profile.levels) {
    if (!read_level(reader, numbers[0], kv_dim, level)) return damaged;
  }
  if (!reader.ok() || reader.left() != 0) return damaged;
  return profile;
}

}  // namespace mneme::engine

#include "engine/model/model_identity.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/file_pages.h"

namespace mneme::engine {

namespace {

void add(Hasher128& hasher, double value) {
  hasher.add(std::bit_cast<uint64_t>(value));
}

void add_value(Hasher128& hasher, const gguf::MetaValue& value) {
  hasher.add(uint64_t{value.index()});
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, double>) {
          add(hasher, held);
        } else if constexpr (std::is_arithmetic_v<Held>) {
          hasher.add(static_cast<uint64_t>(held));
        } else if constexpr (std::is_same_v<Held, std::string>) {
          hasher.add(std::string_view(held));
        } else if constexpr (std::is_same_v<Held, std::vector<std::string>>) {
          hasher.add(uint64_t{held.size()});
          for (const std::string& text : held) hasher.add(std::string_view(text));
        } else if constexpr (std::is_same_v<Held, std::vector<bool>>) {
          hasher.add(uint64_t{held.size()});
          for (const bool bit : held) hasher.add(uint64_t{bit});
        } else {
          hasher.add(std::as_bytes(std::span(held)));
        }
      },
      value);
}

// A piece at a time: of a file larger than a piece no more than that is in memory at once.
void add_weights(Hasher128& hasher, ByteSpan bytes, bool is_mapped) {
  constexpr size_t kPiece = size_t{16} << 20;
  hasher.add(uint64_t{bytes.size()});
  while (!bytes.empty()) {
    const ByteSpan piece = bytes.first(std::min(kPiece, bytes.size()));
    hasher.add_raw(piece);
    if (is_mapped) forget_pages(piece);
    bytes = bytes.subspan(piece.size());
  }
}

}  // namespace

Hash128 model_identity(const gguf::GgufFile& file, const ModelConfig& config) {
  Hasher128 hasher;
  hasher.add(std::string_view(config.architecture));
  for (const auto& [key, value] : file.metadata()) {
    const bool counts = key.starts_with(config.architecture + ".") || key.starts_with("tokenizer.ggml.");
    if (!counts) continue;
    hasher.add(std::string_view(key));
    add_value(hasher, value);
  }
  for (const RopeConfig& rope : config.ropes) {
    hasher.add(std::as_bytes(std::span(rope.inverse_frequencies)));
    add(hasher, rope.attention_factor);
  }
  for (const gguf::TensorInfo& tensor : file.tensors()) {
    hasher.add(std::string_view(tensor.name));
    hasher.add(static_cast<uint64_t>(tensor.type));
    hasher.add(std::as_bytes(std::span(tensor.dims)));
    add_weights(hasher, tensor.bytes, file.is_mapped());
  }
  return hasher.finish();
}

}  // namespace mneme::engine

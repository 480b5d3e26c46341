#include "engine/tokenizer/charsmap.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/utf8.h"

namespace mneme::engine {

namespace {

static_assert(std::endian::native == std::endian::little, "the library reads units as they lie in the file");

constexpr uint32_t kBytes = 256;  // children of a node: its base XOR their byte

// Units of darts-clone's double array: where children lie, the byte that leads here, and for leaves the value.
class DoubleArray {
 public:
  explicit DoubleArray(std::string_view bytes) : bytes_(bytes) {}

  size_t size() const { return bytes_.size() / sizeof(uint32_t); }
  uint32_t unit(size_t index) const {
    uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + index * sizeof value, sizeof value);
    return value;
  }
  static uint32_t offset(uint32_t unit) { return (unit >> 10) << ((unit >> 6) & 8); }
  static uint32_t label(uint32_t unit) { return unit & 0x800000ffU; }
  static bool has_leaf(uint32_t unit) { return ((unit >> 8) & 1) != 0; }
  static uint32_t leaf_value(uint32_t unit) { return unit & 0x7fffffffU; }

 private:
  std::string_view bytes_;
};

// Follows every byte from every node that can be reached; the library reads a unit before it looks at its label.
bool stays_inside(const DoubleArray& array, size_t end_of_values) {
  if (array.size() == 0) return false;
  std::vector<bool> seen(array.size(), false);
  std::vector<uint32_t> bases = {DoubleArray::offset(array.unit(0))};
  while (!bases.empty()) {
    const uint32_t base = bases.back();
    bases.pop_back();
    if ((base | (kBytes - 1)) >= array.size()) return false;
    if (seen[base]) continue;
    seen[base] = true;
    for (uint32_t byte = 0; byte < kBytes; ++byte) {
      const uint32_t child = base ^ byte;
      const uint32_t unit = array.unit(child);
      if (DoubleArray::label(unit) != byte) continue;
      const uint32_t below = child ^ DoubleArray::offset(unit);
      if ((below | (kBytes - 1)) >= array.size()) return false;
      if (DoubleArray::has_leaf(unit) && DoubleArray::leaf_value(array.unit(below)) >= end_of_values) return false;
      bases.push_back(below);
    }
  }
  return true;
}

}  // namespace

bool is_sound_charsmap(std::string_view charsmap) {
  uint32_t trie_bytes = 0;
  if (charsmap.size() <= sizeof trie_bytes) return false;
  std::memcpy(&trie_bytes, charsmap.data(), sizeof trie_bytes);
  charsmap.remove_prefix(sizeof trie_bytes);
  if (trie_bytes >= charsmap.size()) return false;
  const std::string_view replacements = charsmap.substr(trie_bytes);
  if (!utf8::valid(replacements)) return false;
  // What begins behind the last zero does not end; npos + 1 is 0, then none may begin.
  return stays_inside(DoubleArray(charsmap.substr(0, trie_bytes)), replacements.rfind('\0') + 1);
}

}  // namespace mneme::engine

// Normalisers that models bring: a sound one works, one that would lead libsentencepiece out of its memory is refused.
#include "engine/tokenizer/charsmap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace mneme::engine {
namespace {

constexpr uint32_t kBase = 256;          // of the root's children
constexpr uint32_t kNode = kBase ^ 'A';  // reached by the one letter that is replaced
constexpr uint32_t kLeaf = kNode ^ 3;    // holds its value
constexpr uint32_t kHasLeaf = 1u << 8;
constexpr uint32_t kIsLeaf = 1u << 31;

uint32_t leading_to(uint32_t offset) {
  return offset << 10;
}

// Replaces A by the text at `value` of the replacements.
std::vector<uint32_t> array_for(uint32_t value) {
  std::vector<uint32_t> units(2 * kBase, 0);
  units[0] = leading_to(kBase);
  units[kNode] = leading_to(kNode ^ kLeaf) | kHasLeaf | 'A';
  units[kLeaf] = kIsLeaf | value;
  return units;
}

std::string charsmap(const std::vector<uint32_t>& units, const std::string& replacements) {
  const auto n_bytes = static_cast<uint32_t>(units.size() * sizeof(uint32_t));
  std::string bytes(reinterpret_cast<const char*>(&n_bytes), sizeof n_bytes);
  bytes.append(reinterpret_cast<const char*>(units.data()), n_bytes);
  return bytes + replacements;
}

const std::string kReplacements("a\0e\0", 4);

Vocabulary vocabulary_with(const std::string& map) {
  Vocabulary vocabulary = testing::sentencepiece_vocabulary({"▁", "a", "e", "b"});
  vocabulary.precompiled_charsmap = map;
  return vocabulary;
}

TEST(Charsmap, ASoundOneNormalises) {
  for (const auto& [value, letter] : {std::pair{0u, "a"}, std::pair{2u, "e"}}) {
    const auto tokenizer = testing::make(vocabulary_with(charsmap(array_for(value), kReplacements)));
    ASSERT_NE(tokenizer, nullptr);
    EXPECT_EQ(tokenizer->encode("bA"), tokenizer->encode(std::string("b") + letter));
  }
}

TEST(Charsmap, OneThatLeadsOutsideIsRefused) {
  const std::vector<uint32_t> sound = array_for(0);
  ASSERT_TRUE(is_sound_charsmap(charsmap(sound, kReplacements)));
  std::vector<uint32_t> far_root = sound;
  far_root[0] = leading_to(1 << 20);
  EXPECT_FALSE(is_sound_charsmap(charsmap(far_root, kReplacements)));
  std::vector<uint32_t> far_leaf = sound;
  far_leaf[kNode] = leading_to(2 * kBase) | kHasLeaf | 'A';
  EXPECT_FALSE(is_sound_charsmap(charsmap(far_leaf, kReplacements)));
  std::vector<uint32_t> cut_off = sound;
  cut_off.resize(2 * kBase - 1);
  EXPECT_FALSE(is_sound_charsmap(charsmap(cut_off, kReplacements)));
  EXPECT_FALSE(is_sound_charsmap(charsmap({}, kReplacements)));
}

TEST(Charsmap, ReplacementsThatDoNotEndAreRefused) {
  EXPECT_FALSE(is_sound_charsmap(charsmap(array_for(4), kReplacements)));
  EXPECT_FALSE(is_sound_charsmap(charsmap(array_for(2), std::string("a\0e", 3))));
  EXPECT_FALSE(is_sound_charsmap(charsmap(array_for(0), std::string("\xff\0", 2))));
  EXPECT_FALSE(is_sound_charsmap(charsmap(array_for(0), "")));
  EXPECT_FALSE(is_sound_charsmap("abc"));
  std::string long_array = charsmap(array_for(0), kReplacements);
  long_array[3] = '\x7f';  // the array's length
  EXPECT_FALSE(is_sound_charsmap(long_array));
}

// Whatever flips, no text leads outside: the library would crash, or a sanitizer say so.
TEST(Charsmap, DamagedOnesAreRefusedOrHarmless) {
  std::string every_byte;
  for (int byte = 1; byte < 128; ++byte) every_byte += static_cast<char>(byte);
  every_byte += "äöü€😀";
  Random random(3);
  const std::string sound = charsmap(array_for(2), kReplacements);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = sound;
    for (uint64_t n = 1 + random.below(4); n > 0; --n) {
      const size_t at =
          random.below(2) == 0 ? random.below(damaged.size()) : 4 + 4 * random.below(2) * kNode + random.below(4);
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
    }
    const auto tokenizer = testing::make(vocabulary_with(damaged));
    if (tokenizer != nullptr) (void)tokenizer->encode(every_byte);
  }
}

}  // namespace
}  // namespace mneme::engine

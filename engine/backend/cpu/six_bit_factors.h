// Factors of six bits: those of 256 inputs of a panel's rows, whose scales are d * factor and whose minimums are
// dmin * factor, for 32 inputs each. As many bits as in the file, so that a product reads no more than that.
// Threads: plain data.
#pragma once

#include <cstdint>

namespace mneme::engine::cpu {

inline constexpr int kPanelRows = 16;

// The same with a byte each, [group][row].
struct alignas(64) PlainFactors {
  uint8_t scales[8 * kPanelRows];
  uint8_t minimums[8 * kPanelRows];
};

struct SixBitFactors {
  static constexpr int kGroups = 8;
  static constexpr int kHalf = kGroups / 2 * kPanelRows;  // a vector of bytes: the factors of four groups
  static_assert(kHalf == 64);

  // Groups 0 to 3 in the low nibbles, 4 to 7 in the high ones: their low four bits.
  uint8_t scales[kHalf];
  uint8_t minimums[kHalf];
  // Bits 4 and 5 of the scales of groups 0 to 3 and 4 to 7 and of the minimums likewise, from the lowest bits up.
  uint8_t high[kHalf];

  struct Pair {
    int scale;
    int minimum;
  };
  Pair at(int group, int row) const {
    const int i = index(group, row);
    const int upper = group / (kGroups / 2);
    return {((scales[i] >> (4 * upper)) & 15) | ((high[i] >> (2 * upper)) & 3) << 4,
            ((minimums[i] >> (4 * upper)) & 15) | ((high[i] >> (2 * upper + 4)) & 3) << 4};
  }
  // Of factors that are zero yet, below 64.
  void put(int group, int row, int scale, int minimum) {
    const int i = index(group, row);
    const int upper = group / (kGroups / 2);
    scales[i] = static_cast<uint8_t>(scales[i] | (scale & 15) << (4 * upper));
    minimums[i] = static_cast<uint8_t>(minimums[i] | (minimum & 15) << (4 * upper));
    high[i] = static_cast<uint8_t>(high[i] | (scale >> 4) << (2 * upper) | (minimum >> 4) << (2 * upper + 4));
  }
  void unpack(PlainFactors& out) const {
    for (int i = 0; i < kHalf; ++i) {
      out.scales[i] = static_cast<uint8_t>((scales[i] & 15) | (high[i] & 3) << 4);
      out.scales[kHalf + i] = static_cast<uint8_t>(scales[i] >> 4 | (high[i] & 0x0c) << 2);
      out.minimums[i] = static_cast<uint8_t>((minimums[i] & 15) | (high[i] & 0x30));
      out.minimums[kHalf + i] = static_cast<uint8_t>(minimums[i] >> 4 | (high[i] & 0xc0) >> 2);
    }
  }

 private:
  static int index(int group, int row) { return group % (kGroups / 2) * kPanelRows + row; }
};
static_assert(sizeof(SixBitFactors) == 3 * 64);

}  // namespace mneme::engine::cpu

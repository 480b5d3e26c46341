// Interleaved rANS over bytes: 32 coders take turns, so that a decoder runs them as SIMD lanes (or a GPU's warp).
// Static tables, several per stream: the table of a symbol depends on its place in a repeating pattern alone. Integers
// only, so every path gives the same bits. After Duda (1311.2540), Giesen (1402.3392) for interleaving.
//
//   stream := state:u32[32] word:u16*        states after encoding; words in the order the decoder takes them
//
// A state x holds 16 to 32 bits. Decoding a symbol: slot = x mod 2048, entry = table[slot],
// x = frequency * (x / 2048) + bias; when x < 65536: x = x * 65536 + next word. Lane i decodes symbols i, i + 32, ...
// At the end every state is 65536 and every word is used: anything else is corruption.
// Ownership: borrows for the call. Threads: pure functions over immutable tables.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::engine {

inline constexpr int kRansLanes = 32;
inline constexpr int kRansBits = 11;
inline constexpr uint32_t kRansTotal = 1u << kRansBits;
inline constexpr int kRansReciprocalBits = 43;  // of RansTables::Step

// Frequencies of the 256 symbols, adding up to kRansTotal; 0: the symbol cannot be coded.
using RansFrequencies = std::vector<uint16_t>;

// Scales counts to frequencies in integers alone. Symbols that were counted get at least 1; ties go to lower symbols.
// counts: at most 256. All zero: symbol 0 alone.
RansFrequencies make_rans_frequencies(std::span<const uint64_t> counts);

// What a symbol of this frequency (> 0) costs, in 1/256 bits, by integers alone (log2 between powers of two taken as a
// line: at most 0.09 bits too much): for choices an encoder makes, which must be the same everywhere.
inline uint32_t rans_cost(uint32_t frequency) {
  assert(frequency > 0);
  const int power = std::bit_width(frequency) - 1;
  return static_cast<uint32_t>(kRansBits - power) * 256 - (((frequency << 8) >> power) - 256);
}

class RansTables {
 public:
  // Adds a table; its number. kCorruption when the frequencies do not add up.
  Result<int> add(const RansFrequencies& frequencies);

  int size() const { return static_cast<int>(starts_.size() / 257); }
  uint32_t frequency(int table, int symbol) const {
    return starts_[table * 257 + symbol + 1] - starts_[table * 257 + symbol];
  }
  uint32_t start(int table, int symbol) const { return starts_[table * 257 + symbol]; }
  // What encoding a symbol takes, without a division.
  struct Step {
    uint64_t reciprocal = 0;  // ceil(2^43 / frequency): state * reciprocal >> 43 is state / frequency, see rans.cpp
    uint32_t limit = 0;       // states from here on give a word away first (minus one, so that it fits)
    uint16_t start = 0;
    uint16_t frequency = 0;  // 0: cannot be coded
  };
  const Step* steps(int table) const { return steps_.data() + static_cast<size_t>(table) * 256; }
  // kRansTotal entries per table: symbol << 24 | frequency << 12 | bias.
  const uint32_t* entries() const { return entries_.data(); }

 private:
  std::vector<uint32_t> entries_;
  std::vector<uint16_t> starts_;  // 257 per table
  std::vector<Step> steps_;       // 256 per table
};

// Symbol n of a stream uses table pattern[n mod pattern.size()]; a pattern's size is a multiple of kRansLanes.
using RansPattern = std::vector<uint32_t>;

// Appends the stream of symbols (a multiple of kRansLanes). Every symbol must have a frequency in its table.
void rans_encode(const RansTables& tables, const RansPattern& pattern, std::span<const uint8_t> symbols,
                 std::vector<std::byte>& out);

// Fills symbols from the stream; false when it is damaged. Never reads beyond it.
bool rans_decode(const RansTables& tables, const RansPattern& pattern, ByteSpan stream, std::span<uint8_t> symbols);

// The same with the tables given as runs: the first run's table codes that many symbols, then the next's. Where the
// symbols of one table stand together, the table stays in the first-level cache and a step has one table only.
struct RansRun {
  uint32_t table = 0;
  size_t count = 0;
};
using RansRuns = std::vector<RansRun>;
// The counts of the runs add up to symbols.size(), a multiple of kRansLanes.
void rans_encode(const RansTables& tables, const RansRuns& runs, std::span<const uint8_t> symbols,
                 std::vector<std::byte>& out);
bool rans_decode(const RansTables& tables, const RansRuns& runs, ByteSpan stream, std::span<uint8_t> symbols);

// The instruction sets of rans_decode, for tests: "scalar" always, "avx2", "avx512" where the processor has them.
std::vector<std::string_view> rans_paths();
bool rans_decode_on(std::string_view path, const RansTables& tables, const RansPattern& pattern, ByteSpan stream,
                    std::span<uint8_t> symbols);
bool rans_decode_on(std::string_view path, const RansTables& tables, const RansRuns& runs, ByteSpan stream,
                    std::span<uint8_t> symbols);

namespace rans_detail {

// What a path works on. A path decodes whole steps (kRansLanes symbols) while at least kRansLanes words are left, and
// leaves the rest, with all states, to the scalar code.
struct DecodeState {
  const uint32_t* entries;
  const uint32_t* offsets;  // of the pattern: table number * kRansTotal
  size_t pattern_steps;     // pattern.size() / kRansLanes
  const uint8_t* words;     // next word; not aligned
  const uint8_t* words_end;
  uint8_t* symbols;
  size_t step = 0;  // done so far
  size_t n_steps;
  uint32_t states[kRansLanes];
};

void decode_scalar(DecodeState& state, bool& ok);
void decode_avx2(DecodeState& state);
void decode_avx512(DecodeState& state);

}  // namespace rans_detail

}  // namespace mneme::engine

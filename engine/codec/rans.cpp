#include "engine/codec/rans.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "engine/codec/cpu_paths.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kLow = 1u << 16;  // states stay in [kLow, 2^32)

}  // namespace

RansFrequencies make_rans_frequencies(std::span<const uint64_t> counts) {
  assert(counts.size() <= 256);
  RansFrequencies frequencies(256, 0);
  uint64_t total = 0;
  for (const uint64_t count : counts) total += count;
  if (total == 0) {
    frequencies[0] = kRansTotal;
    return frequencies;
  }
  // Counts are brought below 2^40 so that the product with kRansTotal fits.
  int shift = 0;
  while (total >> shift >= uint64_t{1} << 40) ++shift;
  uint32_t given = 0;
  for (size_t s = 0; s < counts.size(); ++s) {
    if (counts[s] == 0) continue;
    const uint64_t share = (counts[s] >> shift) * kRansTotal / std::max<uint64_t>(total >> shift, 1);
    frequencies[s] = static_cast<uint16_t>(std::clamp<uint64_t>(share, 1, kRansTotal));
    given += frequencies[s];
  }
  // What rounding left over or took too much comes from the most frequent, where it matters least.
  while (given != kRansTotal) {
    const auto largest = std::max_element(frequencies.begin(), frequencies.end());
    if (given < kRansTotal) {
      *largest = static_cast<uint16_t>(*largest + (kRansTotal - given));
      given = kRansTotal;
    } else {
      const uint32_t take = std::min<uint32_t>(given - kRansTotal, *largest / 2u);
      *largest = static_cast<uint16_t>(*largest - take);
      given -= take;
    }
  }
  return frequencies;
}

Result<int> RansTables::add(const RansFrequencies& frequencies) {
  uint64_t sum = 0;
  for (const uint16_t frequency : frequencies) sum += frequency;
  if (frequencies.size() != 256 || sum != kRansTotal) {
    return corruption("a coding table's frequencies add up to " + std::to_string(sum) + " instead of " +
                      std::to_string(kRansTotal) + ".");
  }
  const int table = size();
  uint32_t start = 0;
  for (uint32_t symbol = 0; symbol < 256; ++symbol) {
    starts_.push_back(static_cast<uint16_t>(start));
    for (uint32_t i = 0; i < frequencies[symbol]; ++i) {
      entries_.push_back(symbol << 24 | uint32_t{frequencies[symbol]} << 12 | i);
    }
    start += frequencies[symbol];
  }
  starts_.push_back(static_cast<uint16_t>(start));
  return table;
}

void rans_encode(const RansTables& tables, const RansPattern& pattern, std::span<const uint8_t> symbols,
                 std::vector<std::byte>& out) {
  assert(symbols.size() % kRansLanes == 0 && !pattern.empty() && pattern.size() % kRansLanes == 0);
  uint32_t states[kRansLanes];
  std::fill(std::begin(states), std::end(states), kLow);
  std::vector<uint16_t> words;  // last first
  words.reserve(symbols.size() / 4);
  size_t place = symbols.size() % pattern.size();
  for (size_t n = symbols.size(); n-- > 0;) {
    place = (place == 0 ? pattern.size() : place) - 1;
    const auto table = static_cast<int>(pattern[place]);
    const uint32_t frequency = tables.frequency(table, symbols[n]);
    assert(frequency > 0);
    uint32_t x = states[n % kRansLanes];
    if (x >= uint64_t{frequency} << (32 - kRansBits)) {
      words.push_back(static_cast<uint16_t>(x));
      x >>= 16;
    }
    states[n % kRansLanes] = (x / frequency << kRansBits) + x % frequency + tables.start(table, symbols[n]);
  }
  std::reverse(words.begin(), words.end());
  const auto state_bytes = std::as_bytes(std::span(states));
  const auto word_bytes = std::as_bytes(std::span(words));
  out.insert(out.end(), state_bytes.begin(), state_bytes.end());
  out.insert(out.end(), word_bytes.begin(), word_bytes.end());
}

void rans_detail::decode_scalar(DecodeState& state, bool& ok) {
  for (; state.step < state.n_steps; ++state.step) {
    const uint32_t* offsets = state.offsets + state.step % state.pattern_steps * kRansLanes;
    uint8_t* symbols = state.symbols + state.step * kRansLanes;
    for (int lane = 0; lane < kRansLanes; ++lane) {
      uint32_t x = state.states[lane];
      const uint32_t entry = state.entries[offsets[lane] + (x & (kRansTotal - 1))];
      symbols[lane] = static_cast<uint8_t>(entry >> 24);
      x = (entry >> 12 & 0xfff) * (x >> kRansBits) + (entry & 0xfff);
      if (x < kLow) {
        if (state.words_end - state.words < 2) {
          ok = false;
          return;
        }
        uint16_t word;
        std::memcpy(&word, state.words, 2);
        state.words += 2;
        x = x << 16 | word;
      }
      state.states[lane] = x;
    }
  }
}

bool rans_decode_on(std::string_view path, const RansTables& tables, const RansPattern& pattern, ByteSpan stream,
                    std::span<uint8_t> symbols) {
  assert(symbols.size() % kRansLanes == 0 && !pattern.empty() && pattern.size() % kRansLanes == 0);
  rans_detail::DecodeState state;
  if (stream.size() < sizeof(state.states) || (stream.size() - sizeof(state.states)) % 2 != 0) return false;
  RansPattern offsets(pattern.size());
  for (size_t i = 0; i < pattern.size(); ++i) {
    assert(pattern[i] < static_cast<uint32_t>(tables.size()));
    offsets[i] = pattern[i] * kRansTotal;
  }
  std::memcpy(state.states, stream.data(), sizeof(state.states));
  for (const uint32_t x : state.states) {
    if (x < kLow) return false;
  }
  state.entries = tables.entries();
  state.offsets = offsets.data();
  state.pattern_steps = pattern.size() / kRansLanes;
  state.words = reinterpret_cast<const uint8_t*>(stream.data()) + sizeof(state.states);
  state.words_end = reinterpret_cast<const uint8_t*>(stream.data()) + stream.size();
  state.symbols = symbols.data();
  state.n_steps = symbols.size() / kRansLanes;
  if (path == "avx512") rans_detail::decode_avx512(state);
  if (path == "avx2") rans_detail::decode_avx2(state);
  bool ok = true;
  rans_detail::decode_scalar(state, ok);
  if (!ok || state.words != state.words_end) return false;
  return std::all_of(std::begin(state.states), std::end(state.states), [](uint32_t x) { return x == kLow; });
}

std::vector<std::string_view> rans_paths() {
  return codec_paths();
}

bool rans_decode(const RansTables& tables, const RansPattern& pattern, ByteSpan stream, std::span<uint8_t> symbols) {
  return rans_decode_on(best_codec_path(), tables, pattern, stream, symbols);
}

}  // namespace mneme::engine

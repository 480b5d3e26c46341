#include "engine/codec/rans.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "engine/codec/cpu_paths.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kLow = 1u << 16;  // states stay in [kLow, 2^32)

// Division by multiplication, exact for every state x < frequency * 2^21 and frequency f <= 2^11: with
// r = ceil(2^43 / f) and e = r f - 2^43 < f, x e < 2^43, so the error stays below 1 / f; and x r < 2^64.

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
    if (const uint64_t frequency = frequencies[symbol]; frequency > 0) {
      steps_.push_back({((uint64_t{1} << kRansReciprocalBits) + frequency - 1) / frequency,
                        static_cast<uint32_t>((frequency << (32 - kRansBits)) - 1), static_cast<uint16_t>(start),
                        static_cast<uint16_t>(frequency)});
    } else {
      steps_.emplace_back();
    }
    start += frequencies[symbol];
  }
  starts_.push_back(static_cast<uint16_t>(start));
  return table;
}

namespace {

// The states and the words given away so far. A symbol gives at most one word away; words are wanted in the opposite
// order, so they are written from the end.
struct Encoder {
  uint32_t states[kRansLanes];
  uint16_t* next;  // where the next word goes

  // Symbol n of the stream; from the last to the first.
  void add(const RansTables::Step& step, size_t n) {
    assert(step.frequency > 0);
    uint32_t x = states[n % kRansLanes];
    // Without a branch: whether a word goes is as good as random.
    *next = static_cast<uint16_t>(x);
    const unsigned gives = x > step.limit ? 1 : 0;
    next -= gives;
    x >>= 16 * gives;
    const auto quotient = static_cast<uint32_t>(x * step.reciprocal >> kRansReciprocalBits);
    states[n % kRansLanes] = (quotient << kRansBits) + (x - quotient * step.frequency) + step.start;
  }
};

// add_all: adds all symbols to the encoder it is given.
template <typename AddAll>
void encode_backwards(size_t n_symbols, const AddAll& add_all, std::vector<std::byte>& out) {
  assert(n_symbols % kRansLanes == 0);
  thread_local std::vector<uint16_t> words;
  words.resize(n_symbols + 1);
  uint16_t* const end = words.data() + words.size();
  Encoder encoder;
  std::fill(std::begin(encoder.states), std::end(encoder.states), kLow);
  encoder.next = end - 1;
  add_all(encoder);
  const auto state_bytes = std::as_bytes(std::span(encoder.states));
  const auto word_bytes = std::as_bytes(std::span(encoder.next + 1, end));
  out.insert(out.end(), state_bytes.begin(), state_bytes.end());
  out.insert(out.end(), word_bytes.begin(), word_bytes.end());
}

}  // namespace

void rans_encode(const RansTables& tables, const RansPattern& pattern, std::span<const uint8_t> symbols,
                 std::vector<std::byte>& out) {
  assert(!pattern.empty() && pattern.size() % kRansLanes == 0);
  const auto add_all = [&](Encoder& encoder) {
    size_t place = symbols.size() % pattern.size();
    for (size_t n = symbols.size(); n-- > 0;) {
      place = (place == 0 ? pattern.size() : place) - 1;
      encoder.add(tables.steps(static_cast<int>(pattern[place]))[symbols[n]], n);
    }
  };
  encode_backwards(symbols.size(), add_all, out);
}

void rans_encode(const RansTables& tables, const RansRuns& runs, std::span<const uint8_t> symbols,
                 std::vector<std::byte>& out) {
  const auto add_all = [&](Encoder& encoder) {
    size_t n = symbols.size();
    for (size_t run = runs.size(); run-- > 0;) {
      const RansTables::Step* const steps = tables.steps(static_cast<int>(runs[run].table));
      for (size_t left = runs[run].count; left > 0; --left) {
        --n;
        encoder.add(steps[symbols[n]], n);
      }
    }
  };
  encode_backwards(symbols.size(), add_all, out);
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

namespace {

using rans_detail::DecodeState;

bool begin_decoding(const RansTables& tables, ByteSpan stream, std::span<uint8_t> symbols, DecodeState& state) {
  assert(symbols.size() % kRansLanes == 0);
  if (stream.size() < sizeof(state.states) || (stream.size() - sizeof(state.states)) % 2 != 0) return false;
  std::memcpy(state.states, stream.data(), sizeof(state.states));
  for (const uint32_t x : state.states) {
    if (x < kLow) return false;
  }
  state.entries = tables.entries();
  state.words = reinterpret_cast<const uint8_t*>(stream.data()) + sizeof(state.states);
  state.words_end = reinterpret_cast<const uint8_t*>(stream.data()) + stream.size();
  state.symbols = symbols.data();
  return true;
}

// Decodes up to state.n_steps; false when the words run out.
bool decode_steps(std::string_view path, DecodeState& state) {
  if (path == "avx512") rans_detail::decode_avx512(state);
  if (path == "avx2") rans_detail::decode_avx2(state);
  bool ok = true;
  rans_detail::decode_scalar(state, ok);
  return ok;
}

bool ended_even(const DecodeState& state) {
  return state.words == state.words_end &&
         std::all_of(std::begin(state.states), std::end(state.states), [](uint32_t x) { return x == kLow; });
}

}  // namespace

bool rans_decode_on(std::string_view path, const RansTables& tables, const RansPattern& pattern, ByteSpan stream,
                    std::span<uint8_t> symbols) {
  assert(!pattern.empty() && pattern.size() % kRansLanes == 0);
  DecodeState state;
  if (!begin_decoding(tables, stream, symbols, state)) return false;
  RansPattern offsets(pattern.size());
  for (size_t i = 0; i < pattern.size(); ++i) {
    assert(pattern[i] < static_cast<uint32_t>(tables.size()));
    offsets[i] = pattern[i] * kRansTotal;
  }
  state.offsets = offsets.data();
  state.pattern_steps = pattern.size() / kRansLanes;
  state.n_steps = symbols.size() / kRansLanes;
  return decode_steps(path, state) && ended_even(state);
}

bool rans_decode_on(std::string_view path, const RansTables& tables, const RansRuns& runs, ByteSpan stream,
                    std::span<uint8_t> symbols) {
  DecodeState state;
  if (!begin_decoding(tables, stream, symbols, state)) return false;
  uint32_t offsets[kRansLanes];
  state.offsets = offsets;
  state.pattern_steps = 1;
  const size_t all_steps = symbols.size() / kRansLanes;
  size_t run = 0;
  size_t left = runs.empty() ? 0 : runs[0].count;
  while (state.step < all_steps) {
    if (left >= kRansLanes) {  // whole steps of one table
      std::fill(std::begin(offsets), std::end(offsets), runs[run].table * kRansTotal);
      state.n_steps = state.step + left / kRansLanes;
      left %= kRansLanes;
    } else {  // one step in which tables change
      for (uint32_t& offset : offsets) {
        while (left == 0) left = runs[++run].count;
        offset = runs[run].table * kRansTotal;
        --left;
      }
      state.n_steps = state.step + 1;
    }
    if (!decode_steps(path, state)) return false;
  }
  return ended_even(state);
}

std::vector<std::string_view> rans_paths() {
  return codec_paths();
}

bool rans_decode(const RansTables& tables, const RansPattern& pattern, ByteSpan stream, std::span<uint8_t> symbols) {
  return rans_decode_on(best_codec_path(), tables, pattern, stream, symbols);
}

bool rans_decode(const RansTables& tables, const RansRuns& runs, ByteSpan stream, std::span<uint8_t> symbols) {
  return rans_decode_on(best_codec_path(), tables, runs, stream, symbols);
}

}  // namespace mneme::engine

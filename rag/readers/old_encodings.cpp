#include "rag/readers/old_encodings.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr size_t kFewest = 3;  // accented letters within words that are evidence

// The characters of the bytes from 0x80.
using HighHalf = std::array<char32_t, 128>;

std::optional<HighHalf> high_half(std::string_view encoding) {
  std::string bytes;
  for (int byte = 0x80; byte < 0x100; ++byte) bytes += static_cast<char>(byte);
  const auto text = convert_from(bytes, encoding);
  if (!text.ok()) return std::nullopt;
  HighHalf half{};
  size_t at = 0;
  for (char32_t& c : half) c = at < text->size() ? utf8::next(*text, at) : U'\0';
  return half;
}

bool is_high(char c) {
  return (c & 0x80) != 0;
}

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

// A letter of Western languages that may stand behind this one.
bool goes_on_word(char before, char32_t c) {
  const bool western =
      (c >= 0xc0 && c <= 0xfe && c != 0xd7 && c != 0xf7 && c != 0xd0 && c != 0xde && c != 0xf0 && c != 0xfe) ||
      c == 0x152 || c == 0x153;
  return western && (!is_small(before) || u_islower(static_cast<UChar32>(c)));
}

// What windows-1252 has within words beside letters: apostrophes, dashes, soft hyphens.
bool parts_word(char32_t c) {
  return c == 0x2018 || c == 0x2019 || c == 0x2013 || c == 0x2014 || c == 0xad;
}

// The places of bytes beyond ASCII between two ASCII letters; none where there are not many more of these, as in texts
// of characters of two bytes.
std::vector<size_t> places_in_words(std::string_view bytes) {
  constexpr size_t kLettersForEach = 4;
  std::vector<size_t> places;
  size_t n_letters = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    n_letters += is_letter(bytes[i]) ? 1 : 0;
    const bool within = i > 0 && i + 1 < bytes.size() && is_letter(bytes[i - 1]) && is_letter(bytes[i + 1]);
    if (is_high(bytes[i]) && within) places.push_back(i);
  }
  if (n_letters < kLettersForEach * places.size()) places.clear();
  return places;
}

}  // namespace

std::optional<std::string> old_western_encoding(std::string_view bytes) {
  const std::vector<size_t> places = places_in_words(bytes);
  if (places.size() < kFewest) return std::nullopt;
  const auto count = [&](std::string_view encoding, bool may_part) {
    const std::optional<HighHalf> half = high_half(encoding);
    if (!half) return size_t{0};
    return static_cast<size_t>(std::count_if(places.begin(), places.end(), [&](size_t at) {
      const char32_t c = (*half)[static_cast<unsigned char>(bytes[at]) - 0x80];
      return goes_on_word(bytes[at - 1], c) || (may_part && parts_word(c));
    }));
  };
  if (count("windows-1252", true) * 2 > places.size()) return std::nullopt;
  std::string_view best;
  size_t most = places.size() - places.size() / 10 - 1;
  for (const std::string_view encoding : {"ibm-437", "ibm-850", "macintosh"}) {
    const size_t n = count(encoding, false);
    if (n > most) best = encoding;
    most = std::max(most, n);
  }
  return best.empty() ? std::nullopt : std::optional(std::string(best));
}

}  // namespace mneme::readers

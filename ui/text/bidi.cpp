#include "ui/text/bidi.h"

#include <algorithm>

#include <fribidi.h>

#include "base/utf8.h"

namespace mneme::ui {
namespace {

constexpr size_t kLongestLine = 4096;  // characters the algorithm is asked about; the rest runs on like the last

struct Decoded {
  std::vector<FriBidiChar> characters;
  std::vector<size_t> offsets;  // of each character, and the end
};

Decoded decode(std::string_view text) {
  Decoded decoded;
  for (size_t offset = 0; offset < text.size() && decoded.characters.size() < kLongestLine;) {
    decoded.offsets.push_back(offset);
    decoded.characters.push_back(static_cast<FriBidiChar>(utf8::next(text, offset)));
  }
  decoded.offsets.push_back(text.size());
  return decoded;
}

}  // namespace

bool reads_right_to_left(std::string_view text) {
  const Decoded decoded = decode(text.substr(0, utf8::floor_boundary(text, 400)));
  const auto n = static_cast<FriBidiStrIndex>(decoded.characters.size());
  std::vector<FriBidiCharType> types(decoded.characters.size());
  fribidi_get_bidi_types(decoded.characters.data(), n, types.data());
  return FRIBIDI_IS_RTL(fribidi_get_par_direction(types.data(), n)) != 0;
}

std::vector<BidiRun> visual_runs(std::string_view line, bool paragraph_right_to_left) {
  const Decoded decoded = decode(line);
  const size_t n = decoded.characters.size();
  std::vector<BidiRun> runs;
  if (n == 0) return runs;
  std::vector<FriBidiCharType> types(n);
  std::vector<FriBidiBracketType> brackets(n);
  std::vector<FriBidiLevel> levels(n);
  const auto count = static_cast<FriBidiStrIndex>(n);
  fribidi_get_bidi_types(decoded.characters.data(), count, types.data());
  fribidi_get_bracket_types(decoded.characters.data(), count, types.data(), brackets.data());
  FriBidiParType base = paragraph_right_to_left ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
  if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count, &base, levels.data()) == 0)
    return {{0, line.size(), paragraph_right_to_left}};
  // Runs of one level, in logical order; then rule L2: from the highest level down to the lowest odd one, every
  // sequence of runs at that level or above is reversed.
  std::vector<FriBidiLevel> run_levels;
  for (size_t i = 0; i < n; ++i) {
    if (i == 0 || levels[i] != levels[i - 1]) {
      runs.push_back({decoded.offsets[i], decoded.offsets[i + 1], levels[i] % 2 == 1});
      run_levels.push_back(levels[i]);
    }
    runs.back().end = decoded.offsets[i + 1];
  }
  const int highest = *std::max_element(run_levels.begin(), run_levels.end());
  for (int level = highest; level >= 1; --level) {
    for (size_t begin = 0; begin < runs.size();) {
      size_t end = begin;
      while (end < runs.size() && run_levels[end] >= level) ++end;
      std::reverse(runs.begin() + static_cast<std::ptrdiff_t>(begin), runs.begin() + static_cast<std::ptrdiff_t>(end));
      std::reverse(run_levels.begin() + static_cast<std::ptrdiff_t>(begin),
                   run_levels.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end + 1;
    }
  }
  return runs;
}

}  // namespace mneme::ui

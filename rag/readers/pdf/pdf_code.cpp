#include "rag/readers/pdf/pdf_code.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr float kSamePitch = 0.012F;  // share of the pitch that a word's characters may differ by
constexpr float kOnGrid = 0.12F;      // likewise, of a place from where the grid of characters has one
constexpr size_t kSureWords = 3;      // of different letters: in other type they do not all have one mean width
constexpr size_t kSureCharacters = 8;
constexpr double kMostCode = 0.75;    // of a document: more is a typewriter's
constexpr size_t kFewestSure = 3;     // lines of a document that its pitch is known by
constexpr float kListingGap = 1.9F;   // between lines of a listing, in heights of one: an empty line
constexpr float kLargestType = 1.1F;  // of the body's
constexpr int kWidestIndent = 60;     // characters

// Only what every font of fixed pitch holds: arrows and mathematical signs come from others.
bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

bool differs(float a, float b, float share) {
  return std::abs(a - b) > share * b;
}

float from_grid(float distance, float pitch) {
  const float steps = distance / pitch;
  return std::abs(steps - std::round(steps));
}

// The width of a character in the longest word; 0: no word tells.
float pitch_of_longest(const std::vector<PdfWord>& words) {
  const PdfWord* longest = nullptr;
  for (const PdfWord& word : words) {
    if (is_ascii(word.text) && (longest == nullptr || word.text.size() > longest->text.size())) longest = &word;
  }
  if (longest == nullptr) return 0;
  return (longest->x_max - longest->x_min) / static_cast<float>(longest->text.size());
}

std::string spaced_text(const std::vector<PdfWord>& words, float pitch) {
  std::string text;
  const PdfWord* before = nullptr;
  for (const PdfWord& word : words) {
    if (before != nullptr) {
      const auto spaces = static_cast<int>(std::lround((word.x_min - before->x_max) / pitch));
      text.append(static_cast<size_t>(std::clamp(spaces, 0, kWidestIndent)), ' ');
    }
    text += word.text;
    before = &word;
  }
  return text;
}

// Characters are half to two thirds as wide as lines are high; none: -1.
int pitch_key(const PdfLine& line) {
  const float share = line.word_height > 0 ? line.pitch / line.word_height : 0;
  return share > 0.2F && share < 1.5F ? static_cast<int>(std::lround(100 * share)) : -1;
}

bool follows(const PdfLine& before, const PdfLine& line) {
  if (line.middle() <= before.y_max || line.y_min - before.y_max > kListingGap * before.height()) return false;
  return !differs(line.pitch, before.pitch, 2 * kSamePitch) &&
         from_grid(line.pitch_x - before.pitch_x, before.pitch) < kOnGrid;
}

}  // namespace

void measure_pitch(const std::vector<PdfWord>& words, PdfLine& line) {
  const float pitch = pitch_of_longest(words);
  if (pitch <= 0 || line.from_right) return;
  const auto first = std::find_if(words.begin(), words.end(), [](const PdfWord& word) { return is_ascii(word.text); });
  size_t n_words = 0;
  size_t n_characters = 0;
  bool on_grid = true;
  for (const PdfWord& word : words) {
    if (!is_ascii(word.text)) continue;
    const auto characters = static_cast<float>(word.text.size());
    if (differs((word.x_max - word.x_min) / characters, pitch, kSamePitch)) return;
    on_grid = on_grid && from_grid(word.x_min - first->x_min, pitch) < kOnGrid;
    ++n_words;
    n_characters += word.text.size();
  }
  const std::string spaced = spaced_text(words, pitch);
  const auto letters = std::count_if(spaced.begin(), spaced.end(),
                                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  line.pitch = pitch;
  line.pitch_x = first->x_min;
  line.sure_pitch = on_grid && n_words >= kSureWords && n_characters >= kSureCharacters && letters >= 4;
  line.spaced = spaced;
}

void CodeLines::learn(std::span<const PdfPage> batch) {
  for (const PdfPage& page : batch) {
    for (const PdfLine& line : page.lines) {
      size_t bytes = 0;
      for (const PdfSegment& segment : line.segments) bytes += segment.text.size();
      all_bytes_ += bytes;
      if (pitch_key(line) < 0) continue;
      Pitch& pitch = pitches_[pitch_key(line)];
      pitch.sure_lines += line.sure_pitch ? 1 : 0;
      pitch.bytes += bytes;
    }
  }
}

bool CodeLines::is_known_pitch(int key) const {
  size_t n_lines = 0;
  for (auto near = pitches_.lower_bound(key - 1); near != pitches_.end() && near->first <= key + 1; ++near) {
    n_lines += near->second.sure_lines;
  }
  return n_lines >= kFewestSure;
}

bool CodeLines::is_known(const PdfLine& line) const {
  const int key = pitch_key(line);
  return key >= 0 && is_known_pitch(key);
}

bool CodeLines::is_the_body() const {
  size_t bytes = 0;
  for (const auto& [key, pitch] : pitches_) bytes += is_known_pitch(key) ? pitch.bytes : 0;
  return static_cast<double>(bytes) > kMostCode * static_cast<double>(all_bytes_);
}

std::vector<int> CodeLines::listings(const PdfPage& page, float body_height) const {
  std::vector<int> listing(page.lines.size(), 0);
  if (is_the_body()) return listing;
  const std::vector<PdfLine>& lines = page.lines;
  const auto is_code = [&](const PdfLine& line) {
    return is_known(line) && line.word_height <= kLargestType * body_height;
  };
  const auto block_of = [&](size_t i) { return i < lines.size() ? lines[i].block : -1; };
  int number = 0;
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = begin;
    bool sure = false;
    while (end < lines.size() && is_code(lines[end]) && (end == begin || follows(lines[end - 1], lines[end]))) {
      sure = sure || lines[end].sure_pitch;
      ++end;
    }
    const bool alone = block_of(begin) != (begin == 0 ? -1 : block_of(begin - 1)) && block_of(begin) != block_of(end);
    if (sure && (end - begin > 1 || alone)) {
      ++number;
      std::fill(listing.begin() + static_cast<std::ptrdiff_t>(begin),
                listing.begin() + static_cast<std::ptrdiff_t>(end), number);
    }
    begin = std::max(end, begin + 1);
  }
  return listing;
}

std::string CodeLines::text_of(std::span<const PdfLine> lines) {
  float left = lines.front().x_min;
  for (const PdfLine& line : lines) left = std::min(left, line.x_min);
  std::string text;
  const PdfLine* before = nullptr;
  for (const PdfLine& line : lines) {
    if (before != nullptr) text += line.y_min - before->y_max > 0.8F * line.height() ? "\n\n" : "\n";
    const auto indent = static_cast<int>(std::lround((line.x_min - left) / line.pitch));
    text.append(static_cast<size_t>(std::clamp(indent, 0, kWidestIndent)), ' ');
    text += line.spaced;
    before = &line;
  }
  return text;
}

}  // namespace mneme::readers

#include "ui/view_model/cited_words.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/utf8.h"

namespace mneme::ui {
namespace {

constexpr size_t kLongestSaid = 4000;  // letters
constexpr size_t kSeed = 3;            // letters in a row that begin a stretch
constexpr size_t kMostPlaces = 16;     // of one seed that are tried
constexpr size_t kFewestLetters = 9;
constexpr size_t kFewestDense = 4;  // where every letter is a word

struct Letter {
  char32_t character = 0;
  size_t begin = 0;
  size_t end = 0;
  size_t line = 0;
};

bool is_dense(char32_t c) {  // scripts written without spaces
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) || c >= 0x20000;
}

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  const bool punctuation = (c >= 0x80 && c <= 0xbf) || (c >= 0x2000 && c <= 0x206f) || (c >= 0x3000 && c <= 0x303f) ||
                           (c >= 0xff00 && c <= 0xff0f) || (c >= 0xff1a && c <= 0xff20) || c == 0xfffd;
  return !punctuation;
}

std::vector<Letter> letters_of(std::string_view text, size_t most) {
  std::vector<Letter> letters;
  size_t line = 0;
  for (size_t offset = 0; offset < text.size() && letters.size() < most;) {
    const size_t begin = offset;
    char32_t c = utf8::next(text, offset);
    if (c == '\n') ++line;
    if (!is_letter(c)) continue;
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    letters.push_back({c, begin, offset, line});
  }
  return letters;
}

bool begins_word(const std::vector<Letter>& letters, size_t i) {
  return i == 0 || i >= letters.size() || letters[i].begin != letters[i - 1].end || is_dense(letters[i].character) ||
         is_dense(letters[i - 1].character);
}

uint64_t seed_at(const std::vector<Letter>& letters, size_t i) {
  uint64_t seed = 0;
  for (size_t k = i; k < i + kSeed; ++k) seed = seed << 21 | letters[k].character;
  return seed;
}

using Places = std::unordered_map<uint64_t, std::vector<size_t>>;

Places places_of(const std::vector<Letter>& letters) {
  Places places;
  for (size_t i = 0; i + kSeed <= letters.size(); ++i) {
    std::vector<size_t>& list = places[seed_at(letters, i)];
    if (list.size() < kMostPlaces) list.push_back(i);
  }
  return places;
}

// How many letters from text[i] and said[k] on are the same, within a line of `said`.
size_t shared_from(const std::vector<Letter>& text, size_t i, const std::vector<Letter>& said, size_t k) {
  size_t n = 0;
  while (i + n < text.size() && k + n < said.size() && said[k + n].line == said[k].line &&
         text[i + n].character == said[k + n].character)
    ++n;
  return n;
}

bool is_whole_line(const std::vector<Letter>& said, size_t begin, size_t end) {
  return (begin == 0 || said[begin - 1].line != said[begin].line) &&
         (end == said.size() || said[end].line != said[begin].line);
}

// Whether letters [begin, end) of the text say enough to be shown.
bool is_enough(const std::vector<Letter>& text, size_t begin, size_t end) {
  size_t dense = 0;
  size_t words = 0;
  for (size_t i = begin; i < end; ++i) {
    dense += is_dense(text[i].character) ? 1 : 0;
    words += begins_word(text, i) ? 1 : 0;
  }
  return dense >= kFewestDense || (words >= 2 && end - begin >= kFewestLetters);
}

// Where a citation like [12] that ends at `end` begins; `end` where there is none.
size_t citation_begin(std::string_view answer, size_t end) {
  if (end < 3 || answer[end - 1] != ']') return end;
  size_t at = end - 1;
  while (at > 0 && answer[at - 1] >= '0' && answer[at - 1] <= '9') --at;
  return at > 0 && at < end - 1 && answer[at - 1] == '[' ? at - 1 : end;
}

}  // namespace

std::string words_citing(std::string_view answer, int n) {
  const std::string mark = "[" + std::to_string(n) + "]";
  std::string said;
  for (size_t at = answer.find(mark); at != answer.npos; at = answer.find(mark, at + 1)) {
    size_t end = at;
    // Citations in a row stand behind the same words.
    for (;;) {
      while (end > 0 && answer[end - 1] == ' ') --end;
      const size_t before = citation_begin(answer, end);
      if (before == end) break;
      end = before;
    }
    size_t begin = end;
    while (begin > 0 && answer[begin - 1] != '\n' && citation_begin(answer, begin) == begin) --begin;
    if (begin == end) continue;
    said += answer.substr(begin, end - begin);
    said += '\n';
  }
  return said;
}

std::vector<Stretch> shared_stretches(std::string_view text_bytes, std::string_view said_bytes) {
  const std::vector<Letter> text = letters_of(text_bytes, text_bytes.size());
  const std::vector<Letter> said = letters_of(said_bytes, kLongestSaid);
  const Places places = places_of(said);
  std::vector<Stretch> stretches;
  for (size_t i = 0; i + kSeed <= text.size();) {
    const auto found = places.find(seed_at(text, i));
    size_t end = i;
    if (found != places.end() && begins_word(text, i)) {
      for (const size_t k : found->second) {
        size_t stop = i + shared_from(text, i, said, k);
        while (stop > i && !begins_word(text, stop)) --stop;
        if (stop > end && (is_enough(text, i, stop) || is_whole_line(said, k, k + (stop - i)))) end = stop;
      }
    }
    if (end > i) stretches.push_back({text[i].begin, text[end - 1].end});
    i = std::max(i + 1, end);
  }
  return stretches;
}

}  // namespace mneme::ui

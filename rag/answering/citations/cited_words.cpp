#include "rag/answering/citations/cited_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "base/utf8.h"
#include "rag/answering/citations/citation_check.h"
#include "rag/answering/citations/said_cells.h"

namespace mneme::rag {
namespace {

constexpr size_t kLongestSaid = 4000;    // letters
constexpr size_t kLongestCitation = 80;  // bytes of "[1, 2, 5-9]"
constexpr size_t kSeed = 3;              // letters in a row that begin a stretch
constexpr size_t kMostPlaces = 16;       // of one seed that are tried
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
  const size_t from = end - std::min(end, kLongestCitation);
  const size_t open = answer.substr(from, end - from).rfind('[');
  if (open == answer.npos) return end;
  const size_t begin = from + open;
  size_t behind = begin;
  return !parse_citation(answer, behind).empty() && behind == end ? begin : end;
}

// Where citations in a row that go on at `at` end: "[1] [2][1]" stands behind the same words as "[1]" alone.
size_t row_end(std::string_view answer, size_t at) {
  for (;;) {
    size_t behind = std::min(answer.find_first_not_of(' ', at), answer.size());
    if (parse_citation(answer, behind).empty()) return at;
    at = behind;
  }
}

// Whether the line that begins at `at` is an item of a list.
bool begins_item(std::string_view answer, size_t at) {
  while (at < answer.size() && answer[at] == ' ') ++at;
  const std::string_view line = answer.substr(at);
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("• ")) return true;
  const size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != line.npos && (line.substr(digits).starts_with(". ") || line[digits] == ')');
}

// Where what a citation stands behind begins: at the citation before it, or at its line's begin; a list with one
// citation at its end is cited as a whole, with the line that announces it.
size_t said_begin(std::string_view answer, size_t end) {
  size_t begin = end;
  while (begin > 0 && citation_begin(answer, begin) == begin) {
    if (answer[begin - 1] == '\n') {
      const bool blank_before = begin > 1 && answer[begin - 2] == '\n';
      if (blank_before || !begins_item(answer, begin)) break;
    }
    --begin;
  }
  return begin;
}

// The code between fences that a citation on the line behind them stands for; empty where none is before `end`.
std::string_view fenced_code(std::string_view answer, size_t end) {
  constexpr std::string_view kFence = "```";
  const std::string_view before = answer.substr(0, end);
  if (!before.ends_with("\n```\n")) return {};
  const size_t close = end - kFence.size() - 1;
  const size_t open = before.rfind(kFence, close - 1);
  const size_t begin = open == before.npos ? before.npos : before.find('\n', open);
  return begin == before.npos || begin >= close ? std::string_view() : before.substr(begin + 1, close - begin - 1);
}

// Where the next citation begins that names n.
size_t find_citation(std::string_view answer, int n, size_t from) {
  for (size_t at = answer.find('[', from); at != answer.npos; at = answer.find('[', at + 1)) {
    size_t behind = at;
    const std::vector<int> numbers = parse_citation(answer, behind);
    if (std::find(numbers.begin(), numbers.end(), n) != numbers.end()) return at;
  }
  return answer.npos;
}

}  // namespace

std::string words_citing(std::string_view answer, int n) {
  std::string said;
  for (size_t at = find_citation(answer, n, 0); at != answer.npos; at = find_citation(answer, n, row_end(answer, at))) {
    size_t end = at;
    // Citations in a row stand behind the same words.
    for (;;) {
      while (end > 0 && answer[end - 1] == ' ') --end;
      const size_t before = citation_begin(answer, end);
      if (before == end) break;
      end = before;
    }
    const size_t begin = said_begin(answer, end);
    const std::string_view words = begin == end ? fenced_code(answer, end) : answer.substr(begin, end - begin);
    if (words.empty()) continue;
    said += words;
    said += '\n';
  }
  return said;
}

namespace {

// Letters [text, text + length) of a text that are letters [said, said + length) of what is said.
struct Shared {
  size_t text = 0;
  size_t said = 0;
  size_t length = 0;
};

// Without those whose every word a longer one says too: "seconds to", where "for five seconds to clear" stands
// elsewhere.
void drop_chance_repeats(std::vector<Shared>& all, size_t n_said) {
  std::vector<size_t> longest(n_said, 0);
  for (const Shared& one : all) {
    for (size_t k = one.said; k < one.said + one.length; ++k) longest[k] = std::max(longest[k], one.length);
  }
  std::erase_if(all, [&](const Shared& one) {
    const auto begin = longest.begin() + static_cast<std::ptrdiff_t>(one.said);
    return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(one.length),
                       [&](size_t length) { return length > one.length; });
  });
}

std::vector<Shared> shared_letters(const std::vector<Letter>& text, const std::vector<Letter>& said) {
  const Places places = places_of(said);
  std::vector<Shared> all;
  for (size_t i = 0; i + kSeed <= text.size();) {
    const auto found = places.find(seed_at(text, i));
    size_t end = i;
    size_t where = 0;
    if (found != places.end() && begins_word(text, i)) {
      for (const size_t k : found->second) {
        size_t stop = i + shared_from(text, i, said, k);
        while (stop > i && !begins_word(text, stop)) --stop;
        if (stop <= end || (!is_enough(text, i, stop) && !is_whole_line(said, k, k + (stop - i)))) continue;
        end = stop;
        where = k;
      }
    }
    if (end > i) all.push_back({i, where, end - i});
    i = std::max(i + 1, end);
  }
  drop_chance_repeats(all, said.size());
  return all;
}

Stretch stretch_of(const Shared& one, const std::vector<Letter>& text) {
  return {text[one.text].begin, text[one.text + one.length - 1].end};
}

// A line of a text with how much of it is said, in bytes.
struct SaidLine {
  size_t begin = 0;
  size_t end = 0;
  size_t names = 0;  // headings and names of columns
  size_t words = 0;  // others
};

std::vector<SaidLine> lines_of(std::string_view text) {
  std::vector<SaidLine> lines;
  for (size_t begin = 0; begin < text.size(); begin = lines.back().end + 1)
    lines.push_back({begin, std::min(text.find('\n', begin), text.size())});
  return lines;
}

// "Known limits: ..."
bool names_what_follows(std::string_view said, size_t end) {
  return said.substr(std::min(said.find_first_not_of("*_` ", end), said.size())).starts_with(':');
}

// The first that has half as much as any has: two words of another sentence are not what is looked for.
const SaidLine* first_said(const std::vector<SaidLine>& lines, size_t SaidLine::* said) {
  size_t most = 0;
  for (const SaidLine& line : lines) most = std::max(most, line.*said);
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const SaidLine& l) { return 2 * (l.*said) >= most; });
  return most == 0 ? nullptr : &*found;
}

}  // namespace

std::vector<Stretch> shared_stretches(std::string_view text_bytes, std::string_view said_bytes) {
  const std::vector<Letter> text = letters_of(text_bytes, text_bytes.size());
  std::vector<Stretch> stretches;
  for (const Shared& one : shared_letters(text, letters_of(said_bytes, kLongestSaid)))
    stretches.push_back(stretch_of(one, text));
  return stretches;
}

std::vector<Stretch> said_rows(std::string_view text, std::string_view said) {
  const SaidCells cells(said.substr(0, kLongestSaid));
  std::vector<Stretch> rows;
  for (const SaidLine& line : lines_of(text)) {
    const std::string_view row = text.substr(line.begin, line.end - line.begin);
    if (row.find_first_of("\t|") != row.npos && cells.shared_with(row) > 0) rows.push_back({line.begin, line.end});
  }
  return rows;
}

size_t first_line_said(std::string_view text_bytes, std::string_view said_bytes) {
  const std::vector<Letter> text = letters_of(text_bytes, text_bytes.size());
  const std::vector<Letter> said = letters_of(said_bytes, kLongestSaid);
  std::vector<SaidLine> lines = lines_of(text_bytes);
  for (const Shared& one : shared_letters(text, said)) {
    const Stretch stretch = stretch_of(one, text);
    const auto behind = std::upper_bound(lines.begin(), lines.end(), stretch.begin,
                                         [](size_t byte, const SaidLine& line) { return byte < line.begin; });
    const bool names = names_what_follows(said_bytes, said[one.said + one.length - 1].end);
    (names ? (behind - 1)->names : (behind - 1)->words) += stretch.end - stretch.begin;
  }
  const SaidCells cells(said_bytes.substr(0, kLongestSaid));
  for (SaidLine& line : lines)
    line.words = std::max(line.words, cells.shared_with(text_bytes.substr(line.begin, line.end - line.begin)));
  const SaidLine* found = first_said(lines, &SaidLine::words);
  if (found == nullptr) found = first_said(lines, &SaidLine::names);
  return found == nullptr ? 0 : found->begin;
}

}  // namespace mneme::rag

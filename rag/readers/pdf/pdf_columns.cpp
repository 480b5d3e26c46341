#include "rag/readers/pdf/pdf_columns.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostWords = 8'000;     // of a page that is looked at
constexpr size_t kFewestCharacters = 8;  // that a page is judged by
constexpr float kElongated = 1.2F;       // sides of a word of several characters
constexpr float kClearlyNearer = 1.1F;   // of neighbours across to those below
constexpr float kFurigana = 0.66F;       // of the size of what they are beside, at most
constexpr float kTierGap = 1.5F;         // in sizes of a character, over the whole page
constexpr float kOtherType = 1.12F;      // of the sizes of two columns
constexpr float kSpace = 0.7F;           // likewise, within a column

bool is_wide(char32_t c) {
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe4f) ||
         (c >= 0xff00 && c <= 0xff60) || (c >= 0x20000 && c <= 0x323af);
}

struct Piece {
  const PdfWord* word = nullptr;
  size_t characters = 0;
  bool wide = false;  // in a script whose characters fill squares

  float width() const { return word->x_max - word->x_min; }
  float height() const { return word->y_max - word->y_min; }
  float middle() const { return (word->x_min + word->x_max) / 2; }
};

Piece piece_of(const PdfWord& word) {
  Piece piece{&word, 0, false};
  size_t n_wide = 0;
  for (size_t i = 0; i < word.text.size(); ++piece.characters) n_wide += is_wide(utf8::next(word.text, i)) ? 1 : 0;
  piece.wide = 2 * n_wide > piece.characters;
  return piece;
}

float median(std::vector<float> values, float otherwise) {
  if (values.empty()) return otherwise;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The usual distance of single characters to the next in the same column (or row): those whose places across, in steps
// of half a character, are the same.
template <typename Across, typename Along>
float usual_distance(std::vector<Piece> pieces, float size, const Across& across, const Along& along) {
  const auto place = [&](const Piece& piece) { return std::lround(across(piece) / (0.5F * size)); };
  std::sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) {
    const auto place_a = place(a);
    const auto place_b = place(b);
    return place_a != place_b ? place_a < place_b : along(a) < along(b);
  });
  std::vector<float> distances;
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (place(pieces[i]) == place(pieces[i - 1])) distances.push_back(along(pieces[i]) - along(pieces[i - 1]));
  }
  return median(std::move(distances), 1e9F);
}

// How many characters stand below each other, and how many beside each other.
struct Votes {
  size_t down = 0;
  size_t across = 0;
};
Votes count_votes(const std::vector<Piece>& pieces) {
  Votes votes;
  std::vector<Piece> singles;
  std::vector<float> sizes;
  for (const Piece& piece : pieces) {
    if (!piece.wide) continue;
    if (piece.characters == 1) {
      singles.push_back(piece);
      sizes.push_back(piece.width());
    } else if (piece.height() > kElongated * piece.width()) {
      votes.down += piece.characters;
    } else if (piece.width() > kElongated * piece.height()) {
      votes.across += piece.characters;
    }
  }
  const float size = median(sizes, 0);
  if (size <= 0) return votes;
  const auto x = [](const Piece& piece) { return piece.middle(); };
  const auto y = [](const Piece& piece) { return piece.word->y_min; };
  const bool down = kClearlyNearer * usual_distance(singles, size, x, y) < usual_distance(singles, size, y, x);
  (down ? votes.down : votes.across) += singles.size();
  return votes;
}

// The size of most characters that stand in columns.
float body_size(const std::vector<Piece>& pieces) {
  std::vector<float> widths;
  for (const Piece& piece : pieces) {
    const bool in_column = piece.wide && (piece.characters == 1 || piece.height() > kElongated * piece.width());
    if (in_column) widths.insert(widths.end(), std::min<size_t>(piece.characters, 64), piece.width());
  }
  return median(std::move(widths), 0);
}

// Readings stand to the right of what they are of.
bool is_furigana(const Piece& piece, const std::vector<Piece>& pieces, float size) {
  if (piece.width() > kFurigana * size || !is_kana(piece.word->text)) return false;
  return std::any_of(pieces.begin(), pieces.end(), [&](const Piece& base) {
    const float gap = piece.word->x_min - base.word->x_max;
    return base.wide && piece.width() <= kFurigana * base.width() && gap > -0.5F * size && gap < 0.5F * size &&
           base.word->y_min < piece.word->y_max && base.word->y_max > piece.word->y_min;
  });
}

// Forms that signs have in columns ("﹁") become the signs ("「").
std::string with_usual_signs(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* compatible = icu::Normalizer2::getNFKCInstance(error);
  if (U_FAILURE(error)) return std::string(text);
  std::string usual;
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    const char32_t c = utf8::next(text, i);
    const bool turned = (c >= 0xfe10 && c <= 0xfe19) || (c >= 0xfe30 && c <= 0xfe48);
    if (!turned) {
      usual.append(text.substr(begin, i - begin));
      continue;
    }
    compatible->normalize(icu::UnicodeString(static_cast<UChar32>(c)), error).toUTF8String(usual);
  }
  return U_FAILURE(error) ? std::string(text) : usual;
}

struct Column {
  float middle = 0;
  std::vector<Piece> pieces;
};

// Columns of one tier, the right one first.
std::vector<Column> columns_of(std::vector<Piece> pieces, float size) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.middle() > b.middle(); });
  std::vector<Column> columns;
  for (const Piece& piece : pieces) {
    if (columns.empty() || columns.back().middle - piece.middle() > 0.5F * size)
      columns.push_back({piece.middle(), {}});
    columns.back().pieces.push_back(piece);
  }
  for (Column& column : columns) {
    std::sort(column.pieces.begin(), column.pieces.end(),
              [](const Piece& a, const Piece& b) { return a.word->y_min < b.word->y_min; });
  }
  return columns;
}

// The column as a line. offset: of its tier.
PdfLine lay_down(const Column& column, float page_width, float offset, int block) {
  PdfLine line;
  line.block = block;
  line.x_min = line.y_min = 1e9F;
  line.x_max = line.y_max = -1e9F;
  std::string text;
  std::vector<float> sizes;
  const PdfWord* before = nullptr;
  for (const Piece& piece : column.pieces) {
    const PdfWord& word = *piece.word;
    line.x_min = std::min(line.x_min, word.y_min);
    line.x_max = std::max(line.x_max, word.y_max);
    line.y_min = std::min(line.y_min, offset + page_width - word.x_max);
    line.y_max = std::max(line.y_max, offset + page_width - word.x_min);
    const bool gap = before != nullptr && word.y_min - before->y_max > kSpace * piece.width();
    const bool words = before != nullptr && !piece.wide && (before->text.back() & 0x80) == 0;
    if (gap || words) text += ' ';
    text += with_usual_signs(word.text);
    sizes.push_back(piece.width());
    before = &word;
  }
  line.word_height = median(std::move(sizes), 0);
  line.segments.push_back({line.x_min, line.x_max, std::move(text)});
  return line;
}

// Parts of the page one below the other, between which nothing is written from side to side.
std::vector<std::vector<Piece>> tiers_of(std::vector<Piece> pieces, float size) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.word->y_min < b.word->y_min; });
  std::vector<std::vector<Piece>> tiers;
  float reach = 0;
  for (const Piece& piece : pieces) {
    if (tiers.empty() || piece.word->y_min - reach > kTierGap * size) tiers.emplace_back();
    tiers.back().push_back(piece);
    reach = std::max(reach, piece.word->y_max);
  }
  return tiers;
}

// What a page holds besides its columns, by the lines that it stood in.
using Across = std::map<int, std::vector<const PdfWord*>>;

class ColumnPage {
 public:
  ColumnPage(const std::vector<Piece>& pieces, float size) : size_(size) {
    for (const Piece& piece : pieces) {
      const bool stands = piece.characters == 1 || piece.height() > kElongated * piece.width();
      if (!piece.wide || !stands) continue;
      if (!is_furigana(piece, pieces, size)) columns_.push_back(piece);
    }
    const size_t n_wide = columns_.size();
    for (const Piece& piece : pieces) {
      const bool stands = piece.characters == 1 || piece.height() > kElongated * piece.width();
      if (piece.wide && stands) continue;
      if (!piece.wide && is_in_column(piece, n_wide)) {
        columns_.push_back(piece);
      } else {
        across_[piece.word->line].push_back(piece.word);
      }
    }
  }

  void write(PdfPage& page) const {
    std::vector<PdfLine> lines;
    float top = 1e9F;
    for (const Piece& piece : columns_) top = std::min(top, piece.word->y_min);
    const auto tiers = tiers_of(columns_, size_);
    const float height = page.width * static_cast<float>(std::max<size_t>(tiers.size(), 1));
    int block = 0;
    for (const bool above : {true, false}) {
      if (!above) add_tiers(tiers, page.width, block, lines);
      for (const auto& [line, words] : across_) {
        if ((words.front()->y_max <= top) == above) lines.push_back(line_across(words, page, height, block++));
      }
    }
    page.lines = std::move(lines);
    page.width = page.height;
    page.height = height;
  }

 private:
  // Numbers and words of other scripts, upright or lying, between the characters of a column.
  bool is_in_column(const Piece& piece, size_t n_wide) const {
    if (piece.width() > 1.8F * size_) return false;
    return std::any_of(
        columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(n_wide), [&](const Piece& other) {
          const float gap = std::max(piece.word->y_min - other.word->y_max, other.word->y_min - piece.word->y_max);
          return std::abs(piece.middle() - other.middle()) < 0.6F * size_ && gap < 2.5F * size_;
        });
  }

  void add_tiers(const std::vector<std::vector<Piece>>& tiers, float page_width, int& block,
                 std::vector<PdfLine>& lines) const {
    float offset = 0;
    for (const std::vector<Piece>& tier : tiers) {
      for (const Column& column : columns_of(tier, size_)) {
        PdfLine line = lay_down(column, page_width, offset, block);
        // Larger type is a heading, a block of its own.
        const float before = lines.empty() ? line.word_height : lines.back().word_height;
        if (std::max(line.word_height, before) > kOtherType * std::min(line.word_height, before)) line.block = ++block;
        lines.push_back(std::move(line));
      }
      offset += page_width;
      ++block;
    }
  }

  // At the edge of the page that is laid down where it stood at one, so that what runs over pages is known.
  static PdfLine line_across(const std::vector<const PdfWord*>& words, const PdfPage& page, float height, int block) {
    constexpr float kEdge = 0.12F;
    PdfLine line;
    line.block = block;
    const PdfWord& first = *words.front();
    const bool at_edge = first.y_max < kEdge * page.height || first.y_min > (1 - kEdge) * page.height;
    line.x_min = first.x_min;
    line.x_max = words.back()->x_max;
    line.y_min = at_edge ? 0 : height / 2;
    line.y_max = line.y_min + first.y_max - first.y_min;
    line.word_height = first.y_max - first.y_min;
    for (const PdfWord* word : words) line.add_word(word->x_min, word->x_max, word->text);
    return line;
  }

  const float size_;
  std::vector<Piece> columns_;  // what is written in them
  Across across_;
};

}  // namespace

bool is_kana(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const char32_t c = utf8::next(text, i);
    if (c < 0x3041 || c > 0x30ff) return false;
  }
  return !text.empty();
}

bool lay_down_columns(const std::vector<PdfWord>& words, PdfPage& page) {
  if (words.size() > kMostWords) return false;
  std::vector<Piece> pieces;
  pieces.reserve(words.size());
  for (const PdfWord& word : words) pieces.push_back(piece_of(word));
  const Votes votes = count_votes(pieces);
  if (votes.down + votes.across < kFewestCharacters || votes.down * 2 <= votes.across * 3) return false;
  ColumnPage(pieces, body_size(pieces)).write(page);
  return true;
}

}  // namespace mneme::readers

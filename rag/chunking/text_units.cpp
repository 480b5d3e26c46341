#include "rag/chunking/text_units.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"

namespace mneme::chunking {
namespace {

using rag::Block;
using rag::BlockKind;

// Paragraphs up to this size stay whole: their inner borders would never win against their own beginning.
constexpr int64_t kWholeQuarters = 48 * 4;

// Quarter tokens by first byte of a character; continuation bytes count nothing. Three-byte characters below U+2E80
// (first bytes E0 to E2: Thai, Indic, punctuation) take about two thirds of a token, those above (CJK) one.
constexpr std::array<uint8_t, 256> make_quarters() {
  std::array<uint8_t, 256> table{};
  for (int b = 0; b < 0x80; ++b) table[b] = 1;
  for (int b = 0xc0; b < 0xe0; ++b) table[b] = 2;
  for (int b = 0xe0; b < 0xe3; ++b) table[b] = 3;
  for (int b = 0xe3; b < 0xf0; ++b) table[b] = 4;
  for (int b = 0xf0; b < 0x100; ++b) table[b] = 8;
  return table;
}
constexpr std::array<uint8_t, 256> kQuarters = make_quarters();

// Marks that belong to the character before them: accents, vowel signs of the commonest scripts, joiners, variation
// selectors, skin tones.
bool extends_character(char32_t c) {
  return (c >= 0x300 && c < 0x370) || (c >= 0x591 && c < 0x5c8) || (c >= 0x610 && c < 0x61b) ||
         (c >= 0x64b && c < 0x660) || (c >= 0x93a && c < 0x950) || (c >= 0xe31 && c < 0xe3b) ||
         (c >= 0xe47 && c < 0xe4f) || c == 0x200d || (c >= 0x20d0 && c < 0x2100) || (c >= 0xfe00 && c < 0xfe10) ||
         (c >= 0x1f3fb && c < 0x1f400);
}

// The nearest place at or before `at` that does not part a character from its marks; looks back at most 64 bytes.
size_t cluster_boundary(std::string_view text, size_t at) {
  const size_t lowest = at > 64 ? at - 64 : 0;
  for (size_t place = at; place > lowest; place = utf8::floor_boundary(text, place - 1)) {
    size_t next = place;
    const bool mark_follows = place < text.size() && extends_character(utf8::next(text, next));
    const bool joiner_before = place >= 3 && text.substr(place - 3, 3) == "\xe2\x80\x8d";
    if (!mark_follows && !joiner_before) return place;
  }
  return at;
}

// Splits one block. Keeps the line count while going through it.
class BlockSplitter {
 public:
  BlockSplitter(const rag::Document& document, char line_break, int64_t largest, std::vector<TextUnit>& units)
      : document_(document), text_(document.text), break_(line_break), largest_(largest), units_(units) {}

  void split(uint32_t index, int first_strength) {
    block_ = index;
    const Block& block = document_.blocks[index];
    line_ = block.line_begin;
    last_line_ = block.line_end;
    const std::string_view text = text_.substr(block.byte_begin, block.byte_end - block.byte_begin);
    const int64_t size = estimate_quarters(text);
    if (size <= std::min(kWholeQuarters, largest_) || (keeps_whole(block.kind) && size <= largest_)) {
      add(block.byte_begin, block.byte_end, size, first_strength);
    } else if (block.kind == BlockKind::kCode || block.kind == BlockKind::kTableRow) {
      split_lines(block, first_strength);
    } else {
      split_sentences(block.byte_begin, text, first_strength);
    }
  }

 private:
  static bool keeps_whole(BlockKind kind) { return kind == BlockKind::kTableRow || kind == BlockKind::kHeading; }

  void split_lines(const Block& block, int first_strength) {
    uint64_t begin = block.byte_begin;
    bool blank_before = false;
    int strength = first_strength;
    while (begin < block.byte_end) {
      // Not beyond the block: where a whole file is one line, each of its blocks would look to the end of it.
      const uint64_t end = std::min<uint64_t>(text_.substr(0, block.byte_end).find(break_, begin), block.byte_end);
      const std::string_view line = text_.substr(begin, end - begin);
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
        blank_before = true;
      } else {
        if (begin != block.byte_begin) strength = code_line_strength(line, blank_before);
        blank_before = false;
        add_bounded(begin, line, strength);
      }
      begin = end + 1;
      if (block.line_begin > 0) line_ = std::min(line_ + 1, last_line_);
    }
  }

  static int code_line_strength(std::string_view line, bool blank_before) {
    const bool closes = line[0] == '}' || line[0] == ')' || line[0] == ']';
    if (closes) return strength::kCodeLine;
    if (blank_before) return strength::kCodeParagraph;
    return is_space(line[0]) ? strength::kCodeLine : strength::kCodeOuterLine;
  }

  void split_sentences(uint64_t base, std::string_view text, int first_strength) {
    size_t begin = 0;
    int strength = first_strength;
    for (const size_t end : sentence_ends(text)) {
      size_t from = begin;
      while (from < end && is_space(text[from])) count_line(text[from++]);
      if (from < end) add_bounded(base + from, text.substr(from, end - from), strength);
      for (size_t i = from; i < end; ++i) count_line(text[i]);
      begin = end;
      strength = strength::kSentence;
    }
  }

  // Adds text as one unit, or in pieces at line breaks or spaces when it is larger than allowed.
  void add_bounded(uint64_t base, std::string_view text, int first_strength) {
    const int64_t size = estimate_quarters(text);
    if (size <= largest_) return add(base, base + text.size(), size, first_strength);
    const int line_before = line_;
    size_t begin = 0;
    int strength = first_strength;
    while (begin < text.size()) {
      const Piece next = next_piece(text.substr(begin));
      const std::string_view piece = text.substr(begin, next.size);
      add(base + begin, base + begin + next.size, estimate_quarters(piece), strength);
      for (const char c : piece) count_line(c);
      strength = next.strength_behind;
      begin += next.size;
    }
    line_ = line_before;
  }

  // Of an oversized text.
  struct Piece {
    size_t size;
    int strength_behind;  // of the border after it
  };
  // Ends where possible at a line break or a space of its second half.
  Piece next_piece(std::string_view text) const {
    int64_t quarters = 0;
    size_t line_end = 0;
    size_t word_end = 0;
    size_t i = 0;
    for (; i < text.size(); ++i) {
      const int cost = kQuarters[static_cast<unsigned char>(text[i])];
      if (quarters + cost > largest_) break;
      quarters += cost;
      if (quarters * 2 < largest_) continue;
      if (text[i] == break_) line_end = i + 1;
      if (is_space(text[i])) word_end = i + 1;
    }
    if (i >= text.size()) return {text.size(), strength::kForced};
    if (line_end > 0) return {line_end, strength::kLine};
    if (word_end > 0) return {word_end, strength::kWord};
    const size_t whole = cluster_boundary(text, utf8::floor_boundary(text, i));
    return {whole > 0 ? whole : i, strength::kForced};
  }

  void count_line(char c) {
    if (c == break_ && line_ > 0) line_ = std::min(line_ + 1, last_line_);
  }

  void add(uint64_t begin, uint64_t end, int64_t quarters, int strength) {
    TextUnit unit;
    unit.begin = begin;
    unit.end = end;
    unit.block = block_;
    unit.quarters = static_cast<int32_t>(std::min<int64_t>(quarters, INT32_MAX));
    unit.strength = strength;
    unit.line_begin = line_;
    unit.line_end = line_;
    if (line_ > 0) {
      const std::string_view text = text_.substr(begin, end - begin);
      const auto breaks = std::count(text.begin(), text.end(), break_) - (text.ends_with(break_) ? 1 : 0);
      unit.line_end = std::min(line_ + static_cast<int>(breaks), last_line_);
      const Block& block = document_.blocks[block_];
      if (end == block.byte_end) unit.line_end = last_line_;
    }
    units_.push_back(unit);
  }

  const rag::Document& document_;
  std::string_view text_;
  char break_;
  int64_t largest_;
  std::vector<TextUnit>& units_;
  uint32_t block_ = 0;
  int line_ = 0;
  int last_line_ = 0;
};

int block_strength(const Block& block, const Block* before, std::string_view text) {
  if (block.kind == BlockKind::kHeading) {
    const int level = std::clamp(block.heading_level, 1, 6);
    const bool below_heading = before && before->kind == BlockKind::kHeading && before->heading_level < level;
    return below_heading ? strength::kAfterHeading : strength::kHeading + 5 * (6 - level);
  }
  if (!before) return strength::kBlock;
  if (before->kind == BlockKind::kHeading) return strength::kAfterHeading;
  const size_t last = text.substr(0, before->byte_end).find_last_not_of(" \t\r\n");
  const bool after_colon = last != std::string_view::npos && text[last] == ':' && before->kind != BlockKind::kTableRow;
  if (after_colon) return strength::kAfterColon;
  if (block.kind == BlockKind::kListItem) {
    return before->kind == BlockKind::kListItem ? strength::kListItem : strength::kGroupStart;
  }
  if (block.kind == BlockKind::kTableRow) {
    return before->kind == BlockKind::kTableRow ? strength::kTableRow : strength::kGroupStart;
  }
  return strength::kBlock;
}

}  // namespace

int64_t estimate_quarters(std::string_view text) {
  int64_t quarters = 0;
  for (const char c : text) quarters += kQuarters[static_cast<unsigned char>(c)];
  return quarters;
}

std::vector<TextUnit> split_units(const rag::Document& document, int64_t largest_quarters) {
  std::vector<TextUnit> units;
  units.reserve(document.blocks.size());
  const bool has_newline = document.text.find('\n') != std::string::npos;
  BlockSplitter splitter(document, has_newline ? '\n' : '\r', largest_quarters, units);
  const Block* before = nullptr;
  for (uint32_t i = 0; i < document.blocks.size(); ++i) {
    const Block& block = document.blocks[i];
    if (block.byte_begin >= block.byte_end) continue;
    splitter.split(i, block_strength(block, before, document.text));
    before = &block;
  }
  return units;
}

}  // namespace mneme::chunking

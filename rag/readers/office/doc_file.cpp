#include "rag/readers/office/doc_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

// Places in the header (FIB).
constexpr size_t kVersion = 0x02;
constexpr size_t kFlags = 0x0a;
constexpr size_t kLengths = 0x4c;
constexpr size_t kStyles = 0xa2;
constexpr size_t kFootnoteCalls = 0xaa;
constexpr size_t kFootnoteTexts = 0xb2;
constexpr size_t kCommentCalls = 0xba;
constexpr size_t kCommentTexts = 0xc2;
constexpr size_t kHeaders = 0xf2;
constexpr size_t kCharacterPages = 0xfa;
constexpr size_t kParagraphPages = 0x102;
constexpr size_t kPieces = 0x1a2;
constexpr size_t kCommenters = 0x1ba;
constexpr size_t kEndnoteCalls = 0x20a;
constexpr size_t kEndnoteTexts = 0x212;
constexpr size_t kLists = 0x2e2;
constexpr size_t kListInstances = 0x2ea;

constexpr uint16_t kWord97 = 0xc0;  // versions below are of older programs
constexpr uint16_t kIsEncrypted = 0x0100;
constexpr uint16_t kSecondTable = 0x0200;
constexpr size_t kMostStyles = 4096;
constexpr size_t kMostSteps = 10;  // from a style to the one that it is based on
constexpr size_t kCommentEntry = 30;
constexpr size_t kCommenterOfComment = 20;

// The lengths of the parts stand in the header in this order; a part of macros, which nobody has, between.
constexpr std::array<size_t, 6> kPartLengths = {0, 4, 8, 16, 20, 24};

// Bytes of text are of windows-1252.
char16_t wide_of(uint8_t byte) {
  static constexpr std::array<char16_t, 32> kUpper = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                                      0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                                      0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                                      0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
  return byte >= 0x80 && byte < 0xa0 ? kUpper[byte - 0x80] : char16_t{byte};
}

// The positions that begin a list of the table: one more than there are entries of `entry` bytes behind them.
std::vector<uint32_t> positions_in(std::string_view list, size_t entry) {
  std::vector<uint32_t> positions;
  if (list.size() < 4) return positions;
  const size_t count = (list.size() - 4) / (4 + entry) + 1;
  for (size_t i = 0; i < count; ++i) positions.push_back(u32_at(list, 4 * i));
  return positions;
}

std::vector<std::string> commenters_in(std::string_view list) {
  std::vector<std::string> names;
  for (size_t at = 0; at + 2 <= list.size();) {
    const size_t units = u16_at(list, at);
    std::string name;
    for (size_t i = 0; i < units && at + 4 + 2 * i <= list.size(); ++i)
      utf8::append(name, u16_at(list, at + 2 + 2 * i));
    names.push_back(std::move(name));
    at += 2 + 2 * units;
  }
  return names;
}

}  // namespace

DocFile::DocFile(std::string word, std::string table)
    : word_(std::move(word)),
      table_(std::move(table)),
      characters_(word_, listed(kCharacterPages)),
      paragraphs_(word_, listed(kParagraphPages)) {}

Result<DocFile> DocFile::open(const CompoundFile& compound) {
  std::string word = compound.stream("WordDocument");
  if (u16_at(word, kVersion) < kWord97)
    return unsupported("a Word file in the format of before 1997; save it as docx to index it.");
  const uint16_t flags = u16_at(word, kFlags);
  if ((flags & kIsEncrypted) != 0)
    return unsupported("a Word file encrypted with a password; save it without one to index it.");
  std::string table = compound.stream((flags & kSecondTable) != 0 ? "1Table" : "0Table");
  DocFile file(std::move(word), std::move(table));
  file.read_pieces();
  if (file.pieces_.empty()) return corruption("damaged: its text cannot be found.");
  file.read_styles();
  // What the levels of lists are stands behind them.
  file.numbering_ =
      DocNumbering(bytes_at(file.table_, u32_at(file.word_, kLists), file.table_.size()), file.listed(kListInstances));
  file.read_notes(kFootnoteCalls, kFootnoteTexts, 1, false);
  file.read_notes(kEndnoteCalls, kEndnoteTexts, 4, false);
  file.read_notes(kCommentCalls, kCommentTexts, 3, true);
  std::stable_sort(file.notes_.begin(), file.notes_.end(),
                   [](const DocNote& a, const DocNote& b) { return a.called_at < b.called_at; });
  file.read_running();
  return file;
}

std::string_view DocFile::listed(size_t at) const {
  return bytes_at(table_, u32_at(word_, at), u32_at(word_, at + 4));
}

// Changes of whole pieces (1) come first, the pieces (2) behind them.
void DocFile::read_pieces() {
  std::string_view list = listed(kPieces);
  while (u8_at(list, 0) == 1) list = bytes_at(list, 3 + size_t{u16_at(list, 1)}, list.size());
  if (u8_at(list, 0) != 2) return;
  list = bytes_at(list, 5, u32_at(list, 1));
  const std::vector<uint32_t> begins = positions_in(list, 8);
  uint32_t end = 0;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    const uint32_t written = u32_at(list, 4 * begins.size() + 8 * i + 2);
    const bool is_wide = (written & 0x40000000) == 0;
    const uint32_t place = is_wide ? written & 0x3fffffff : (written & 0x3fffffff) / 2;
    const uint32_t size = is_wide ? 2 : 1;
    // A file holds each character once: more would be no text.
    const bool is_there = begins[i] == end && begins[i + 1] > end && begins[i + 1] <= word_.size() &&
                          uint64_t{place} + uint64_t{size} * (begins[i + 1] - end) <= word_.size();
    if (!is_there) {
      is_cut_ = true;
      break;
    }
    pieces_.push_back({end, place, is_wide});
    end = begins[i + 1];
  }
  uint64_t part_end = 0;
  for (const size_t length : kPartLengths) {
    part_end += u32_at(word_, kLengths + length);
    is_cut_ |= part_end > end;
    part_ends_.push_back(static_cast<uint32_t>(std::min<uint64_t>(part_end, end)));
  }
}

// A style is a heading by its number, or by that of the one that it is based on.
void DocFile::read_styles() {
  constexpr int kTitle = 62;
  const std::string_view list = listed(kStyles);
  const size_t base_size = u16_at(list, 4);
  for (size_t at = 2 + size_t{u16_at(list, 0)}; at + 2 <= list.size() && styles_.size() < kMostStyles;) {
    const size_t size = u16_at(list, at);
    read_style(bytes_at(list, at + 2, size), base_size);
    at += 2 + size;
  }
  for (Style& style : styles_) {
    const Style* of = &style;
    for (size_t steps = 0; steps < kMostSteps && style.heading_level == 0; ++steps) {
      style.heading_level = of->number >= 1 && of->number <= 9 ? of->number : of->number == kTitle ? 1 : 0;
      if (of->base >= styles_.size()) break;
      of = &styles_[of->base];
    }
  }
}

// Its numbers, its name, and what it changes, of paragraphs first.
void DocFile::read_style(std::string_view style, size_t base_size) {
  constexpr uint16_t kOfParagraphs = 1;
  Style& read = styles_.emplace_back();
  if (style.size() < 4) return;
  read.number = u16_at(style, 0) & 0xfff;
  read.base = u16_at(style, 2) >> 4;
  if ((u16_at(style, 2) & 0xf) != kOfParagraphs) return;
  const size_t changes = base_size + 2 + size_t{2} * u16_at(style, base_size) + 2;
  const std::string_view said = bytes_at(style, changes + 2, u16_at(style, changes));
  read.paragraph = changed_by(bytes_at(said, 2, said.size()), {});
}

DocListed DocFile::listed_by(const DocParagraph& paragraph) const {
  DocListed listed{paragraph.list, paragraph.list_level, paragraph.style, paragraph.list != DocParagraph::kUnsaid};
  if (listed.by_itself) {
    listed.level = std::max(listed.level, 0);
    return listed;
  }
  auto number = static_cast<size_t>(paragraph.style);
  for (size_t steps = 0; steps < kMostSteps && number < styles_.size(); ++steps) {
    const Style& style = styles_[number];
    listed.list = style.paragraph.list;
    listed.of_style = static_cast<int>(number);
    if (listed.level == DocParagraph::kUnsaid) listed.level = style.paragraph.list_level;
    if (listed.list != DocParagraph::kUnsaid) break;
    number = style.base;
  }
  return listed;
}

void DocFile::read_notes(size_t calls, size_t texts, size_t part_number, bool are_comments) {
  const std::string_view call_list = listed(calls);
  const std::vector<uint32_t> called_at = positions_in(call_list, are_comments ? kCommentEntry : 2);
  const std::vector<uint32_t> begins = positions_in(listed(texts), 0);
  std::vector<std::string> commenters;
  if (are_comments) commenters = commenters_in(listed(kCommenters));
  const DocRange within = part(part_number);
  uint64_t last = within.begin;  // texts do not overlap
  for (size_t i = 0; i + 1 < called_at.size() && i + 1 < begins.size(); ++i) {
    const uint64_t begin = uint64_t{within.begin} + begins[i];
    const uint64_t end = uint64_t{within.begin} + begins[i + 1];
    if (begin < last || begin > end || end > within.end) continue;
    last = end;
    DocNote note{called_at[i], {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, are_comments};
    const size_t author = u16_at(call_list, 4 * called_at.size() + kCommentEntry * i + kCommenterOfComment);
    if (are_comments && author < commenters.size()) note.author = commenters[author];
    notes_.push_back(std::move(note));
  }
}

// The first six are what stands between text and notes.
void DocFile::read_running() {
  constexpr size_t kSeparators = 6;
  const std::vector<uint32_t> begins = positions_in(listed(kHeaders), 0);
  const DocRange within = part(2);
  uint64_t last = within.begin;
  for (size_t i = kSeparators; i + 1 < begins.size(); ++i) {
    const uint64_t begin = uint64_t{within.begin} + begins[i];
    const uint64_t end = uint64_t{within.begin} + begins[i + 1];
    if (begin < last || begin >= end || end > within.end) continue;
    last = end;
    running_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  }
}

const DocFile::Piece& DocFile::piece_of(uint32_t position) const {
  const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), position,
                                       [](uint32_t at, const Piece& piece) { return at < piece.begin; });
  return *std::prev(behind);  // the first begins at 0
}

uint32_t DocFile::place_of(uint32_t position) const {
  const Piece& piece = piece_of(position);
  return piece.place + (piece.is_wide ? 2 : 1) * (position - piece.begin);
}

DocFile::Character DocFile::at(uint32_t position) const {
  const Piece& piece = piece_of(position);
  const uint32_t place = place_of(position);
  const char16_t unit = piece.is_wide ? char16_t{u16_at(word_, place)} : wide_of(u8_at(word_, place));
  return {unit, characters_.at(place)};
}

int DocFile::heading_level(const DocParagraph& paragraph) const {
  if (paragraph.outline_level > 0) return paragraph.outline_level;
  const auto style = static_cast<size_t>(paragraph.style);
  return style < styles_.size() ? styles_[style].heading_level : 0;
}

}  // namespace mneme::readers

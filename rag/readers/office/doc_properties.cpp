#include "rag/readers/office/doc_properties.h"

#include <algorithm>
#include <iterator>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

constexpr size_t kPage = 512;

// Codes of changes.
constexpr uint16_t kDeleted = 0x0800;
constexpr uint16_t kShift = 0x2a48;
constexpr uint16_t kSymbol = 0x6a09;
constexpr uint16_t kInTable = 0x2416;
constexpr uint16_t kEndsRow = 0x2417;
constexpr uint16_t kListLevel = 0x260a;
constexpr uint16_t kList = 0x460b;
constexpr uint16_t kOutlineLevel = 0x2640;
constexpr uint16_t kDefineTable = 0xd608;

// How many bytes stand behind a code.
size_t operand_size(std::string_view changes, size_t at, uint16_t code) {
  if (code == kDefineTable) return size_t{u16_at(changes, at)} + 1;
  switch (code >> 13) {
    case 0:
    case 1: return 1;
    case 3: return 4;
    case 6: return size_t{u8_at(changes, at)} + 1;
    case 7: return 3;
    default: return 2;
  }
}

// take(code, operand) for each change, in order.
template <typename Take>
void for_each_change(std::string_view changes, const Take& take) {
  for (size_t at = 0; at + 2 < changes.size();) {
    const uint16_t code = u16_at(changes, at);
    at += 2;
    const size_t size = operand_size(changes, at, code);
    take(code, bytes_at(changes, at, size));
    at += size;
  }
}

// A page ends with the number of its runs and begins with their borders; behind these an entry of so many bytes for
// each says where on the page the run's changes stand, in units of two bytes.
constexpr size_t entry_size(const DocCharacters&) {
  return 1;
}
constexpr size_t entry_size(const DocParagraph&) {
  return 13;
}

DocCharacters read_properties(std::string_view at, const DocCharacters& defaults) {
  DocCharacters characters = defaults;
  for_each_change(bytes_at(at, 1, u8_at(at, 0)), [&](uint16_t code, std::string_view operand) {
    const uint8_t value = u8_at(operand, 0);
    if (code == kDeleted) characters.is_deleted = value != 0;
    if (code == kSymbol) characters.is_symbol = true;
    if (code == kShift) characters.shift = value == 1 ? Shift::kRaised : value == 2 ? Shift::kLowered : Shift::kNone;
  });
  return characters;
}

DocParagraph read_properties(std::string_view at, const DocParagraph& defaults) {
  DocParagraph paragraph = defaults;
  // In units of two bytes, the count itself among them; or behind a zero, which is not.
  const bool is_short = u8_at(at, 0) != 0;
  const size_t size = is_short ? size_t{2} * u8_at(at, 0) - 1 : size_t{2} * u8_at(at, 1);
  const std::string_view bytes = bytes_at(at, is_short ? 1 : 2, size);
  paragraph.style = u16_at(bytes, 0);
  return changed_by(bytes_at(bytes, 2, bytes.size()), paragraph);
}

}  // namespace

DocParagraph changed_by(std::string_view changes, const DocParagraph& before) {
  DocParagraph paragraph = before;
  for_each_change(changes, [&](uint16_t code, std::string_view operand) {
    const uint8_t value = u8_at(operand, 0);
    if (code == kInTable) paragraph.in_table = value != 0;
    if (code == kEndsRow) paragraph.ends_row = value != 0;
    if (code == kList) paragraph.list = u16_at(operand, 0);
    if (code == kListLevel) paragraph.list_level = std::min<int>(value, 8);
    if (code == kOutlineLevel) paragraph.outline_level = value < 9 ? value + 1 : 0;
  });
  return paragraph;
}

template <typename Properties>
DocRuns<Properties>::DocRuns(std::string_view word, std::string_view pages) {
  if (pages.size() < 12) return;
  const size_t count = std::min((pages.size() - 4) / 8, word.size() / kPage + 1);  // each once
  const size_t numbers = 4 * ((pages.size() - 4) / 8 + 1);
  for (size_t i = 0; i < count; ++i) {
    const size_t number = u32_at(pages, numbers + 4 * i) & 0x3fffff;
    read_page(bytes_at(word, number * kPage, kPage));
  }
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
}

template <typename Properties>
void DocRuns<Properties>::read_page(std::string_view page) {
  if (page.size() < kPage) return;
  const size_t count = u8_at(page, kPage - 1);
  const size_t entry = entry_size(Properties());
  const size_t entries = 4 * (count + 1);
  if (entries + count * entry >= kPage) return;
  for (size_t i = 0; i < count; ++i) {
    const size_t place = size_t{2} * u8_at(page, entries + entry * i);
    if (place == 0) continue;  // the defaults
    runs_.push_back({u32_at(page, 4 * i), u32_at(page, 4 * i + 4),
                     read_properties(page.substr(std::min(place, kPage - 1)), Properties())});
  }
}

template <typename Properties>
Properties DocRuns<Properties>::at(uint32_t place) const {
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), place, [](uint32_t at, const Run& run) { return at < run.begin; });
  if (behind == runs_.begin() || place >= std::prev(behind)->end) return {};
  return std::prev(behind)->properties;
}

template class DocRuns<DocCharacters>;
template class DocRuns<DocParagraph>;

}  // namespace mneme::readers

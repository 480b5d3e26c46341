#include "rag/readers/office/ppt_text.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"

namespace mneme::readers {
namespace {

// Types of records.
constexpr uint16_t kReference = 0xf9e;
constexpr uint16_t kHeader = 0xf9f;
constexpr uint16_t kCharacters = 0xfa0;
constexpr uint16_t kStyles = 0xfa1;
constexpr uint16_t kBytes = 0xfa8;
constexpr uint16_t kSlideNumberField = 0xfd8;
constexpr uint16_t kDateField = 0xff7;
constexpr uint16_t kOtherDateField = 0xff8;
constexpr uint16_t kHeaderField = 0xff9;
constexpr uint16_t kFooterField = 0xffa;
constexpr uint16_t kWrittenDateField = 0x1015;
constexpr char16_t kEndOfParagraph = 0x0d;
constexpr char16_t kEndOfLine = 0x0b;
constexpr int kDeepestLevel = 8;

// Bits of what a run says of its paragraphs, in the order in which it says it, and the bytes of each. Of the first
// four any is enough.
struct Property {
  uint32_t bits;
  size_t size;
};
constexpr Property kOfParagraphs[] = {{0x0f, 2},   {0x80, 2},   {0x10, 2},   {0x40, 2},  {0x20, 4},  {0x800, 2},
                                      {0x1000, 2}, {0x2000, 2}, {0x4000, 2}, {0x100, 2}, {0x400, 2}, {0x8000, 2}};
constexpr uint32_t kTabs = 0x100000;
constexpr Property kBehindTabs[] = {{0x10000, 2}, {0xe0000, 2}, {0x200000, 2}};
constexpr Property kOfCharacters[] = {{0x3eb7, 2},   {0x10000, 2}, {0x200000, 2}, {0x400000, 2},
                                      {0x800000, 2}, {0x20000, 2}, {0x40000, 4}};
constexpr uint32_t kPosition = 0x80000;

template <size_t kCount>
void skip_properties(ByteReader& reader, const Property (&properties)[kCount], uint32_t said) {
  for (const auto& [bits, size] : properties) {
    if ((said & bits) != 0) reader.skip(size);
  }
}

PptText::Kind kind_of(uint32_t type) {
  switch (type) {
    case 0:
    case 6: return PptText::Kind::kTitle;
    case 1:
    case 7:
    case 8: return PptText::Kind::kBody;
    default: return PptText::Kind::kOther;
  }
}

// The value of the run that a character is in; runs and characters are gone through in order.
template <typename Run>
const Run* run_at(const std::vector<Run>& runs, size_t& number, size_t at) {
  while (number < runs.size() && runs[number].end <= at) ++number;
  return number < runs.size() ? &runs[number] : nullptr;
}

}  // namespace

void PptText::take(const PptRecord& record) {
  switch (record.type) {
    case kCharacters: units_ = utf16_units(record.body); break;
    case kBytes:
      units_.clear();
      for (const char c : record.body) units_.push_back(static_cast<unsigned char>(c));
      break;
    case kStyles: take_styles(record.body); break;
    case kSlideNumberField:
    case kDateField:
    case kOtherDateField:
    case kHeaderField:
    case kFooterField:
    case kWrittenDateField: fields_.push_back(u32_at(record.body, 0)); break;
    default: break;
  }
}

// Runs of paragraphs, then runs of characters, each up to the end of the text and one character behind it.
void PptText::take_styles(std::string_view styles) {
  ByteReader reader(as_bytes(styles));
  levels_.clear();
  shifts_.clear();
  for (size_t end = 0; reader.ok() && end <= units_.size();) {
    end += std::max<size_t>(reader.read<uint32_t>(), 1);
    levels_.push_back({end, std::min<int>(reader.read<uint16_t>(), kDeepestLevel)});
    const auto said = reader.read<uint32_t>();
    skip_properties(reader, kOfParagraphs, said);
    if ((said & kTabs) != 0) reader.skip(size_t{4} * reader.read<uint16_t>());
    skip_properties(reader, kBehindTabs, said);
  }
  for (size_t end = 0; reader.ok() && end <= units_.size();) {
    end += std::max<size_t>(reader.read<uint32_t>(), 1);
    const auto said = reader.read<uint32_t>();
    skip_properties(reader, kOfCharacters, said);
    const int position = (said & kPosition) != 0 ? reader.read<int16_t>() : 0;
    shifts_.push_back({end, position == 0 ? Shift::kNone : position > 0 ? Shift::kRaised : Shift::kLowered});
  }
}

std::vector<PptParagraph> PptText::paragraphs() const {
  std::vector<PptParagraph> all;
  PptParagraph paragraph;
  std::u16string piece;  // shifted alike
  Shift shift = Shift::kNone;
  size_t level_run = 0;
  size_t shift_run = 0;
  size_t next_field = 0;
  std::vector<size_t> fields = fields_;
  std::sort(fields.begin(), fields.end());
  const auto end_piece = [&] {
    append_shifted(paragraph.text, utf8_of(piece), shift);
    piece.clear();
  };
  const auto end_paragraph = [&](size_t at) {
    end_piece();
    const LevelRun* const run = run_at(levels_, level_run, at);
    paragraph.level = run == nullptr ? 0 : run->level;
    all.push_back(std::move(paragraph));
    paragraph = {};
  };
  for (size_t at = 0; at < units_.size(); ++at) {
    while (next_field < fields.size() && fields[next_field] < at) ++next_field;
    const ShiftRun* const run = run_at(shifts_, shift_run, at);
    const Shift here = run == nullptr ? Shift::kNone : run->shift;
    if (here != shift) end_piece();
    shift = here;
    if (units_[at] == kEndOfParagraph) {
      end_paragraph(at);
    } else if (units_[at] == kEndOfLine) {
      piece.push_back(u'\u2028');  // kLineBreak
    } else if (next_field == fields.size() || fields[next_field] != at) {
      piece.push_back(units_[at]);
    }
  }
  end_paragraph(units_.size());
  return all;
}

std::vector<PptText> ppt_texts(std::string_view records, std::vector<PptText>& outline) {
  std::vector<PptText> texts;
  PptRecords reader(records);
  PptRecord record;
  while (reader.next(record)) {
    if (record.type == kHeader) {
      texts.emplace_back(kind_of(u32_at(record.body, 0)));
    } else if (record.type == kReference) {
      const size_t number = u32_at(record.body, 0);
      if (number < outline.size()) texts.push_back(std::exchange(outline[number], PptText()));
    } else if (!texts.empty()) {
      texts.back().take(record);
    }
  }
  return texts;
}

}  // namespace mneme::readers

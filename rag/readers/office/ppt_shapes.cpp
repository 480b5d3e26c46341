#include "rag/readers/office/ppt_shapes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/ppt_records.h"

namespace mneme::readers {
namespace {

// Types of records.
constexpr uint16_t kDrawing = 0x40c;
constexpr uint16_t kPlaceholder = 0xbc3;
constexpr uint16_t kPage = 0xf002;
constexpr uint16_t kGroup = 0xf003;
constexpr uint16_t kShape = 0xf004;
constexpr uint16_t kProperties = 0xf00b;
constexpr uint16_t kTextbox = 0xf00d;
constexpr uint16_t kPlaceInGroup = 0xf00f;
constexpr uint16_t kData = 0xf011;
constexpr uint16_t kFurtherProperties = 0xf122;

// Dates, numbers of slides, footers, headers, and pictures of slides on pages of notes.
bool is_furniture(uint8_t placeholder) {
  constexpr uint8_t kFirst = 0x07;
  constexpr uint8_t kLast = 0x0b;
  constexpr uint8_t kPictureOnMaster = 0x05;
  return (placeholder >= kFirst && placeholder <= kLast) || placeholder == kPictureOnMaster;
}

// The first shape of a group is the group itself, which says that it is a table.
bool is_table(std::string_view group) {
  constexpr uint16_t kTable = 0x39f;
  const std::string_view shape = child_of_type(group, kShape).body;
  for (const uint16_t type : {kProperties, uint16_t{kFurtherProperties}}) {
    const PptRecord properties = child_of_type(shape, type);
    for (size_t i = 0; i < properties.instance && 6 * i + 6 <= properties.body.size(); ++i) {
      const bool is_this = (u16_at(properties.body, 6 * i) & 0x3fff) == kTable;
      if (is_this && (u32_at(properties.body, 6 * i + 2) & 1) != 0) return true;
    }
  }
  return false;
}

class ShapeWalker {
 public:
  explicit ShapeWalker(std::vector<PptText> outline) : outline_(std::move(outline)) {}

  void walk(std::string_view body, int depth_left) {
    if (depth_left <= 0) return;
    PptRecords records(body);
    for (PptRecord record; records.next(record);) {
      if (record.type == kShape) {
        shapes_.push_back(shape_of(record.body));
      } else if (record.type == kGroup && is_table(record.body)) {
        shapes_.push_back(table_of(record.body));
      } else if (record.type == kGroup || record.type == kPage || record.type == kDrawing) {
        walk(record.body, depth_left - 1);
      }
    }
  }

  std::vector<PptShape> take() { return std::move(shapes_); }

 private:
  struct Cell {
    int32_t left = 0;
    int32_t top = 0;
    std::string text;
  };

  PptShape shape_of(std::string_view shape) {
    PptShape found;
    found.texts = ppt_texts(child_of_type(shape, kTextbox).body, outline_);
    const PptRecord placeholder = child_of_type(child_of_type(shape, kData).body, kPlaceholder);
    found.is_furniture = placeholder.type != 0 && is_furniture(u8_at(placeholder.body, 4));
    return found;
  }

  // Cells lie in no order: where they begin says which row and column they are of.
  PptShape table_of(std::string_view group) {
    std::vector<Cell> cells;
    std::set<int32_t> lefts;
    PptRecords records(group);
    for (PptRecord record; records.next(record);) {
      const PptRecord place = record.type == kShape ? child_of_type(record.body, kPlaceInGroup) : PptRecord();
      if (place.type == 0 || child_of_type(record.body, kTextbox).type == 0) continue;
      Cell cell{static_cast<int32_t>(u32_at(place.body, 0)), static_cast<int32_t>(u32_at(place.body, 4)), {}};
      for (const PptText& text : shape_of(record.body).texts) {
        for (const PptParagraph& paragraph : text.paragraphs()) {
          cell.text.append(cell.text.empty() ? "" : " ").append(paragraph.text);
        }
      }
      lefts.insert(cell.left);
      cells.push_back(std::move(cell));
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [](const Cell& a, const Cell& b) { return std::tie(a.top, a.left) < std::tie(b.top, b.left); });
    return PptShape{{}, rows_of(cells, lefts), false};
  }

  static std::vector<std::vector<std::string>> rows_of(std::vector<Cell>& cells, const std::set<int32_t>& lefts) {
    constexpr size_t kMostColumns = 1024;
    std::vector<std::vector<std::string>> rows;
    const Cell* before = nullptr;
    for (Cell& cell : cells) {
      if (before == nullptr || cell.top != before->top) rows.emplace_back();
      before = &cell;
      const auto column = static_cast<size_t>(std::distance(lefts.begin(), lefts.find(cell.left)));
      std::vector<std::string>& row = rows.back();
      if (column < kMostColumns && row.size() < column) row.resize(column);
      row.push_back(std::move(cell.text));
    }
    return rows;
  }

  std::vector<PptText> outline_;
  std::vector<PptShape> shapes_;
};

}  // namespace

std::vector<PptShape> ppt_shapes(std::string_view slide, std::vector<PptText> outline, int depth) {
  ShapeWalker walker(std::move(outline));
  walker.walk(slide, depth);
  return walker.take();
}

}  // namespace mneme::readers

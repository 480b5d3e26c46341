#include "rag/readers/outlook/pst_heap.h"

#include <algorithm>
#include <bit>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

constexpr uint8_t kHeapSign = 0xec;
constexpr uint8_t kProperties = 0xbc;
constexpr uint8_t kTable = 0x7c;
constexpr uint8_t kTree = 0xb5;
constexpr size_t kMostRecords = 200'000;
constexpr size_t kMostHeld = size_t{32} << 20;

// Whether it is in the heap, and not a node.
bool is_in_heap(PstPlace place) {
  return (place & 0x1f) == 0;
}

}  // namespace

PstHeap::PstHeap(PstFile& file, const PstNode& node)
    : file_(file), node_(node), blocks_(file.blocks_of(node.data)), records_left_(kMostRecords) {
  if (blocks_.empty()) return;
  const std::string& head = block(0);
  if (u8_at(head, 2) != kHeapSign) {
    if (!head.empty()) file_.count_damage();
    return;
  }
  kind_ = u8_at(head, 3);
  root_ = u32_at(head, 4);
}

const std::string& PstHeap::block(size_t index) {
  if (const auto held = held_.find(index); held != held_.end()) return held->second;
  if (held_bytes_ > kMostHeld) {
    held_.clear();
    held_bytes_ = 0;
  }
  std::string& bytes = held_[index];
  bytes = file_.block(blocks_[index]);
  held_bytes_ += bytes.size();
  return bytes;
}

// Each block begins with the place of a list: where its pieces begin and end.
std::string_view PstHeap::piece(PstPlace place) {
  if (place == 0 || !is_in_heap(place)) return {};
  const bool large = file_.has_large_pages();
  const size_t which = large ? place >> 5 & 0x3fff : place >> 5 & 0x7ff;
  const size_t index = large ? place >> 19 : place >> 16;
  if (which == 0 || index >= blocks_.size()) return {};
  const std::string& bytes = block(index);
  const size_t list = u16_at(bytes, 0);
  const size_t count = u16_at(bytes, list);
  if (which > count) return {};
  const size_t begin = u16_at(bytes, list + 4 + 2 * (which - 1));
  const size_t end = u16_at(bytes, list + 4 + 2 * which);
  return begin < end ? bytes_at(bytes, begin, end - begin) : std::string_view();
}

const std::vector<PstNode>& PstHeap::nodes_within() {
  if (!within_) within_ = file_.nodes_within(node_.within);
  return *within_;
}

std::optional<PstNode> PstHeap::node_within(PstNodeId id) {
  for (const PstNode& node : nodes_within()) {
    if (node.id == id) return node;
  }
  return std::nullopt;
}

std::string PstHeap::value(PstPlace place, uint64_t most_bytes) {
  if (is_in_heap(place)) return std::string(piece(place).substr(0, most_bytes));
  const auto node = node_within(place);
  return node ? file_.bytes_of(node->data, most_bytes) : std::string();
}

uint64_t PstHeap::size_of(PstPlace place) {
  if (is_in_heap(place)) return piece(place).size();
  const auto node = node_within(place);
  return node ? file_.size_of(node->data) : 0;
}

void PstHeap::each_block(PstPlace place, const std::function<void(std::string_view block)>& visit) {
  if (is_in_heap(place)) return visit(std::string(piece(place)));
  const auto node = node_within(place);
  if (!node) return;
  for (const PstBlockId id : file_.blocks_of(node->data)) {
    if (!file_.stopped().ok()) return;
    visit(file_.block(id));
  }
}

void PstHeap::each_record(PstPlace tree, const VisitRecord& visit) {
  const std::string head(piece(tree));
  const size_t key_bytes = u8_at(head, 1);
  const size_t value_bytes = u8_at(head, 2);
  const int levels = u8_at(head, 3);
  constexpr int kMostLevels = 8;
  const bool is_tree = u8_at(head, 0) == kTree && key_bytes > 0 && key_bytes <= 16 && value_bytes <= 32;
  if (!is_tree || levels > kMostLevels) return;
  visit_records(u32_at(head, 4), levels, key_bytes, value_bytes, visit);
}

void PstHeap::visit_records(PstPlace records, int level, size_t key_bytes, size_t value_bytes,
                            const VisitRecord& visit) {
  const size_t width = key_bytes + (level > 0 ? sizeof(PstPlace) : value_bytes);
  const std::string all(piece(records));
  for (size_t at = 0; at + width <= all.size() && records_left_ > 0; at += width) {
    --records_left_;
    const std::string_view record = std::string_view(all).substr(at, width);
    if (level > 0) {
      visit_records(u32_at(record, key_bytes), level - 1, key_bytes, value_bytes, visit);
    } else {
      visit(record.substr(0, key_bytes), record.substr(key_bytes));
    }
  }
}

std::map<MapiProperty, PstValue> properties_in(PstHeap& heap) {
  std::map<MapiProperty, PstValue> properties;
  if (heap.kind() != kProperties) return properties;
  heap.each_record(heap.root(), [&](std::string_view key, std::string_view value) {
    properties.emplace(std::bit_cast<MapiProperty>(u16_at(key, 0)),
                       PstValue{.type = u16_at(value, 0), .word = u32_at(value, 2)});
  });
  return properties;
}

namespace {

struct Column {
  uint16_t type = 0;
  MapiProperty property = {};
  size_t at = 0;
  size_t bytes = 0;
  size_t bit = 0;  // of the row's map of cells that are there
};

std::vector<Column> columns_of(std::string_view table) {
  constexpr size_t kFirst = 22;
  constexpr size_t kBytes = 8;
  std::vector<Column> columns;
  for (size_t i = 0; i < u8_at(table, 1); ++i) {
    const size_t at = kFirst + i * kBytes;
    columns.push_back({.type = u16_at(table, at),
                       .property = std::bit_cast<MapiProperty>(u16_at(table, at + 2)),
                       .at = u16_at(table, at + 4),
                       .bytes = u8_at(table, at + 6),
                       .bit = u8_at(table, at + 7)});
  }
  return columns;
}

PstRow row_of(std::string_view bytes, const std::vector<Column>& columns, size_t map_at) {
  PstRow row;
  for (const Column& column : columns) {
    const bool there = (u8_at(bytes, map_at + column.bit / 8) >> (7 - column.bit % 8) & 1) != 0;
    if (!there) continue;
    PstValue value{.type = column.type};
    if (column.bytes == 1) value.word = u8_at(bytes, column.at);
    if (column.bytes == 2) value.word = u16_at(bytes, column.at);
    if (column.bytes == 4) value.word = u32_at(bytes, column.at);
    row.emplace(column.property, value);
  }
  return row;
}

}  // namespace

// A row does not go from one block into the next.
void each_row(PstHeap& heap, const std::function<void(const PstRow& row)>& visit) {
  constexpr size_t kMostRows = 10'000;
  if (heap.kind() != kTable) return;
  const std::string table(heap.piece(heap.root()));
  const std::vector<Column> columns = columns_of(table);
  const size_t map_at = u16_at(table, 6);     // behind the cells
  const size_t row_bytes = u16_at(table, 8);  // with the map
  if (row_bytes == 0 || map_at >= row_bytes) return;
  size_t n_rows = 0;
  heap.each_record(u32_at(table, 10), [&](std::string_view /*key*/, std::string_view /*value*/) { ++n_rows; });
  n_rows = std::min(n_rows, kMostRows);
  heap.each_block(u32_at(table, 14), [&](std::string_view block) {
    for (size_t at = 0; at + row_bytes <= block.size() && n_rows > 0; at += row_bytes, --n_rows) {
      visit(row_of(block.substr(at, row_bytes), columns, map_at));
    }
  });
}

}  // namespace mneme::readers

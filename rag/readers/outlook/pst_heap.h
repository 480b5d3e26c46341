// What the data of a node holds in Outlook's stores (MS-PST 2.3): a heap of small pieces, in which lies a list of
// properties, or a table. Internal to rag/readers. Ownership: borrows the file. Threads: one thread each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/outlook/outlook_object.h"
#include "rag/readers/outlook/pst_file.h"

namespace mneme::readers {

// A place in a heap, or the number of a node within.
using PstPlace = uint32_t;

class PstHeap {
 public:
  PstHeap(PstFile& file, const PstNode& node);

  // What the heap is for, and where that begins; 0: it is none, or damaged.
  uint8_t kind() const { return kind_; }
  PstPlace root() const { return root_; }

  // Valid until the next call; "" where nothing is.
  std::string_view piece(PstPlace place);
  // A piece, or the data of a node within, up to `most_bytes`.
  std::string value(PstPlace place, uint64_t most_bytes);
  uint64_t size_of(PstPlace place);
  std::optional<PstNode> node_within(PstNodeId id);
  const std::vector<PstNode>& nodes_within();
  // The blocks of a piece, or of a node within, one after another.
  void each_block(PstPlace place, const std::function<void(std::string_view block)>& visit);

  // The records of a tree in the heap: `key` and `value` bytes each. A damaged part is left out.
  using VisitRecord = std::function<void(std::string_view key, std::string_view value)>;
  void each_record(PstPlace tree, const VisitRecord& visit);

  PstFile& file() { return file_; }

 private:
  void visit_records(PstPlace records, int level, size_t key_bytes, size_t value_bytes, const VisitRecord& visit);
  const std::string& block(size_t index);

  PstFile& file_;
  const PstNode node_;
  std::vector<PstBlockId> blocks_;
  std::map<size_t, std::string> held_;
  size_t held_bytes_ = 0;
  std::optional<std::vector<PstNode>> within_;
  size_t records_left_;
  uint8_t kind_ = 0;
  PstPlace root_ = 0;
};

// A value of a property: short ones stand in it.
struct PstValue {
  uint16_t type = 0;
  uint32_t word = 0;  // the value, or where it is
};

// The properties that a heap lists; empty where it holds none.
std::map<MapiProperty, PstValue> properties_in(PstHeap& heap);

// The rows of a table: each a few properties. More than a message has recipients are left out.
using PstRow = std::map<MapiProperty, PstValue>;
void each_row(PstHeap& heap, const std::function<void(const PstRow& row)>& visit);

}  // namespace mneme::readers

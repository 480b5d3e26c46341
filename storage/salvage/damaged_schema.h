// Where the tables and indexes of a damaged catalogue begin, as far as its list of tables can be read.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/status.h"
#include "storage/salvage/tree_reader.h"

namespace mneme::storage {

struct DamagedTree {
  std::string name{};
  std::string table{};  // whose index it is, or itself
  PageKind leaves = PageKind::kTableLeaf;
  uint32_t root = 0;
};

struct DamagedSchema {
  std::map<std::string, DamagedTree, std::less<>> trees{};
  bool is_whole = true;
  const DamagedTree* find(std::string_view name) const;
};

// Also from pages of the list that nothing leads to any more, and from a first page that is damaged: of its rows, one
// that is wrong names a page in which there is none of its table's rows (salvaged_tables.h), and costs that table.
Result<DamagedSchema> read_schema(DamagedFile& file, TreeReader& reader);

}  // namespace mneme::storage

// The rows of a damaged catalogue, into the tables of a new one, as they are: salvaged_state.h makes sense of them.
// Threads: one at a time.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/salvage/damaged_file.h"
#include "storage/salvage/tree_reader.h"

namespace mneme::storage {

struct SalvagedRows {
  std::map<std::string_view, TreeLosses> losses{};  // by table; rows that strays gave back are still named
  // What an index, which has a copy of them, says there was.
  std::vector<int64_t> known_documents{};
  std::vector<int64_t> known_messages{};
  bool knows_all_documents = false;  // the index is whole
  bool knows_all_messages = false;

  bool lost_some_of(std::string_view table) const;
};

// target: tables of the newest schema, in a transaction of the caller's; whatever refers to whatever.
Result<SalvagedRows> copy_rows(DamagedFile& file, Database& target, const CancelToken& cancel);

// Trees with pages that cannot be read, as the user calls what is in them; each once.
Result<std::vector<std::string_view>> damaged_parts(DamagedFile& file);

}  // namespace mneme::storage

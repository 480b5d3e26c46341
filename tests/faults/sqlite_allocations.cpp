// SQLite takes its memory from malloc; here it passes the same gate as operator new, so that its allocations fail too.
#include <sqlite3.h>

#include "tests/faults/interpose.h"

namespace mneme::faults {
namespace {

sqlite3_mem_methods original{};

void* gated_malloc(int size) {
  return allocation_fails(__builtin_return_address(0)) ? nullptr : original.xMalloc(size);
}
void* gated_realloc(void* memory, int size) {
  return allocation_fails(__builtin_return_address(0)) ? nullptr : original.xRealloc(memory, size);
}

// Before main: SQLite must not have been used yet.
const bool installed = [] {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
  sqlite3_mem_methods gated = original;
  gated.xMalloc = gated_malloc;
  gated.xRealloc = gated_realloc;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &gated) == SQLITE_OK;
}();

}  // namespace

bool sqlite_is_gated() {
  return installed;
}

}  // namespace mneme::faults

// Collections whose passages get no stored KV (`index --kv off`): kept with the home, so that answers of every program
// over it, and index runs that do not say otherwise, go by it. What is stored already is used as before.
// Threads: as the catalogue's.
#pragma once

#include <set>
#include <string>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

Status set_stores_kv(storage::Catalogue& catalogue, const std::string& collection, bool stores);

// The names of those that store none.
Result<std::set<std::string>> collections_without_kv(storage::Catalogue& catalogue);

}  // namespace mneme::rag

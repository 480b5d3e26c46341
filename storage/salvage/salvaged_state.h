// What was salvaged of a catalogue, made into one: nothing refers to what is not there, no document is there by half,
// and the index of words is made anew.
// Threads: one at a time.
#pragma once

#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/salvage/salvaged_rows.h"

namespace mneme::storage {

// In the caller's transaction.
Status make_consistent(Database& database, const SalvagedRows& rows);

}  // namespace mneme::storage

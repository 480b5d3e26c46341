// The tables of a catalogue that are salvaged from a damaged one, in every schema so far, and how their rows look. What
// is not here (the index of words, SQLite's own indexes) is made anew from these.
// Threads: constants and pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "storage/salvage/tree_reader.h"

namespace mneme::storage {

// What a column holds. kRowid: the row's number, which stands beside the record.
enum class ColumnKind : uint8_t { kRowid, kInteger, kIntegerOrNull, kText, kBlob };

struct SalvagedColumn {
  std::string_view name;
  ColumnKind kind;
};

struct SalvagedTable {
  std::string_view name;
  // What the user calls what is in it.
  std::string_view part;
  PageKind leaves;  // kIndexLeaf: a table without numbers of rows
  std::span<const SalvagedColumn> columns;
  size_t n_first_columns;  // those of the first schema; later ones came behind, and older rows may lack them
};

// Those that others refer to come first.
std::span<const SalvagedTable> salvaged_tables();

// The table that this tree, a table or an index of it, belongs to, as the user calls it; "the index of words" and the
// like for what is made anew.
std::string_view part_of_tree(std::string_view tree, std::string_view table);

// Whether the row can be one of the table: number and kinds of its values.
bool fits(const SalvagedTable& table, const SalvagedRow& row);

// "INSERT OR IGNORE INTO ...": puts the first n columns, bound in their order.
std::string insert_sql(const SalvagedTable& table, size_t n_columns);

}  // namespace mneme::storage

// docs/formats/catalogue.md lists what a catalogue holds: every table, every column, its type, and nothing else.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "temporary_home.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::storage {
namespace {

using Columns = std::map<std::string, std::string>;  // type by name
using Tables = std::map<std::string, Columns>;

// Rows of a query as text; at most three columns of it.
std::vector<std::array<std::string, 3>> query(sqlite3* database, const std::string& sql) {
  std::vector<std::array<std::string, 3>> rows;
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::array<std::string, 3>& row = rows.emplace_back();
    for (int i = 0; i < std::min(3, sqlite3_column_count(statement)); ++i) {
      const unsigned char* text = sqlite3_column_text(statement, i);
      row[static_cast<size_t>(i)] = text == nullptr ? "" : reinterpret_cast<const char*>(text);
    }
  }
  sqlite3_finalize(statement);
  return rows;
}

// Ordinary tables of a catalogue that was just made; those that SQLite and FTS5 keep for themselves are left out.
Tables tables_of_a_catalogue() {
  const TemporaryHome home;
  const std::string path = home.path() + "/catalog.db";
  EXPECT_TRUE(Catalogue::open({.path = path}).ok());
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  Tables tables;
  for (const auto& table : query(database,
                                 "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE "
                                 "'CREATE TABLE%' AND name NOT LIKE 'lexical%' AND name NOT LIKE "
                                 "'sqlite%'")) {
    for (const auto& column : query(database, "SELECT name, type FROM pragma_table_info('" + table[0] + "')")) {
      tables[table[0]][column[0]] = column[1];
    }
  }
  sqlite3_close(database);
  return tables;
}

// "| `name` | TYPE | ..." as name and type; empty for any other line.
std::pair<std::string, std::string> column_of(const std::string& line) {
  if (line.rfind("| `", 0) != 0) return {};
  const size_t end = line.find('`', 3);
  const size_t type = line.find("| ", end) + 2;
  return {line.substr(3, end - 3), line.substr(type, line.find(" |", type) - type)};
}

Tables tables_of_the_document() {
  std::ifstream file(checkout::path("docs/formats/catalogue.md"));
  EXPECT_TRUE(file.good());
  Tables tables;
  std::string table;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("### `", 0) == 0) table = line.substr(5, line.find('`', 5) - 5);
    const auto [name, type] = column_of(line);
    if (!name.empty()) tables[table][name] = type;
  }
  EXPECT_EQ(tables.erase("lexical"), 1u);  // FTS5: columns without types
  return tables;
}

TEST(SchemaDocument, ListsEveryTableAndColumn) {
  const Tables made = tables_of_a_catalogue();
  EXPECT_GE(made.size(), 10u);
  const Tables told = tables_of_the_document();
  for (const auto& [table, columns] : made) {
    ASSERT_TRUE(told.contains(table)) << table << " is not in docs/formats/catalogue.md";
    EXPECT_EQ(told.at(table), columns) << table;
  }
  for (const auto& [table, columns] : told) EXPECT_TRUE(made.contains(table)) << table << " is not in the schema";
}

}  // namespace
}  // namespace mneme::storage

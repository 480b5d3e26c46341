// What is left of a path: rows that name it, backups that do, and texts that were removed but not yet overwritten.
#include <string>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/earlier_names.h"
#include "storage/catalogue/files_put_aside.h"

namespace mneme::storage {
namespace {

Result<bool> has_row(Database& database, const std::string& sql, const PathRange& range) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare_once(sql));
  return statement.bind(range.exact, range.low, range.high, range.members).step();
}

// The tables are the same in every schema so far (migrations.cpp).
Result<bool> rows_name(Database& database, const PathRange& range) {
  for (const char* table : {"documents", "failures", "roots"}) {
    const std::string sql = "SELECT 1 FROM " + std::string(table) + " WHERE " + is_below("path") + " LIMIT 1";
    MNEME_ASSIGN_OR_RETURN(const bool found, has_row(database, sql, range));
    if (found) return true;
  }
  MNEME_ASSIGN_OR_RETURN(const bool was_moved, moves_name(database, range));
  if (was_moved) return true;
  const std::string names_file = is_below("json_extract(value, '$.document')");
  return has_row(database,
                 "SELECT 1 FROM messages WHERE CASE WHEN NOT json_valid(details_json) THEN 0 ELSE " +
                     tells_of("$.citations", names_file) + " OR " + tells_of("$.sources", names_file) + " END LIMIT 1",
                 range);
}

Result<bool> database_names(const std::string& path, const char* vfs, const PathRange& range) {
  // For writing, as SQLite takes the files it needs for reading a database with a log away only then.
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Database> backup, Database::open(path, {.create = false, .vfs = vfs}));
  MNEME_ASSIGN_OR_RETURN(const int64_t tables,
                         backup->query_integer("SELECT count(*) FROM sqlite_schema WHERE name='documents'"));
  if (tables == 0) return false;  // it was cut off before anything was copied
  return rows_name(*backup, range);
}

// A damaged one cannot say that it does not name the path.
Result<bool> any_names(const std::vector<std::string>& databases, const char* vfs, const PathRange& range) {
  for (const std::string& path : databases) {
    Result<bool> named = database_names(path, vfs, range);
    if (named.status().code() == StatusCode::kCorruption) return true;
    if (!named.ok() || *named) return named;
  }
  return false;
}

// Both missing: a catalogue from before the counters, of which nobody knows.
constexpr const char* kNotOverwritten =
    "SELECT coalesce((SELECT value FROM counters WHERE name='texts.removed'), 0) > "
    "coalesce((SELECT value FROM counters WHERE name='texts.overwritten'), -1)";

}  // namespace

std::string is_below(std::string_view column) {
  const std::string x(column);
  return "(" + x + "=?1 OR (" + x + ">=?2 AND " + x + "<?3) OR (?4<>'' AND substr(" + x + ", 1, length(?4))=?4))";
}

std::string tells_of(std::string_view list, std::string_view condition) {
  return "EXISTS(SELECT 1 FROM json_each(details_json, '" + std::string(list) + "') WHERE " + std::string(condition) +
         ")";
}

Status count_removed_text(Database& database) {
  return database.execute(
      "INSERT INTO counters(name, value) VALUES('texts.removed', 1) "
      "ON CONFLICT(name) DO UPDATE SET value=value+1");
}

Result<Catalogue::Trace> Catalogue::trace_of(std::string_view path, Members members) {
  const PathRange range = path_range_with(path, members);
  if (range.exact.empty()) return usage_error("forget needs a path");
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(bool named, rows_name(*database, range));
  for (const auto& list_files : {backups_of, damaged_ones_of}) {
    if (named) break;
    MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> files, list_files(state_->env(), state_->options.path));
    MNEME_ASSIGN_OR_RETURN(named, any_names(files, state_->vfs, range));
  }
  if (named) return Trace::kNamed;
  MNEME_ASSIGN_OR_RETURN(const int64_t leftovers, database->query_integer(kNotOverwritten));
  return leftovers != 0 ? Trace::kLeftovers : Trace::kNone;
}

Status Catalogue::note_overwritten(const Forgotten& forgotten) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("INSERT INTO counters(name, value) VALUES('texts.overwritten', ?1) "
                                            "ON CONFLICT(name) DO UPDATE SET value=max(value, excluded.value)"));
    return statement.bind(forgotten.removed_texts).run();
  });
}

}  // namespace mneme::storage

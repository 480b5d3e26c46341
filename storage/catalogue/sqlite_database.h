// SQLite with owners: a connection, statements that go back to the connection's cache, transactions that roll back.
// Ownership: statements and transactions must not outlive their database.
// Threads: a database and everything taken from it belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace mneme::storage {

class Database;

// A prepared statement with its bindings. Columns and text borrowed from a row are valid until the next step.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  ~Statement();  // resets it and gives it back to the cache
  Statement& operator=(Statement&&) = delete;

  // Binds the parameters ?1, ?2, ... in order; values are copied.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }
  Statement& bind_one(int index, int64_t value);
  Statement& bind_one(int index, uint64_t value) { return bind_one(index, static_cast<int64_t>(value)); }
  Statement& bind_one(int index, int value) { return bind_one(index, static_cast<int64_t>(value)); }
  Statement& bind_one(int index, bool value) { return bind_one(index, static_cast<int64_t>(value)); }
  Statement& bind_one(int index, double value);
  Statement& bind_one(int index, std::string_view text);
  Statement& bind_one(int index, const std::string& text) { return bind_one(index, std::string_view(text)); }
  Statement& bind_one(int index, const char* text) { return bind_one(index, std::string_view(text)); }
  Statement& bind_one(int index, ByteSpan blob);
  Statement& bind_null(int index);
  template <typename Id>
    requires std::is_enum_v<Id>
  Statement& bind_one(int index, Id id) {
    return bind_one(index, static_cast<int64_t>(id));
  }

  // Binds an object for a function of ours; `type` must be a literal. Borrowed until the statement is reset.
  Status bind_pointer(int index, void* object, const char* type);

  Result<bool> step();  // true: there is a row
  Status run();         // steps to the end, rows ignored, and resets
  void reset();

  int64_t integer(int column) const;
  template <typename Id>
  Id id(int column) const {
    return static_cast<Id>(integer(column));
  }
  double real(int column) const;
  std::string_view text(int column) const;
  std::string string(int column) const { return std::string(text(column)); }
  ByteSpan blob(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  Statement(Database* database, sqlite3_stmt* handle, bool* in_use);

  Database* database_;
  sqlite3_stmt* handle_;
  bool* in_use_;  // of the cache's entry; null: not cached, finalised at the end
  Status bind_status_;
};

class Database {
 public:
  struct Options {
    bool create = true;
    bool read_only = false;
    const char* vfs = nullptr;  // null: SQLite's own
    int busy_timeout_ms = 10000;
  };
  static Result<std::unique_ptr<Database>> open(const std::string& path, const Options& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // sql must live as long as the database (a literal): it is the key of the statement cache.
  Result<Statement> prepare(const char* sql);
  Result<Statement> prepare_once(const std::string& sql);  // for SQL made at run time; not cached
  Status execute(const char* sql);                         // one or more statements without parameters
  // A one-row, one-column question.
  Result<int64_t> query_integer(const char* sql);

  int64_t last_insert_id() const;
  int64_t changes() const;
  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_; }

  // An error when its file was deleted, or another has its name now: what is written to it then is lost when the last
  // program closes it, and SQLite says nothing. Where files are not the system's own it cannot be told, and is ok.
  Status still_there() const;

  // What SQLite last said, as a Status that names the file.
  Status error(int code) const;

 private:
  friend class Statement;
  Database(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}

  struct Cached {
    sqlite3_stmt* handle = nullptr;
    bool in_use = false;
  };
  std::string path_;
  sqlite3* handle_;
  std::unordered_map<const char*, Cached> cache_;
};

// Everything between begin and commit happens or nothing does.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };
  static Result<Transaction> begin(Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept : database_(other.database_) { other.database_ = nullptr; }
  ~Transaction();  // rolls back what was not committed
  Transaction& operator=(Transaction&&) = delete;
  Status commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

}  // namespace mneme::storage

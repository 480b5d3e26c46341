#include "storage/catalogue/log_eraser.h"

#include <sqlite3.h>

#include <string>
#include <string_view>

#include "base/guarded.h"
#include "storage/env/atomic_write.h"

namespace mneme::storage {
namespace {

class LogErasingLayer final : public SqliteLayer {
 public:
  LogErasingLayer(sqlite3_vfs* below, FileEnv& env, Status& failure)
      : SqliteLayer("mneme-logs", below), env_(env), failure_(failure) {}

  int remove(const char* name, int sync_directory) override {
    if (!std::string_view(name).ends_with("-wal")) return SqliteLayer::remove(name, sync_directory);
    failure_ = guarded("overwriting a log", [&] { return erase_atomically(env_, {std::string(name)}); });
    return failure_.ok() ? SQLITE_OK : SQLITE_IOERR_DELETE;
  }

 private:
  FileEnv& env_;
  Status& failure_;
};

}  // namespace

Result<std::unique_ptr<SqliteLayer>> log_erasing_layer(const char* under, FileEnv& env, Status& failure) {
  return offer_layer(under, [&](sqlite3_vfs* below) { return std::make_unique<LogErasingLayer>(below, env, failure); });
}

}  // namespace mneme::storage

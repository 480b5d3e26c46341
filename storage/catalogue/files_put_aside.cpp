#include "storage/catalogue/files_put_aside.h"

#include <string_view>

#include "storage/catalogue/migrations.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

constexpr std::string_view kBesideADatabase[] = {"-wal", "-shm", "-journal"};

bool is_beside_a_database(std::string_view name) {
  for (const std::string_view ending : kBesideADatabase) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> backups_of(FileEnv& env, const std::string& catalogue) {
  std::vector<std::string> found;
  for (int version = 1; version <= kSchemaVersion; ++version) {
    std::string path = backup_path(catalogue, version);
    MNEME_ASSIGN_OR_RETURN(const bool there, is_there(env, path));
    if (there) found.push_back(std::move(path));
  }
  return found;
}

Result<std::vector<std::string>> damaged_ones_of(FileEnv& env, const std::string& catalogue) {
  const size_t slash = catalogue.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : catalogue.substr(0, slash);
  const std::string beginning = catalogue.substr(slash + 1) + std::string(kDamagedEnding);
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> names, env.list(folder));
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (name.starts_with(beginning) && !is_beside_a_database(name)) found.push_back(folder + "/" + name);
  }
  return found;
}

Result<uint64_t> erase_old_backups(FileEnv& env, const std::string& catalogue, std::chrono::days age) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  uint64_t freed = 0;
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> backups, backups_of(env, catalogue));
  for (const std::string& backup : backups) {
    MNEME_ASSIGN_OR_RETURN(const FileStat stat, env.stat(backup));
    if (now - std::chrono::nanoseconds(stat.mtime_ns) < age) continue;
    MNEME_RETURN_IF_ERROR(erase_put_aside(env, backup));
    freed += stat.size_bytes;
  }
  return freed;
}

Status erase_left_by_the_dead(FileEnv& env, const std::string& catalogue) {
  const size_t slash = catalogue.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : catalogue.substr(0, slash);
  const std::string_view beginning = std::string_view(catalogue).substr(slash + 1);
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> names, env.list(folder));
  for (const std::string& name : names) {
    if (!name.starts_with(beginning) || !is_left_by_the_dead(name)) continue;
    MNEME_RETURN_IF_ERROR(env.erase(folder + "/" + name));
  }
  return {};
}

Status erase_put_aside(FileEnv& env, const std::string& path) {
  for (const std::string_view ending : kBesideADatabase) {
    const Status status = env.erase(path + std::string(ending));
    if (!status.ok() && status.code() != StatusCode::kNotFound) return status;
  }
  const Status status = env.erase(path);
  return status.code() == StatusCode::kNotFound ? Status() : status;
}

}  // namespace mneme::storage

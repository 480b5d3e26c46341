// A file layer that encrypts what is written below given folders, names excepted, and decrypts it when it is read
// (docs/formats/encryption.md). Everything else goes on to the layer underneath. SQLite's files are encrypted by
// sqlite_vfs().
//
// Left as they are: what is not the user's text and is read without a key, or by others: the file of the key itself,
// config.toml, window.json (how large the window was), locks, model files (*.gguf), which the engine maps into
// memory, and what is measured of models by a text of the program's own (*.kvprofile, *.clustering).
//
// Ownership: `below` must outlive it, and it the connections opened through sqlite_vfs(). Threads: as FileEnv.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/encryption/secret.h"
#include "storage/env/file_env.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

class EncryptedEnv final : public FileEnv {
 public:
  // folders: absolute, as the paths that will be asked for begin.
  static Result<std::unique_ptr<EncryptedEnv>> make(FileEnv& below, std::shared_ptr<const Secret> home_key,
                                                    std::vector<std::string> folders);

  Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Result<FileStat> stat(const std::string& path) override;  // size_bytes: of the contents

  Status create_if_missing(const std::string& path) override { return below_.create_if_missing(path); }
  Result<std::vector<std::string>> list(const std::string& directory) override { return below_.list(directory); }
  Status make_directories(const std::string& path) override { return below_.make_directories(path); }
  Status rename(const std::string& from, const std::string& to) override { return below_.rename(from, to); }
  Status remove(const std::string& path) override { return below_.remove(path); }
  Status erase(const std::string& path) override { return below_.erase(path); }
  Status erase_all(const std::vector<std::string>& paths) override { return below_.erase_all(paths); }
  Status touch(const std::string& path) override { return below_.touch(path); }
  Status sync_directory(const std::string& path) override { return below_.sync_directory(path); }
  Status sync_directories(const std::vector<std::string>& paths) override { return below_.sync_directories(paths); }
  Status check_writable(const std::string& path) override { return below_.check_writable(path); }
  Result<uint64_t> free_bytes(const std::string& path) override { return below_.free_bytes(path); }
  Result<std::unique_ptr<FileLock>> try_lock(const std::string& path) override { return below_.try_lock(path); }
  Result<std::unique_ptr<FileLock>> try_lock_number(const std::string& path, uint64_t number) override {
    return below_.try_lock_number(path, number);
  }
  Result<bool> locked(const std::string& path) override { return below_.locked(path); }
  const char* sqlite_vfs() override { return layer_->name(); }
  bool encrypts(const std::string& path) const override;

 private:
  EncryptedEnv(FileEnv& below, std::shared_ptr<const Secret> home_key, std::vector<std::string> folders)
      : below_(below), home_key_(std::move(home_key)), folders_(std::move(folders)) {}

  FileEnv& below_;
  std::shared_ptr<const Secret> home_key_;
  std::vector<std::string> folders_;  // without a slash behind
  std::unique_ptr<SqliteLayer> layer_;
};

}  // namespace mneme::storage

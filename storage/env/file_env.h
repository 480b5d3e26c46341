// The one file layer: everything the program writes goes through a FileEnv, so that tests can swap the disk for memory
// or for one that fails, forgets unsynced writes, or dies at any operation. (LevelDB's Env is the model for this.)
// Errors carry the path and what the system said. EINTR is retried inside. Files are created 0600, directories 0700.
// Threads: a FileEnv may be used from any thread; one file object by one thread at a time, read_at() by several.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::storage {

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual uint64_t size() const = 0;
  // Reads exactly out.size() bytes at offset; kCorruption when the file ends before.
  virtual Status read_at(uint64_t offset, MutableByteSpan out) const = 0;
  // The operating system's descriptor, for batched reading; -1 where there is none. Owned by the file.
  virtual int descriptor() const { return -1; }
};

class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Status append(ByteSpan bytes) = 0;
  virtual Status sync() = 0;   // data and size are on the medium afterwards
  virtual Status close() = 0;  // reports late write errors; the destructor closes silently
};

enum class FileKind { kFile, kDirectory, kSymlink, kOther };

struct FileStat {
  FileKind kind = FileKind::kFile;
  uint64_t size_bytes = 0;
  int64_t mtime_ns = 0;
};

// A lock between processes, let go by the destructor or by the process's end, however it ends.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileEnv {
 public:
  virtual ~FileEnv() = default;

  virtual Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) = 0;
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string& path) = 0;  // truncates
  virtual Status create_if_missing(const std::string& path) = 0;                      // empty; never truncates
  virtual Result<FileStat> stat(const std::string& path) = 0;                         // does not follow symlinks
  virtual Result<std::vector<std::string>> list(const std::string& directory) = 0;    // names, sorted
  virtual Status make_directories(const std::string& path) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;  // atomic replacement
  virtual Status remove(const std::string& path) = 0;                         // a file; absent is kNotFound
  // For what tells of a text that is to be forgotten: overwritten on the medium, then removed. It is removed also where
  // overwriting fails, which is then the error. A file system that copies on write, and a flash drive, keep what was.
  // An environment without a medium only removes.
  virtual Status erase(const std::string& path) { return remove(path); }
  // The same of many, with fewer syncs where the system has them. All are tried; the first failure, and one that is not
  // there is none.
  virtual Status erase_all(const std::vector<std::string>& paths);
  virtual Status touch(const std::string& path) = 0;  // mtime becomes now
  virtual Status sync_directory(const std::string& path) = 0;
  virtual Status sync_directories(const std::vector<std::string>& paths);  // the same of many; the first failure
  // Whether a folder's files, or this file, can be written: permissions and media, not space. Not ok: kIo, what the
  // system says of it, without advice. Ok where nobody can say.
  virtual Status check_writable(const std::string& /*path*/) { return {}; }
  virtual Result<uint64_t> free_bytes(const std::string& path) = 0;

  // Takes the lock named by the file `path` (made when missing) without waiting; kBusy when another has it.
  virtual Result<std::unique_ptr<FileLock>> try_lock(const std::string& path) = 0;
  // The same for one of the numbers of such a file: each is a lock by itself, and none has to do with the whole file's.
  virtual Result<std::unique_ptr<FileLock>> try_lock_number(const std::string& path, uint64_t number) = 0;
  // Whether somebody has it, at this moment; makes no file, and those who look do not see each other.
  virtual Result<bool> locked(const std::string& path) = 0;

  // The name of a registered SQLite VFS over the same files, or null for SQLite's own.
  virtual const char* sqlite_vfs() { return nullptr; }

  // Whether what is written to this path lies encrypted on the disk (storage/encryption).
  virtual bool encrypts(const std::string& /*path*/) const { return false; }

  // The operating system's files.
  static FileEnv& posix();
};

// Whether there is a file, folder or link of this name.
Result<bool> is_there(FileEnv& env, const std::string& path);
// Writes `bytes` so that `path` holds either the old or the new content, whatever happens: temporary file, sync,
// rename, directory sync.
Status write_atomically(FileEnv& env, const std::string& path, ByteSpan bytes);
Result<std::vector<std::byte>> read_whole(FileEnv& env, const std::string& path, uint64_t limit_bytes);

}  // namespace mneme::storage

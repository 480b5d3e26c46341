// Encrypted files. The first byte chooses: any bytes as such a file; a sound file with bytes changed, which gives an
// error or as many bytes as it had; and reading, writing, cutting a file of SQLite's at any place, which must do what
// the same does to a plain row of bytes.
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "storage/encryption/encrypted_env.h"
#include "storage/env/memory_env.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace mneme;
using namespace mneme::storage;
using mneme::fuzz::Input;
using mneme::fuzz::require;

constexpr const char* kPath = "/home/file";

struct Disk {
  Disk() {
    require(below.make_directories("/home").ok());
    auto made = EncryptedEnv::make(below, std::make_shared<Secret>("a key for tests, of thirty-two b"), {"/home"});
    require(made.ok());
    env = std::move(made).value();
  }
  MemoryEnv below;
  std::unique_ptr<EncryptedEnv> env;
};

void read_foreign(Input input) {
  Disk disk;
  require(write_atomically(disk.below, kPath, input.rest_bytes()).ok());
  const auto read = read_whole(*disk.env, kPath, 1 << 20);
  require(read.ok() ? read->empty() : !read.status().message().empty());
}

void read_changed(Input input) {
  Disk disk;
  const size_t n = size_t{input.byte()} * 37;
  require(write_atomically(*disk.env, kPath, std::vector<std::byte>(n, std::byte{7})).ok());
  auto raw = read_whole(disk.below, kPath, 1 << 20);
  require(raw.ok());
  while (!input.empty()) {
    const size_t at = (size_t{input.byte()} << 8 | input.byte()) % raw->size();
    (*raw)[at] ^= std::byte{input.byte()};
  }
  require(write_atomically(disk.below, kPath, *raw).ok());
  const auto read = read_whole(*disk.env, kPath, 1 << 20);
  require(read.ok() ? read->size() == n : !read.status().message().empty());
}

// A file of SQLite's, opened through the layer that encrypts.
class File {
 public:
  File(sqlite3_vfs* vfs, int role) : room_(static_cast<size_t>(vfs->szOsFile)) {
    int out = 0;
    const int flags = role | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    require(vfs->xOpen(vfs, kPath, file(), flags, &out) == SQLITE_OK);
  }
  ~File() { file()->pMethods->xClose(file()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  sqlite3_file* file() { return reinterpret_cast<sqlite3_file*>(room_.data()); }

  void write(const std::vector<uint8_t>& bytes, size_t at) {
    const int code =
        file()->pMethods->xWrite(file(), bytes.data(), static_cast<int>(bytes.size()), static_cast<sqlite3_int64>(at));
    require(code == SQLITE_OK);
  }
  std::vector<uint8_t> read(size_t n, size_t at) {
    std::vector<uint8_t> bytes(n, 0xcd);
    const int code = file()->pMethods->xRead(file(), bytes.data(), static_cast<int>(n), static_cast<sqlite3_int64>(at));
    require(code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ);
    return bytes;
  }
  void truncate(size_t size) {
    require(file()->pMethods->xTruncate(file(), static_cast<sqlite3_int64>(size)) == SQLITE_OK);
  }
  size_t size() {
    sqlite3_int64 size = 0;
    require(file()->pMethods->xFileSize(file(), &size) == SQLITE_OK);
    return static_cast<size_t>(size);
  }

 private:
  std::vector<std::max_align_t> room_;
};

// The head of a log with pages of 512 bytes.
std::vector<uint8_t> log_head() {
  std::vector<uint8_t> head = {0x37, 0x7f, 0x06, 0x82, 0, 0, 0, 0, 0, 0, 2, 0};
  head.resize(32);
  return head;
}

void act(Input& input, File& file, std::vector<uint8_t>& plain, bool is_log) {
  const uint8_t what = input.byte();
  // The head of a log stays as it is.
  const size_t at = std::max<size_t>(size_t{input.byte()} << 4 | (input.byte() & 15), is_log ? 32 : 0);
  const size_t n = size_t{input.byte()} * 5 + 1;
  if (what % 8 == 0) {
    // What SQLite cuts at: ends of pages and frames, which are ends of blocks.
    const size_t frame = 24 + 512;
    const size_t size = is_log ? 32 + at / frame * frame : at / 16 * 16;
    if (size > plain.size()) return;
    file.truncate(size);
    plain.resize(size);
    require(file.size() == size);
  } else if (what % 2 == 0) {
    std::vector<uint8_t> bytes(n);
    for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<uint8_t>(what + i);
    file.write(bytes, at);
    plain.resize(std::max(plain.size(), at + n));
    std::copy(bytes.begin(), bytes.end(), plain.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    std::vector<uint8_t> expected(n);
    for (size_t i = 0; i < n && at + i < plain.size(); ++i) expected[i] = plain[at + i];
    require(file.read(n, at) == expected);
  }
}

void write_anywhere(Input input) {
  static constexpr int kRoles[] = {SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_WAL, SQLITE_OPEN_MAIN_JOURNAL};
  const int role = kRoles[input.byte() % 3];
  const bool is_log = role == SQLITE_OPEN_WAL;
  Disk disk;
  sqlite3_vfs* vfs = sqlite3_vfs_find(disk.env->sqlite_vfs());
  std::vector<uint8_t> plain;
  const auto one = std::make_unique<File>(vfs, role);
  const auto other = std::make_unique<File>(vfs, role);  // another connection's, which sees the same
  if (is_log) one->write(plain = log_head(), 0);
  constexpr int kMostSteps = 200;
  for (int step = 0; step < kMostSteps && !input.empty(); ++step) {
    act(input, step % 3 == 0 ? *other : *one, plain, is_log);
    const size_t size = other->size();
    require(size >= plain.size() && size < plain.size() + 16);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  switch (input.byte() % 3) {
    case 0: read_foreign(input); break;
    case 1: read_changed(input); break;
    default: write_anywhere(input); break;
  }
  return 0;
}

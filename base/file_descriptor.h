// An open file of the system, closed when its owner goes.
// Ownership: owns the descriptor. Threads: one owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace mneme {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  // What ::open() and its like gave; negative: none.
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }  // the caller closes it
  bool is_open() const { return fd_ >= 0; }

  // Closes what is held and holds `fd` instead. What close() says is dropped: for files that were read, and pipes.
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

}  // namespace mneme

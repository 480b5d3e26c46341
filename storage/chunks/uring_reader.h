// A ring of reads in flight (io_uring). Where the library or the kernel has none, make() says kUnsupported.
// Ownership: buffers and descriptors are borrowed until their completion was given out; the destructor waits for what
// is still in flight. Threads: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::storage {

struct ReadCompletion {
  uint64_t tag = 0;
  int64_t result = 0;  // bytes read, fewer than asked only at the end of the file; or -errno
};

class UringReader {
 public:
  static Result<std::unique_ptr<UringReader>> make(int queue_depth);
  ~UringReader();
  UringReader(const UringReader&) = delete;
  UringReader& operator=(const UringReader&) = delete;

  int in_flight() const;
  bool full() const;
  // Queues a read; goes to the kernel with the next poll() or wait(). Not when full().
  void add(int descriptor, uint64_t offset, MutableByteSpan out, uint64_t tag);
  // Submits what is queued and waits for one completion. Not when nothing is in flight.
  Result<ReadCompletion> wait();
  // The same without waiting: nothing where no read is done. What lies in the page cache is read while it is submitted.
  Result<std::optional<ReadCompletion>> poll();

 private:
  struct State;
  explicit UringReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mneme::storage

// Memory held back for a library that leaves its own data damaged when an allocation of its fails (libsentencepiece's
// protobuf does). While an object lives, an allocation of its thread that finds no memory gets what is held back, once;
// where that is not enough, the program ends with a sentence (base/last_words.h) before the library sees the failure.
// Elsewhere, and on other threads, what fails is an exception as always.
// Threads: an object belongs to the thread that made it; not one inside another.
#pragma once

#include <cstddef>
#include <memory>

namespace mneme {

class MemoryReserve {
 public:
  explicit MemoryReserve(size_t n_bytes);  // std::bad_alloc when there is not even that
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

 private:
  static void find_memory();  // what operator new calls where there is none
  std::unique_ptr<char[]> held_;
};

}  // namespace mneme

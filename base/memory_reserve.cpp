#include "base/memory_reserve.h"

#include <new>

#include "base/last_words.h"

namespace mneme {
namespace {

thread_local MemoryReserve* current = nullptr;

}  // namespace

void MemoryReserve::find_memory() {
  if (current == nullptr) throw std::bad_alloc();
  if (current->held_ == nullptr) {
    end_with_last_words(StatusCode::kResource,
                        "there is not enough memory to split text into tokens; close other programs, or allow more "
                        "memory where --memory limits it");
  }
  current->held_.reset();
}

// Not initialised (new char[]): pages that nobody touches cost nothing.
MemoryReserve::MemoryReserve(size_t n_bytes) {
  static const std::new_handler before = std::set_new_handler(find_memory);
  static_cast<void>(before);
  held_.reset(new char[n_bytes]);
  current = this;
}

MemoryReserve::~MemoryReserve() {
  current = nullptr;
}

}  // namespace mneme

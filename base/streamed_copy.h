// Copies into memory that this processor does not read again soon: past its caches, so that what lies in them stays and
// the memory that is written need not be read first. Who reads it on another thread or device sees all of it.
// Threads: as memcpy.
#pragma once

#include <cstddef>

namespace mneme {

// The two do not overlap.
void copy_streamed(std::byte* to, const std::byte* from, size_t n_bytes);

}  // namespace mneme

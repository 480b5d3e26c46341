// Memory that maps a file: telling the system what is no longer needed. Threads: safe.
#pragma once

#include <cstddef>
#include <span>

namespace mneme {

// The whole pages inside these bytes of a read-only mapping of a file may go; they are read again when touched. Advice
// only: a failure costs memory, nothing else.
void forget_pages(std::span<const std::byte> bytes);

}  // namespace mneme

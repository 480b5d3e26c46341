// How much memory the program may take: what the system has left, and under it a ceiling of the user's.
//
// The ceiling is the kernel's own (RLIMIT_DATA), so that no part of the program, no library and no child gets past it.
// It counts memory that is the program's alone, when it is asked for, touched or not: heap, stacks of threads, pages of
// KV, repacked weights. Files that are mapped to be read, such as a model's weights, are the system's cache; it takes
// them back when others need the room, and they are not counted. Beyond the ceiling allocations fail, and what was
// being done ends in a sentence (base/guarded.h).
//
// Threads: limit_memory() before there are others; the rest from any thread.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace mneme {

// From now on the program takes at most n_bytes. kUsage, and nothing has changed, when it has taken more already.
Status limit_memory(uint64_t n_bytes);

// What the program has taken of what a ceiling counts; 0 where the system does not say.
uint64_t taken_memory_bytes();

// What the program can still get: what the system has for it, file cache included (MemAvailable), and at most what a
// ceiling and the control group it runs in leave. 0 where the system does not say.
uint64_t available_memory_bytes();

}  // namespace mneme

// What a container (an archive, a mailbox, a text in parts) may take as a whole, by its size on disk: the limits of
// ReadLimits are for any file and are raised here for a large one, so that twenty years of mail are read to their end
// while a small file that claims to hold the world still ends soon.
// Threads: pure functions.
#pragma once

#include <chrono>
#include <cstdint>

#include "rag/readers/reader.h"

namespace mneme::readers {

// All that decompression may give: fifty times the size on disk, or ReadLimits::unpacked_bytes where that is more.
uint64_t unpacked_bytes_of(const ReadLimits& limits, uint64_t size_bytes);

// Files, messages and attachments in it: one per 512 bytes on disk, or ReadLimits::members where that is more.
uint64_t members_of(const ReadLimits& limits, uint64_t size_bytes);

// Time for one member, or for a file that is none: ReadLimits::time, ten times that with OCR.
std::chrono::milliseconds time_of_member(const ReadLimits& limits);

// Time for all of it: that of one member, and a second for every 512 KiB on disk.
std::chrono::milliseconds time_of_container(const ReadLimits& limits, uint64_t size_bytes);

}  // namespace mneme::readers

// Small files that end with a checksum of what is before it: a disk that returns other bytes is found out.
// Threads: as the environment.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// As write_atomically(), with the XXH3-128 of the bytes (high, low; 16 bytes) after them.
Status write_sealed(FileEnv& env, const std::string& path, std::vector<std::byte> bytes);

// As read_whole(), without the checksum; kCorruption when it does not match.
Result<std::vector<std::byte>> read_sealed(FileEnv& env, const std::string& path, uint64_t limit_bytes);

}  // namespace mneme::storage

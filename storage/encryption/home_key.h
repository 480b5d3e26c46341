// The key of an encrypted home and the file that holds it, locked by a passphrase (docs/formats/encryption.md).
// The key is random and stays the same when the passphrase changes. Whoever loses the file, or the passphrase, has
// lost the home: nobody can open it.
// Source of the method: RFC 9106 (Argon2id), its second recommended choice of cost; AES-256-GCM wraps the key.
// Threads: pure functions and one atomic write.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/encryption/secret.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

inline constexpr std::string_view kHomeKeyName = "home.key";

// What trying one passphrase costs.
struct PassphraseCost {
  uint32_t memory_kib = 64 << 10;
  uint32_t passes = 3;
  uint32_t lanes = 4;
};

Result<std::shared_ptr<const Secret>> new_home_key();

// Replaces the file, whole or not at all. kUsage for an empty passphrase.
Status write_home_key(FileEnv& env, const std::string& path, const Secret& key, ByteSpan passphrase,
                      const PassphraseCost& cost = {});

// kUsage for a passphrase that does not open it; kCorruption; kUnsupported for a newer version's file or one that asks
// for more memory than 4 GiB; kNotFound.
Result<std::shared_ptr<const Secret>> open_home_key(FileEnv& env, const std::string& path, ByteSpan passphrase);

// Whether this is the key that a home's catalogue was encrypted with.
bool fits(FileEnv& env, const std::string& catalogue, const Secret& key);

}  // namespace mneme::storage

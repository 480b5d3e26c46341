// The key of an encrypted home, kept by the kernel for a while so that not every command asks for the passphrase: in
// the user's keyring (keyrings(7)), in memory, gone with the time, at `lock`, and when the machine is switched off. Any
// program of the same user can read it meanwhile, as it could read the program's memory.
// Threads: the main thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/status.h"
#include "storage/encryption/secret.h"

namespace mneme::app {

// home: the folder, absolute. kUnsupported where the kernel keeps none (some containers).
Status keep_key(const std::string& home, const storage::Secret& key, std::chrono::seconds how_long);
// Null: none is kept.
std::shared_ptr<const storage::Secret> kept_key(const std::string& home);
// Whether there was one.
bool drop_kept_key(const std::string& home);

}  // namespace mneme::app

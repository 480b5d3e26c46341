// A home made encrypted, and back (docs/formats/encryption.md). The catalogue and small files are copied beside the old
// ones; writing the key's file, or removing it, is the moment from which the copies count; then they take the old
// ones' places, which are overwritten. Cut off before that moment, the home is as it was, but for caches; after it,
// whoever opens the home next ends the work. Caches (stored KV, vector indexes) and backups of older schemas are
// erased, not copied: they are made again.
//
// The catalogue must be nobody else's meanwhile: kBusy while another program has the home open.
// Threads: one at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/encryption/home_key.h"
#include "storage/home.h"

namespace mneme::storage {

struct ConvertedHome {
  Home home;
  std::vector<std::string> kv_roots{};  // folders of stored KV beside the home's own
  FileEnv* env = nullptr;               // as the disk is, without a key
  int busy_timeout_ms = 2000;           // how long to wait for other programs
};

// kUsage for a home that is encrypted already; kNoSpace leaves it as it was.
Status encrypt_home(const ConvertedHome& converted, ByteSpan passphrase, const PassphraseCost& cost = {});
// kUsage for a home that is not encrypted.
Status decrypt_home(const ConvertedHome& converted, std::shared_ptr<const Secret> home_key);

// Ends a conversion that was cut off, or takes away what it left.
Status settle_conversion(FileEnv& env, const Home& home, bool encrypted);

}  // namespace mneme::storage

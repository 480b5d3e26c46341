// A home made encrypted, and back (docs/formats/encryption.md). The catalogue is copied beside the old one; writing the
// key's file, or removing it, is the moment from which the copy counts; then it takes the old one's place, which is
// overwritten. Cut off before that moment, the home is as it was, but for caches; after it, whoever opens the home next
// ends the work. Caches (stored KV, vector indexes) and backups of older schemas are erased, not copied: they are made
// again. Files of others that lie in the home stay as they are.
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

// kUsage for a home that is encrypted already, or whose files are links to others; kNoSpace leaves it as it was.
Status encrypt_home(const ConvertedHome& converted, ByteSpan passphrase, const PassphraseCost& cost = {});
// kUsage for a home that is not encrypted.
Status decrypt_home(const ConvertedHome& converted, std::shared_ptr<const Secret> home_key);

// kBusy while the home is converted, or another gives it a passphrase.
Status change_passphrase(FileEnv& env, const Home& home, const Secret& home_key, ByteSpan passphrase);

// Ends a conversion that was cut off, or takes away what it left. encrypted: what the caller takes the home for; kBusy
// where it is that no more.
Status settle_conversion(FileEnv& env, const Home& home, bool encrypted);

}  // namespace mneme::storage

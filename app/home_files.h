// The files of the home: as the disk has them, or through the home's key. Threads: the main thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/context.h"
#include "base/status.h"
#include "storage/encryption/secret.h"
#include "storage/home.h"

namespace mneme::app {

Result<storage::Home> home_of(const Context& context);
// Folders of stored KV beside the home's own, absolute.
std::vector<std::string> kv_roots_of(const Context& context);

// Opens an encrypted home's files, once: with the passphrase of --passphrase-file, else a key that is kept
// (kept_key.h), else a passphrase that is asked for. They then stand in context.home_files. A home that is not
// encrypted needs nothing. kUsage for a wrong passphrase.
Status open_home_files(Context& context);
// Whether nobody has to be asked: the home is not encrypted, or a file or a kept key opens it.
Result<bool> opens_unasked(const Context& context);

// A sentence where other users of the machine may read the home's catalogue, which is made for its owner alone: FAT,
// exFAT and NTFS keep no permissions, copies may have lost theirs. Empty where they may not, or would read nothing.
std::string who_else_reads(const storage::Home& home, bool is_encrypted);
// Tells it as a note, of the home that is open.
void note_who_else_reads(Context& context);

// As open_home_files(), with a passphrase that the caller has: the window asks for it itself.
Result<std::shared_ptr<storage::FileEnv>> unlock_home(const storage::Home& home, std::vector<std::string> kv_roots,
                                                      ByteSpan passphrase);

// The key behind the passphrase that the user gives, though one may be kept.
Result<std::shared_ptr<const storage::Secret>> ask_for_key(const Context& context, const storage::Home& home);

}  // namespace mneme::app

// Where KV caches lie and how much they may take, as configured. Threads: values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/codec/codec.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

struct KvStoreSettings {
  // Folders in order of preference; new files go to the first with room. The home's own comes after them, so that what
  // was stored before they were configured is still found. Empty: the home's own alone.
  std::vector<std::string> roots{};
  // Every chunk is stored at these levels too, beside the one it was asked for at: what a time goal chooses from.
  std::vector<engine::KvLevel> levels{};
  uint64_t quota_bytes = 0;  // over all of them; 0: what was chosen in the window, else by the disk of the first
};

// Options to open the store of a home with. kIo when a folder's disk cannot be asked for its free space.
Result<storage::ChunkStoreOptions> chunk_store_options(const KvStoreSettings& settings, storage::Catalogue& catalogue,
                                                       storage::FileEnv& env, const std::string& home_folder);

}  // namespace mneme::rag

// What the store holds of chats that go. Threads: reentrant. Ownership: borrows its arguments.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
class ChunkStore;
}  // namespace mneme::storage

namespace mneme::rag {

// Erases what is kept of one chat: it holds rows of the passages that the chat was about. Its files are found by their
// names; in a home of an older program, whose files do not tell so, every file of the store is opened, the first time.
Status erase_chat_kv(storage::Catalogue& catalogue, storage::ChunkStore& store, int64_t chat_id);

}  // namespace mneme::rag

#include "rag/kv_reuse/chat_kv_files.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "rag/kv_reuse/chat_kv.h"
#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::rag {
namespace {

constexpr const char* kNamedKey =
    "kv.chats.named";  // there: no file of a chat has a name that does not tell whose it is

bool tells_by_name(const storage::ChunkFileInfo& info) {
  return info.key.high == info.text_hash.high;
}

// Those of other chats under names that do not tell are found by nobody any more.
Status erase_unnamed(storage::Catalogue& catalogue, storage::ChunkStore& store, const Hash128& gone) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> chats, catalogue.list_chats());
  std::set<Hash128> hashes = {gone};
  for (const storage::ChatRecord& chat : chats) hashes.insert(ChatKv::text_hash(static_cast<int64_t>(chat.id)));
  const auto is_kept = [&](const storage::ChunkFileInfo& info) {
    return !hashes.contains(info.text_hash) || (info.text_hash != gone && tells_by_name(info));
  };
  MNEME_RETURN_IF_ERROR(store.remove_unless(is_kept, storage::Removal::kErase).status());
  return catalogue.put_setting(kNamedKey, "true");
}

}  // namespace

Status erase_chat_kv(storage::Catalogue& catalogue, storage::ChunkStore& store, int64_t chat_id) {
  const Hash128 chat = ChatKv::text_hash(chat_id);
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> named, catalogue.setting(kNamedKey));
  if (!named) return erase_unnamed(catalogue, store, chat);
  const std::string digits = chat.hex().substr(0, 16);
  return store.erase_named(digits, [&](const storage::ChunkFileInfo& info) { return info.text_hash == chat; });
}

}  // namespace mneme::rag

#include "rag/kv_reuse/stored_forms.h"

#include <algorithm>
#include <utility>

namespace mneme::rag {
namespace {

using engine::KvLevel;

// Whether the store gave it.
bool take(StoredForms& forms, KvLibrary& library, const ChunkTokens& tokens, KvLevel level) {
  auto stored = library.find(tokens, level);
  if (!stored.ok()) return false;
  forms.levels.push_back(level);
  forms.chunks.push_back(std::move(stored).value());
  return true;
}

}  // namespace

size_t StoredForms::form_of(KvLevel level) const {
  return static_cast<size_t>(std::find(levels.begin(), levels.end(), level) - levels.begin());
}

StoredForm StoredForms::offer(size_t form) const {
  const storage::StoredChunk& chunk = *chunks[form];
  return {levels[form], kv_root_of(chunk), static_cast<int64_t>(chunk.header().file_bytes)};
}

StoredForms find_form(KvLibrary& library, const ChunkTokens& tokens, KvLevel level) {
  StoredForms forms;
  if (take(forms, library, tokens, level)) return forms;
  for (const KvLevel finer : {KvLevel::kExact, KvLevel::kHigh, KvLevel::kMedium}) {
    if (finer < level && library.contains(tokens, finer) && take(forms, library, tokens, finer)) break;
  }
  return forms;
}

StoredForms find_forms(KvLibrary& library, const ChunkTokens& tokens, KvLevel asked,
                       const std::array<bool, kStreamLevels>& wanted) {
  StoredForms forms;
  for (int i = 0; i < kStreamLevels; ++i) {
    const auto level = static_cast<KvLevel>(i);
    if (!wanted[static_cast<size_t>(i)] || (level != asked && !library.contains(tokens, level))) continue;
    take(forms, library, tokens, level);
  }
  return forms;
}

std::string kv_root_of(const storage::StoredChunk& chunk) {
  const std::string& path = chunk.path();  // "<root>/<2 hex>/<key>.kv"
  return path.substr(0, path.rfind('/', path.rfind('/') - 1));
}

}  // namespace mneme::rag

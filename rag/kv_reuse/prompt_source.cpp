#include "rag/kv_reuse/prompt_source.h"

#include <cassert>

namespace mneme::rag {

int PromptSource::add(std::shared_ptr<const storage::StoredChunk> chunk, const engine::KvCodec* codec) {
  assert(memory_.n_chunks() == 0 && stream_ == nullptr);
  stored_.push_back(std::move(chunk));
  codecs_.push_back(codec);
  return n_stored() - 1;
}

int PromptSource::add(engine::EncodedKv kv) {
  codecs_.push_back(kv.codec);
  return n_stored() + memory_.add(std::move(kv));
}

Status PromptSource::start(const storage::ChunkStreamOptions& options) {
  if (stored_.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(stream_, storage::ChunkStream::start(stored_, options));
  return {};
}

engine::ChunkKvInfo PromptSource::chunk(int chunk) const {
  if (chunk >= n_stored()) return memory_.chunk(chunk - n_stored());
  const storage::StoredChunk& stored = *stored_[static_cast<size_t>(chunk)];
  return {static_cast<int>(stored.info().token_ids.size()), stored.n_layers(), stored.info().codec,
          stored.info().codec_version};
}

Status PromptSource::fetch_layer(int chunk, int layer, std::vector<std::byte>& out) {
  return chunk < n_stored() ? stream_->fetch(chunk, layer, out) : memory_.fetch_layer(chunk - n_stored(), layer, out);
}

}  // namespace mneme::rag

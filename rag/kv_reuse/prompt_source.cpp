#include "rag/kv_reuse/prompt_source.h"

#include <algorithm>
#include <cassert>

#include "rag/kv_reuse/forms_codec.h"

namespace mneme::rag {

int PromptSource::add(std::vector<CodedChunk> forms) {
  assert(!forms.empty() && memory_.n_chunks() == 0 && stream_ == nullptr);
  if (forms.size() == 1) {
    codecs_.push_back(forms.front().codec);
  } else {
    std::vector<const engine::KvCodec*> codecs;
    codecs.reserve(forms.size());
    for (const CodedChunk& form : forms) codecs.push_back(form.codec);
    forms_codecs_.push_back(make_forms_codec(std::move(codecs)));
    codecs_.push_back(forms_codecs_.back().get());
  }
  {
    MutexLock lock(mutex_);
    fetched_.push_back({std::vector<int>(forms.size()), std::vector<bool>(forms.size())});
  }
  stored_.push_back(std::move(forms));
  return n_stored() - 1;
}

int PromptSource::add(engine::EncodedKv kv) {
  codecs_.push_back(kv.codec);
  return n_stored() + memory_.add(std::move(kv));
}

Status PromptSource::start(const storage::ChunkStreamOptions& options) {
  if (stored_.empty()) return {};
  std::vector<storage::ChunkForms> chunks;
  for (const std::vector<CodedChunk>& forms : stored_) {
    storage::ChunkForms& files = chunks.emplace_back();
    for (const CodedChunk& form : forms) files.push_back(form.chunk);
  }
  MNEME_ASSIGN_OR_RETURN(stream_, storage::ChunkStream::start(std::move(chunks), options));
  return {};
}

engine::ChunkKvInfo PromptSource::chunk(int chunk) const {
  if (chunk >= n_stored()) return memory_.chunk(chunk - n_stored());
  const storage::StoredChunk& stored = *forms(chunk).front().chunk;
  return {static_cast<int>(stored.info().token_ids.size()), stored.n_layers(), stored.info().codec,
          stored.info().codec_version};
}

Status PromptSource::fetch_layer(int chunk, int layer, std::vector<std::byte>& out) {
  if (chunk >= n_stored()) return memory_.fetch_layer(chunk - n_stored(), layer, out);
  size_t form = 0;
  const Status status = stream_->fetch(chunk, layer, out, &form);
  {
    MutexLock lock(mutex_);
    Fetched& fetched = fetched_[static_cast<size_t>(chunk)];
    if (status.ok()) {
      ++fetched.layers[form];
    } else {
      fetched.failed[form] = true;
    }
  }
  if (status.ok() && forms(chunk).size() > 1) mark_form(form, out);
  return status;
}

bool PromptSource::is_ready(int chunk, int layer) const {
  return chunk >= n_stored() ? memory_.is_ready(chunk - n_stored(), layer) : stream_->ready(chunk, layer);
}

uint64_t PromptSource::layer_bytes() const {
  uint64_t bytes = 0;
  for (const std::vector<CodedChunk>& forms : stored_) {
    const storage::StoredChunk& chunk = *forms.front().chunk;
    bytes += chunk.header().file_bytes / static_cast<uint64_t>(std::max(chunk.n_layers(), 1));
  }
  return bytes;
}

std::vector<int> PromptSource::layers_by_form(int chunk) const {
  MutexLock lock(mutex_);
  return fetched_[static_cast<size_t>(chunk)].layers;
}

std::vector<std::shared_ptr<const storage::StoredChunk>> PromptSource::failed_forms(int chunk) const {
  MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const storage::StoredChunk>> failed, all;
  const std::vector<bool>& known = fetched_[static_cast<size_t>(chunk)].failed;
  for (size_t form = 0; form < known.size(); ++form) {
    all.push_back(forms(chunk)[form].chunk);
    if (known[form]) failed.push_back(all.back());
  }
  return failed.empty() ? all : failed;
}

}  // namespace mneme::rag

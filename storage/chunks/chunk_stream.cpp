#include "storage/chunks/chunk_stream.h"

#include <utility>

#include "storage/chunks/chunk_stream_state.h"

namespace mneme::storage {

ChunkStream::ChunkStream(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<ChunkStream>> ChunkStream::start(std::vector<std::shared_ptr<const StoredChunk>> chunks,
                                                        const ChunkStreamOptions& options) {
  std::vector<ChunkForms> forms;
  forms.reserve(chunks.size());
  for (std::shared_ptr<const StoredChunk>& chunk : chunks) {
    forms.push_back(chunk ? ChunkForms{std::move(chunk)} : ChunkForms{});
  }
  return start(std::move(forms), options);
}

Result<std::unique_ptr<ChunkStream>> ChunkStream::start(std::vector<ChunkForms> chunks,
                                                        const ChunkStreamOptions& options) {
  if (options.first_layer < 0 || options.n_threads < 1 || options.n_rings < 1 || options.queue_depth < 1) {
    return usage_error("a chunk stream needs a first layer, threads and a queue");
  }
  auto state = std::make_unique<State>();
  state->chunks = std::move(chunks);
  state->options = options;
  bool descriptors = true;
  for (const ChunkForms& chunk : state->chunks) {
    if (options.direct_io) state->direct_files.emplace_back();
    for (const auto& form : chunk) {
      if (form->n_layers() != chunk.front()->n_layers()) return usage_error("forms of a chunk differ in their layers");
      descriptors &= form->file().descriptor() >= 0;
      if (!options.direct_io) continue;
      MNEME_ASSIGN_OR_RETURN(DirectFile reopened, DirectFile::reopen(form->file()));
      state->direct_files.back().push_back(std::move(reopened));
    }
  }
  state->plan();
  // A simulated link passes one segment after the other.
  const bool may_ring = options.method != ReadMethod::kThreads && descriptors && !options.bandwidth;
  std::vector<std::unique_ptr<UringReader>> rings;
  while (may_ring && static_cast<int>(rings.size()) < options.n_rings) {
    Result<std::unique_ptr<UringReader>> ring = UringReader::make(options.queue_depth);
    if (!ring.ok() && rings.empty() && options.method == ReadMethod::kUring) return ring.status();
    if (!ring.ok()) break;
    rings.push_back(*std::move(ring));
  }
  state->start_readers(std::move(rings));
  return std::unique_ptr<ChunkStream>(new ChunkStream(std::move(state)));
}

ChunkStream::~ChunkStream() = default;

Status ChunkStream::fetch(int chunk, int layer, std::vector<std::byte>& out, size_t* form) {
  State& state = *state_;
  if (form != nullptr) *form = 0;
  const auto n_chunks = static_cast<int>(state.chunks.size());
  if (chunk < 0 || chunk >= n_chunks || state.chunks[static_cast<size_t>(chunk)].empty()) {
    return usage_error("chunk " + std::to_string(chunk) + " is not in the stream");
  }
  const ChunkForms& forms = state.chunks[static_cast<size_t>(chunk)];
  if (layer < state.options.first_layer || layer >= forms.front()->n_layers()) {
    return forms.front()->read_layer(layer, out);
  }
  const auto layers_before = static_cast<size_t>(layer - state.options.first_layer);
  const auto index =
      static_cast<size_t>(state.index_of[layers_before * static_cast<size_t>(n_chunks) + static_cast<size_t>(chunk)]);
  const Result<bool> taken = state.take(index, out);
  const size_t taken_from = state.form_of(index);
  if (form != nullptr) *form = taken_from;
  if (!taken.ok()) return taken.status();
  const StoredChunk& stored = *forms[taken_from];
  if (!*taken) return stored.read_layer(layer, out);  // fetched before, or dropped
  return check_layer(stored.header(), layer, out, stored.path());
}

bool ChunkStream::ready(int chunk, int layer) const {
  const int64_t n_chunks = static_cast<int64_t>(state_->chunks.size());
  const int64_t at = (layer - state_->options.first_layer) * n_chunks + chunk;
  if (chunk < 0 || chunk >= n_chunks || at < 0 || at >= static_cast<int64_t>(state_->index_of.size())) return false;
  const int64_t index = state_->index_of[static_cast<size_t>(at)];
  if (index < 0) return false;
  MutexLock lock(state_->mutex);
  return state_->segments[static_cast<size_t>(index)].state == SegmentState::kReady;
}

ChunkStreamStats ChunkStream::stats() const {
  MutexLock lock(state_->mutex);
  return state_->stats;
}

ReadMethod ChunkStream::method() const {
  return state_->method;
}

}  // namespace mneme::storage

#include "rag/indexing/file_loaders.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"
#include "base/trace.h"

namespace mneme::rag {
namespace {

constexpr size_t kQueueLength = 64;
// Of loaded files that wait to be written, of whatever size: many readers are faster than the one writer.
constexpr uint64_t kQueueBytes = uint64_t{256} << 20;

// What a loaded file holds, about.
uint64_t n_bytes(const LoadedFile& loaded) {
  uint64_t total = 0;
  for (const storage::NewDocument& document : loaded.documents) {
    total += document.embeddings.values.size() * sizeof(float) + (document.text ? document.text->size() : 0);
    for (const storage::NewChunk& chunk : document.chunks) {
      total += sizeof chunk + chunk.text.size() + chunk.heading_path.size() + chunk.page_marks.size();
    }
  }
  return total;
}

}  // namespace

FileLoaders::FileLoaders(const Input& input, int n_threads)
    : input_(input), order_(input.work.plan.work), queue_(kQueueLength, n_threads, kQueueBytes) {
  threads_.reserve(static_cast<size_t>(n_threads));
  for (int i = 0; i < n_threads; ++i) {
    threads_.emplace_back([this] {
      trace::name_thread("index worker");
      if (!guarded("indexing", [this] { return load_files(); }).ok()) out_of_memory_ = true;
      queue_.leave();
    });
  }
}

FileLoaders::Ending::~Ending() {
  loaders.queue_.close();
  loaders.input_.gate.release();
}

std::optional<FileLoaders::Loaded> FileLoaders::next(std::chrono::milliseconds patience) {
  return queue_.pop(patience);
}

Status FileLoaders::status() const {
  return out_of_memory_ ? out_of_memory("indexing") : Status();
}

// Until no file is left or nobody takes them any more.
Status FileLoaders::load_files() {
  for (;;) {
    input_.gate.wait_while_paused(input_.cancel);
    const std::optional<size_t> item = input_.cancel.cancelled() ? std::nullopt : order_.next();
    if (!item.has_value()) return {};
    const PlannedFile& planned = input_.work.plan.work[*item];
    const trace::Span span("load file", "index");
    LoadedFile loaded = load_guarded(planned);
    const uint64_t weight = n_bytes(loaded);
    if (!queue_.push({&planned, std::move(loaded)}, weight)) return {};
  }
}

// A file that takes more memory than there is fails alone.
LoadedFile FileLoaders::load_guarded(const PlannedFile& planned) const {
  LoadedFile loaded;
  const Status status = guarded(planned.file.path, [&] {
    loaded = load(planned);
    return Status();
  });
  if (status.ok()) return loaded;
  LoadedFile failed;
  failed.file = planned.file;
  failed.status = status;
  return failed;
}

LoadedFile FileLoaders::load(const PlannedFile& planned) const {
  const auto is_known = [&](const Hash128& hash) {
    if (planned.known.empty()) return input_.work.missing.contains(hash);
    return std::all_of(planned.known.begin(), planned.known.end(),
                       [&](const storage::DocumentState& state) { return state.content_hash == hash; });
  };
  return load_file(planned.file, input_.limits, input_.embedder, is_known, input_.sizes);
}

}  // namespace mneme::rag

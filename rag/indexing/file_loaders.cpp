#include "rag/indexing/file_loaders.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"
#include "base/trace.h"
#include "rag/indexing/earlier_documents.h"
#include "rag/text/documents/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

constexpr size_t kQueueLength = 64;
constexpr std::chrono::milliseconds kWhileAnotherReads{10};
// Of loaded files that wait to be written, of whatever size: many readers are faster than the one writer.
constexpr uint64_t kQueueBytes = uint64_t{256} << 20;

// What a batch holds, about.
uint64_t n_bytes(const LoadedBatch& batch) {
  uint64_t total = 0;
  for (const LoadedDocument& loaded : batch.documents) {
    const storage::NewDocument& document = loaded.document;
    total += sizeof loaded + document.embeddings.values.size() * sizeof(float);
    total += document.text ? document.text->size() : 0;
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
    const std::optional<size_t> item = input_.cancel.cancelled() || closed_ ? std::nullopt : order_.next();
    if (!item.has_value()) return {};
    const PlannedFile& planned = input_.work.plan.work[*item];
    std::optional<FileClaim> claim = input_.claims.try_claim(planned.file.path);
    if (claim) {
      const trace::Span span("load file", "index");
      load(planned, *std::move(claim));
    } else {
      order_.put_back(*item);
      std::this_thread::sleep_for(kWhileAnotherReads);
    }
  }
}

// Another run that began before may have come by it since this one's plan was made.
size_t FileLoaders::indexed_meanwhile(const PlannedFile& planned) const {
  size_t n = 0;
  for (const std::string& place : {planned.file.path, planned.file.path + kMemberMark.front()}) {
    const auto states = input_.catalogue.document_states(input_.collection, place);
    if (!states.ok()) return 0;
    for (const storage::DocumentState& state : *states) {
      if (!(state.file == planned.file.state)) return 0;
      ++n;
    }
  }
  return n;
}

void FileLoaders::load(const PlannedFile& planned, FileClaim claim) {
  if (const size_t n = indexed_meanwhile(planned); n > 0) {
    bytes_read_ += planned.file.state.size_bytes;
    LoadedBatch batch;
    batch.file = planned.file;
    batch.indexed_meanwhile = n;
    (void)give(planned, std::move(batch));
    return;
  }
  const EarlierDocuments earlier(input_.catalogue, planned.known);
  const FileLoad load{
      .file = planned.file,
      .limits = input_.limits,
      .embedder = input_.embedder,
      .sizes = input_.sizes,
      .roots = input_.work.roots,
      .is_known = [&](const Hash128& hash) { return is_known(planned, hash); },
      .find_unchanged = [&](const storage::NewDocument& document) { return earlier.find_unchanged(document); },
      .bytes_read = &bytes_read_};
  load_file(load, [&](LoadedBatch batch) {
    if (batch.is_last) batch.claim = std::move(claim);
    return give(planned, std::move(batch));
  });
}

// Where the run is paused, a container waits between its batches.
Status FileLoaders::give(const PlannedFile& planned, LoadedBatch batch) {
  const uint64_t weight = n_bytes(batch);
  closed_ = closed_ || !queue_.push({&planned, std::move(batch)}, weight);
  input_.gate.wait_while_paused(input_.cancel);
  return closed_ || input_.cancel.cancelled() ? cancelled() : Status();
}

// Of a file the catalogue has: all it has of it. Of one that is new to it: a file that is gone and may have moved here;
// what consists of several documents is read anew where it came to.
bool FileLoaders::is_known(const PlannedFile& planned, const Hash128& hash) const {
  if (!planned.known.empty()) {
    return std::all_of(planned.known.begin(), planned.known.end(),
                       [&](const storage::DocumentState& state) { return state.content_hash == hash; });
  }
  return input_.work.missing.contains(hash) && !input_.work.missing_members.contains(hash);
}

}  // namespace mneme::rag

// Threads that read the files of a run, cut them into passages and embed them, side by side, while the run's own thread
// takes what they made, of large files a batch at a time. They wait where the run is paused, also within a file, and
// end when the object does, by whatever way it is left. Ownership: borrows its arguments. Threads: all functions from
// the run's own.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/chunking/chunker.h"
#include "rag/indexing/file_claims.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/index_work.h"
#include "rag/indexing/work_order.h"
#include "rag/indexing/work_queue.h"
#include "rag/readers/reader.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class Embedder;

class FileLoaders {
 public:
  struct Input {
    const IndexWork& work;
    storage::Catalogue& catalogue;
    storage::CollectionId collection;
    const FileClaims& claims;
    const Embedder& embedder;
    const chunking::ChunkerOptions& sizes;  // of passages
    readers::ReadLimits limits;
    IndexGate& gate;
    const CancelToken& cancel;
  };
  using Loaded = std::pair<const PlannedFile*, LoadedBatch>;

  FileLoaders(const Input& input, int n_threads);
  ~FileLoaders() = default;
  FileLoaders(const FileLoaders&) = delete;
  FileLoaders& operator=(const FileLoaders&) = delete;

  // The batches of a file come in order, those of several files among each other. Nothing after `patience` without a
  // batch, and at once when there will be no more.
  std::optional<Loaded> next(std::chrono::milliseconds patience);
  bool done() { return queue_.drained(); }
  // kResource: a thread ran out of memory between files, and ended.
  Status status() const;
  // Of the work's bytes, also within files.
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

  // Files whose path holds these stems come next (work_order.h).
  void prefer(std::span<const std::string> stems) { order_.prefer(stems); }

 private:
  struct Ending {
    FileLoaders& loaders;
    ~Ending();
  };

  Status load_files();
  void load(const PlannedFile& planned, FileClaim claim);
  // Documents of the file that are in the catalogue as it is now; 0: it has to be read.
  size_t indexed_meanwhile(const PlannedFile& planned) const;
  Status give(const PlannedFile& planned, LoadedBatch batch);
  bool is_known(const PlannedFile& planned, const Hash128& hash) const;

  const Input input_;
  WorkOrder order_;
  WorkQueue<Loaded> queue_;
  std::atomic<bool> out_of_memory_{false};
  std::atomic<uint64_t> bytes_read_{0};
  std::atomic<bool> closed_{false};    // nobody takes what is loaded any more
  std::vector<std::jthread> threads_;  // joined before what they use goes ...
  Ending ending_{*this};               // ... having been told to end, also when not all of them could be started
};

}  // namespace mneme::rag

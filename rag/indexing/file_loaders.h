// Threads that read the files of a run, cut them into passages and embed them, side by side, while the run's own thread
// takes what they made. They wait where the run is paused, and end when the object does, by whatever way it is left.
// Ownership: borrows its arguments. Threads: next(), done(), status() and prefer() from the run's own.
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
#include "rag/indexing/file_loader.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/index_work.h"
#include "rag/indexing/work_order.h"
#include "rag/indexing/work_queue.h"
#include "rag/readers/reader.h"

namespace mneme::rag {

class Embedder;

class FileLoaders {
 public:
  struct Input {
    const IndexWork& work;
    const Embedder& embedder;
    const chunking::ChunkerOptions& sizes;  // of passages
    readers::ReadLimits limits;
    IndexGate& gate;
    const CancelToken& cancel;
  };
  using Loaded = std::pair<const PlannedFile*, LoadedFile>;

  FileLoaders(const Input& input, int n_threads);
  ~FileLoaders() = default;
  FileLoaders(const FileLoaders&) = delete;
  FileLoaders& operator=(const FileLoaders&) = delete;

  // Nothing after `patience` without a file, and at once when there will be no more.
  std::optional<Loaded> next(std::chrono::milliseconds patience);
  bool done() { return queue_.drained(); }
  // kResource: a thread ran out of memory between files, and ended.
  Status status() const;

  // Files whose path holds these stems come next (work_order.h).
  void prefer(std::span<const std::string> stems) { order_.prefer(stems); }

 private:
  struct Ending {
    FileLoaders& loaders;
    ~Ending();
  };

  Status load_files();
  LoadedFile load_guarded(const PlannedFile& planned) const;
  LoadedFile load(const PlannedFile& planned) const;

  const Input input_;
  WorkOrder order_;
  WorkQueue<Loaded> queue_;
  std::atomic<bool> out_of_memory_{false};
  std::vector<std::jthread> threads_;  // joined before what they use goes ...
  Ending ending_{*this};               // ... having been told to end, also when not all of them could be started
};

}  // namespace mneme::rag

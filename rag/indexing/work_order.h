// In which order the files of a plan are read: as found, but first what someone asks about.
// Threads: all functions from any thread.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "rag/indexing/index_plan.h"

namespace mneme::rag {

class WorkOrder {
 public:
  // Borrows the plan's files for its life.
  explicit WorkOrder(std::span<const PlannedFile> work);

  // The index of the next file; nothing when all have been given out.
  std::optional<size_t> next();

  // It comes once more when all others have been given out.
  void put_back(size_t item);

  // Files not given out yet whose path holds at least half of these stems (rag/text/words/words.h) come next, those
  // that hold most of them first. Returns how many there are.
  size_t prefer(std::span<const std::string> stems);

 private:
  const std::span<const PlannedFile> work_;
  Mutex mutex_;
  size_t in_order_ MNEME_GUARDED_BY(mutex_) = 0;  // files before it have been given out
  std::deque<size_t> preferred_ MNEME_GUARDED_BY(mutex_);
  std::deque<size_t> put_back_ MNEME_GUARDED_BY(mutex_);
  std::vector<bool> taken_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::rag

// Pausing index runs and telling them what is wanted first, from any thread and any process on the same home: the
// command line, the window and a watching process meet in the catalogue's settings.
//
// IndexControl is the side that asks, IndexGate the side of a run. Settings (JSON): `indexing.paused` true while runs
// are to wait; `indexing.wanted` the words of the last question asked meanwhile. A run that takes more than a moment
// holds the lock `indexing.lock` of the home, which ends with it however it ends, whatever the clock says.
// Ownership: borrow the workspace. Threads: IndexControl from any thread; IndexGate: look() and take_wanted() from the
// run's own thread, the rest from any.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::storage {
class Catalogue;
class FileLock;
}  // namespace mneme::storage

namespace mneme::rag {

class Workspace;

class IndexControl {
 public:
  explicit IndexControl(Workspace& workspace) : workspace_(workspace) {}

  // Every run under way on this home waits after the documents in work, until resume() or until a new run is begun.
  Status pause();
  Status resume();
  Result<bool> paused();
  // Whether a run is under way somewhere on this home, since a moment at least.
  bool running() const;

  // What someone asks about while indexing goes on: files whose path holds its words are read next. Nothing happens,
  // and nothing is written, when no run is under way.
  Status want(std::string_view question);

 private:
  Workspace& workspace_;
};

class IndexGate {
 public:
  static constexpr std::chrono::milliseconds kLookEvery{250};

  // `respect_pause`: false lifts a pause that stands from before, since beginning anew is going on.
  IndexGate(Workspace& workspace, bool respect_pause);
  ~IndexGate();
  IndexGate(const IndexGate&) = delete;
  IndexGate& operator=(const IndexGate&) = delete;

  // Reads the settings when kLookEvery has passed since the last time. A catalogue too busy to tell changes nothing.
  void look();
  bool paused() const { return paused_.load(std::memory_order_relaxed); }
  // Returns when the run may go on or has been cancelled.
  void wait_while_paused(const CancelToken& cancel) const;
  // Nobody waits any longer: the run ends.
  void release() { paused_.store(false, std::memory_order_relaxed); }
  // Stems of the words asked for since the last call.
  std::vector<std::string> take_wanted();
  // Time spent waiting, up to now: no part of the run's speed.
  std::chrono::milliseconds waited() const;

 private:
  using Clock = std::chrono::steady_clock;
  void set_paused(bool paused);
  void read_wanted();

  Workspace& workspace_;
  storage::Catalogue& catalogue_;
  std::unique_ptr<storage::FileLock> lock_;  // null: another run has it, or this one has just begun
  std::atomic<bool> paused_{false};
  Clock::time_point last_look_{};
  Clock::time_point paused_since_{};
  Clock::duration waited_{};
  std::string wanted_json_;  // as last seen
  std::vector<std::string> wanted_;
};

}  // namespace mneme::rag

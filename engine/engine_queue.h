// Whose turn it is on the model: one step at a time, interactive work first, first come first served among equals.
// Background work gives way between layers, so a question waits for one layer of an indexing prefill at most. Waiting
// threads sleep.
//
// A thread that holds the turn may enter again (fusion appends to a sequence while it holds the model).
// Threads: all functions may be called from any thread; a Turn ends on the thread that entered.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "engine/types.h"

namespace mneme::engine {

class EngineQueue {
 public:
  // The right to run steps, from enter() until destruction.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : queue_(other.queue_), priority_(other.priority_) { other.queue_ = nullptr; }
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    // Background work calls this between layers: when interactive work waits, that goes first. The caller's own
    // activations must live in scratch that the other work does not touch. Does nothing for interactive turns.
    // False when is_done held while the other work ran: the turn is then over and nothing may be run any more.
    [[nodiscard]] bool give_way(const std::function<bool()>& is_done = {});

   private:
    friend class EngineQueue;
    Turn(EngineQueue& queue, Priority priority) : queue_(&queue), priority_(priority) {}
    EngineQueue* queue_;
    Priority priority_;
  };

  [[nodiscard]] Turn enter(Priority priority);

  // Waits for the turn or until `is_done` holds, whichever comes first; nothing in the second case. is_done is looked
  // at when a turn ends and every few milliseconds (a cancel token tells nobody); it must not block.
  [[nodiscard]] std::optional<Turn> enter_unless(Priority priority, const std::function<bool()>& is_done);

  // Waiting threads, for tests and for meters.
  int n_waiting(Priority priority) const;

 private:
  // False when is_done held.
  bool acquire(Priority priority, const std::function<bool()>& is_done);
  // `first`: before those of the same priority who wait already.
  bool wait_for_turn(Priority priority, bool first, const std::function<bool()>& is_done) MNEME_REQUIRES(mutex_);
  bool let_interactive_go(const std::function<bool()>& is_done);
  void release();
  bool may_take(Priority priority, uint64_t ticket) const MNEME_REQUIRES(mutex_);

  mutable Mutex mutex_;
  CondVar freed_;
  std::thread::id owner_ MNEME_GUARDED_BY(mutex_);
  int depth_ MNEME_GUARDED_BY(mutex_) = 0;  // nested turns of the owner; 0: free
  uint64_t next_ticket_ MNEME_GUARDED_BY(mutex_) = 0;
  std::deque<uint64_t> waiting_[2] MNEME_GUARDED_BY(mutex_);  // tickets by priority, next first
};

}  // namespace mneme::engine

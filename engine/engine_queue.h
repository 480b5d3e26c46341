// Whose turn it is on the model: one step at a time, interactive work first. Background work gives way between layers,
// so a question waits for one layer of an indexing prefill at most. Waiting threads sleep.
//
// A thread that holds the turn may enter again (fusion appends to a sequence while it holds the model).
// Threads: all functions may be called from any thread; a Turn is left on the thread that entered.
#pragma once

#include <thread>

#include "base/mutex.h"
#include "engine/types.h"

namespace mneme::engine {

class EngineQueue {
 public:
  // The right to run steps, from enter() until destruction.
  class Turn {
   public:
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    // Background work calls this between layers: when interactive work waits, that goes first. The caller's own
    // activations must live in scratch that the other work does not touch. Does nothing for interactive turns.
    void give_way();

   private:
    friend class EngineQueue;
    Turn(EngineQueue& queue, Priority priority) : queue_(queue), priority_(priority) {}
    EngineQueue& queue_;
    const Priority priority_;
  };

  [[nodiscard]] Turn enter(Priority priority);

  // Waiting threads, for tests and for meters.
  int n_waiting(Priority priority) const;

 private:
  void acquire(Priority priority);
  void release();
  bool is_mine() const MNEME_REQUIRES(mutex_) { return depth_ > 0 && owner_ == std::this_thread::get_id(); }

  mutable Mutex mutex_;
  CondVar freed_;
  std::thread::id owner_ MNEME_GUARDED_BY(mutex_);
  int depth_ MNEME_GUARDED_BY(mutex_) = 0;  // nested turns of the owner; 0: free
  int waiting_[2] MNEME_GUARDED_BY(mutex_) = {0, 0};
};

}  // namespace mneme::engine

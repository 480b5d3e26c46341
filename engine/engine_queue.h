// Whose turn it is on the model: one step at a time, interactive work first, first come first served among equals.
// Background work gives way between layers, so a question waits for one layer of an indexing prefill at most; and it
// does not come back before nobody interactive has worked for a moment, else it would take a layer between every two
// tokens of an answer. Waiting threads sleep.
//
// A thread that holds the turn may enter again (fusion appends to a sequence while it holds the model).
// Threads: all functions may be called from any thread; a Turn ends on the thread that entered.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "engine/types.h"

namespace mneme::engine {

class EngineQueue {
 public:
  // Longer than an answer's thread spends between two tokens, shorter than anybody would mind.
  static constexpr std::chrono::milliseconds kQuiet{30};

  // quiet: how long nobody interactive must have had the turn before background work takes it.
  explicit EngineQueue(std::chrono::milliseconds quiet = kQuiet) : quiet_(quiet) {}

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

  // Needs no memory: a sequence that ends where there is none left asks for the turn as well.
  [[nodiscard]] Turn enter(Priority priority);

  // Waits for the turn or until `is_done` holds, whichever comes first; nothing in the second case. is_done is looked
  // at when a turn ends and every few milliseconds (a cancel token tells nobody); it must not block.
  [[nodiscard]] std::optional<Turn> enter_unless(Priority priority, const std::function<bool()>& is_done);

  // Waiting threads, for tests and for meters.
  int n_waiting(Priority priority) const;

 private:
  using Clock = std::chrono::steady_clock;

  // A thread that waits. It lies on that thread's stack.
  struct Waiter {
    Waiter* behind = nullptr;
  };
  class Line {
   public:
    const Waiter* front() const { return first_; }
    int size() const;
    void add(Waiter& waiter, bool first);
    void remove(const Waiter& waiter);

   private:
    Waiter* first_ = nullptr;
  };

  // False when is_done held.
  bool acquire(Priority priority, const std::function<bool()>& is_done);
  // `first`: before those of the same priority who wait already.
  bool wait_for_turn(Priority priority, bool first, const std::function<bool()>& is_done) MNEME_REQUIRES(mutex_);
  bool let_interactive_go(const std::function<bool()>& is_done);
  void release();
  bool is_next(Priority priority, const Waiter& waiter) const MNEME_REQUIRES(mutex_);
  // When the turn may be taken by whoever is next.
  Clock::time_point free_from(Priority priority) const MNEME_REQUIRES(mutex_);

  const std::chrono::milliseconds quiet_;
  mutable Mutex mutex_;
  CondVar freed_;
  std::thread::id owner_ MNEME_GUARDED_BY(mutex_);
  int depth_ MNEME_GUARDED_BY(mutex_) = 0;                             // nested turns of the owner; 0: free
  Priority held_as_ MNEME_GUARDED_BY(mutex_) = Priority::kBackground;  // the outermost one
  Clock::time_point quiet_from_ MNEME_GUARDED_BY(mutex_) = {};
  Line waiting_[2] MNEME_GUARDED_BY(mutex_);  // by priority
};

}  // namespace mneme::engine

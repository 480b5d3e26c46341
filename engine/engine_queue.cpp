#include "engine/engine_queue.h"

#include <chrono>
#include <cstddef>

namespace mneme::engine {

namespace {

// How long a cancelled step may go on waiting: less than a layer of a prefill takes.
constexpr std::chrono::milliseconds kLookAgain(5);

size_t index(Priority priority) {
  return priority == Priority::kInteractive ? 0 : 1;
}

}  // namespace

int EngineQueue::Line::size() const {
  int n = 0;
  for (const Waiter* waiter = first_; waiter != nullptr; waiter = waiter->behind) ++n;
  return n;
}

void EngineQueue::Line::add(Waiter& waiter, bool first) {
  Waiter** place = &first_;
  while (!first && *place != nullptr) place = &(*place)->behind;
  waiter.behind = *place;
  *place = &waiter;
}

void EngineQueue::Line::remove(const Waiter& waiter) {
  Waiter** place = &first_;
  while (*place != &waiter) place = &(*place)->behind;
  *place = waiter.behind;
}

EngineQueue::Turn EngineQueue::enter(Priority priority) {
  acquire(priority, {});
  return Turn(*this, priority);
}

std::optional<EngineQueue::Turn> EngineQueue::enter_unless(Priority priority, const std::function<bool()>& is_done) {
  if (!acquire(priority, is_done)) return std::nullopt;
  return Turn(*this, priority);
}

EngineQueue::Turn::~Turn() {
  if (queue_ != nullptr) queue_->release();
}

bool EngineQueue::Turn::give_way(const std::function<bool()>& is_done) {
  if (priority_ != Priority::kBackground || queue_->let_interactive_go(is_done)) return true;
  queue_ = nullptr;
  return false;
}

// Gives the turn up and stands first in line again in one go: no other background work may come between, it would find
// this one's step half done.
bool EngineQueue::let_interactive_go(const std::function<bool()>& is_done) {
  MutexLock lock(mutex_);
  if (waiting_[index(Priority::kInteractive)].front() == nullptr || depth_ > 1) return true;
  depth_ = 0;
  freed_.notify_all();
  return wait_for_turn(Priority::kBackground, true, is_done);
}

int EngineQueue::n_waiting(Priority priority) const {
  MutexLock lock(mutex_);
  return waiting_[index(priority)].size();
}

bool EngineQueue::is_next(Priority priority, const Waiter& waiter) const {
  if (depth_ > 0 || waiting_[index(priority)].front() != &waiter) return false;
  return priority == Priority::kInteractive || waiting_[index(Priority::kInteractive)].front() == nullptr;
}

EngineQueue::Clock::time_point EngineQueue::free_from(Priority priority) const {
  return priority == Priority::kInteractive ? Clock::time_point::min() : quiet_from_;
}

bool EngineQueue::acquire(Priority priority, const std::function<bool()>& is_done) {
  MutexLock lock(mutex_);
  if (depth_ > 0 && owner_ == std::this_thread::get_id()) {
    ++depth_;
    return true;
  }
  return wait_for_turn(priority, false, is_done);
}

bool EngineQueue::wait_for_turn(Priority priority, bool first, const std::function<bool()>& is_done) {
  Line& line = waiting_[index(priority)];
  Waiter waiter;
  line.add(waiter, first);
  bool done = false;
  while (!(done = is_done && is_done())) {
    const bool next = is_next(priority, waiter);
    if (next && Clock::now() >= free_from(priority)) break;
    if (is_done) {
      (void)freed_.wait_for(mutex_, kLookAgain);
    } else if (next) {
      (void)freed_.wait_for(mutex_, free_from(priority) - Clock::now());
    } else {
      freed_.wait(mutex_);
    }
  }
  line.remove(waiter);
  if (done) {
    freed_.notify_all();  // whoever stood behind may be next now
    return false;
  }
  owner_ = std::this_thread::get_id();
  depth_ = 1;
  held_as_ = priority;
  return true;
}

void EngineQueue::release() {
  MutexLock lock(mutex_);
  if (--depth_ > 0) return;
  if (held_as_ == Priority::kInteractive) quiet_from_ = Clock::now() + quiet_;
  freed_.notify_all();
}

}  // namespace mneme::engine

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
  if (waiting_[index(Priority::kInteractive)].empty() || depth_ > 1) return true;
  depth_ = 0;
  freed_.notify_all();
  return wait_for_turn(Priority::kBackground, true, is_done);
}

int EngineQueue::n_waiting(Priority priority) const {
  MutexLock lock(mutex_);
  return static_cast<int>(waiting_[index(priority)].size());
}

bool EngineQueue::is_next(Priority priority, uint64_t ticket) const {
  if (depth_ > 0 || waiting_[index(priority)].front() != ticket) return false;
  return priority == Priority::kInteractive || waiting_[index(Priority::kInteractive)].empty();
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
  std::deque<uint64_t>& line = waiting_[index(priority)];
  const uint64_t ticket = next_ticket_++;
  line.insert(first ? line.begin() : line.end(), ticket);
  bool done = false;
  while (!(done = is_done && is_done())) {
    const bool next = is_next(priority, ticket);
    if (next && Clock::now() >= free_from(priority)) break;
    if (is_done) {
      (void)freed_.wait_for(mutex_, kLookAgain);
    } else if (next) {
      (void)freed_.wait_for(mutex_, free_from(priority) - Clock::now());
    } else {
      freed_.wait(mutex_);
    }
  }
  std::erase(line, ticket);
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

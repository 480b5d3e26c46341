#include "engine/engine_queue.h"

#include <cstddef>

namespace mneme::engine {

namespace {

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

void EngineQueue::Turn::give_way() {
  if (priority_ == Priority::kBackground) queue_->let_interactive_go();
}

// Gives the turn up and stands first in line again in one go: no other background work may come between, it would find
// this one's step half done.
void EngineQueue::let_interactive_go() {
  MutexLock lock(mutex_);
  if (waiting_[index(Priority::kInteractive)].empty() || depth_ > 1) return;
  depth_ = 0;
  freed_.notify_all();
  wait_for_turn(Priority::kBackground, true, {});
}

int EngineQueue::n_waiting(Priority priority) const {
  MutexLock lock(mutex_);
  return static_cast<int>(waiting_[index(priority)].size());
}

bool EngineQueue::may_take(Priority priority, uint64_t ticket) const {
  if (depth_ > 0 || waiting_[index(priority)].front() != ticket) return false;
  return priority == Priority::kInteractive || waiting_[index(Priority::kInteractive)].empty();
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
  while (!(done = is_done && is_done()) && !may_take(priority, ticket)) freed_.wait(mutex_);
  std::erase(line, ticket);
  if (done) {
    freed_.notify_all();  // whoever stood behind may be next now
    return false;
  }
  owner_ = std::this_thread::get_id();
  depth_ = 1;
  return true;
}

void EngineQueue::release() {
  MutexLock lock(mutex_);
  if (--depth_ == 0) freed_.notify_all();
}

}  // namespace mneme::engine

#include "ui/view_model/thread_priority.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace mneme::ui {
namespace {

constexpr int kBehindWindowNice = 4;  // more than before: two fifths of the weight of a thread that draws
constexpr int kBackgroundNice = 10;
constexpr int kMostNice = 19;

// How long a thread would run at a time, nanoseconds. From Linux 6.12 on (EEVDF's "latency-nice") a thread that wakes
// takes the processor at once from one that asked for a longer slice, and so does every other program's, the X server
// among them, from ours that ask for more than the system's 1 to 3 ms. Without this a thread that was just given the
// processor keeps it until its slice is over, up to a tick of 4 ms, at each of the three or four changes of threads
// that a frame drawn by the processor takes. Shares of time stay what they were. Older systems take no notice.
constexpr uint64_t kShortSlice = 400'000;
constexpr uint64_t kSystemsSlice = 0;
constexpr uint64_t kLongSlice = 20'000'000;

// sched_attr of sched(7), which has no declaration in the system's headers that goes together with <sched.h>.
struct Attributes {
  uint32_t size = sizeof(Attributes);
  uint32_t policy = SCHED_OTHER;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime = 0;
  uint64_t deadline = 0;
  uint64_t period = 0;
};

bool read_own(Attributes& attributes) {
  return ::syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) == 0;
}

bool become(const Attributes& attributes) {
  return ::syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

// Whether `own`, with so much more niceness and slices of so long, is what the thread has now.
bool take(Attributes own, int more_nice, uint64_t slice) {
  own.nice = std::min(own.nice + more_nice, kMostNice);
  own.runtime = slice;
  return become(own);
}

// More than a low weight: the system counts a processor that runs only such threads as free, so that a thread that
// draws starts at once.
bool take_what_is_left(Attributes own) {
  own.policy = SCHED_IDLE;
  own.runtime = 0;
  return become(own);
}

}  // namespace

void set_priority(Priority priority) {
  Attributes own;
  if (!read_own(own) || own.policy != SCHED_OTHER) return;  // somebody has ranked the whole program
  switch (priority) {
    case Priority::kWindow: static_cast<void>(take(own, 0, kShortSlice)); break;
    case Priority::kNormal: static_cast<void>(take(own, 0, kSystemsSlice)); break;
    case Priority::kBehindWindow: static_cast<void>(take(own, kBehindWindowNice, kLongSlice)); break;
    case Priority::kBackground:
      static_cast<void>(take_what_is_left(own) || take(own, kBackgroundNice, kLongSlice));
      break;
  }
}

}  // namespace mneme::ui

#include "storage/chunks/uring_reader.h"

#ifdef MNEME_HAVE_URING
#include <liburing.h>
#endif

#include <cassert>
#include <cerrno>
#include <vector>

namespace mneme::storage {

#ifdef MNEME_HAVE_URING

namespace {

// One read, with how far it has come: the kernel may give less than asked.
struct Pending {
  int descriptor = -1;
  uint64_t offset = 0;
  MutableByteSpan left{};
  uint64_t tag = 0;
  int64_t done = 0;
};

// The kernel reads at most 2 GiB at once.
constexpr size_t kMaxReadBytes = 1u << 30;

}  // namespace

struct UringReader::State {
  io_uring ring{};
  bool ready = false;
  std::vector<Pending> slots{};
  std::vector<size_t> free_slots{};

  ~State() {
    if (ready) io_uring_queue_exit(&ring);
  }

  void queue(size_t slot) {
    const Pending& read = slots[slot];
    io_uring_sqe* entry = io_uring_get_sqe(&ring);
    assert(entry != nullptr);  // never more in flight than entries
    io_uring_prep_read(entry, read.descriptor, read.left.data(),
                       static_cast<unsigned>(std::min(read.left.size(), kMaxReadBytes)), read.offset);
    io_uring_sqe_set_data64(entry, slot);
  }
  // Nothing only where there is nothing to wait for.
  Result<std::optional<ReadCompletion>> next(unsigned wait_for);
  // Of one that has to go on: nothing.
  std::optional<ReadCompletion> finish(io_uring_cqe& done);
};

Result<std::unique_ptr<UringReader>> UringReader::make(int queue_depth) {
  auto state = std::make_unique<State>();
  const int code = io_uring_queue_init(static_cast<unsigned>(queue_depth), &state->ring, 0);
  if (code < 0)
    return unsupported("this kernel gives no io_uring (" + std::to_string(-code) + "); threads read instead");
  state->ready = true;
  state->slots.resize(static_cast<size_t>(queue_depth));
  for (size_t i = state->slots.size(); i > 0; --i) state->free_slots.push_back(i - 1);
  return std::unique_ptr<UringReader>(new UringReader(std::move(state)));
}

UringReader::UringReader(std::unique_ptr<State> state) : state_(std::move(state)) {}

UringReader::~UringReader() {
  while (in_flight() > 0) {
    if (!wait().ok()) break;
  }
}

int UringReader::in_flight() const {
  return static_cast<int>(state_->slots.size() - state_->free_slots.size());
}
bool UringReader::full() const {
  return state_->free_slots.empty();
}

void UringReader::add(int descriptor, uint64_t offset, MutableByteSpan out, uint64_t tag) {
  assert(!full());
  const size_t slot = state_->free_slots.back();
  state_->free_slots.pop_back();
  state_->slots[slot] = {descriptor, offset, out, tag, 0};
  state_->queue(slot);
}

Result<std::optional<ReadCompletion>> UringReader::State::next(unsigned wait_for) {
  while (true) {
    int code = wait_for > 0 ? io_uring_submit_and_wait(&ring, wait_for) : io_uring_submit(&ring);
    if (code == -EINTR) continue;
    io_uring_cqe* done = nullptr;
    if (code >= 0) code = io_uring_peek_cqe(&ring, &done);
    if (code == -EAGAIN && wait_for == 0) return std::optional<ReadCompletion>();
    if (code == -EAGAIN) continue;
    if (code < 0) return errno_error("wait for", "reads in flight", -code);
    const std::optional<ReadCompletion> whole = finish(*done);
    if (whole) return whole;
  }
}

std::optional<ReadCompletion> UringReader::State::finish(io_uring_cqe& done) {
  const auto slot = static_cast<size_t>(io_uring_cqe_get_data64(&done));
  const int result = done.res;
  io_uring_cqe_seen(&ring, &done);
  Pending& read = slots[slot];
  bool again = result == -EINTR || result == -EAGAIN;
  if (result > 0) {
    const auto n = static_cast<size_t>(result);
    read.done += result;
    read.offset += n;
    read.left = read.left.subspan(n);
    // A short read that ends off a sector is the end of the file for O_DIRECT; asking again would fail.
    again = !read.left.empty() && n % 512 == 0;
  }
  if (again) {
    queue(slot);
    return std::nullopt;
  }
  free_slots.push_back(slot);
  return ReadCompletion{read.tag, result < 0 ? result : read.done};
}

Result<ReadCompletion> UringReader::wait() {
  assert(in_flight() > 0);
  MNEME_ASSIGN_OR_RETURN(const std::optional<ReadCompletion> done, state_->next(1));
  return *done;
}
Result<std::optional<ReadCompletion>> UringReader::poll() {
  return state_->next(0);
}

#else

struct UringReader::State {};

Result<std::unique_ptr<UringReader>> UringReader::make(int) {
  return unsupported("built without liburing; threads read instead");
}
UringReader::UringReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
UringReader::~UringReader() = default;
int UringReader::in_flight() const {
  return 0;
}
bool UringReader::full() const {
  return true;
}
void UringReader::add(int, uint64_t, MutableByteSpan, uint64_t) {}
Result<ReadCompletion> UringReader::wait() {
  return unsupported("built without liburing");
}
Result<std::optional<ReadCompletion>> UringReader::poll() {
  return unsupported("built without liburing");
}

#endif

}  // namespace mneme::storage

#include "tests/faults/interpose.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/faults/allocation_sites.h"

namespace mneme::faults {
namespace {

enum class Call { kRead, kWrite, kChange, kOpen, kAllocate };

constexpr int kMostDescriptors = 4096;
constexpr int64_t kShortOfMemory = 1000;
constexpr int64_t kYear = int64_t{365} * 86400;
constexpr size_t kPathBytes = 4096;

char watched[kPathBytes] = {};
char stalled[kPathBytes] = {};
std::atomic<bool> stalls{false};
std::array<std::atomic<bool>, kMostDescriptors> concerned{};
std::atomic<bool> armed{false};
std::atomic<Fault> planned{Fault::kIoError};
std::atomic<int64_t> at{-1};
std::atomic<int64_t> count{0};
std::atomic<bool> has_fired{false};
std::atomic<int64_t> live{0};
std::atomic<int64_t> clock_shift{0};
std::atomic<int64_t> clock_stopped{0};  // 0: it goes on

bool concerns(Fault fault, Call call) {
  switch (fault) {
    case Fault::kKill:
    case Fault::kKillAfter:
    case Fault::kIoError:
    case Fault::kReadOnly: return call == Call::kWrite || call == Call::kChange;
    case Fault::kNoSpace: return call == Call::kWrite;
    case Fault::kDenied: return call == Call::kOpen;
    case Fault::kInterrupted:
    case Fault::kInterruptedAll:
    case Fault::kShort:
    case Fault::kShortAll: return call == Call::kRead || call == Call::kWrite;
    case Fault::kReadError: return call == Call::kRead;
    case Fault::kSlow:
    case Fault::kClockBack:
    case Fault::kClockAhead: return call != Call::kAllocate;
    case Fault::kAllocation:
    case Fault::kAllocationsAll:
    case Fault::kAllocationSite: return call == Call::kAllocate;
  }
  return false;
}

bool lasts(Fault fault, int64_t since) {
  if (fault == Fault::kAllocationsAll) return since < kShortOfMemory;
  if (fault == Fault::kInterruptedAll) return since % 2 == 0;
  return fault == Fault::kShortAll || fault == Fault::kNoSpace || fault == Fault::kReadOnly || fault == Fault::kDenied;
}

void nap(long milliseconds) {
  timespec span{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  syscall(SYS_nanosleep, &span, nullptr);
}

// Whether this call is the one, or one of those after it that fail as well. `asked`: who wants memory.
bool strikes(Call call, const void* asked = nullptr) {
  if (!armed.load(std::memory_order_relaxed)) return false;
  const Fault fault = planned;
  if (!concerns(fault, call)) return false;
  // Once one has failed no other will, and looking where allocations come from is what takes the time.
  if (fault == Fault::kAllocationSite && (has_fired || !is_new_site(asked))) return false;
  const int64_t number = count++;
  if (fault == Fault::kSlow) nap(1);
  if (at < 0 || number < at) return false;
  if (number > at && !lasts(fault, number - at)) return false;
  has_fired = true;
  return true;
}

[[noreturn]] void die() {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  _exit(99);
}

bool is_concerned(int fd) {
  return fd >= 0 && fd < kMostDescriptors && concerned[static_cast<size_t>(fd)];
}
void wait_while_stalled(const char* path) {
  while (stalls && std::strcmp(path, stalled) == 0) nap(5);
}
bool is_watched(const char* path) {
  return watched[0] != '\0' && path != nullptr && std::strncmp(path, watched, std::strlen(watched)) == 0;
}

// What to do about a call on a file: run it as it is, as a shorter one, or fail. `size` may be made smaller.
bool fails(Call call, size_t* size) {
  if (!strikes(call)) return false;
  switch (planned) {
    case Fault::kKill: die();
    case Fault::kKillAfter: return false;  // the caller asks again afterwards
    case Fault::kIoError:
    case Fault::kReadError: errno = EIO; return true;
    case Fault::kNoSpace: errno = ENOSPC; return true;
    case Fault::kReadOnly: errno = EROFS; return true;
    case Fault::kDenied: errno = EACCES; return true;
    case Fault::kInterrupted:
    case Fault::kInterruptedAll: errno = EINTR; return true;
    case Fault::kShort:
    case Fault::kShortAll:
      if (size != nullptr && *size > 1) *size /= 2;
      return false;
    case Fault::kSlow: nap(1000); return false;
    case Fault::kClockBack: clock_shift = -20 * kYear; return false;
    case Fault::kClockAhead: clock_shift = 10 * kYear; return false;
    case Fault::kAllocation:
    case Fault::kAllocationsAll:
    case Fault::kAllocationSite: return false;
  }
  return false;
}

void after_change() {
  if (armed && planned == Fault::kKillAfter && has_fired) die();
}

int open_file(const char* path, int flags, mode_t mode) {
  wait_while_stalled(path);
  const bool ours = is_watched(path);
  if (ours) {
    if (fails(Call::kOpen, nullptr)) return -1;
    if ((flags & (O_CREAT | O_TRUNC)) != 0 && fails(Call::kChange, nullptr)) return -1;
  }
  const long fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (fd >= 0 && fd < kMostDescriptors) concerned[static_cast<size_t>(fd)] = ours;
  if (ours && (flags & (O_CREAT | O_TRUNC)) != 0) after_change();
  return static_cast<int>(fd);
}

template <typename Buffer>
ssize_t transfer(long number, Call call, int fd, Buffer buffer, size_t size, off_t offset) {
  const bool ours = is_concerned(fd);
  if (ours && fails(call, &size)) return -1;
  const bool positioned = number == SYS_pread64 || number == SYS_pwrite64;
  const long done = positioned ? syscall(number, fd, buffer, size, offset) : syscall(number, fd, buffer, size);
  if (ours && call == Call::kWrite) after_change();
  return done;
}

int change(bool ours, long number, long a, long b) {
  if (ours && fails(Call::kChange, nullptr)) return -1;
  const auto result = static_cast<int>(syscall(number, a, b));
  if (ours) after_change();
  return result;
}

long as_long(const char* text) {
  return reinterpret_cast<long>(text);
}

}  // namespace

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::kKill: return "killed before a change";
    case Fault::kKillAfter: return "killed after a change";
    case Fault::kIoError: return "EIO";
    case Fault::kNoSpace: return "ENOSPC";
    case Fault::kReadOnly: return "EROFS";
    case Fault::kDenied: return "EACCES";
    case Fault::kInterrupted: return "EINTR";
    case Fault::kInterruptedAll: return "EINTR all the time";
    case Fault::kShort: return "short transfer";
    case Fault::kShortAll: return "short transfers all the time";
    case Fault::kReadError: return "EIO on reading";
    case Fault::kSlow: return "slow disk";
    case Fault::kClockBack: return "clock back";
    case Fault::kClockAhead: return "clock ahead";
    case Fault::kAllocation: return "one allocation";
    case Fault::kAllocationsAll: return "a thousand allocations";
    case Fault::kAllocationSite: return "allocation site";
  }
  return "?";
}

void watch(const std::string& folder) {
  find_code();
  std::strncpy(watched, folder.c_str(), sizeof watched - 1);
}

void arm(Fault fault, int64_t n) {
  armed = false;
  forget_sites();
  planned = fault;
  at = n;
  count = 0;
  has_fired = false;
  armed = true;
}

int64_t disarm() {
  armed = false;
  return count;
}

bool fired() {
  return has_fired;
}

bool allocation_fails(const void* asked) {
  return strikes(Call::kAllocate, asked);
}

int64_t live_allocations() {
  return live;
}

void stall_on(const std::string& path) {
  stalls = false;
  if (path.empty()) return;
  std::strncpy(stalled, path.c_str(), sizeof stalled - 1);
  stalls = true;
}

void shift_clock(int64_t seconds) {
  clock_shift = seconds;
}

void stop_clock(int64_t seconds) {
  clock_stopped = seconds;
}

void read_clock(timespec& time) {
  if (const int64_t stopped = clock_stopped; stopped != 0) time = {stopped, 0};
  time.tv_sec += clock_shift;
}

// As the standard library's: where there is no memory, a handler finds some, or throws (base/memory_reserve.h).
void* allocate(size_t size, size_t alignment, bool may_throw, const void* asked) {
  for (;;) {
    void* memory = nullptr;
    if (!strikes(Call::kAllocate, asked)) {
      memory = alignment <= alignof(std::max_align_t)
                   ? std::malloc(size == 0 ? 1 : size)
                   : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    }
    if (memory != nullptr) {
      ++live;
      return memory;
    }
    const std::new_handler handler = may_throw ? std::get_new_handler() : nullptr;
    if (handler == nullptr) break;
    handler();
  }
  if (may_throw) throw std::bad_alloc();
  return nullptr;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  --live;
  std::free(memory);
}

}  // namespace mneme::faults

using mneme::faults::Call;

// ---- The calls themselves. Names with and without 64 are both in use.
extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return mneme::faults::open_file(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return mneme::faults::open_file(path, flags, mode);
}
// The C library's own would not come by open() above.
DIR* opendir(const char* path) {
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd < 0 ? nullptr : fdopendir(fd);
}
ssize_t read(int fd, void* buffer, size_t size) {
  return mneme::faults::transfer(SYS_read, Call::kRead, fd, buffer, size, 0);
}
ssize_t pread(int fd, void* buffer, size_t size, off_t offset) {
  return mneme::faults::transfer(SYS_pread64, Call::kRead, fd, buffer, size, offset);
}
ssize_t pread64(int fd, void* buffer, size_t size, off64_t offset) {
  return mneme::faults::transfer(SYS_pread64, Call::kRead, fd, buffer, size, offset);
}
ssize_t write(int fd, const void* buffer, size_t size) {
  return mneme::faults::transfer(SYS_write, Call::kWrite, fd, buffer, size, 0);
}
ssize_t pwrite(int fd, const void* buffer, size_t size, off_t offset) {
  return mneme::faults::transfer(SYS_pwrite64, Call::kWrite, fd, buffer, size, offset);
}
ssize_t pwrite64(int fd, const void* buffer, size_t size, off64_t offset) {
  return mneme::faults::transfer(SYS_pwrite64, Call::kWrite, fd, buffer, size, offset);
}
int fsync(int fd) {
  return mneme::faults::change(mneme::faults::is_concerned(fd), SYS_fsync, fd, 0);
}
int fdatasync(int fd) {
  return mneme::faults::change(mneme::faults::is_concerned(fd), SYS_fdatasync, fd, 0);
}
int syncfs(int fd) noexcept {
  return mneme::faults::change(mneme::faults::is_concerned(fd), SYS_syncfs, fd, 0);
}
int ftruncate(int fd, off_t size) noexcept {
  return mneme::faults::change(mneme::faults::is_concerned(fd), SYS_ftruncate, fd, size);
}
int ftruncate64(int fd, off64_t size) noexcept {
  return mneme::faults::change(mneme::faults::is_concerned(fd), SYS_ftruncate, fd, size);
}
int rename(const char* from, const char* to) noexcept {
  return mneme::faults::change(mneme::faults::is_watched(to), SYS_rename, mneme::faults::as_long(from),
                               mneme::faults::as_long(to));
}
int unlink(const char* path) noexcept {
  return mneme::faults::change(mneme::faults::is_watched(path), SYS_unlink, mneme::faults::as_long(path), 0);
}
int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && clock == CLOCK_REALTIME) mneme::faults::read_clock(*time);
  return result;
}

}  // extern "C"

void* operator new(size_t size) {
  return mneme::faults::allocate(size, 0, true, __builtin_return_address(0));
}
void* operator new[](size_t size) {
  return mneme::faults::allocate(size, 0, true, __builtin_return_address(0));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return mneme::faults::allocate(size, 0, false, __builtin_return_address(0));
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return mneme::faults::allocate(size, 0, false, __builtin_return_address(0));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return mneme::faults::allocate(size, static_cast<size_t>(alignment), true, __builtin_return_address(0));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return mneme::faults::allocate(size, static_cast<size_t>(alignment), true, __builtin_return_address(0));
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return mneme::faults::allocate(size, static_cast<size_t>(alignment), false, __builtin_return_address(0));
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return mneme::faults::allocate(size, static_cast<size_t>(alignment), false, __builtin_return_address(0));
}
void operator delete(void* memory) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete[](void* memory) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete(void* memory, size_t) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  mneme::faults::give_back(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  mneme::faults::give_back(memory);
}

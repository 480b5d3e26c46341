// Faults below the program: system calls on files of one folder, and allocations, that fail, do half, or are the last
// thing the process does. The program's own code, SQLite's and every library's pass through here, because this test
// program defines open, pread, pwrite, write, fsync, rename... and operator new itself. One fault at a time.
// Not for sanitised builds, which bring definitions of their own. Threads: any thread may meet the fault.
#pragma once

#include <cstdint>
#include <string>

namespace mneme::faults {

enum class Fault {
  kKill,            // SIGKILL before a change (write, truncate, sync, rename, remove, create)
  kKillAfter,       // ... after it
  kIoError,         // a change fails with EIO
  kNoSpace,         // a write or creation fails with ENOSPC, and all later ones too
  kReadOnly,        // from there on every change fails with EROFS: the medium went read-only
  kDenied,          // from there on opening anything fails with EACCES: permissions were taken away
  kInterrupted,     // a read or write is interrupted once (EINTR)
  kInterruptedAll,  // every other read or write is interrupted: each one that is tried again, once
  kShort,           // a read or write does half of what was asked
  kShortAll,        // every one does
  kReadError,       // a read fails with EIO
  kSlow,            // every call takes a few milliseconds, the chosen one a second: a disk that stalls
  kClockBack,       // the clock jumps by twenty years at a call on a file
  kClockAhead,      // ... forwards by ten
  kAllocation,      // one allocation fails
  kAllocationsAll,  // one allocation and the next thousand fail: memory is short for a while
  kAllocationSite,  // the first allocation of one place in the code fails; calls count places, not allocations
};
const char* name_of(Fault fault);

// Files at or below `folder` are concerned; the process has one such folder.
void watch(const std::string& folder);
// The n-th call (from 0) of those the fault concerns meets it. n < 0 counts only.
void arm(Fault fault, int64_t n);
// No faults from now on. How many calls the fault could have met since arm().
int64_t disarm();
bool fired();

// Asked before every allocation that is not operator new's: true when it is to fail. `asked`: the return address of who
// wants the memory.
bool allocation_fails(const void* asked);
bool sqlite_is_gated();

// Memory that operator new gave and nobody gave back yet.
int64_t live_allocations();

// Opening this file, or listing this folder, takes until stall_on("") is called: a network that does not answer.
void stall_on(const std::string& path);

// What system_clock says is moved by this much: clock jumps.
void shift_clock(int64_t seconds);
// system_clock stands still at this many seconds since 1970, so that the same work leaves the same bytes.
void stop_clock(int64_t seconds);

}  // namespace mneme::faults

// Who wants a catalogue's writes to wait for other programs beyond the usual time (Catalogue::Patience), and how they
// wait. Not for other folders. Threads: any.
#pragma once

#include <functional>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

class PatientOnes {
 public:
  void add(const CancelToken& cancel, const std::function<void(bool)>& tell) MNEME_EXCLUDES(mutex_);
  void remove(const CancelToken& cancel) MNEME_EXCLUDES(mutex_);

  // Begins to write when no other program does. kBusy when none of the patient is there and that takes longer than
  // busy_timeout_ms; kCancelled when none of them waits any more.
  Result<Transaction> begin_writing(Database& database, int busy_timeout_ms) const MNEME_EXCLUDES(mutex_);

  // Whether all of the patient have been cancelled; not where there are none.
  bool leave() const MNEME_EXCLUDES(mutex_) { return mood() == Mood::kLeaving; }

 private:
  enum class Mood { kImpatient, kPatient, kLeaving };
  struct PatientOne {
    const CancelToken* cancel = nullptr;
    const std::function<void(bool)>* tell = nullptr;
  };

  Mood mood() const MNEME_EXCLUDES(mutex_);
  Result<Transaction> begin_patiently(Database& database, int busy_timeout_ms, bool& told) const MNEME_EXCLUDES(mutex_);
  void tell(bool waits) const MNEME_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  std::vector<PatientOne> ones_ MNEME_GUARDED_BY(mutex_);
};

// While it lives, a statement of `database` that runs for long ends as kCancelled when the patient leave. Both outlive
// it. Threads: the database's.
class LeavingEnds {
 public:
  LeavingEnds(Database& database, const PatientOnes& ones);
  ~LeavingEnds();
  LeavingEnds(const LeavingEnds&) = delete;
  LeavingEnds& operator=(const LeavingEnds&) = delete;

 private:
  Database& database_;
  const PatientOnes& ones_;
};

}  // namespace mneme::storage

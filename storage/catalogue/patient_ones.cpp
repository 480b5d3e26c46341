#include "storage/catalogue/patient_ones.h"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {

void PatientOnes::add(const CancelToken& cancel, const std::function<void(bool)>& tell) {
  MutexLock lock(mutex_);
  ones_.push_back({&cancel, &tell});
}

void PatientOnes::remove(const CancelToken& cancel) {
  MutexLock lock(mutex_);
  const auto found = std::find_if(ones_.begin(), ones_.end(), [&](const auto& one) { return one.cancel == &cancel; });
  if (found != ones_.end()) ones_.erase(found);
}

PatientOnes::Mood PatientOnes::mood() const {
  MutexLock lock(mutex_);
  if (ones_.empty()) return Mood::kImpatient;
  const bool waits =
      std::any_of(ones_.begin(), ones_.end(), [](const PatientOne& one) { return !one.cancel->cancelled(); });
  return waits ? Mood::kPatient : Mood::kLeaving;
}

// Under the lock, so that nobody leaves who is being told.
void PatientOnes::tell(bool waits) const {
  MutexLock lock(mutex_);
  for (const PatientOne& one : ones_) {
    if (*one.tell) (*one.tell)(waits);
  }
}

Result<Transaction> PatientOnes::begin_writing(Database& database, int busy_timeout_ms) const {
  bool told = false;
  Result<Transaction> begun = begin_patiently(database, busy_timeout_ms, told);
  if (told) tell(false);
  return begun;
}

Result<Transaction> PatientOnes::begin_patiently(Database& database, int busy_timeout_ms, bool& told) const {
  using Clock = std::chrono::steady_clock;
  constexpr int kLookMs = 100;  // how often a patient one is asked whether it still waits
  if (mood() != Mood::kPatient) return Transaction::begin(database, Transaction::Kind::kWrite);
  const Clock::time_point since = Clock::now();
  do {
    sqlite3_busy_timeout(database.handle(), kLookMs);
    Result<Transaction> begun = Transaction::begin(database, Transaction::Kind::kWrite);
    sqlite3_busy_timeout(database.handle(), busy_timeout_ms);
    if (begun.status().code() != StatusCode::kBusy) return begun;
    if (told || Clock::now() - since < Catalogue::Patience::kTellAfter) continue;
    told = true;
    tell(true);
  } while (mood() == Mood::kPatient);
  if (mood() == Mood::kLeaving) return cancelled();
  return Transaction::begin(database, Transaction::Kind::kWrite);
}

LeavingEnds::LeavingEnds(Database& database, const PatientOnes& ones) : database_(database), ones_(ones) {
  constexpr int kSteps = 1000;  // of SQLite's machine between two looks: some tens of microseconds
  const auto look = [](void* leaving) { return static_cast<LeavingEnds*>(leaving)->ones_.leave() ? 1 : 0; };
  sqlite3_progress_handler(database_.handle(), kSteps, look, this);
}

LeavingEnds::~LeavingEnds() {
  sqlite3_progress_handler(database_.handle(), 0, nullptr, nullptr);
}

Catalogue::Patience::Patience(Catalogue& catalogue, const CancelToken& cancel, std::function<void(bool)> tell)
    : catalogue_(catalogue), cancel_(cancel), tell_(std::move(tell)) {
  catalogue_.state_->patient.add(cancel_, tell_);
}

Catalogue::Patience::~Patience() {
  catalogue_.state_->patient.remove(cancel_);
}

}  // namespace mneme::storage

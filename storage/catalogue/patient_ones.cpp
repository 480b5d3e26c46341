#include "storage/catalogue/patient_ones.h"

#include <sqlite3.h>

#include <algorithm>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {

void PatientOnes::add(const CancelToken& cancel) {
  MutexLock lock(mutex_);
  cancels_.push_back(&cancel);
}

void PatientOnes::remove(const CancelToken& cancel) {
  MutexLock lock(mutex_);
  const auto found = std::find(cancels_.begin(), cancels_.end(), &cancel);
  if (found != cancels_.end()) cancels_.erase(found);
}

PatientOnes::Mood PatientOnes::mood() const {
  MutexLock lock(mutex_);
  if (cancels_.empty()) return Mood::kImpatient;
  const bool waits =
      std::any_of(cancels_.begin(), cancels_.end(), [](const CancelToken* cancel) { return !cancel->cancelled(); });
  return waits ? Mood::kPatient : Mood::kLeaving;
}

Result<Transaction> PatientOnes::begin_writing(Database& database, int busy_timeout_ms) const {
  constexpr int kLookMs = 100;  // how often a patient one is asked whether it still waits
  while (mood() == Mood::kPatient) {
    sqlite3_busy_timeout(database.handle(), kLookMs);
    Result<Transaction> begun = Transaction::begin(database, Transaction::Kind::kWrite);
    sqlite3_busy_timeout(database.handle(), busy_timeout_ms);
    if (begun.status().code() != StatusCode::kBusy) return begun;
    if (mood() == Mood::kLeaving) return cancelled();
  }
  return Transaction::begin(database, Transaction::Kind::kWrite);
}

Catalogue::Patience::Patience(Catalogue& catalogue, const CancelToken& cancel)
    : catalogue_(catalogue), cancel_(cancel) {
  catalogue_.state_->patient.add(cancel_);
}

Catalogue::Patience::~Patience() {
  catalogue_.state_->patient.remove(cancel_);
}

}  // namespace mneme::storage

#include "ui/view_model/model_trial.h"

#include <chrono>

#include "base/guarded.h"
#include "base/stopwatch.h"
#include "rag/answering/writing/mode_choice.h"
#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

// Of what took less nobody needs to hear that it is over.
constexpr double kLongSeconds = 10.0;
// Before, what is left cannot be told from what was done.
constexpr double kToldFrom = 0.03;

// Other modes compute everything, or load without asking how well that goes.
bool asks_for_the_gate(const SettingsView& settings) {
  return settings.mode.empty() || settings.mode == "blend";
}

}  // namespace

ModelTrial::Pause::Pause(ModelTrial& trial) : trial_(trial) {
  {
    MutexLock lock(trial_.mutex_);
    ++trial_.pauses_;
  }
  trial_.give_up();
  nobody_runs_ = std::unique_lock(trial_.running_);
}

ModelTrial::Pause::~Pause() {
  MutexLock lock(trial_.mutex_);
  --trial_.pauses_;
}

void ModelTrial::give_up() {
  MutexLock lock(mutex_);
  if (cancel_ != nullptr) cancel_->cancel();
}

// Null: there is a pause.
std::shared_ptr<CancelToken> ModelTrial::begin() {
  MutexLock lock(mutex_);
  if (pauses_ > 0) return nullptr;
  cancel_ = std::make_shared<CancelToken>(workspace_.options().interrupt);
  return cancel_;
}

void ModelTrial::run() {
  const std::shared_ptr<CancelToken> cancel = begin();
  if (cancel == nullptr) return;
  const std::unique_lock<Mutex> running(running_);
  if (cancel->cancelled() || !workspace_.model_is_open()) return;
  const std::string name = workspace_.model_name();
  const SettingsView settings = publisher_.current()->settings;
  // What cannot be kept (a home that is only read) is not measured behind every answer.
  const std::string asked = name + ' ' + settings.kv_level;
  if (asked == unkept_ || !asks_for_the_gate(settings)) return;
  if (rag::are_caches_prepared(workspace_, settings.kv_level)) return;
  const auto began = std::chrono::steady_clock::now();
  const Status status = guarded("trying out a model", [&] { return measure(settings.kv_level, *cancel); });
  show(-1, 0);
  if (status.ok() && !rag::are_caches_prepared(workspace_, settings.kv_level)) unkept_ = asked;
  if (status.ok() && seconds_since(began) > kLongSeconds) {
    publisher_.notice(filled(tr("{0} was tried out: what it has read once is loaded from now on."), name), false);
  }
  // A model that cannot be tried out answers as it did; one that was closed, or the window with it, is tried out later.
  const bool told = status.code() != StatusCode::kCancelled && status.code() != StatusCode::kUnsupported;
  if (told) publisher_.report(status);
}

Status ModelTrial::measure(const std::string& level, const CancelToken& cancel) {
  const auto began = std::chrono::steady_clock::now();
  show(0, 0);
  return rag::prepare_caches(workspace_, level, cancel, [&](double share) { show(share, seconds_since(began)); });
}

void ModelTrial::show(double share, double seconds) {
  publisher_.update([&](Snapshot& s) {
    s.engine.tried = static_cast<float>(share);
    s.engine.trial_seconds_left = share < kToldFrom ? -1.0 : seconds * (1 - share) / share;
  });
}

}  // namespace mneme::ui

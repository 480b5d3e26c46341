#include "rag/indexing/index_control.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "storage/home.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kPaused = "indexing.paused";
constexpr std::string_view kWanted = "indexing.wanted";
constexpr std::chrono::milliseconds kTick{20};
constexpr size_t kMaxWanted = 32;

std::string lock_of(const Workspace& workspace) {
  return storage::Home{workspace.options().home}.indexing_lock();
}

Result<bool> is_set(storage::Catalogue& catalogue, std::string_view key) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> text, catalogue.setting(key));
  return text.has_value() && *text == "true";
}

}  // namespace

Status IndexControl::pause() {
  return workspace_.catalogue().put_setting(kPaused, "true");
}

Status IndexControl::resume() {
  return workspace_.catalogue().remove_setting(kPaused);
}

Result<bool> IndexControl::paused() {
  return is_set(workspace_.catalogue(), kPaused);
}

bool IndexControl::running() const {
  // A home whose lock cannot be looked at is one that nobody like us writes to.
  const Result<bool> locked = workspace_.env().locked(lock_of(workspace_));
  return locked.ok() && *locked;
}

Status IndexControl::want(std::string_view question) {
  if (!running()) return {};
  nlohmann::json words = nlohmann::json::array();
  for (const std::string& word : words_of(question)) {
    if (!is_stop_word(word) && words.size() < kMaxWanted) words.push_back(stem_of(word));
  }
  if (words.empty()) return {};
  return workspace_.catalogue().put_setting(kWanted, words.dump());
}

IndexGate::IndexGate(Workspace& workspace, bool respect_pause)
    : workspace_(workspace), catalogue_(workspace.catalogue()) {
  IndexControl control(workspace);
  const Result<bool> paused = control.paused();
  if (paused.ok() && *paused && respect_pause) set_paused(true);
  // A pause that cannot be lifted only makes this run wait until it can be.
  if (paused.ok() && *paused && !respect_pause) (void)control.resume();
  // What was wanted before this run began is not waited for any more.
  if (const Result<std::optional<std::string>> old = catalogue_.setting(kWanted); old.ok() && old->has_value()) {
    wanted_json_ = **old;
  }
}

IndexGate::~IndexGate() = default;

void IndexGate::look() {
  const Clock::time_point now = Clock::now();
  if (last_look_ == Clock::time_point{}) last_look_ = now;
  if (now - last_look_ < kLookEvery) return;
  last_look_ = now;
  if (const Result<bool> paused = is_set(catalogue_, kPaused); paused.ok()) set_paused(*paused);
  read_wanted();
  if (lock_) return;
  // Not being heard of costs the run nothing. One that another run keeps from the lock takes it once that has ended.
  if (auto lock = workspace_.env().try_lock(lock_of(workspace_)); lock.ok()) lock_ = *std::move(lock);
}

void IndexGate::set_paused(bool paused) {
  if (paused == this->paused()) return;
  if (paused) {
    paused_since_ = Clock::now();
  } else {
    waited_ += Clock::now() - paused_since_;
  }
  paused_.store(paused, std::memory_order_relaxed);
}

void IndexGate::read_wanted() {
  const Result<std::optional<std::string>> text = catalogue_.setting(kWanted);
  if (!text.ok() || !text->has_value() || **text == wanted_json_) return;
  wanted_json_ = **text;
  const nlohmann::json words = nlohmann::json::parse(wanted_json_, nullptr, false);
  if (!words.is_array()) return;
  for (const nlohmann::json& word : words) {
    if (word.is_string() && wanted_.size() < kMaxWanted) wanted_.push_back(word.get<std::string>());
  }
}

void IndexGate::wait_while_paused(const CancelToken& cancel) const {
  while (paused() && !cancel.cancelled()) std::this_thread::sleep_for(kTick);
}

std::vector<std::string> IndexGate::take_wanted() {
  return std::exchange(wanted_, {});
}

std::chrono::milliseconds IndexGate::waited() const {
  const Clock::duration now = paused() ? Clock::now() - paused_since_ : Clock::duration{};
  return std::chrono::duration_cast<std::chrono::milliseconds>(waited_ + now);
}

}  // namespace mneme::rag

#include "rag/indexing/index_control.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "rag/text/stop_words.h"
#include "rag/text/words.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kPaused = "indexing.paused";
constexpr std::string_view kActive = "indexing.active";
constexpr std::string_view kWanted = "indexing.wanted";
constexpr std::chrono::seconds kAliveEvery{2};
constexpr int64_t kAliveMs = 6000;  // a run that died is forgotten after this
constexpr std::chrono::milliseconds kTick{20};
constexpr size_t kMaxWanted = 32;

int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

// A whole number in a setting; 0 for one that is absent or something else.
int64_t integer_setting(storage::Catalogue& catalogue, std::string_view key) {
  const Result<std::optional<std::string>> text = catalogue.setting(key);
  if (!text.ok() || !text->has_value()) return 0;
  const nlohmann::json value = nlohmann::json::parse(**text, nullptr, false);
  return value.is_number_integer() ? value.get<int64_t>() : 0;
}

Result<bool> is_set(storage::Catalogue& catalogue, std::string_view key) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> text, catalogue.setting(key));
  return text.has_value() && *text == "true";
}

}  // namespace

Status IndexControl::pause() {
  return catalogue_.put_setting(kPaused, "true");
}

Status IndexControl::resume() {
  return catalogue_.remove_setting(kPaused);
}

Result<bool> IndexControl::paused() {
  return is_set(catalogue_, kPaused);
}

Result<bool> IndexControl::running() {
  return integer_setting(catalogue_, kActive) > now_ms();
}

Status IndexControl::want(std::string_view question) {
  MNEME_ASSIGN_OR_RETURN(const bool active, running());
  if (!active) return {};
  nlohmann::json words = nlohmann::json::array();
  for (const std::string& word : words_of(question)) {
    if (!is_stop_word(word) && words.size() < kMaxWanted) words.push_back(std::string(stem_of(word)));
  }
  if (words.empty()) return {};
  return catalogue_.put_setting(kWanted, words.dump());
}

IndexGate::IndexGate(storage::Catalogue& catalogue, bool respect_pause) : catalogue_(catalogue) {
  IndexControl control(catalogue);
  const Result<bool> paused = control.paused();
  if (paused.ok() && *paused && respect_pause) set_paused(true);
  // A pause that cannot be lifted only makes this run wait until it can be.
  if (paused.ok() && *paused && !respect_pause) (void)control.resume();
  // What was wanted before this run began is not waited for any more.
  if (const Result<std::optional<std::string>> old = catalogue.setting(kWanted); old.ok() && old->has_value()) {
    wanted_json_ = **old;
  }
}

IndexGate::~IndexGate() {
  if (last_alive_ == Clock::time_point{}) return;
  // A short run never said anything; one that did takes it back. If that fails it ends by itself.
  (void)catalogue_.remove_setting(kActive);
}

void IndexGate::look() {
  const Clock::time_point now = Clock::now();
  if (last_look_ == Clock::time_point{}) last_look_ = now;
  if (now - last_look_ < kLookEvery) return;
  last_look_ = now;
  if (const Result<bool> paused = is_set(catalogue_, kPaused); paused.ok()) set_paused(*paused);
  read_wanted();
  if (now - last_alive_ >= kAliveEvery) say_alive();
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

void IndexGate::say_alive() {
  last_alive_ = Clock::now();
  // Not being heard of costs the run nothing.
  (void)catalogue_.put_setting(kActive, std::to_string(now_ms() + kAliveMs));
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

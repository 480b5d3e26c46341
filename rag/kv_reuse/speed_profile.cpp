#include "rag/kv_reuse/speed_profile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/guarded.h"
#include "base/stopwatch.h"
#include "base/trace.h"
#include "engine/engine_queue.h"
#include "engine/fusion/fuser.h"
#include "engine/language_model.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// Where nothing was measured yet: below what any machine that runs this gives, so that the first plan errs towards
// computing, which is always right.
constexpr double kUnknownDecodeBytesPerS = 200e6;
constexpr double kUnknownEncodeBytesPerS = 100e6;
constexpr double kUnknownRootBytesPerS = 100e6;
// Of the levels that a GPU decodes by itself: far below what any gives, and far above what a processor does, so that
// the first answers load and measure it.
constexpr double kUnknownDeviceDecodeBytesPerS = 10e9;

// How much of a new measurement is believed, and how far it may be off the old.
constexpr double kLearningRate = 0.3;
constexpr double kMostChange = 4.0;

// Prefills that are measured: a short one, and long ones without and with many keys before them.
constexpr int kShortRows = 16;
constexpr int kLongRows = 256;
constexpr int kLongRowsOfSlowModels = 64;
constexpr int kLongRuns = 4;
constexpr double kSlowMsPerRow = 4.0;

double blend(double old_value, double new_value) {
  return old_value <= 0.0 ? new_value
                          : std::exp((1 - kLearningRate) * std::log(old_value) + kLearningRate * std::log(new_value));
}

double positive(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return 0.0;
  const double value = found->get<double>();
  return std::isfinite(value) && value > 0.0 ? value : 0.0;
}

Result<double> timed_append(engine::Sequence& sequence, const std::vector<engine::TokenId>& ids, int n,
                            const CancelToken& cancel) {
  const Clock::time_point begin = Clock::now();
  MNEME_RETURN_IF_ERROR(sequence.append(std::span(ids).first(static_cast<size_t>(n)), cancel));
  return milliseconds_since(begin);
}

void read_rates(const json& object, const char* key, std::array<double, 4>& rates) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return;
  for (size_t i = 0; i < std::min(found->size(), rates.size()); ++i) {
    const json& rate = (*found)[i];
    if (rate.is_number() && rate.get<double>() > 0.0) rates[i] = rate.get<double>();
  }
}

double keys_of(double rows, double before) {
  return rows * (before + (rows + 1) / 2);
}

}  // namespace

double SpeedProfile::decode_ms(engine::KvLevel level, double fp16_bytes) const {
  const double known = decode_bytes_per_s[static_cast<size_t>(level)];
  return fp16_bytes / (known > 0.0 ? known : kUnknownDecodeBytesPerS) * 1e3;
}

double SpeedProfile::encode_ms(engine::KvLevel level, double fp16_bytes) const {
  const double known = encode_bytes_per_s[static_cast<size_t>(level)];
  return fp16_bytes / (known > 0.0 ? known : kUnknownEncodeBytesPerS) * 1e3;
}

double SpeedProfile::load_ms(const std::string& root, double bytes) const {
  const auto known = root_bytes_per_s.find(root);
  return bytes / (known != root_bytes_per_s.end() ? known->second : kUnknownRootBytesPerS) * 1e3;
}

std::string SpeedProfile::to_json() const {
  return json{{"step_ms", step_ms},
              {"row_ms", row_ms},
              {"key_ms", key_ms},
              {"decode_bytes_per_s", decode_bytes_per_s},
              {"encode_bytes_per_s", encode_bytes_per_s},
              {"root_bytes_per_s", root_bytes_per_s}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SpeedProfile> SpeedProfile::parse(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return corruption("a speed profile is not JSON; it will be measured again");
  SpeedProfile profile;
  profile.step_ms = positive(object, "step_ms");
  profile.row_ms = positive(object, "row_ms");
  profile.key_ms = positive(object, "key_ms");
  read_rates(object, "decode_bytes_per_s", profile.decode_bytes_per_s);
  read_rates(object, "encode_bytes_per_s", profile.encode_bytes_per_s);
  if (const auto roots = object.find("root_bytes_per_s"); roots != object.end() && roots->is_object()) {
    for (const auto& [root, rate] : roots->items()) {
      if (rate.is_number() && rate.get<double>() > 0.0) profile.root_bytes_per_s[root] = rate.get<double>();
    }
  }
  return profile;
}

Result<SpeedProfile> measure_speed(engine::LanguageModel& model, const CancelToken& cancel) {
  const trace::Span span("measure speed", "kv");
  // Not to be interrupted: what goes first meanwhile would be counted.
  const engine::EngineQueue::Turn turn = model.queue().enter(engine::Priority::kBackground);
  const int room = model.config().context_length > 0 ? model.config().context_length : 2048;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(std::min(room, kLongRuns * kLongRows)));
  std::vector<engine::TokenId> ids(kLongRows);
  for (size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<engine::TokenId>(i * 37 % static_cast<size_t>(std::max(1, model.config().vocab_size)));
  }
  const int short_rows = std::min(kShortRows, room / 8);
  if (short_rows < 1) return unsupported("the model's context is too short to measure its speed");
  MNEME_RETURN_IF_ERROR(timed_append(*sequence, ids, short_rows, cancel).status());  // first touch of memory
  sequence->truncate(0);
  MNEME_ASSIGN_OR_RETURN(const double short_ms, timed_append(*sequence, ids, short_rows, cancel));
  sequence->truncate(0);
  const int most = std::min(kLongRows, room / kLongRuns);
  const int rows = short_ms > kSlowMsPerRow * short_rows ? std::min(most, kLongRowsOfSlowModels) : most;
  if (rows <= short_rows) return unsupported("the model's context is too short to measure its speed");
  std::vector<double> long_ms;
  for (int run = 0; run < kLongRuns; ++run) {
    MNEME_ASSIGN_OR_RETURN(const double ms, timed_append(*sequence, ids, rows, cancel));
    long_ms.push_back(ms);
  }
  SpeedProfile profile;
  const double key_difference = keys_of(rows, (kLongRuns - 1.0) * rows) - keys_of(rows, 0);
  profile.key_ms = std::max((long_ms.back() - long_ms.front()) / key_difference, 0.0);
  const double extra_keys = keys_of(rows, 0) - keys_of(short_rows, 0);
  const double slope = (long_ms.front() - short_ms - profile.key_ms * extra_keys) / (rows - short_rows);
  profile.row_ms = std::max(slope, 0.01 * long_ms.front() / rows);
  profile.step_ms = std::max(short_ms - short_rows * profile.row_ms, 0.0);
  return profile;
}

SpeedBook::SpeedBook(storage::Catalogue& catalogue, engine::LanguageModel& model)
    : catalogue_(catalogue),
      model_(model),
      key_("model." + model.identity().hex() + ".speed." + model.backend().description()) {
  const Result<std::optional<std::string>> saved = catalogue.setting(key_);
  if (!saved.ok() || !saved->has_value()) return;
  Result<SpeedProfile> profile = SpeedProfile::parse(**saved);
  if (profile.ok()) profile_ = std::move(profile).value();
}

SpeedBook::~SpeedBook() {
  attempt([&] { save(); });
}

SpeedProfile SpeedBook::profile() const {
  MutexLock lock(mutex_);
  return profile_;
}

Status SpeedBook::prepare(const CancelToken& cancel) {
  if (profile().measured()) return {};
  MNEME_ASSIGN_OR_RETURN(const SpeedProfile measured, measure_speed(model_, cancel));
  {
    MutexLock lock(mutex_);
    profile_.step_ms = measured.step_ms;
    profile_.row_ms = measured.row_ms;
    profile_.key_ms = measured.key_ms;
    const int n_layers = model_.config().n_layers;
    if (model_.backend().gpu_layers(n_layers) == n_layers) {
      for (const engine::KvLevel level : {engine::KvLevel::kHigh, engine::KvLevel::kMedium, engine::KvLevel::kLow}) {
        double& rate = profile_.decode_bytes_per_s[static_cast<size_t>(level)];
        if (rate <= 0.0) rate = kUnknownDeviceDecodeBytesPerS;
      }
    }
    changed_ = true;
  }
  save();
  return {};
}

void SpeedBook::learn(const engine::FuseReport& report, std::optional<engine::KvLevel> level, int n_layers,
                      int n_threads) {
  MutexLock lock(mutex_);
  if (level && report.decode_ms > 1.0) {
    double& rate = profile_.decode_bytes_per_s[static_cast<size_t>(*level)];
    rate = blend(rate, static_cast<double>(report.bytes_decoded) / report.decode_ms * 1e3);
    changed_ = true;
  }
  if (!profile_.measured() || n_layers <= 0) return;
  // A device computes the first layers while the host waits for the others: how long each took is not known.
  if (report.full_layers > 0 && model_.backend().host_threads() == nullptr) return;
  const double rows = static_cast<double>(report.row_layers) / n_layers;
  const double keys = static_cast<double>(report.key_layers) / n_layers;
  const double predicted = profile_.compute_ms(rows, keys);
  // Decoding beside the computation took its share of the cores.
  const double measured = report.total_ms - report.wait_ms - report.beside_ms / std::max(n_threads, 1);
  if (!(predicted > 0.0) || !(measured > 0.0)) return;
  const double factor = std::pow(std::clamp(measured / predicted, 1 / kMostChange, kMostChange), kLearningRate);
  profile_.step_ms *= factor;
  profile_.row_ms *= factor;
  profile_.key_ms *= factor;
  changed_ = true;
}

void SpeedBook::learn_encoding(engine::KvLevel level, double fp16_bytes, double ms) {
  if (!(ms > 0.0) || !(fp16_bytes > 0.0)) return;
  MutexLock lock(mutex_);
  double& known = profile_.encode_bytes_per_s[static_cast<size_t>(level)];
  known = blend(known, fp16_bytes / ms * 1e3);
  changed_ = true;
}

void SpeedBook::learn_root(const std::string& root, double bytes_per_second) {
  if (!(bytes_per_second > 0.0)) return;
  MutexLock lock(mutex_);
  double& known = profile_.root_bytes_per_s[root];
  known = blend(known, bytes_per_second);
  changed_ = true;
}

void SpeedBook::save() {
  std::string text;
  {
    MutexLock lock(mutex_);
    if (!changed_) return;
    changed_ = false;
    text = profile_.to_json();
  }
  // A profile that could not be saved costs measuring again, nothing else.
  static_cast<void>(catalogue_.put_setting(key_, text));
}

}  // namespace mneme::rag

// How fast this model computes and this machine loads and decodes: measured, never constants. Kept in the catalogue and
// corrected by every answer. What the loading controller predicts with.
// Threads: SpeedProfile is a value; SpeedBook may be used from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/codec/codec.h"

namespace mneme::engine {
class LanguageModel;
struct FuseReport;
}  // namespace mneme::engine
namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

struct SpeedProfile {
  // A prompt takes step_ms + rows * row_ms + keys * key_ms through all layers, `keys` being the keys its rows attend
  // to, summed over the rows. All threads of the engine work on it.
  double step_ms = 0.0;
  double row_ms = 0.0;
  double key_ms = 0.0;
  std::array<double, 4> decode_bytes_per_s{};           // fp16 bytes on one core, by KvLevel; 0: not known yet
  std::array<double, 4> encode_bytes_per_s{};           // likewise
  std::map<std::string, double> root_bytes_per_s = {};  // by folder of the store; not there: not known yet

  bool measured() const { return row_ms > 0.0; }
  double compute_ms(double rows, double keys) const { return step_ms + rows * row_ms + keys * key_ms; }
  // Milliseconds of one core to decode fp16 bytes; a guess on the slow side where nothing was measured.
  double decode_ms(engine::KvLevel level, double fp16_bytes) const;
  double encode_ms(engine::KvLevel level, double fp16_bytes) const;
  // Milliseconds to read bytes from a folder of the store; likewise.
  double load_ms(const std::string& root, double bytes) const;

  std::string to_json() const;
  static Result<SpeedProfile> parse(std::string_view json);
};

// Runs a few prefills of the model and fits the three figures: under a second where the model is fast.
Result<SpeedProfile> measure_speed(engine::LanguageModel& model, const CancelToken& cancel = never_cancelled());

// The profile of one model on this machine.
class SpeedBook {
 public:
  // Reads what is known. Damaged or missing: nothing is known yet.
  SpeedBook(storage::Catalogue& catalogue, engine::LanguageModel& model);
  ~SpeedBook();  // saves
  SpeedBook(const SpeedBook&) = delete;
  SpeedBook& operator=(const SpeedBook&) = delete;

  SpeedProfile profile() const;
  // Measures the model's prefill when it is not known yet.
  Status prepare(const CancelToken& cancel);
  // Corrects the profile by what a fused prompt took. level: what was decoded; unset: several, which say nothing of
  // each. n_threads: that shared the machine while it ran.
  void learn(const engine::FuseReport& report, std::optional<engine::KvLevel> level, int n_layers, int n_threads);
  // Encoding fp16 bytes on one core took so long.
  void learn_encoding(engine::KvLevel level, double fp16_bytes, double ms);
  void learn_root(const std::string& root, double bytes_per_second);
  void save();

 private:
  storage::Catalogue& catalogue_;
  engine::LanguageModel& model_;
  const std::string key_;
  mutable Mutex mutex_;
  SpeedProfile profile_ MNEME_GUARDED_BY(mutex_);
  bool changed_ MNEME_GUARDED_BY(mutex_) = false;
};

}  // namespace mneme::rag

// The codecs of one model by level. All but `exact` need the model's calibration: it is made once, from the calibration
// text that comes with the program, and kept as a file beside the models; a missing or damaged file, or one
// that could not be written, costs making it again. Threads: all functions from any thread.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine {
class LanguageModel;
}
namespace mneme::storage {
class FileEnv;
}

namespace mneme::rag {

// The text that comes with the program for calibration, passage by passage.
std::vector<std::string> calibration_passages();

class KvCodecs {
 public:
  using Progress = std::function<void(double share)>;

  KvCodecs(engine::LanguageModel& model, storage::FileEnv& env, const std::string& models_folder);

  // The codec of a level. Calibrates at the first call for a level that needs it (seconds for a small model): call it
  // before a question's clock starts. Where another thread calibrates, waits for what comes of it. kUnsupported for a
  // model whose shape the codec does not take; kCancelled when calibrating was stopped, which the next call then begins
  // anew. progress: of calibrating, as in engine::CalibrationRun.
  Result<const engine::KvCodec*> of(engine::KvLevel level, const CancelToken& cancel = never_cancelled(),
                                    const Progress& progress = {});

  // Whether of(level) would come without calibrating. Never waits for another thread that does.
  bool ready(engine::KvLevel level);

  // Bits that a number of the cache takes at a level, on the calibration text; 16 for `exact`, which promises none
  // fewer. Calibrates as of() does.
  Result<double> bits_per_element(engine::KvLevel level);

  // Identity of the calibration a level is coded with; zero for `exact`.
  Hash128 calibration(engine::KvLevel level);

 private:
  using Profile = std::shared_ptr<const engine::KvProfile>;

  bool load_saved() MNEME_REQUIRES(mutex_);
  Result<Profile> profile(const CancelToken& cancel, const Progress& progress) MNEME_EXCLUDES(mutex_);
  Result<Profile> calibrate(const CancelToken& cancel, const Progress& progress) MNEME_EXCLUDES(mutex_);

  engine::LanguageModel& model_;
  storage::FileEnv& env_;
  const std::string profile_path_;
  Mutex mutex_;  // not held while calibrating, which takes minutes for a large model
  CondVar calibrated_;
  bool calibrating_ MNEME_GUARDED_BY(mutex_) = false;
  Profile profile_ MNEME_GUARDED_BY(mutex_);
  Hash128 identity_ MNEME_GUARDED_BY(mutex_);
  std::array<std::unique_ptr<engine::KvCodec>, 4> codecs_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::rag

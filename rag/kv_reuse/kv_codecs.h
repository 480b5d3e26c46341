// The codecs of one model by level, with its calibration from the catalogue. Threads: all functions from any thread.
#pragma once

#include <array>
#include <memory>

#include "base/hash.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/codec/codec.h"

namespace mneme::engine {
class LanguageModel;
}
namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class KvCodecs {
 public:
  static Result<std::unique_ptr<KvCodecs>> open(engine::LanguageModel& model, storage::Catalogue& catalogue);

  // kUnsupported for a level this model has no calibration for, saying what to do.
  Result<const engine::KvCodec*> of(engine::KvLevel level);
  // Identity of the calibration; zero while there is none.
  const Hash128& calibration() const { return calibration_; }

 private:
  explicit KvCodecs(const engine::KvShape& shape) : shape_(shape) {}

  const engine::KvShape shape_;
  Hash128 calibration_;
  Mutex mutex_;
  std::array<std::unique_ptr<engine::KvCodec>, 4> codecs_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::rag

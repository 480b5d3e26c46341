#include "rag/kv_reuse/kv_codecs.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/embedded_assets.h"
#include "base/guarded.h"
#include "base/trace.h"
#include "engine/codec/codec_list.h"
#include "engine/kv/calibrate_model.h"
#include "engine/kv/kv_shape.h"
#include "engine/language_model.h"
#include "storage/env/sealed_file.h"

namespace mneme::rag {
namespace {

// Far above any profile: a model of 128 layers with 8192 channels has about 300 MB.
constexpr uint64_t kProfileLimitBytes = uint64_t{512} << 20;

// How long a cancelled caller may go on waiting for another thread's calibration.
constexpr std::chrono::milliseconds kLookAgain(20);

}  // namespace

std::vector<std::string> calibration_passages() {
  std::vector<std::string> passages;
  std::string_view rest = assets::calibration_text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\f'), rest.size());
    passages.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return passages;
}

KvCodecs::KvCodecs(engine::LanguageModel& model, storage::FileEnv& env, const std::string& models_folder)
    : model_(model), env_(env), profile_path_(models_folder + "/" + model.identity().hex() + ".kvprofile") {}

bool KvCodecs::load_saved() {
  if (profile_ != nullptr) return true;
  const Result<std::vector<std::byte>> saved = storage::read_sealed(env_, profile_path_, kProfileLimitBytes);
  if (!saved.ok()) return false;
  Result<engine::KvProfile> profile = engine::KvProfile::parse(*saved);
  if (!profile.ok() || profile->shape != engine::kv_shape_of(model_.config())) return false;
  profile_ = std::make_shared<const engine::KvProfile>(std::move(profile).value());
  identity_ = profile_->identity();
  return true;
}

bool KvCodecs::ready(engine::KvLevel level) {
  MutexLock lock(mutex_);
  return level == engine::KvLevel::kExact || load_saved();
}

// As it is, as it was saved, or made now. One thread makes it.
Result<KvCodecs::Profile> KvCodecs::profile(const CancelToken& cancel, const Progress& progress) {
  {
    MutexLock lock(mutex_);
    while (!load_saved() && calibrating_) {
      if (cancel.cancelled()) return cancelled();
      (void)calibrated_.wait_for(mutex_, kLookAgain);
    }
    if (profile_ != nullptr) return profile_;
    calibrating_ = true;
  }
  Result<Profile> made = cancelled();
  const Status status = guarded("calibration", [&] {
    made = calibrate(cancel, progress);
    return made.status();
  });
  MutexLock lock(mutex_);
  calibrating_ = false;
  calibrated_.notify_all();
  MNEME_RETURN_IF_ERROR(status);
  profile_ = *made;
  identity_ = profile_->identity();
  return profile_;
}

Result<KvCodecs::Profile> KvCodecs::calibrate(const CancelToken& cancel, const Progress& progress) {
  const trace::Span span("calibrate", "kv");
  const std::vector<std::string> passages = calibration_passages();
  MNEME_ASSIGN_OR_RETURN(engine::KvProfile profile,
                         engine::calibrate_kv(model_, passages, {.progress = progress}, cancel));
  // A full disk costs making it again in the next process, not the question.
  static_cast<void>(storage::write_sealed(env_, profile_path_, profile.serialise()));
  return std::make_shared<const engine::KvProfile>(std::move(profile));
}

Result<const engine::KvCodec*> KvCodecs::of(engine::KvLevel level, const CancelToken& cancel,
                                            const Progress& progress) {
  const auto index = static_cast<size_t>(level);
  {
    MutexLock lock(mutex_);
    if (codecs_[index] != nullptr) return codecs_[index].get();
  }
  Profile known;
  if (level != engine::KvLevel::kExact) {
    MNEME_ASSIGN_OR_RETURN(known, profile(cancel, progress));
  }
  MutexLock lock(mutex_);
  if (codecs_[index] == nullptr) {
    MNEME_ASSIGN_OR_RETURN(codecs_[index],
                           engine::make_kv_codec(engine::kv_shape_of(model_.config()), level, std::move(known)));
  }
  return codecs_[index].get();
}

Result<double> KvCodecs::bits_per_element(engine::KvLevel level) {
  constexpr double kBitsOfF16 = 16.0;
  if (level == engine::KvLevel::kExact) return kBitsOfF16;
  MNEME_ASSIGN_OR_RETURN(const Profile profile, this->profile(never_cancelled(), {}));
  const double bits = profile->bits_per_element(level);
  return bits > 0 ? bits : kBitsOfF16;
}

Hash128 KvCodecs::calibration(engine::KvLevel level) {
  MutexLock lock(mutex_);
  return level == engine::KvLevel::kExact ? Hash128{} : identity_;
}

}  // namespace mneme::rag

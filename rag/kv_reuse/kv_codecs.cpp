#include "rag/kv_reuse/kv_codecs.h"

#include <numeric>
#include <utility>
#include <vector>

#include "base/embedded_assets.h"
#include "base/trace.h"
#include "engine/codec/codec_list.h"
#include "engine/kv/calibrate_model.h"
#include "engine/language_model.h"
#include "storage/env/sealed_file.h"

namespace mneme::rag {
namespace {

// Far above any profile: a model of 128 layers with 8192 channels has about 300 MB.
constexpr uint64_t kProfileLimitBytes = uint64_t{512} << 20;

engine::KvShape shape_of(const engine::ModelConfig& config) {
  return {config.n_layers, config.n_kv_heads, config.head_dim};
}

bool fits(const engine::KvProfile& profile, const engine::KvShape& shape) {
  return profile.shape.n_layers == shape.n_layers && profile.shape.n_kv_heads == shape.n_kv_heads &&
         profile.shape.head_dim == shape.head_dim;
}

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
  if (!profile.ok() || !fits(*profile, shape_of(model_.config()))) return false;
  profile_ = std::make_shared<const engine::KvProfile>(std::move(profile).value());
  identity_ = profile_->identity();
  return true;
}

bool KvCodecs::ready(engine::KvLevel level) {
  MutexLock lock(mutex_);
  return level == engine::KvLevel::kExact || load_saved();
}

Status KvCodecs::load_or_calibrate(const CancelToken& cancel) {
  if (load_saved()) return {};
  const trace::Span span("calibrate", "kv");
  const std::vector<std::string> passages = calibration_passages();
  MNEME_ASSIGN_OR_RETURN(
      engine::KvProfile profile,
      engine::calibrate_kv(model_, passages, {}, engine::kCalibrationWindow, engine::kCalibrationTokens, cancel));
  // A full disk costs making it again in the next process, not the question.
  static_cast<void>(storage::write_sealed(env_, profile_path_, profile.serialise()));
  profile_ = std::make_shared<const engine::KvProfile>(std::move(profile));
  identity_ = profile_->identity();
  return {};
}

Result<const engine::KvCodec*> KvCodecs::of(engine::KvLevel level, const CancelToken& cancel) {
  MutexLock lock(mutex_);
  std::unique_ptr<engine::KvCodec>& codec = codecs_[static_cast<size_t>(level)];
  if (codec == nullptr) {
    if (level != engine::KvLevel::kExact) MNEME_RETURN_IF_ERROR(load_or_calibrate(cancel));
    MNEME_ASSIGN_OR_RETURN(codec, engine::make_kv_codec(shape_of(model_.config()), level, profile_));
  }
  return codec.get();
}

Result<double> KvCodecs::bits_per_element(engine::KvLevel level) {
  constexpr double kBitsOfF16 = 16.0;
  if (level == engine::KvLevel::kExact) return kBitsOfF16;
  MutexLock lock(mutex_);
  MNEME_RETURN_IF_ERROR(load_or_calibrate(never_cancelled()));
  const std::vector<float>& bits = profile_->levels[static_cast<size_t>(level) - 1].layer_bits;
  return bits.empty() ? kBitsOfF16 : std::accumulate(bits.begin(), bits.end(), 0.0) / static_cast<double>(bits.size());
}

Hash128 KvCodecs::calibration(engine::KvLevel level) {
  MutexLock lock(mutex_);
  return level == engine::KvLevel::kExact ? Hash128{} : identity_;
}

}  // namespace mneme::rag

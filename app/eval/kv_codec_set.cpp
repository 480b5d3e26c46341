#include "app/eval/kv_codec_set.h"

#include <algorithm>

#include "engine/codec/codec_list.h"
#include "engine/codec/kv_calibration.h"
#include "engine/kv/calibrate_model.h"
#include "engine/kv/kv_shape.h"

namespace mneme::app {
namespace {

using engine::KvLevel;

bool has_levels(const std::string& codec) {
  return codec == "transform" || codec == "cachegen";
}

std::string known_codecs() {
  std::string names = "all";
  for (const KvCodecChoice& choice : all_kv_codecs()) names += ", " + kv_codec_label(choice);
  return names;
}

}  // namespace

std::vector<KvCodecChoice> all_kv_codecs() {
  return {{"exact", KvLevel::kExact},
          {"uniform8", KvLevel::kHigh},
          {"uniform4", KvLevel::kHigh},
          {"transform", KvLevel::kHigh},
          {"transform", KvLevel::kMedium},
          {"transform", KvLevel::kLow},
          {"cachegen", KvLevel::kHigh},
          {"cachegen", KvLevel::kMedium},
          {"cachegen", KvLevel::kLow},
          {"cachegen-no-differences", KvLevel::kMedium},
          {"cachegen-one-bin", KvLevel::kMedium},
          {"cachegen-one-table", KvLevel::kMedium}};
}

std::string kv_codec_label(const KvCodecChoice& choice) {
  return has_levels(choice.codec) ? choice.codec + ":" + std::string(engine::kv_level_name(choice.level))
                                  : choice.codec;
}

Result<std::vector<KvCodecChoice>> parse_kv_codecs(const std::vector<std::string>& names) {
  std::vector<KvCodecChoice> choices;
  const std::vector<KvCodecChoice> known = all_kv_codecs();
  for (const std::string& name : names) {
    if (name == "all") {
      choices.insert(choices.end(), known.begin(), known.end());
      continue;
    }
    const auto same = [&](const KvCodecChoice& choice) {
      return kv_codec_label(choice) == name ||
             (choice.codec == name && (!has_levels(name) || choice.level == KvLevel::kMedium));
    };
    const auto found = std::find_if(known.begin(), known.end(), same);
    if (found == known.end()) {
      return usage_error("there is no KV codec " + name + "; there are " + known_codecs() + ".");
    }
    choices.push_back(*found);
  }
  return choices;
}

Result<std::vector<engine::ChunkKv>> compute_text_kv(engine::LanguageModel& model, std::span<const std::string> texts,
                                                     int window, int max_tokens, const CancelToken& cancel) {
  std::vector<engine::TokenId> prefix;
  if (const engine::TokenId bos = model.tokenizer().bos(); bos != engine::kNoToken) prefix.push_back(bos);
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::ChunkKvCalculator> calculator,
                         engine::ChunkKvCalculator::make(model, prefix, window));
  std::vector<engine::ChunkKv> all;
  int taken = 0;
  for (const std::string& text : texts) {
    const std::vector<engine::TokenId> ids = model.tokenizer().encode(text);
    for (size_t begin = 0; begin < ids.size() && taken < max_tokens; begin += static_cast<size_t>(window)) {
      const size_t n =
          std::min<size_t>({static_cast<size_t>(window), ids.size() - begin, static_cast<size_t>(max_tokens - taken)});
      MNEME_ASSIGN_OR_RETURN(engine::ChunkKv kv, calculator->calculate(std::span(ids).subspan(begin, n), cancel));
      all.push_back(std::move(kv));
      taken += static_cast<int>(n);
    }
  }
  return all;
}

void KvCodecSet::add_cachegen(std::span<const engine::ChunkKv> kv) {
  auto calibrator = std::make_shared<engine::CachegenCalibrator>(shape_);
  for (const engine::ChunkKv& window : kv) {
    for (int layer = 0; layer < shape_.n_layers; ++layer) {
      calibrator->add(layer, window.n_tokens, window.keys[static_cast<size_t>(layer)],
                      window.values[static_cast<size_t>(layer)]);
    }
  }
  cachegen_ = std::move(calibrator);
}

Result<KvCodecSet> KvCodecSet::calibrate(engine::LanguageModel& model, std::span<const std::string> texts,
                                         std::span<const KvCodecChoice> choices, const CancelToken& cancel) {
  KvCodecSet set(engine::kv_shape_of(model.config()));
  const auto wants = [&](const auto& is) { return std::any_of(choices.begin(), choices.end(), is); };
  if (wants([](const KvCodecChoice& choice) { return choice.codec == "transform"; })) {
    MNEME_ASSIGN_OR_RETURN(engine::KvProfile profile, engine::calibrate_kv(model, texts, {}, cancel));
    set.profile_ = std::make_shared<const engine::KvProfile>(std::move(profile));
  }
  if (wants([](const KvCodecChoice& choice) { return engine::cachegen_options(choice.codec).has_value(); })) {
    MNEME_ASSIGN_OR_RETURN(
        const std::vector<engine::ChunkKv> kv,
        compute_text_kv(model, texts, engine::kCalibrationWindow, engine::kCalibrationTokens, cancel));
    set.add_cachegen(kv);
  }
  return set;
}

Result<KvCodecSet> KvCodecSet::calibrate(const engine::KvShape& shape, std::span<const engine::ChunkKv> kv,
                                         const CancelToken& cancel) {
  KvCodecSet set(shape);
  size_t n_tokens = 0;
  for (const engine::ChunkKv& window : kv) n_tokens += window.n_tokens;
  engine::KvCalibrator calibrator(shape, n_tokens);
  for (const engine::ChunkKv& window : kv) {
    for (int layer = 0; layer < shape.n_layers; ++layer) {
      calibrator.add(layer, window.n_tokens, window.keys[static_cast<size_t>(layer)],
                     window.values[static_cast<size_t>(layer)]);
    }
  }
  MNEME_ASSIGN_OR_RETURN(engine::KvProfile profile, calibrator.finish({}, cancel));
  set.profile_ = std::make_shared<const engine::KvProfile>(std::move(profile));
  set.add_cachegen(kv);
  return set;
}

Result<std::unique_ptr<engine::KvCodec>> KvCodecSet::make(const KvCodecChoice& choice) const {
  const auto options = engine::cachegen_options(choice.codec);
  if (!options) return engine::make_kv_codec_by_name(choice.codec, shape_, choice.level, profile_);
  if (cachegen_ == nullptr) return usage_error("the cachegen codec was not calibrated.");
  MNEME_ASSIGN_OR_RETURN(engine::CachegenProfile profile, cachegen_->finish(choice.level, *options));
  return engine::make_cachegen_codec(std::make_shared<const engine::CachegenProfile>(std::move(profile)));
}

}  // namespace mneme::app

// Every KV codec and level of one model, for measuring them against each other: calibrated here, in memory, on texts of
// the caller's choice. Ownership: codecs share their calibration; nothing is written. Threads: one at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/cachegen.h"
#include "engine/codec/codec.h"
#include "engine/codec/kv_profile.h"
#include "engine/kv/chunk_kv.h"
#include "engine/language_model.h"

namespace mneme::app {

struct KvCodecChoice {
  std::string codec;  // as make_kv_codec_by_name() and cachegen_options() know them
  engine::KvLevel level = engine::KvLevel::kMedium;
  bool operator==(const KvCodecChoice&) const = default;
};

// The levels users choose from, the uniform baselines, CacheGen's levels and its ablations at medium.
std::vector<KvCodecChoice> all_kv_codecs();
// "all", or names with levels: "transform:low", "cachegen", "uniform8". kUsage names what there is.
Result<std::vector<KvCodecChoice>> parse_kv_codecs(const std::vector<std::string>& names);
std::string kv_codec_label(const KvCodecChoice& choice);  // "transform:low"

// KV of texts, each window computed alone behind BOS: what calibration and measurements work on.
Result<std::vector<engine::ChunkKv>> compute_text_kv(engine::LanguageModel& model, std::span<const std::string> texts,
                                                     int window, int max_tokens, const CancelToken& cancel);

class KvCodecSet {
 public:
  // Calibrates for the choices at hand only: transform and cachegen each take a pass over the texts.
  static Result<KvCodecSet> calibrate(engine::LanguageModel& model, std::span<const std::string> texts,
                                      std::span<const KvCodecChoice> choices, const CancelToken& cancel);
  // The same from KV that is there already, for made-up KV.
  static Result<KvCodecSet> calibrate(const engine::KvShape& shape, std::span<const engine::ChunkKv> kv,
                                      const CancelToken& cancel);

  Result<std::unique_ptr<engine::KvCodec>> make(const KvCodecChoice& choice) const;
  const engine::KvShape& shape() const { return shape_; }

 private:
  explicit KvCodecSet(const engine::KvShape& shape) : shape_(shape) {}
  void add_cachegen(std::span<const engine::ChunkKv> kv);

  engine::KvShape shape_;
  std::shared_ptr<const engine::KvProfile> profile_;
  std::shared_ptr<const engine::CachegenCalibrator> cachegen_;
};

}  // namespace mneme::app

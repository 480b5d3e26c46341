// A model's KvProfile, from what it makes of calibration text. Ownership: borrows the model. Threads: one at a time a
// model; takes turns with its other work.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/kv_profile.h"
#include "engine/types.h"

namespace mneme::engine {

class LanguageModel;

// The tokens of the texts. Where the model's vocabulary does not hold text (models of random weights, whose tokenizer
// knows numbers alone), tokens drawn from a seed instead: their KV is noise either way, and only its size is wanted.
std::vector<std::vector<TokenId>> calibration_tokens(const LanguageModel& model, std::span<const std::string> texts);

inline constexpr int kCalibrationWindow = 512;
inline constexpr int kCalibrationTokens = 12288;

struct CalibrationRun {
  int window = kCalibrationWindow;
  int max_tokens = kCalibrationTokens;
  // Told the share of the work that is done, after each window, on the calling thread; unset: nobody wants to know.
  std::function<void(double share)> progress = {};
};

// Runs the model over the passages (each from BOS, cut to windows of `window` tokens, at most max_tokens in all) and
// calibrates. Background work: gives way to questions between layers, where it can be stopped, too (kCancelled).
Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::vector<TokenId>> passages,
                               const CalibrationRun& run = {}, const CancelToken& cancel = never_cancelled());
// The same over calibration_tokens(texts).
Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::string> texts, const CalibrationRun& run = {},
                               const CancelToken& cancel = never_cancelled());

}  // namespace mneme::engine

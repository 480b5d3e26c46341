// The quality gate: is a repaired prompt of this model, through this codec, as good as a full prefill? Measured once
// per model and calibration on built-in probes, kept in the catalogue, asked before blending is the default.
//
// A probe is a question over three short passages, one of which only the others explain. The model answers it after a
// full prefill; the same tokens are then forced through the repaired prompt. The bar is on the KL divergence of the
// next-token distributions and on how often the likeliest token is the same. r* is the smallest tried ratio that
// passes. Then the same is asked with first layers computed in full, as the loading controller may choose them.
// Threads: measure_gate works in the background, and gives way to questions; the rest are values.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/fusion/selector.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

// What a ratio measured.
struct GateTrial {
  double ratio = 0.0;
  double kl = 0.0;            // mean over positions, nats: KL(full || blend)
  double greedy_match = 0.0;  // share of positions whose likeliest token is the same
  bool passed = false;
};

struct GateReport {
  std::vector<GateTrial> trials;  // by ratio; after the first that passes none is tried
  // At r*, with a quarter and with half of the layers in full, the worse of both; unset where that was not tried.
  std::optional<GateTrial> full_layers = {};
  int positions = 0;

  bool passed() const { return !trials.empty() && trials.back().passed; }
  double least_ratio() const { return trials.back().ratio; }  // r*; only when passed
  // Not so: of before first layers could be computed in full; it says nothing of that.
  bool is_whole(int n_layers) const;
  bool passed_full_layers() const { return passed() && full_layers && full_layers->passed; }
  // One sentence for people, in the language of what they ask: why blending is not the default.
  std::string refusal(std::string_view question = {}) const;

  std::string to_json() const;
  static Result<GateReport> parse(std::string_view json);
};

struct GateBar {
  double kl = 0.05;
  double greedy_match = 0.9;
};

struct GateProbe {
  std::vector<std::string_view> passages;
  std::string_view question;
};
std::span<const GateProbe> gate_probes();

// Told the share of the work that is done, now and then, on the calling thread; unset: nobody wants to know.
using MeasureProgress = std::function<void(double share)>;

// kUnsupported for a model whose context is too short for the probes; kCancelled.
Result<GateReport> measure_gate(engine::LanguageModel& model, const engine::KvCodec& codec,
                                const engine::Selector& selector, const GateBar& bar = {},
                                const CancelToken& cancel = never_cancelled(), const MeasureProgress& progress = {});

}  // namespace mneme::rag

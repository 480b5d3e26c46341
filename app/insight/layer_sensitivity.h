// How much the model's predictions suffer when the KV of some layers is rounded and that of the others is not
// (CacheGen, section 5.1.2 and figure 4): which layers need the finer steps. Threads: one at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/language_model.h"

namespace mneme::app {

// Rounds keys and values of layers [first_layer, first_layer + n_layers) to multiples of `step` times the standard
// deviation of the layer's keys or values, and leaves all others as they are. Nothing gets smaller: it is made to do
// damage of a known size.
std::unique_ptr<engine::KvCodec> make_rounding_codec(const engine::KvShape& shape, int first_layer, int n_layers,
                                                     double step);

struct LayerSensitivity {
  int first_layer = 0;
  int n_layers = 0;
  double step = 0;
  double perplexity = 0;
  double increase = 0;  // over the perplexity without rounding, as a share
};

// Perplexity of the second halves of the windows behind rounded first halves (LevelPerplexity), for up to n_groups
// groups of neighbouring layers, then for all layers together. ids: at least one window.
Result<std::vector<LayerSensitivity>> layer_sensitivity(engine::LanguageModel& model,
                                                        std::span<const engine::TokenId> ids, int window, int n_groups,
                                                        std::span<const double> steps, const CancelToken& cancel);

}  // namespace mneme::app

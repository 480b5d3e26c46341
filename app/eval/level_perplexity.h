// Perplexity under KV compression (measuring rules): disjoint windows; the KV of a window's first half passes through a
// codec, the second half is scored behind it. All codecs see the same windows, so their losses pair.
// Ownership: borrows the model. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/eval/kv_codec_set.h"
#include "app/measure/statistics.h"
#include "base/cancel.h"
#include "engine/language_model.h"

namespace mneme::app {

struct LevelScore {
  double nll = 0;               // sum over the tokens scored
  std::vector<double> windows;  // the same by window: codecs see the same windows, so their differences pair
  uint64_t encoded_bytes = 0;
  uint64_t elements = 0;  // numbers that passed through the codec
};

// What one window came to; codecs in the order in which they were given.
struct LevelWindow {
  struct Coded {
    double nll = 0;
    uint64_t encoded_bytes = 0;
    uint64_t elements = 0;
  };
  int64_t tokens = 0;  // scored, the same for all
  double exact_nll = 0;
  std::vector<Coded> codecs;
};

class LevelPerplexity {
 public:
  LevelPerplexity(engine::LanguageModel& model, std::vector<std::unique_ptr<engine::KvCodec>> codecs);

  // One window of tokens (at least 4), without BOS, which stands before it and is never coded. Nothing is added.
  Result<LevelWindow> score_window(std::span<const engine::TokenId> window, const CancelToken& cancel);
  // A window of as many codecs as there are, scored now or at another time.
  void add(const LevelWindow& window);
  // Both.
  Status add_window(std::span<const engine::TokenId> window, const CancelToken& cancel);

  const LevelScore& exact() const { return exact_; }  // no codec at all
  const std::vector<LevelScore>& scores() const { return scores_; }
  int64_t tokens() const { return tokens_; }  // scored, the same for all
  double perplexity(const LevelScore& score) const;
  // 95 % bootstrap interval of perplexity / exact perplexity - 1 over windows, which count alike: give windows of one
  // length. {0, 0} before the first window.
  Interval increase_95(const LevelScore& score) const;

 private:
  struct LayerKv {
    std::vector<f16> keys, values;
  };
  Status pass_through(const engine::KvCodec& codec, engine::Sequence& sequence, int first, int n_tokens,
                      const std::vector<LayerKv>& kv, LevelWindow::Coded& coded);
  Result<double> score_rest(engine::Sequence& sequence, std::span<const engine::TokenId> rest,
                            const CancelToken& cancel);

  engine::LanguageModel& model_;
  std::vector<std::unique_ptr<engine::KvCodec>> codecs_;
  LevelScore exact_;
  std::vector<LevelScore> scores_;
  int64_t tokens_ = 0;
};

}  // namespace mneme::app

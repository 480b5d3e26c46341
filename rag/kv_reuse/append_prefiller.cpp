#include <algorithm>
#include <span>

#include "base/trace.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/prefiller.h"

namespace mneme::rag {

namespace {

using engine::TokenId;

// Everything is computed anew, or everything behind what the sequence holds already.
class AppendPrefiller final : public Prefiller {
 public:
  explicit AppendPrefiller(bool keeps_prefix) : keeps_prefix_(keeps_prefix) {}

  Result<PrefillReport> prefill(engine::LanguageModel& model, engine::Sequence& sequence, const Prompt& prompt,
                                const PrefillOptions& /*options*/, const CancelToken& cancel) override {
    const trace::Span span("prefill", "rag");
    const std::vector<TokenId> ids = prompt.all_ids();
    size_t kept = 0;
    if (keeps_prefix_) {
      const std::span<const TokenId> present = sequence.tokens();
      // The last token is computed in any case: its logits are wanted.
      while (kept < present.size() && kept + 1 < ids.size() && present[kept] == ids[kept]) ++kept;
    }
    sequence.truncate(static_cast<int>(kept));
    MNEME_RETURN_IF_ERROR(sequence.append(std::span(ids).subspan(kept), cancel));
    return report(model, prompt, kept);
  }

 private:
  PrefillReport report(engine::LanguageModel& model, const Prompt& prompt, size_t kept) const {
    PrefillReport report;
    report.cache.mode = keeps_prefix_ ? AnswerMode::kPrefix : AnswerMode::kFull;
    report.cache.chunks = prompt.n_passages;
    report.cache.bytes_fp16 = int64_t{prompt.chunk_tokens} * model.config().kv_bytes_per_token();
    int64_t kept_chunk_tokens = 0;
    size_t at = prompt.prefix.size();
    for (const engine::PromptSegment& segment : prompt.plan.segments) {
      const size_t end = at + segment.ids.size();
      if (segment.chunk >= 0 && kept > at) {
        kept_chunk_tokens += static_cast<int64_t>(std::min(kept, end) - at);
        report.cache.hits += kept >= end ? 1 : 0;
      }
      at = end;
    }
    report.cache.recomputed_tokens = prompt.chunk_tokens - kept_chunk_tokens;
    report.cache.recompute_ratio =
        prompt.chunk_tokens == 0 ? 1.0 : static_cast<double>(report.cache.recomputed_tokens) / prompt.chunk_tokens;
    return report;
  }

  const bool keeps_prefix_;
};

}  // namespace

std::unique_ptr<Prefiller> make_append_prefiller(bool keeps_prefix) {
  return std::make_unique<AppendPrefiller>(keeps_prefix);
}

}  // namespace mneme::rag

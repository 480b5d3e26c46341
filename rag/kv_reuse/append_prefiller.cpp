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
      kept = static_cast<size_t>(sequence.kept_place(static_cast<int>(kept)));
    }
    sequence.truncate(static_cast<int>(kept));
    size_t done = kept;
    if (keeps_prefix_ && model.config().has_state())
      MNEME_RETURN_IF_ERROR(append_in_parts(sequence, prompt, ids, done, cancel));
    MNEME_RETURN_IF_ERROR(sequence.append(std::span(ids).subspan(done), cancel));
    return report(model, prompt, kept);
  }

 private:
  // Up to where the next prompt may still be the same: behind the prefix, the passages, the earlier turns. What keeps a
  // state keeps it there.
  static Status append_in_parts(engine::Sequence& sequence, const Prompt& prompt, std::span<const TokenId> ids,
                                size_t& done, const CancelToken& cancel) {
    for (const int place :
         {static_cast<int>(prompt.prefix.size()), prompt.n_before_history(), prompt.n_with_history()}) {
      const auto end = static_cast<size_t>(place);
      if (end <= done || end >= ids.size()) continue;
      MNEME_RETURN_IF_ERROR(sequence.append(ids.subspan(done, end - done), cancel));
      sequence.keep_place();
      done = end;
    }
    return {};
  }

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

#include "engine/fusion/fuser.h"

#include <chrono>
#include <optional>
#include <string>

#include "base/stopwatch.h"
#include "engine/backend/kv_memory.h"
#include "engine/engine_queue.h"
#include "engine/fusion/fusion_attempt.h"
#include "engine/kv/kv_shape.h"

namespace mneme::engine {
namespace {

using Clock = std::chrono::steady_clock;

Status check_chunk(const PromptSegment& segment, const KvSource& source, std::span<const KvCodec* const> codecs,
                   const ModelConfig& config) {
  const std::string name = "chunk " + std::to_string(segment.chunk);
  if (segment.chunk >= source.n_chunks() || static_cast<size_t>(segment.chunk) >= codecs.size()) {
    return usage_error("a fused prompt names " + name + " of " + std::to_string(source.n_chunks()));
  }
  const ChunkKvInfo info = source.chunk(segment.chunk);
  const KvShape& shape = codecs[static_cast<size_t>(segment.chunk)]->shape();
  const KvShape expected = kv_shape_of(config);
  const bool fits = info.n_tokens == static_cast<int>(segment.ids.size()) && info.n_layers == expected.n_layers &&
                    shape.layers == expected.layers && shape.n_kv_heads == expected.n_kv_heads &&
                    shape.head_dim == expected.head_dim;
  if (!fits) return usage_error("the cached KV of " + name + " does not fit its tokens or the model");
  return {};
}

Status check_plan(const PromptPlan& plan, Sequence& sequence, const KvSource& source,
                  std::span<const KvCodec* const> codecs, const ModelConfig& config) {
  if (plan.segments.empty() || plan.segments.back().chunk >= 0 || plan.segments.back().ids.empty()) {
    return usage_error("a fused prompt must end with computed tokens");
  }
  for (const PromptSegment& segment : plan.segments) {
    if (segment.chunk >= 0) MNEME_RETURN_IF_ERROR(check_chunk(segment, source, codecs, config));
  }
  const int n_tokens = sequence.n_tokens() + plan.n_tokens();
  const int limit = sequence.kv().options().max_tokens;
  if (n_tokens > limit) {
    return resource_error("the prompt has " + std::to_string(n_tokens) + " tokens, more than the context of " +
                          std::to_string(limit) + "; ask with fewer passages");
  }
  return {};
}

// As an append does before it begins: systems give out memory that they do not have, and end who uses it.
Status check_memory(const PromptPlan& plan, LanguageModel& model, Sequence& sequence) {
  const KvCache& cache = sequence.kv();
  return check_kv_memory(cache, sequence.n_tokens() + plan.n_tokens(),
                         cache.free_bytes(model.backend().free_memory_bytes()));
}

int64_t count_chunk_tokens(const PromptPlan& plan) {
  int64_t n = 0;
  for (const PromptSegment& segment : plan.segments) {
    if (segment.chunk >= 0) n += static_cast<int64_t>(segment.ids.size());
  }
  return n;
}

void compute_instead(PromptPlan& plan, int source_chunk) {
  for (PromptSegment& segment : plan.segments) {
    if (segment.chunk == source_chunk) segment.chunk = -1;
  }
}

void adopt(Sequence& sequence, const PromptPlan& plan, std::span<const float> logits) {
  std::vector<TokenId> ids;
  for (const PromptSegment& segment : plan.segments) ids.insert(ids.end(), segment.ids.begin(), segment.ids.end());
  sequence.adopt(ids, logits);
}

}  // namespace

Result<FuseReport> fuse(LanguageModel& model, Sequence& sequence, const PromptPlan& plan, KvSource& source,
                        std::span<const KvCodec* const> codecs, const FuseOptions& options, const CancelToken& cancel) {
  MNEME_RETURN_IF_ERROR(check_plan(plan, sequence, source, codecs, model.config()));
  const std::optional<EngineQueue::Turn> turn =
      model.queue().enter_unless(options.priority, [&] { return cancel.cancelled(); });
  if (!turn) return cancelled();
  MNEME_RETURN_IF_ERROR(check_memory(plan, model, sequence));
  const Clock::time_point begin = Clock::now();
  FuseReport report;
  report.chunk_tokens = count_chunk_tokens(plan);
  report.all_pairs = report.chunk_tokens * model.config().n_kv_layers();
  std::vector<float> logits;
  PromptPlan attempt_plan = plan;
  for (;;) {
    const FusionRows layout = lay_out(attempt_plan, sequence.n_tokens());
    FusionAttempt attempt(model, sequence, layout, source, codecs, options, cancel);
    report.recomputed_pairs = (report.chunk_tokens - layout.n_chunk_rows) * model.config().n_kv_layers();
    const Status status = attempt.run(report, logits);
    if (status.ok()) break;
    if (!attempt.failure()) return status;
    report.failed_chunks.push_back(attempt.failure()->source_chunk);
    report.failures.push_back(attempt.failure()->status);
    compute_instead(attempt_plan, attempt.failure()->source_chunk);
  }
  adopt(sequence, plan, logits);
  report.total_ms = milliseconds_since(begin);
  return report;
}

}  // namespace mneme::engine

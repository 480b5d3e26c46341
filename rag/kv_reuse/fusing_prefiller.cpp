#include "rag/kv_reuse/fusing_prefiller.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/trace.h"
#include "engine/fusion/fuser.h"
#include "engine/language_model.h"
#include "storage/chunks/chunk_stream.h"

namespace mneme::rag {
namespace {

// The share of rows CacheBlend found enough, and the floor of the loading controller.
constexpr double kDefaultRatio = 0.15;

// The stored chunks of one prompt, as the engine asks for them.
class StreamSource final : public engine::KvSource {
 public:
  StreamSource(std::vector<std::shared_ptr<const storage::StoredChunk>> chunks,
               std::unique_ptr<storage::ChunkStream> stream)
      : chunks_(std::move(chunks)), stream_(std::move(stream)) {}

  int n_chunks() const override { return static_cast<int>(chunks_.size()); }
  engine::ChunkKvInfo chunk(int chunk) const override {
    const storage::StoredChunk& stored = *chunks_[static_cast<size_t>(chunk)];
    return {static_cast<int>(stored.info().token_ids.size()), stored.n_layers(), stored.info().codec,
            stored.info().codec_version};
  }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    return stream_->fetch(chunk, layer, out);
  }
  const storage::StoredChunk& stored(int chunk) const { return *chunks_[static_cast<size_t>(chunk)]; }

 private:
  std::vector<std::shared_ptr<const storage::StoredChunk>> chunks_;
  std::unique_ptr<storage::ChunkStream> stream_;
};

// A prompt with its chunks looked up: segments name chunks of `hits`, or are computed.
struct LookedUp {
  engine::PromptPlan plan;
  std::vector<std::shared_ptr<const storage::StoredChunk>> hits;
  std::vector<ChunkTokens> missing;
};

LookedUp look_up(KvLibrary& library, const Prompt& prompt, const std::vector<Hash128>& text_hashes,
                 engine::KvLevel level) {
  LookedUp found;
  found.plan = prompt.plan;
  for (engine::PromptSegment& segment : found.plan.segments) {
    if (segment.chunk < 0) continue;
    const size_t passage = static_cast<size_t>(std::exchange(segment.chunk, -1));
    ChunkTokens chunk{segment.ids, passage < text_hashes.size() ? text_hashes[passage] : Hash128{}};
    auto stored = library.find(chunk, level);
    if (stored.ok()) {
      segment.chunk = static_cast<int>(found.hits.size());
      found.hits.push_back(std::move(stored).value());
    } else {
      found.missing.push_back(std::move(chunk));
    }
  }
  return found;
}

// Leaves the prefix, and nothing else, in the sequence: exact, from what is there already where it is the same.
Status keep_prefix(engine::Sequence& sequence, std::span<const engine::TokenId> prefix, const CancelToken& cancel) {
  const std::span<const engine::TokenId> present = sequence.tokens();
  size_t kept = 0;
  while (kept < present.size() && kept < prefix.size() && present[kept] == prefix[kept]) ++kept;
  sequence.truncate(static_cast<int>(kept));
  if (kept == prefix.size()) return {};
  return sequence.append(prefix.subspan(kept), cancel);
}

}  // namespace

Result<PrefillReport> FusingPrefiller::prefill(engine::LanguageModel& model, engine::Sequence& sequence,
                                               const Prompt& prompt, const AskOptions& options,
                                               const CancelToken& cancel) {
  const trace::Span span("fuse", "rag");
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (!level) return usage_error("unknown KV level " + options.kv_level + "; there are exact, high, medium, low");
  MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, library_.codec(*level));
  MNEME_RETURN_IF_ERROR(keep_prefix(sequence, prompt.prefix, cancel));
  LookedUp found = look_up(library_, prompt, prompt.text_hashes, *level);

  storage::ChunkStreamOptions stream_options;
  stream_options.meter = &library_.store().throughput();
  MNEME_ASSIGN_OR_RETURN(auto stream, storage::ChunkStream::start(found.hits, stream_options));
  StreamSource source(found.hits, std::move(stream));
  const std::vector<const engine::KvCodec*> codecs(found.hits.size(), codec);
  engine::FuseOptions fuse_options;
  fuse_options.ratio = repairs_ ? options.recompute_ratio.value_or(kDefaultRatio) : 0.0;
  fuse_options.seed = options.seed;
  if (!options.selector.empty()) {
    const std::optional<engine::Selector> selector = engine::selector_by_name(options.selector);
    if (!selector) return usage_error("unknown selector " + options.selector);
    fuse_options.selector = *selector;
  }
  MNEME_ASSIGN_OR_RETURN(const engine::FuseReport fused,
                         engine::fuse(model, sequence, found.plan, source, codecs, fuse_options, cancel));

  PrefillReport report;
  report.cache.mode = repairs_ ? AnswerMode::kBlend : AnswerMode::kReuse;
  report.cache.chunks = prompt.n_passages;
  report.cache.hits = static_cast<int>(found.hits.size() - fused.failed_chunks.size());
  report.cache.level = options.kv_level;
  report.cache.bytes_read = fused.bytes_read;
  report.cache.bytes_fp16 = int64_t{prompt.chunk_tokens} * model.config().kv_bytes_per_token();
  // Pairs of chunks that were not stored were all computed.
  const int64_t n_layers = model.config().n_layers;
  const int64_t pairs = fused.recomputed_pairs + (prompt.chunk_tokens - fused.chunk_tokens) * n_layers;
  const int64_t all_pairs = prompt.chunk_tokens * n_layers;
  report.cache.recompute_ratio = all_pairs == 0 ? 0.0 : static_cast<double>(pairs) / static_cast<double>(all_pairs);
  report.cache.recomputed_tokens = pairs / std::max<int64_t>(n_layers, 1);
  report.load_ms = fused.wait_ms;
  report.recompute_ms = fused.total_ms - fused.wait_ms;
  for (size_t i = 0; i < fused.failed_chunks.size(); ++i) {
    const int chunk = fused.failed_chunks[i];
    library_.store().discard(source.stored(chunk));
    report.notes.push_back("a stored KV cache could not be used and was computed again: " +
                           fused.failures[i].message());
    found.missing.push_back({source.stored(chunk).info().token_ids, source.stored(chunk).info().text_hash});
  }
  if (!found.missing.empty()) background_.compute(std::move(found.missing), *level);
  return report;
}

}  // namespace mneme::rag

#include "rag/kv_reuse/fusing_prefiller.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "base/trace.h"
#include "engine/fusion/fuser.h"
#include "engine/kv/kv_shape.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/fused_prompt.h"
#include "rag/kv_reuse/passage_loading.h"
#include "rag/kv_reuse/remaining_prompt.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;
using engine::PromptSegment;
using engine::TokenId;

using Clock = std::chrono::steady_clock;

// How far ahead of a time goal's decisions may be read.
constexpr double kGoalReadAheadSeconds = 0.02;
constexpr double kLeastReadAheadBytes = 1e6;
constexpr uint64_t kLayersAhead = 4;  // of a GPU

// All rows of a prompt through a layer at once take: what they are, queries, what they attended to, and twice the
// feed-forward part's width, in f32. No more of what is free than a fourth.
bool all_rows_fit(engine::LanguageModel& model, int n_rows) {
  const engine::ModelConfig& config = model.config();
  const int64_t width =
      int64_t{config.dim} + int64_t{2} * config.n_heads * config.head_dim + int64_t{2} * config.widest_ffn_dim();
  return width * n_rows * static_cast<int64_t>(sizeof(float)) <= model.backend().free_memory_bytes() / 4;
}

// Threads that read stored KV, and as many that check it. Out of the page cache one gives 3 to 4 GB/s, which is less
// than a GPU takes (docs/cuda.md); a processor computes with all of its cores and takes less.
int readers_beside(const engine::Backend& backend) {
  constexpr int kMost = 4;
  return backend.name() == "cpu" ? 1 : std::clamp(ThreadPool::physical_cores() / 2, 1, kMost);
}

// One prompt on its way into a sequence.
class Fusing {
 public:
  Fusing(KvLibrary& library, const FusingOptions& fusing, engine::LanguageModel& model, engine::Sequence& sequence,
         const Prompt& prompt, const PrefillOptions& options, KvLevel level, const CancelToken& cancel)
      : library_(library),
        fusing_(fusing),
        model_(model),
        sequence_(sequence),
        prompt_(prompt),
        options_(options),
        level_(level),
        cancel_(cancel),
        remaining_(prompt) {}

  Result<PrefillReport> run() {
    MNEME_RETURN_IF_ERROR(select());
    MNEME_RETURN_IF_ERROR(keep_what_is_there());
    if (!take_context()) {
      choose();
      MNEME_RETURN_IF_ERROR(gather());
    }
    MNEME_RETURN_IF_ERROR(take_history());
    MNEME_RETURN_IF_ERROR(fuse());
    return report();
  }

  // Passages whose KV is to be computed behind the answer.
  std::vector<ChunkTokens> take_missing() {
    std::erase_if(loading_.missing, [this](const ChunkTokens& chunk) {
      const std::vector<Hash128>& left_out = options_.not_stored;
      return std::find(left_out.begin(), left_out.end(), chunk.text_hash) != left_out.end();
    });
    return std::move(loading_.missing);
  }

 private:
  Status select() {
    fuse_options_.seed = options_.seed;
    // Hardware threads beyond the cores that compute decode for nothing; so do a GPU's host cores.
    fuse_options_.decode_beside = model_.backend().name() != "cpu" ||
                                  static_cast<int>(std::thread::hardware_concurrency()) > ThreadPool::physical_cores();
    fuse_options_.n_loader_threads = readers_beside(model_.backend());
    if (options_.selector.empty()) return {};
    const std::optional<engine::Selector> selector = engine::selector_by_name(options_.selector);
    if (!selector) return usage_error("unknown selector " + options_.selector);
    fuse_options_.selector = *selector;
    return {};
  }

  // Leaves in the sequence what the prompt begins with: the prefix, exact; in a chat also the segments that are the
  // same, as the last answer left them.
  Status keep_what_is_there() {
    const std::span<const TokenId> present = sequence_.tokens();
    const std::span<const TokenId> prefix = prompt_.prefix;
    size_t kept = common_length(present, prefix);
    if (kept == prefix.size() && in_chat()) kept += remaining_.take_out(present.subspan(kept));
    sequence_.truncate(static_cast<int>(kept));
    if (kept >= prefix.size()) return {};
    return sequence_.append(prefix.subspan(kept), cancel_);
  }

  bool in_chat() const { return options_.chat != nullptr; }

  // A chat that is resumed over the same passages: all of them, with what stands between, as one stored piece.
  bool take_context() {
    const int n_prefix = static_cast<int>(prompt_.prefix.size());
    if (!in_chat() || sequence_.n_tokens() != n_prefix || !remaining_.has_passages()) return false;
    size_t n_segments = 0;
    std::vector<TokenId> ids = remaining_.joined(prompt_.n_before_history() - n_prefix, n_segments);
    const auto stored = options_.chat->context(library_, ids, level_);
    if (stored == nullptr) return false;
    const Result<const engine::KvCodec*> codec = library_.codec(level_);
    if (!codec.ok()) return false;
    remaining_.replace_first(n_segments, PromptSegment{std::move(ids), made_of_.source.add({{stored, *codec}}), false});
    resumed_ = true;
    fuse_options_.ratio = 0.0;  // it was repaired when it was stored
    return true;
  }

  // What is loaded, and how much of it is repaired.
  void choose() {
    const LoadingInput input{.plan = remaining_.plan,
                             .text_hashes = prompt_.text_hashes,
                             .level = level_,
                             .prefix_tokens = sequence_.n_tokens(),
                             .config = model_.config(),
                             .selector = fuse_options_.selector,
                             .ratio = options_.recompute_ratio,
                             .full_layers = options_.full_layers,
                             .most_full_layers = all_rows_fit(model_, remaining_.plan.n_tokens())
                                                     ? most_full_layers(model_.config().n_kv_layers())
                                                     : 0};
    loading_ = choose_loading(library_, fusing_, input);
    fuse_options_.ratio = loading_.plan.ratio;
    fuse_options_.n_full_layers = loading_.plan.full_layers;
  }

  // Brings the pieces into the source and their numbers into the plan.
  Status gather() {
    size_t at = 0;
    for (PromptSegment& segment : remaining_.plan.segments) {
      if (segment.chunk < 0) continue;
      segment.chunk = -1;
      const StoredForms& found = loading_.found[at];
      if (!found.empty() && loading_.plan.load[at]) {
        MNEME_ASSIGN_OR_RETURN(segment.chunk, add(found));
        found_of_source_.push_back(at);
      } else {
        made_of_.n_computed_tokens += static_cast<int64_t>(segment.ids.size());
      }
      ++at;
    }
    return {};
  }

  Result<int> add(const StoredForms& found) {
    std::vector<CodedChunk> forms;
    for (size_t i = 0; i < found.levels.size(); ++i) {
      MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, library_.codec(found.levels[i]));
      forms.push_back({found.chunks[i], codec});
    }
    made_of_.loaded.push_back(found.passage);
    return made_of_.source.add(std::move(forms));
  }

  // The earlier turns of a chat, from its own KV.
  Status take_history() {
    if (!in_chat() || remaining_.history_segment < 0) return {};
    std::vector<PromptSegment>& segments = remaining_.plan.segments;
    const auto at = segments.begin() + remaining_.history_segment;
    std::optional<engine::ChunkKv> rows = options_.chat->history(library_, at->ids, level_);
    if (!rows || rows->n_tokens == 0) return {};
    memory_codec_ = engine::make_raw_codec(engine::kv_shape_of(model_.config()));
    MNEME_ASSIGN_OR_RETURN(engine::EncodedKv encoded, engine::encode_kv(*rows, *memory_codec_));
    const auto end = at->ids.begin() + static_cast<std::ptrdiff_t>(rows->n_tokens);
    PromptSegment kept{{at->ids.begin(), end}, made_of_.source.add(std::move(encoded)), false};
    made_of_.n_history_rows = rows->n_tokens;
    at->ids.erase(at->ids.begin(), end);
    segments.insert(at, std::move(kept));
    return {};
  }

  Status fuse() {
    MNEME_RETURN_IF_ERROR(made_of_.source.start(stream_options()));
    MNEME_ASSIGN_OR_RETURN(made_of_.fused, engine::fuse(model_, sequence_, remaining_.plan, made_of_.source,
                                                        made_of_.source.codecs(), fuse_options_, cancel_));
    learn_speed(library_, made_of_);
    return {};
  }

  storage::ChunkStreamOptions stream_options() {
    storage::ChunkStreamOptions stream;
    stream.meter = &library_.store().throughput();
    stream.direct_io = fusing_.direct_io;
    stream.n_rings = fusing_.direct_io ? 1 : readers_beside(model_.backend());  // a disk is busy with one
    // Several soon fill a long read-ahead, and memory that is touched for the first time costs as much as the copy.
    stream.first_layer = fuse_options_.n_full_layers;  // those before are computed for all rows
    if (stream.n_rings > 1)
      stream.read_ahead_bytes = std::min(stream.read_ahead_bytes, kLayersAhead * made_of_.source.layer_bytes());
    stream.bandwidth = fusing_.bandwidth;
    if (loading_.timed == nullptr) return stream;
    const double ahead = std::max(storage_bytes_per_second(library_) * kGoalReadAheadSeconds, kLeastReadAheadBytes);
    stream.read_ahead_bytes = std::min(stream.read_ahead_bytes, static_cast<uint64_t>(ahead));
    stream.choose = [this](int chunk, int layer) {
      const size_t at = found_of_source_[static_cast<size_t>(chunk)];
      return loading_.found[at].form_of(loading_.timed->choose(static_cast<int>(at), layer, seconds_since(began_),
                                                               storage_bytes_per_second(library_)));
    };
    return stream;
  }

  PrefillReport report() {
    made_of_.carried = remaining_.carried;
    PrefillReport report;
    report.cache = cache_report(made_of_, model_.config(), prompt_.n_passages, prompt_.chunk_tokens);
    report.cache.mode = fusing_.repairs ? AnswerMode::kBlend : AnswerMode::kReuse;
    report.cache.level = options_.kv_level;
    if (!resumed_ && fusing_.repairs && !options_.recompute_ratio) report.cache.plan = loading_.plan;
    report.load_ms = made_of_.fused.wait_ms;
    report.recompute_ms = made_of_.fused.total_ms - made_of_.fused.wait_ms;
    discard_failed(report);
    return report;
  }

  void discard_failed(PrefillReport& report) {
    const PromptSource& source = made_of_.source;
    const engine::FuseReport& fused = made_of_.fused;
    for (size_t i = 0; i < fused.failed_chunks.size(); ++i) {
      const int chunk = fused.failed_chunks[i];
      if (chunk >= source.n_stored()) continue;
      for (const auto& stored : source.failed_forms(chunk)) library_.store().discard(*stored);
      const storage::ChunkFileInfo& info = source.forms(chunk).front().chunk->info();
      report.failed_caches.push_back(fused.failures[i].message());
      if (!resumed_) loading_.missing.push_back({info.token_ids, info.text_hash});
    }
  }

  KvLibrary& library_;
  const FusingOptions& fusing_;
  engine::LanguageModel& model_;
  engine::Sequence& sequence_;
  const Prompt& prompt_;
  const PrefillOptions& options_;
  const KvLevel level_;
  const CancelToken& cancel_;

  RemainingPrompt remaining_;
  PassageLoading loading_;               // empty where a chat's context is resumed
  std::vector<size_t> found_of_source_;  // index into loading_.found, by the source's numbers
  bool resumed_ = false;
  const Clock::time_point began_ = Clock::now();
  std::unique_ptr<engine::KvCodec> memory_codec_;  // of the history; before made_of_, which borrows it
  FusedPrompt made_of_;
  engine::FuseOptions fuse_options_;
};

}  // namespace

Result<PrefillReport> FusingPrefiller::prefill(engine::LanguageModel& model, engine::Sequence& sequence,
                                               const Prompt& prompt, const PrefillOptions& options,
                                               const CancelToken& cancel) {
  const trace::Span span("fuse", "rag");
  const std::optional<KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (!level) return usage_error("unknown KV level " + options.kv_level + "; there are exact, high, medium, low");
  // Calibrates, where that was not done before the question's clock started.
  MNEME_RETURN_IF_ERROR(library_.codec(*level).status());
  Fusing fusing(library_, options_, model, sequence, prompt, options, *level, cancel);
  Result<PrefillReport> report = fusing.run();
  if (!report.ok()) return report;
  report->refused_cache = background_.take_refusal().message();
  std::vector<ChunkTokens> missing = fusing.take_missing();
  if (!missing.empty()) background_.compute(std::move(missing), *level);
  return report;
}

}  // namespace mneme::rag

#include "rag/kv_reuse/fusing_prefiller.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "base/trace.h"
#include "engine/fusion/fuser.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/loading_controller.h"
#include "rag/kv_reuse/prompt_source.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/kv_reuse/stored_forms.h"
#include "rag/kv_reuse/timed_loading.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;
using engine::PromptSegment;
using engine::TokenId;

using Clock = std::chrono::steady_clock;

// How far ahead of a time goal's decisions may be read.
constexpr double kGoalReadAheadSeconds = 0.02;
constexpr double kLeastReadAheadBytes = 1e6;

// One prompt on its way into a sequence.
class Fusing {
 public:
  Fusing(KvLibrary& library, const FusingOptions& fusing, engine::LanguageModel& model, engine::Sequence& sequence,
         const Prompt& prompt, const AskOptions& options, KvLevel level, const CancelToken& cancel)
      : library_(library),
        fusing_(fusing),
        model_(model),
        sequence_(sequence),
        prompt_(prompt),
        options_(options),
        level_(level),
        cancel_(cancel),
        plan_(prompt.plan),
        history_segment_(prompt.history_segment),
        forms_(static_cast<size_t>(std::max(prompt.n_passages, 0))) {}

  Result<PrefillReport> run() {
    MNEME_RETURN_IF_ERROR(select());
    MNEME_RETURN_IF_ERROR(keep_what_is_there());
    if (!take_context()) {
      look_up();
      choose();
    }
    MNEME_RETURN_IF_ERROR(gather());
    MNEME_RETURN_IF_ERROR(fuse());
    return report();
  }

  // Passages whose KV is to be computed behind the answer.
  std::vector<ChunkTokens> take_missing() { return std::move(missing_); }

 private:
  Status select() {
    fuse_options_.seed = options_.seed;
    // Hardware threads beyond the cores that compute decode for nothing; so do a GPU's host cores.
    fuse_options_.decode_beside = model_.backend().name() != "cpu" ||
                                  static_cast<int>(std::thread::hardware_concurrency()) > ThreadPool::physical_cores();
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
    size_t kept = common(present, prefix);
    if (kept == prefix.size() && options_.chat != nullptr) kept += cut_segments(present.subspan(kept));
    sequence_.truncate(static_cast<int>(kept));
    if (kept >= prefix.size()) return {};
    return sequence_.append(prefix.subspan(kept), cancel_);
  }

  static size_t common(std::span<const TokenId> a, std::span<const TokenId> b) {
    return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  }

  // Takes out of the plan what `present` begins with; gives its tokens. Passages are taken whole or not at all, and the
  // last token stays: its logits are wanted.
  size_t cut_segments(std::span<const TokenId> present) {
    size_t kept = 0;
    size_t n_whole = 0;
    std::vector<PromptSegment>& segments = plan_.segments;
    for (; n_whole + 1 < segments.size(); ++n_whole) {
      const PromptSegment& segment = segments[n_whole];
      if (common(present.subspan(kept), segment.ids) < segment.ids.size()) break;
      kept += segment.ids.size();
      carry(segment);
    }
    segments.erase(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(n_whole));
    history_segment_ = prompt_.history_segment - static_cast<int>(n_whole);
    PromptSegment& next = segments.front();
    if (next.chunk < 0) {
      const size_t most = next.ids.size() - (segments.size() == 1 ? 1 : 0);
      const size_t n = std::min(common(present.subspan(kept), next.ids), most);
      next.ids.erase(next.ids.begin(), next.ids.begin() + static_cast<std::ptrdiff_t>(n));
      // What is left of the history is its end: the kept rows are of its beginning.
      if (n > 0 && history_segment_ == 0) history_segment_ = -1;
      kept += n;
    }
    return kept;
  }

  // A passage that the chat has in place, or brings along.
  void carry(const PromptSegment& segment) {
    if (segment.chunk < 0) return;
    ++n_carried_chunks_;
    forms_[static_cast<size_t>(segment.chunk)].source = PassageForm::Source::kChat;
  }

  bool in_chat() const { return options_.chat != nullptr; }
  bool has_passages() const {
    return std::any_of(plan_.segments.begin(), plan_.segments.end(),
                       [](const PromptSegment& s) { return s.chunk >= 0; });
  }

  // A chat that is resumed over the same passages: all of them, with what stands between, as one stored piece.
  bool take_context() {
    if (!in_chat() || sequence_.n_tokens() != static_cast<int>(prompt_.prefix.size()) || !has_passages()) return false;
    const int n = prompt_.n_before_history() - static_cast<int>(prompt_.prefix.size());
    std::vector<TokenId> ids;
    size_t n_segments = 0;
    for (; n_segments < plan_.segments.size() && static_cast<int>(ids.size()) < n; ++n_segments) {
      const std::vector<TokenId>& more = plan_.segments[n_segments].ids;
      ids.insert(ids.end(), more.begin(), more.end());
    }
    const auto stored = options_.chat->context(library_, ids, level_);
    if (stored == nullptr) return false;
    const Result<const engine::KvCodec*> codec = library_.codec(level_);
    if (!codec.ok()) return false;
    for (size_t i = 0; i < n_segments; ++i) carry(plan_.segments[i]);
    plan_.segments.erase(plan_.segments.begin(), plan_.segments.begin() + static_cast<std::ptrdiff_t>(n_segments));
    plan_.segments.insert(plan_.segments.begin(),
                          PromptSegment{std::move(ids), source_.add({{stored, *codec}}), false});
    history_segment_ = prompt_.history_segment < 0 ? -1 : prompt_.history_segment - static_cast<int>(n_segments) + 1;
    resumed_ = true;
    fuse_options_.ratio = 0.0;  // it was repaired when it was stored
    return true;
  }

  bool has_goal() const { return fusing_.seconds_left.has_value(); }

  StoredForms find(const ChunkTokens& tokens) {
    return has_goal() ? find_forms(library_, tokens, level_, fusing_.goal_levels) : find_form(library_, tokens, level_);
  }

  // Passages of the plan, in its order.
  void look_up() {
    for (PromptSegment& segment : plan_.segments) {
      if (segment.chunk < 0) continue;
      const auto passage = static_cast<size_t>(segment.chunk);
      ChunkTokens tokens{segment.ids, passage < prompt_.text_hashes.size() ? prompt_.text_hashes[passage] : Hash128{}};
      found_.push_back(find(tokens));
      found_.back().passage = segment.chunk;
      // Nothing is stored for a passage without tokens.
      if (found_.back().empty() && !tokens.ids.empty()) missing_.push_back(std::move(tokens));
    }
  }

  LoadingQuestion loading_question() const {
    LoadingQuestion question;
    size_t at = 0;
    for (const PromptSegment& segment : plan_.segments) {
      const int n_tokens = static_cast<int>(segment.ids.size());
      if (segment.chunk < 0) {
        question.other_tokens += n_tokens;
        continue;
      }
      ChunkOffer offer{.n_tokens = n_tokens, .stored = std::nullopt};
      if (const StoredForms& found = found_[at++]; !found.empty()) offer.stored = found.offer(0);
      question.chunks.push_back(std::move(offer));
    }
    question.prefix_tokens = sequence_.n_tokens();
    question.fp16_bytes_per_token = model_.config().kv_bytes_per_token();
    question.n_layers = model_.config().n_layers;
    question.n_cores = ThreadPool::physical_cores();
    question.least_ratio = fusing_.least_ratio;
    question.ratio = fusing_.repairs ? options_.recompute_ratio : std::optional(0.0);
    question.selector = fuse_options_.selector;
    return question;
  }

  // What is loaded, and how much of it is repaired.
  void choose() {
    if (has_goal()) {
      choose_in_time();
    } else {
      plan_of_loading_ = plan_loading(loading_question(), library_.speed().profile());
    }
    fuse_options_.ratio = plan_of_loading_.ratio;
    chosen_ = true;
  }

  double elapsed() const { return seconds_since(began_); }

  // Of the storage, measured last; by the profile where nothing was read yet. 0: not known.
  double bytes_per_second() const {
    const double measured = library_.store().throughput().bytes_per_second();
    if (measured > 0.0) return measured;
    double slowest = 0.0;
    for (const auto& [root, rate] : library_.speed().profile().root_bytes_per_s) {
      if (slowest == 0.0 || rate < slowest) slowest = rate;
    }
    return slowest;
  }

  void choose_in_time() {
    const SpeedProfile profile = library_.speed().profile();
    TimedQuestion question{.loading = loading_question(),
                           .layer_bytes = {},
                           .seconds = *fusing_.seconds_left,
                           .bytes_per_second = bytes_per_second()};
    for (const StoredForms& found : found_) {
      auto& by_level = question.layer_bytes.emplace_back();
      for (size_t form = 0; form < found.levels.size(); ++form) {
        std::vector<uint64_t>& layers = by_level[static_cast<size_t>(found.levels[form])];
        for (const storage::LayerSegment& layer : found.chunks[form]->header().layers) {
          layers.push_back(layer.size_bytes);
        }
      }
    }
    const TimedLoading timed = plan_timed_loading(question, profile);
    timed_ = timed.plan;
    // In the controller's terms, for the report.
    std::vector<bool> load;
    for (size_t i = 0; i < found_.size(); ++i) {
      const StreamForm form = timed_->plan().forms[i];
      load.push_back(!form.is_text());
      if (!form.is_text()) question.loading.chunks[i].stored = found_[i].offer(found_[i].form_of(*form.level));
    }
    plan_of_loading_ = predict_loading(question.loading, profile, std::move(load), timed.ratio);
    plan_of_loading_.first_token_ms = timed.first_token_seconds * 1e3;
  }

  // Brings the pieces into the source and their numbers into the plan.
  Status gather() {
    size_t at = 0;
    for (PromptSegment& segment : plan_.segments) {
      if (resumed_ || segment.chunk < 0) continue;
      segment.chunk = -1;
      const StoredForms& found = found_[at];
      if (!found.empty() && plan_of_loading_.load[at]) {
        std::vector<CodedChunk> forms;
        for (size_t i = 0; i < found.levels.size(); ++i) {
          MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, library_.codec(found.levels[i]));
          forms.push_back({found.chunks[i], codec});
        }
        segment.chunk = source_.add(std::move(forms));
        found_of_source_.push_back(at);
      } else {
        n_computed_tokens_ += static_cast<int64_t>(segment.ids.size());
      }
      ++at;
    }
    return take_history();
  }

  Status take_history() {
    if (!in_chat() || history_segment_ < 0) return {};
    const auto index = static_cast<size_t>(history_segment_);
    std::vector<TokenId>& ids = plan_.segments[index].ids;
    std::optional<engine::ChunkKv> rows = options_.chat->history(library_, ids, level_);
    if (!rows || rows->n_tokens == 0) return {};
    const engine::ModelConfig& config = model_.config();
    memory_codec_ = engine::make_raw_codec({config.n_layers, config.n_kv_heads, config.head_dim});
    MNEME_ASSIGN_OR_RETURN(engine::EncodedKv encoded, engine::encode_kv(*rows, *memory_codec_));
    const auto n = static_cast<std::ptrdiff_t>(rows->n_tokens);
    PromptSegment kept{{ids.begin(), ids.begin() + n}, source_.add(std::move(encoded)), false};
    n_history_rows_ = rows->n_tokens;
    ids.erase(ids.begin(), ids.begin() + n);
    plan_.segments.insert(plan_.segments.begin() + static_cast<std::ptrdiff_t>(index), std::move(kept));
    return {};
  }

  Status fuse() {
    storage::ChunkStreamOptions stream;
    stream.meter = &library_.store().throughput();
    stream.direct_io = fusing_.direct_io;
    stream.bandwidth = fusing_.bandwidth;
    if (timed_ != nullptr) {
      const double ahead = std::max(bytes_per_second() * kGoalReadAheadSeconds, kLeastReadAheadBytes);
      stream.read_ahead_bytes = std::min(stream.read_ahead_bytes, static_cast<uint64_t>(ahead));
      stream.choose = [this](int chunk, int layer) {
        const size_t at = found_of_source_[static_cast<size_t>(chunk)];
        return found_[at].form_of(timed_->choose(static_cast<int>(at), layer, elapsed(), bytes_per_second()));
      };
    }
    MNEME_RETURN_IF_ERROR(source_.start(stream));
    MNEME_ASSIGN_OR_RETURN(fused_,
                           engine::fuse(model_, sequence_, plan_, source_, source_.codecs(), fuse_options_, cancel_));
    learn();
    return {};
  }

  // The next question is planned by what this one took.
  void learn() {
    if (!fused_.failures.empty()) return;  // it ran more than once
    SpeedBook& speed = library_.speed();
    speed.learn(fused_, decoded_level(), model_.config().n_layers, ThreadPool::physical_cores());
    if (fused_.bytes_read == 0) return;
    std::map<std::string, const storage::StoredChunk*> by_root;
    for (int chunk = 0; chunk < source_.n_stored(); ++chunk) {
      for (const CodedChunk& form : source_.forms(chunk)) by_root[kv_root_of(*form.chunk)] = form.chunk.get();
    }
    for (const auto& [root, chunk] : by_root) {
      if (chunk->throughput() != nullptr) speed.learn_root(root, chunk->throughput()->bytes_per_second());
    }
  }

  // The level of all that was decoded; nothing where levels were mixed.
  std::optional<KvLevel> decoded_level() const {
    std::optional<KvLevel> level;
    for (int chunk = 0; chunk < source_.n_stored(); ++chunk) {
      const std::vector<int> layers = source_.layers_by_form(chunk);
      for (size_t form = 0; form < layers.size(); ++form) {
        const KvLevel own = source_.forms(chunk)[form].codec->level();
        if (layers[form] == 0) continue;
        if (level && *level != own) return std::nullopt;
        level = own;
      }
    }
    return level;
  }

  // In which form every passage came.
  void report_passages(CacheReport& cache) {
    for (size_t source = 0; source < found_of_source_.size(); ++source) {
      const auto chunk = static_cast<int>(source);
      const bool failed =
          std::find(fused_.failed_chunks.begin(), fused_.failed_chunks.end(), chunk) != fused_.failed_chunks.end();
      if (failed) continue;
      PassageForm& form = forms_[static_cast<size_t>(found_[found_of_source_[source]].passage)];
      form.source = PassageForm::Source::kStore;
      const std::vector<int> layers = source_.layers_by_form(chunk);
      for (size_t i = 0; i < layers.size(); ++i) {
        form.layers[static_cast<size_t>(source_.forms(chunk)[i].codec->level())] += layers[i];
      }
    }
    cache.passages = std::move(forms_);
  }

  PrefillReport report() {
    PrefillReport report;
    CacheReport& cache = report.cache;
    const int n_failed = static_cast<int>(fused_.failed_chunks.size());
    const int n_loaded = static_cast<int>(std::count_if(plan_.segments.begin(), plan_.segments.end(),
                                                        [](const PromptSegment& s) { return s.chunk >= 0; }));
    const int n_passages_loaded = resumed_ ? 0 : n_loaded - (n_history_rows_ > 0 ? 1 : 0);
    cache.mode = fusing_.repairs ? AnswerMode::kBlend : AnswerMode::kReuse;
    cache.chunks = prompt_.n_passages;
    cache.hits = std::max(n_carried_chunks_ + n_passages_loaded - n_failed, 0);
    cache.level = options_.kv_level;
    cache.bytes_read = fused_.bytes_read;
    cache.bytes_fp16 = int64_t{prompt_.chunk_tokens} * model_.config().kv_bytes_per_token();
    cache.carried = n_carried_chunks_;
    cache.history_tokens = n_history_rows_;
    count_recomputed(cache);
    report_passages(cache);
    if (chosen_ && fusing_.repairs && !options_.recompute_ratio) cache.plan = plan_of_loading_;
    report.load_ms = fused_.wait_ms;
    report.recompute_ms = fused_.total_ms - fused_.wait_ms;
    discard_failed(report);
    return report;
  }

  // Of all (token, layer) pairs of passages and kept turns, those that were computed in this answer.
  void count_recomputed(CacheReport& cache) const {
    const int64_t n_layers = model_.config().n_layers;
    const int64_t all = (prompt_.chunk_tokens + n_history_rows_) * n_layers;
    const int64_t computed = fused_.recomputed_pairs + n_computed_tokens_ * n_layers;
    cache.recompute_ratio = all == 0 ? 0.0 : static_cast<double>(computed) / static_cast<double>(all);
    cache.recomputed_tokens = computed / std::max<int64_t>(n_layers, 1);
  }

  void discard_failed(PrefillReport& report) {
    for (size_t i = 0; i < fused_.failed_chunks.size(); ++i) {
      const int chunk = fused_.failed_chunks[i];
      if (chunk >= source_.n_stored()) continue;
      for (const auto& stored : source_.failed_forms(chunk)) library_.store().discard(*stored);
      const storage::ChunkFileInfo& info = source_.forms(chunk).front().chunk->info();
      report.notes.push_back("a stored KV cache could not be used and was computed again: " +
                             fused_.failures[i].message());
      if (!resumed_) missing_.push_back({info.token_ids, info.text_hash});
    }
  }

  KvLibrary& library_;
  const FusingOptions& fusing_;
  engine::LanguageModel& model_;
  engine::Sequence& sequence_;
  const Prompt& prompt_;
  const AskOptions& options_;
  const KvLevel level_;
  const CancelToken& cancel_;

  engine::PromptPlan plan_;   // what is not in the sequence yet
  int history_segment_;       // of plan_; -1: none, or only its end
  int n_carried_chunks_ = 0;  // passages that the chat had in place
  int n_history_rows_ = 0;
  bool resumed_ = false;
  bool chosen_ = false;
  std::vector<StoredForms> found_;       // the passages of the plan, in its order
  std::vector<size_t> found_of_source_;  // by the source's numbers, where passages are loaded one by one
  std::vector<PassageForm> forms_;       // by passage of the prompt
  std::shared_ptr<TimedPlan> timed_;
  const Clock::time_point began_ = Clock::now();
  std::vector<ChunkTokens> missing_;
  LoadingPlan plan_of_loading_;
  int64_t n_computed_tokens_ = 0;  // of passages that are computed from their text
  PromptSource source_;
  std::unique_ptr<engine::KvCodec> memory_codec_;
  engine::FuseOptions fuse_options_;
  engine::FuseReport fused_;
};

}  // namespace

Result<PrefillReport> FusingPrefiller::prefill(engine::LanguageModel& model, engine::Sequence& sequence,
                                               const Prompt& prompt, const AskOptions& options,
                                               const CancelToken& cancel) {
  const trace::Span span("fuse", "rag");
  const std::optional<KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (!level) return usage_error("unknown KV level " + options.kv_level + "; there are exact, high, medium, low");
  // Calibrates, where that was not done before the question's clock started.
  MNEME_RETURN_IF_ERROR(library_.codec(*level).status());
  Fusing fusing(library_, options_, model, sequence, prompt, options, *level, cancel);
  Result<PrefillReport> report = fusing.run();
  if (!report.ok()) return report;
  std::vector<ChunkTokens> missing = fusing.take_missing();
  if (!missing.empty()) background_.compute(std::move(missing), *level);
  return report;
}

}  // namespace mneme::rag

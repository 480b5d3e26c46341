// bench chat: the time to the first token of a second turn whose passages have half changed, and of a chat that is gone
// on with after a restart over the same passages; both against computing everything.
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/bench/fusion_bed.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "rag/kv_reuse/chat_kv.h"

namespace mneme::app {
namespace {

using engine::TokenId;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultChunks = 6;
constexpr int kTurnTokens = 96;  // question and answer
constexpr double kRatio = 0.15;

struct Times {
  std::vector<double> second_full, second, resumed_full, resumed;
  rag::CacheReport second_cache, resumed_cache;
};

// One conversation of two turns, left, and gone on with.
class Talk {
 public:
  Talk(Context& context, FusionBed& bed, const BenchOptions& options, int chunks, engine::KvLevel level)
      : context_(context), bed_(bed), options_(options), chunks_(chunks), level_(level) {}

  Status run(int64_t chat_id, Times* times) {
    const std::vector<TokenId> first_turn = turn(1);
    const std::vector<TokenId> second_turn = turn(2);
    const rag::Prompt opening = prompt(false, {});
    const rag::Prompt second = prompt(true, first_turn);
    std::vector<TokenId> both = first_turn;
    both.insert(both.end(), second_turn.begin(), second_turn.end());
    const rag::Prompt third = prompt(true, both);

    rag::ChatKv chat(chat_id);
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Sequence> sequence, new_sequence(third));
    MNEME_RETURN_IF_ERROR(ask(*sequence, opening, &chat).status());
    MNEME_RETURN_IF_ERROR(chat.remember(bed_.library(), *sequence, opening, first_turn, level_));
    MNEME_ASSIGN_OR_RETURN(const FusionRun second_run, ask(*sequence, second, &chat));
    MNEME_RETURN_IF_ERROR(chat.remember(bed_.library(), *sequence, second, second_turn, level_));
    MNEME_RETURN_IF_ERROR(chat.store_all(bed_.library(), *sequence, level_));

    // Another program goes on: nothing is left but the prefix and the files.
    rag::ChatKv resumed_chat(chat_id);
    sequence->truncate(static_cast<int>(third.prefix.size()));
    MNEME_ASSIGN_OR_RETURN(const FusionRun resumed_run, ask(*sequence, third, &resumed_chat));
    MNEME_ASSIGN_OR_RETURN(const FusionRun second_full, ask(*sequence, second, nullptr));
    MNEME_ASSIGN_OR_RETURN(const FusionRun resumed_full, ask(*sequence, third, nullptr));
    if (times == nullptr) return {};
    times->second.push_back(second_run.first_token_ms);
    times->second_cache = second_run.report.cache;
    times->resumed.push_back(resumed_run.first_token_ms);
    times->resumed_cache = resumed_run.report.cache;
    times->second_full.push_back(second_full.first_token_ms);
    times->resumed_full.push_back(resumed_full.first_token_ms);
    return {};
  }

 private:
  std::vector<TokenId> turn(uint64_t seed) const {
    Random random(seed);
    std::vector<TokenId> ids(kTurnTokens);
    for (TokenId& id : ids) {
      id = static_cast<TokenId>(random.below(static_cast<uint64_t>(bed_.model().config().vocab_size)));
    }
    return ids;
  }

  // changed: every second passage is another one than in the opening.
  rag::Prompt prompt(bool changed, const std::vector<TokenId>& history) const {
    std::vector<int> passages;
    passages.reserve(static_cast<size_t>(chunks_));
    for (int i = 0; i < chunks_; ++i) passages.push_back(changed && i % 2 == 1 ? chunks_ + i : i);
    rag::Prompt prompt = bed_.prompt(passages);
    if (history.empty()) return prompt;
    prompt.history_segment = static_cast<int>(prompt.plan.segments.size()) - 1;
    prompt.plan.segments.insert(prompt.plan.segments.end() - 1, engine::PromptSegment{history, -1, false});
    return prompt;
  }

  Result<std::unique_ptr<engine::Sequence>> new_sequence(const rag::Prompt& longest) const {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Sequence> sequence,
                           bed_.model().new_sequence(longest.n_tokens() + kTurnTokens + 1, true));
    if (!longest.prefix.empty()) MNEME_RETURN_IF_ERROR(sequence->append(longest.prefix, context_.cancel));
    return sequence;
  }

  // chat null: everything is computed.
  Result<FusionRun> ask(engine::Sequence& sequence, const rag::Prompt& prompt, rag::ChatKv* chat) const {
    rag::PrefillOptions ask;
    ask.kv_level = options_.kv_level;
    ask.selector = options_.selector;
    ask.recompute_ratio = options_.recompute.empty() ? kRatio : options_.recompute.front();
    ask.chat = chat;
    rag::FusingOptions fusing;
    fusing.direct_io = options_.cold;
    const std::unique_ptr<rag::Prefiller> prefiller =
        chat == nullptr ? rag::make_append_prefiller(false)
                        : std::make_unique<rag::FusingPrefiller>(bed_.library(), bed_.background(), std::move(fusing));
    const Clock::time_point begin = Clock::now();
    MNEME_ASSIGN_OR_RETURN(rag::PrefillReport report,
                           prefiller->prefill(bed_.model(), sequence, prompt, ask, context_.cancel));
    const double ms = milliseconds_since(begin);
    return FusionRun{.first_token_ms = ms, .first_token = 0, .report = std::move(report)};
  }

  Context& context_;
  FusionBed& bed_;
  const BenchOptions& options_;
  const int chunks_;
  const engine::KvLevel level_;
};

json result_json(const char* turn, const std::vector<double>& ms, const std::vector<double>& full_ms,
                 const rag::CacheReport& cache) {
  return {{"mode", turn},
          {"ttft_ms", spread_json(ms)},
          {"full_ms", spread_json(full_ms)},
          {"ttft_to_full", spread_of(ms).median / spread_of(full_ms).median},
          {"carried", cache.carried},
          {"history_tokens", cache.history_tokens},
          {"bytes_read", cache.bytes_read},
          {"recompute_ratio", cache.recompute_ratio}};
}

}  // namespace

Result<json> bench_chat(Context& context, const BenchOptions& options) {
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (!level) return usage_error("unknown KV level " + options.kv_level + "; there are exact, high, medium, low.");
  const int chunks = options.n_chunks(kDefaultChunks);
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FusionBed> bed, FusionBed::make(context, options, 2 * chunks));
  Talk talk(context, *bed, options, chunks, *level);
  Times times;
  Progress bar(context.output, "chats");
  const auto n_chats = static_cast<uint64_t>(options.reps) + 1;
  for (uint64_t chat = 1; chat <= n_chats; ++chat) {  // the first is not counted
    MNEME_RETURN_IF_ERROR(talk.run(static_cast<int64_t>(chat), chat == 1 ? nullptr : &times));
    bar.update(chat, n_chats, "");
  }
  return json::array({result_json("second-turn", times.second, times.second_full, times.second_cache),
                      result_json("resumed", times.resumed, times.resumed_full, times.resumed_cache)});
}

}  // namespace mneme::app

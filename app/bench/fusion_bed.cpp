#include "app/bench/fusion_bed.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "app/output/progress.h"
#include "base/embedded_assets.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "engine/fusion/selector.h"
#include "rag/kv_reuse/speed_profile.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "storage/home.h"

namespace mneme::app {
namespace {

using engine::TokenId;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kLabelTokens = 8;
constexpr int kQuestionTokens = 32;
constexpr uint64_t kQuotaBytes = uint64_t{64} << 30;

std::vector<TokenId> random_ids(Random& random, int n, int vocab_size) {
  std::vector<TokenId> ids(static_cast<size_t>(n));
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(static_cast<uint64_t>(vocab_size)));
  return ids;
}

TokenId likeliest(std::span<const float> logits) {
  return static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

}  // namespace

std::string FusionLane::name() const {
  if (is_auto()) return "auto";
  if (mode != rag::AnswerMode::kBlend) return std::string(rag::answer_mode_name(mode));
  char text[32];
  std::snprintf(text, sizeof text, "blend@%g", *ratio);
  return full_layers ? text + ("+" + std::to_string(*full_layers)) : text;
}

Result<std::vector<FusionLane>> fusion_lanes(const BenchOptions& options) {
  const std::vector<std::string> modes =
      options.modes.empty() ? std::vector<std::string>{"full", "prefix", "reuse", "blend"} : options.modes;
  const std::vector<double> ratios = options.recompute.empty() ? std::vector<double>{0.15} : options.recompute;
  std::vector<FusionLane> lanes;
  std::vector<std::optional<int>> depths(options.full_layers.begin(), options.full_layers.end());
  if (depths.empty()) depths.emplace_back();
  for (const std::string& name : modes) {
    if (name == "auto") {
      lanes.push_back({.mode = rag::AnswerMode::kBlend, .ratio = {}, .bandwidth = {}});
      continue;
    }
    const Result<rag::AnswerMode> parsed = rag::parse_answer_mode(name);
    if (!parsed.ok()) {
      return usage_error("there is no mode " + name + " to measure; there are full, prefix, reuse, blend and auto.");
    }
    const rag::AnswerMode mode = *parsed;
    if (mode != rag::AnswerMode::kBlend) lanes.push_back({.mode = mode, .ratio = {}, .bandwidth = {}});
    for (const double ratio : ratios) {
      if (ratio < 0 || ratio > 1) return usage_error("--recompute takes shares from 0 to 1.");
      if (mode != rag::AnswerMode::kBlend) continue;
      for (const std::optional<int>& depth : depths) {
        lanes.push_back({.mode = mode, .ratio = ratio, .bandwidth = {}, .full_layers = depth});
      }
    }
  }
  if (lanes.empty()) return usage_error("there is no mode to run; give --modes full,blend.");
  return lanes;
}

FusionBed::FusionBed(Context& context, const BenchOptions& options, TemporaryFolder folder)
    : context_(context), options_(options), folder_(std::move(folder)) {}

FusionBed::~FusionBed() = default;

Result<std::unique_ptr<FusionBed>> FusionBed::make(Context& context, const BenchOptions& options, int n_passages) {
  MNEME_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::make());
  std::unique_ptr<FusionBed> bed(new FusionBed(context, options, std::move(folder)));
  MNEME_ASSIGN_OR_RETURN(bed->model_, bench_model(context, options));
  storage::FileEnv& env = storage::FileEnv::posix();
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, storage::open_home(env, bed->folder_.path()));
  storage::CatalogueOptions catalogue;
  catalogue.path = home.catalogue();
  MNEME_ASSIGN_OR_RETURN(bed->catalogue_, storage::Catalogue::open(catalogue));
  if (!options.profiles.empty()) MNEME_RETURN_IF_ERROR(env.make_directories(options.profiles));
  const std::string profiles = options.profiles.empty() ? home.models_folder() : options.profiles;
  MNEME_ASSIGN_OR_RETURN(bed->library_,
                         rag::KvLibrary::open(*bed->model_, *bed->catalogue_, env, home.kv_folder(), profiles));
  bed->library_->store().set_quota(kQuotaBytes);
  bed->background_ = std::make_unique<rag::KvBackground>(*bed->library_, *bed->catalogue_, context.cancel);
  MNEME_RETURN_IF_ERROR(bed->fill(n_passages));
  MNEME_RETURN_IF_ERROR(bed->library_->speed().prepare(context.cancel));
  return bed;
}

// Real text where the model reads text, so that its KV compresses as KV does; else random tokens.
std::vector<TokenId> FusionBed::passage_ids(int n_passages) const {
  const auto wanted = static_cast<size_t>(n_passages) * static_cast<size_t>(options_.chunk_tokens);
  std::vector<TokenId> ids;
  if (options_.shape.empty()) ids = model_->tokenizer().encode_continuation(assets::calibration_text);
  if (ids.size() < wanted && !ids.empty()) {
    const size_t n = ids.size();
    // Again from the beginning, shifted so that no passage comes twice.
    for (size_t i = 0; ids.size() < wanted; ++i) ids.push_back(ids[(i + n / 3) % n]);
  }
  if (ids.empty()) {
    Random random(kSeed);
    ids = random_ids(random, static_cast<int>(wanted), model_->config().vocab_size);
  }
  ids.resize(wanted);
  return ids;
}

Status FusionBed::fill(int n_passages) {
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options_.kv_level);
  if (!level) return usage_error("unknown KV level " + options_.kv_level + "; there are exact, high, medium, low.");
  const std::vector<TokenId> ids = passage_ids(n_passages);
  const auto n = static_cast<size_t>(options_.chunk_tokens);
  for (size_t i = 0; i < static_cast<size_t>(n_passages); ++i) {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(i * n);
    passages_.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(n));
  }
  return store_passages(*level);
}

// Their KV is computed one after the other and encoded side by side.
Status FusionBed::store_passages(engine::KvLevel level) {
  Progress bar(context_.output, "passages");
  Mutex mutex;  // of the bar and the first failure
  uint64_t done = 0;
  Status failure;
  ThreadPool pool(ThreadPool::physical_cores());
  pool.parallel_for(passages_.size(), 1, [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Status stored = library_->compute({passages_[i], {}}, level, context_.cancel);
      MutexLock lock(mutex);
      if (failure.ok()) failure = stored;
      bar.update(++done, passages_.size(), "");
    }
  });
  return failure;
}

rag::Prompt FusionBed::prompt(std::span<const int> passages) const {
  Random random(kSeed + 2);
  rag::Prompt prompt;
  prompt.prefix.assign(library_->prefix().begin(), library_->prefix().end());
  for (const int passage : passages) {
    const std::vector<TokenId>& ids = passages_[static_cast<size_t>(passage)];
    prompt.plan.segments.push_back({random_ids(random, kLabelTokens, model_->config().vocab_size), -1, false});
    prompt.plan.segments.push_back({ids, prompt.n_passages++, false});
    prompt.text_hashes.emplace_back();
    prompt.chunk_tokens += static_cast<int>(ids.size());
  }
  prompt.plan.segments.push_back({random_ids(random, kQuestionTokens, model_->config().vocab_size), -1, true});
  return prompt;
}

Result<FusionRun> FusionBed::run(const rag::Prompt& prompt, const FusionLane& lane, bool keeps_sequence) {
  const int needed = prompt.n_tokens() + std::max(options_.tokens, 0) + 1;
  if (sequence_ == nullptr || sequence_tokens_ < needed) {
    sequence_.reset();
    MNEME_ASSIGN_OR_RETURN(sequence_, model_->new_sequence(needed));
    sequence_tokens_ = needed;
  }
  const int n_prefix = static_cast<int>(prompt.prefix.size());
  if (lane.mode == rag::AnswerMode::kFull) {
    sequence_->truncate(0);
  } else {
    if (!keeps_sequence) sequence_->truncate(n_prefix);
    if (sequence_->n_tokens() == 0 && n_prefix > 0) {
      MNEME_RETURN_IF_ERROR(sequence_->append(prompt.prefix, context_.cancel));
    }
  }
  std::unique_ptr<rag::Prefiller> prefiller;
  if (lane.mode == rag::AnswerMode::kFull || lane.mode == rag::AnswerMode::kPrefix) {
    prefiller = rag::make_append_prefiller(lane.mode == rag::AnswerMode::kPrefix);
  } else {
    rag::FusingOptions fusing;
    fusing.repairs = lane.mode == rag::AnswerMode::kBlend;
    fusing.direct_io = options_.cold;
    if (lane.bandwidth) fusing.bandwidth = [rate = *lane.bandwidth](double) { return rate; };
    prefiller = std::make_unique<rag::FusingPrefiller>(*library_, *background_, std::move(fusing));
  }
  rag::PrefillOptions ask;
  ask.kv_level = options_.kv_level;
  ask.selector = options_.selector;
  ask.recompute_ratio = lane.ratio;
  ask.full_layers = lane.full_layers;
  const Clock::time_point begin = Clock::now();
  MNEME_ASSIGN_OR_RETURN(rag::PrefillReport report,
                         prefiller->prefill(*model_, *sequence_, prompt, ask, context_.cancel));
  const TokenId first = likeliest(sequence_->logits());
  return FusionRun{.first_token_ms = milliseconds_since(begin), .first_token = first, .report = std::move(report)};
}

Result<double> FusionBed::decode(TokenId first, int n) {
  const Clock::time_point begin = Clock::now();
  TokenId token = first;
  for (int i = 0; i < n; ++i) {
    MNEME_RETURN_IF_ERROR(sequence_->append(std::span(&token, 1), context_.cancel));
    token = likeliest(sequence_->logits());
  }
  return milliseconds_since(begin);
}

}  // namespace mneme::app

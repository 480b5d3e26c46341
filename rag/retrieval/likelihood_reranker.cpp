#include "rag/retrieval/likelihood_reranker.h"

#include <algorithm>

#include "engine/fusion/fuser.h"
#include "engine/transformer/distribution.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/prompt_source.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/workspace.h"

namespace mneme::rag {

namespace {

using engine::KvLevel;
using engine::TokenId;

// The stored KV of a chunk at any level, the usual one first.
CodedChunk find_stored(KvLibrary& library, const ChunkTokens& tokens) {
  for (const KvLevel level : {KvLevel::kMedium, KvLevel::kHigh, KvLevel::kExact, KvLevel::kLow}) {
    if (!library.contains(tokens, level)) continue;
    auto chunk = library.find(tokens, level);
    const auto codec = library.codec(level);
    if (chunk.ok() && codec.ok()) return {std::move(chunk).value(), *codec};
  }
  return {};
}

}  // namespace

LikelihoodReranker::LikelihoodReranker(engine::LanguageModel& model, KvLibrary& library, std::string name)
    : model_(model), library_(library), name_(std::move(name)) {}

Result<std::unique_ptr<Reranker>> LikelihoodReranker::open(Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, workspace.model());
  if (model == nullptr) {
    return unsupported("reranking by likelihood needs a language model; name one with --model, or a cross-encoder");
  }
  MNEME_ASSIGN_OR_RETURN(const Workspace::Kv kv, workspace.kv());
  return std::unique_ptr<Reranker>(
      new LikelihoodReranker(*model, *kv.library, "the likelihood of the question under " + workspace.model_name()));
}

Status LikelihoodReranker::make_room(size_t n_tokens) {
  const int needed = static_cast<int>(n_tokens);
  if (sequence_ != nullptr && sequence_tokens_ >= needed) return {};
  sequence_.reset();
  sequence_tokens_ = 2 * needed;
  MNEME_ASSIGN_OR_RETURN(sequence_, model_.new_sequence(sequence_tokens_));
  return {};
}

Status LikelihoodReranker::place(std::string_view passage, const CancelToken& cancel) {
  const std::span<const TokenId> prefix = library_.prefix();
  ChunkTokens tokens = library_.tokens_of(passage);
  MNEME_RETURN_IF_ERROR(make_room(prefix.size() + tokens.ids.size() + kMaxQuestionTokens));
  sequence_->truncate(std::min(sequence_->n_tokens(), static_cast<int>(prefix.size())));
  if (sequence_->n_tokens() < static_cast<int>(prefix.size())) {
    MNEME_RETURN_IF_ERROR(sequence_->append(prefix.subspan(static_cast<size_t>(sequence_->n_tokens())), cancel));
  }
  const std::vector<TokenId> end = model_.tokenizer().encode_continuation(PromptLayout::embedded().chunk_end);
  const CodedChunk stored = find_stored(library_, tokens);
  if (stored.chunk == nullptr || end.empty()) {
    if (!tokens.ids.empty()) MNEME_RETURN_IF_ERROR(sequence_->append(tokens.ids, cancel));
    return end.empty() ? Status() : sequence_->append(end, cancel);
  }
  PromptSource source;
  engine::PromptPlan plan;
  plan.segments.push_back({std::move(tokens.ids), source.add({stored}), false});
  plan.segments.push_back({end, -1, false});
  MNEME_RETURN_IF_ERROR(source.start({.meter = &library_.store().throughput()}));
  engine::FuseOptions options;
  options.ratio = 0.0;  // one chunk behind its own prefix: there is nothing to repair
  MNEME_RETURN_IF_ERROR(engine::fuse(model_, *sequence_, plan, source, source.codecs(), options, cancel).status());
  ++n_loaded_;
  return {};
}

Result<double> LikelihoodReranker::likelihood(std::span<const TokenId> question, const CancelToken& cancel) {
  const auto vocab_size = static_cast<size_t>(model_.config().vocab_size);
  double sum = engine::token_log_probability(sequence_->logits(), question.front());
  std::vector<float> logits;
  MNEME_RETURN_IF_ERROR(sequence_->append_with_logits(question, logits, cancel));
  for (size_t i = 1; i < question.size(); ++i) {
    const std::span<const float> before = std::span<const float>(logits).subspan((i - 1) * vocab_size, vocab_size);
    sum += engine::token_log_probability(before, question[i]);
  }
  return sum / static_cast<double>(question.size());
}

Result<std::vector<double>> LikelihoodReranker::score(std::string_view question,
                                                      std::span<const std::string_view> passages,
                                                      Clock::time_point deadline, const CancelToken& cancel) {
  const std::string asked = PromptLayout::embedded().question.fill({{"text", question}});
  std::vector<TokenId> ids = model_.tokenizer().encode_continuation(asked);
  ids.resize(std::min(ids.size(), kMaxQuestionTokens / 2));
  n_loaded_ = 0;
  std::vector<double> scores;
  if (ids.empty()) return std::vector<double>(passages.size(), 0.0);
  const Clock::time_point begun = Clock::now();
  for (const std::string_view passage : passages) {
    if (!time_for_more(begun, Clock::now(), scores.size(), 1, deadline)) break;
    MNEME_RETURN_IF_ERROR(place(passage, cancel));
    MNEME_ASSIGN_OR_RETURN(const double score, likelihood(ids, cancel));
    scores.push_back(score);
  }
  return scores;
}

}  // namespace mneme::rag

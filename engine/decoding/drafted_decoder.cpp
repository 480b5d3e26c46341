#include "engine/decoding/drafted_decoder.h"

#include <algorithm>
#include <utility>

#include "engine/backend/backend.h"

namespace mneme::engine {

namespace {

// How far a match is trusted: two equal tokens are often a coincidence, five hardly ever
// (docs/engine.md, "Drafts").
size_t trusted_tokens(int match) {
  if (match < PromptLookup::kMinMatch) return 0;
  return match >= 5 ? DraftedDecoder::kMostDrafted : match >= 3 ? 3 : 1;
}

// A draft that is forgotten would cost a state that is behind it.
int most_drafted(LanguageModel& model, int wanted) {
  if (model.config().has_state()) return 0;
  return std::clamp(wanted, 0, model.backend().equal_step_rows() - 1);
}

}  // namespace

DraftedDecoder::DraftedDecoder(LanguageModel& model, Sequence& sequence, int max_drafted)
    : sequence_(sequence),
      vocab_size_(static_cast<size_t>(model.config().vocab_size)),
      max_drafted_(static_cast<size_t>(most_drafted(model, max_drafted))),
      lookup_(max_drafted_ > 0 ? sequence.tokens() : std::span<const TokenId>()),
      n_tokens_(sequence.n_tokens()) {}

std::span<const float> DraftedDecoder::logits() const {
  if (step_ids_.empty()) return sequence_.logits();
  return std::span(step_logits_).subspan((n_used_ - 1) * vocab_size_, vocab_size_);
}

Status DraftedDecoder::append(TokenId token, const CancelToken& cancel) {
  sampled_.reset();
  if (max_drafted_ > 0) lookup_.add(token);
  if (n_used_ < step_ids_.size() && step_ids_[n_used_] == token) {
    ++n_used_;
    ++counts_.accepted;
  } else {
    MNEME_RETURN_IF_ERROR(run_step(token, cancel));
  }
  ++n_tokens_;
  return {};
}

std::span<const TokenId> DraftedDecoder::draft() const {
  if (max_drafted_ == 0) return {};
  const int room = sequence_.kv().options().max_tokens - n_tokens_ - 1;
  const PromptLookup::Guess guess = lookup_.guess();
  const size_t n =
      std::min({trusted_tokens(guess.match), guess.next.size(), max_drafted_, static_cast<size_t>(std::max(0, room))});
  if (n == 0 || !sequence_.attends_to_all(n_tokens_ + 1 + static_cast<int>(n))) return {};
  return guess.next.first(n);
}

Status DraftedDecoder::run_step(TokenId token, const CancelToken& cancel) {
  finish();
  ++counts_.steps;
  const std::span<const TokenId> drafted = draft();
  if (drafted.empty()) return append_alone(token, cancel);
  std::vector<TokenId> ids = {token};
  ids.insert(ids.end(), drafted.begin(), drafted.end());
  MNEME_RETURN_IF_ERROR(sequence_.append_with_logits(ids, step_logits_, cancel));
  counts_.drafted += static_cast<int>(drafted.size());
  step_ids_ = std::move(ids);
  n_used_ = 1;
  return {};
}

Status DraftedDecoder::append_alone(TokenId token, const CancelToken& cancel) {
  if (sampler_ == nullptr) return sequence_.append(std::span(&token, 1), cancel);
  TokenId next = kNoToken;
  MNEME_RETURN_IF_ERROR(sequence_.append_and_sample(token, *sampler_, next, cancel));
  sampled_ = next;
  return {};
}

TokenId DraftedDecoder::sample(Sampler& sampler) {
  if (sampled_) return *std::exchange(sampled_, std::nullopt);
  return sampler.sample(logits());
}

void DraftedDecoder::finish() {
  sequence_.truncate(n_tokens_);
  step_ids_.clear();
  n_used_ = 0;
}

}  // namespace mneme::engine

#include "rag/answering/writing/teacher_forcing.h"

#include "engine/language_model.h"
#include "engine/transformer/distribution.h"

namespace mneme::rag {

Status read_on(const ForcedReading& reading, std::span<const engine::TokenId> ids, std::vector<float>& logits) {
  engine::Sequence& sequence = reading.sequence;
  if (!reading.one_by_one) return sequence.append_with_logits(ids, logits, reading.cancel);
  logits.clear();
  for (size_t i = 0; i < ids.size(); ++i) {
    MNEME_RETURN_IF_ERROR(sequence.append(ids.subspan(i, 1), reading.cancel));
    logits.insert(logits.end(), sequence.logits().begin(), sequence.logits().end());
  }
  return {};
}

Result<double> mean_nll(const ForcedReading& reading, std::span<const engine::TokenId> ids,
                        std::span<const float> first) {
  std::vector<float> rest;
  MNEME_RETURN_IF_ERROR(read_on(reading, ids, rest));
  const size_t vocab_size = first.size();
  double nll = -engine::token_log_probability(first, ids.front());
  for (size_t i = 1; i < ids.size(); ++i) {
    nll -= engine::token_log_probability(std::span(rest).subspan((i - 1) * vocab_size, vocab_size), ids[i]);
  }
  return nll / static_cast<double>(ids.size());
}

}  // namespace mneme::rag

#include "app/text_ids.h"

#include "engine/language_model.h"

namespace mneme::app {

Result<std::vector<engine::TokenId>> encode_text(const engine::LanguageModel& model, const std::string& text) {
  const engine::Tokenizer& tokenizer = model.tokenizer();
  std::vector<engine::TokenId> ids = tokenizer.encode(text);
  // Every vocabulary has something for a letter, if only its unknown token.
  const bool has_vocabulary = !tokenizer.encode("a").empty();
  if (!ids.empty() || text.empty() || has_vocabulary) return ids;
  return usage_error(model.path() +
                     " has no vocabulary, so that it knows numbers of tokens and no words; give numbers below " +
                     std::to_string(tokenizer.vocab_size()) +
                     ", such as \"1 15 27\", or use a model that was converted with its vocabulary.");
}

}  // namespace mneme::app

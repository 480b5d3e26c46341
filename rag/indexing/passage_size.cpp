#include "rag/indexing/passage_size.h"

#include <charconv>
#include <optional>
#include <string>

#include "rag/chunking/chunker.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

constexpr const char* kSetting = "index.passage_tokens";

bool allowed(int tokens) {
  return tokens >= kFewestPassageTokens && tokens <= kMostPassageTokens;
}

}  // namespace

Result<int> passage_tokens(storage::Catalogue& catalogue) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> set, catalogue.setting(kSetting));
  int tokens = 0;
  const bool read = set && std::from_chars(set->data(), set->data() + set->size(), tokens).ec == std::errc{};
  return read && allowed(tokens) ? tokens : chunking::ChunkerOptions{}.target_tokens;
}

Status set_passage_tokens(storage::Catalogue& catalogue, int tokens) {
  if (!allowed(tokens)) {
    return usage_error("passages have from " + std::to_string(kFewestPassageTokens) + " to " +
                       std::to_string(kMostPassageTokens) + " tokens, not " + std::to_string(tokens) + ".");
  }
  return catalogue.put_setting(kSetting, std::to_string(tokens));
}

}  // namespace mneme::rag

// What answers repeat of passages that are forgotten, though they cite others: a language model reads the conversation
// so far, and cites at times another passage than the one it took its words from. Threads: the caller's, within its
// transaction.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// What stands in an answer's place.
inline constexpr const char* kForgottenAnswer = "(This answer came from a file that was forgotten.)";

// What a chat was shown of forgotten passages: search terms (lexical_terms.h), and the first message that was.
struct ForgottenTerms {
  int64_t first_message = 0;
  std::set<std::string> terms{};
};

// From that message on, answers with a word of those that neither the user's questions, nor the passages of answers
// that stay up to there, nor such answers have, are replaced; grammar words say nothing. Call it when the chats have
// been scrubbed of the passages themselves. The number of answers that were replaced.
//   chats: by id.
Result<int64_t> scrub_echoes(Database& database, const std::map<int64_t, ForgottenTerms>& chats);

}  // namespace mneme::storage

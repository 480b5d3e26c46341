// What chats keep of passages that are forgotten. Chats name a passage by its file, its uid and its words: the file may
// have had another name when the chat was held, or one that no JSON can hold.
// Threads: the caller's, within its transaction.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {

struct ForgottenPassages {
  std::set<int64_t> uids{};
  std::set<Hash128> texts{};      // whole passages, and what of them is on one page; none that another file holds, too
  std::set<std::string> names{};  // that the files had before (earlier_names.h)
};

// The hashes of what lies on each of a passage's pages, which is what who asks about a page is shown.
//   page_marks: as NewChunk has them; none where it is empty.
std::vector<Hash128> texts_by_page(std::string_view text, std::string_view page_marks);

// Answers that cite such a passage, or one of a file in the range, and those that cite nothing and so may come from any
// passage they were shown, are replaced by a sentence; the passages that others were shown are taken out, and what the
// model thought of them. Answers of these chats that repeat words of theirs go, too (chat_echoes.h). What the user
// asked stays. The number of answers that were replaced.
Result<int64_t> scrub_chats(Database& database, const PathRange& range, const ForgottenPassages& passages);

}  // namespace mneme::storage

// Forgetting: no row, no free page, no backup, no waiting job tells of the file any more.
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/chat_scrubbing.h"
#include "storage/catalogue/earlier_names.h"
#include "storage/catalogue/files_put_aside.h"

namespace mneme::storage {
namespace {

constexpr const char* kCountForgetting =
    "INSERT INTO counters(name, value) VALUES('texts.times_forgotten', 1) ON CONFLICT(name) DO UPDATE SET "
    "value=value+1";

// Backups of older schemas, and damaged catalogues that were replaced.
Status erase_all_put_aside(FileEnv& env, const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::vector<std::string> files, backups_of(env, path));
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> damaged, damaged_ones_of(env, path));
  files.insert(files.end(), damaged.begin(), damaged.end());
  for (const std::string& file : files) MNEME_RETURN_IF_ERROR(erase_put_aside(env, file));
  return {};
}

std::optional<Hash128> hash_from_hex(std::string_view hex) {
  Hash128 hash;
  if (hex.size() != 32) return std::nullopt;
  const char* const begin = hex.data();
  const char* const middle = begin + 16;
  const auto [at_middle, high_error] = std::from_chars(begin, middle, hash.high, 16);
  const auto [at_end, low_error] = std::from_chars(middle, middle + 16, hash.low, 16);
  const bool whole =
      high_error == std::errc{} && low_error == std::errc{} && at_middle == middle && at_end == middle + 16;
  return whole ? std::optional(hash) : std::nullopt;
}

}  // namespace

// Jobs that say whose text they are about (`text_hash` in their object) carry its tokens. They go with the last chunk
// that has the text.
Status remove_jobs_without_text(Database& database) {
  std::vector<int64_t> orphans;
  {
    MNEME_ASSIGN_OR_RETURN(Statement list,
                           database.prepare("SELECT id, json_extract(payload_json, '$.text_hash') FROM jobs "
                                            "WHERE json_valid(payload_json)"));
    MNEME_ASSIGN_OR_RETURN(Statement wanted, database.prepare("SELECT 1 FROM chunks WHERE text_hash=?1 LIMIT 1"));
    while (true) {
      MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
      if (!row) break;
      const std::optional<Hash128> hash = hash_from_hex(list.text(1));
      if (!hash) continue;
      MNEME_ASSIGN_OR_RETURN(const bool found, wanted.bind(ByteSpan(hash_to_blob(*hash))).step());
      if (!found) orphans.push_back(list.integer(0));
      wanted.reset();
    }
  }
  MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare("DELETE FROM jobs WHERE id=?1"));
  for (const int64_t job : orphans) MNEME_RETURN_IF_ERROR(remove.bind(job).run());
  return {};
}

namespace {

struct RemovedPassage {
  Hash128 text_hash;
  std::vector<Hash128> pages;  // of its text, where there are several
};

// Adds the passages of a document, before they go.
Status list_passages(Database& database, DocumentId document, std::set<int64_t>& uids,
                     std::vector<RemovedPassage>& passages) {
  MNEME_ASSIGN_OR_RETURN(
      Statement list, database.prepare("SELECT uid, text_hash, page_marks, text FROM chunks LEFT JOIN chunk_texts ON "
                                       "chunk=coalesce(same_as, chunks.id) WHERE document=?1"));
  list.bind(document);
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return {};
    uids.insert(list.integer(0));
    RemovedPassage& passage = passages.emplace_back();
    passage.text_hash = hash_from_blob(list.blob(1));
    passage.pages = texts_by_page(list.text(3), list.text(2));
  }
}

// Rows of the documents in the range and of what failed there.
Status remove_documents(Database& database, const PathRange& range, Catalogue::Forgotten& forgotten,
                        std::set<int64_t>& uids, std::vector<RemovedPassage>& passages) {
  std::vector<DocumentId> documents;
  {
    // The newest first, as in delete_collection().
    MNEME_ASSIGN_OR_RETURN(Statement list, database.prepare_once("SELECT id FROM documents WHERE " + is_below("path") +
                                                                 " ORDER BY id DESC"));
    list.bind(range.exact, range.low, range.high, range.members);
    while (true) {
      MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
      if (!row) break;
      documents.push_back(list.id<DocumentId>(0));
    }
  }
  for (const DocumentId document : documents) {
    MNEME_RETURN_IF_ERROR(list_passages(database, document, uids, passages));
    MNEME_RETURN_IF_ERROR(remove_document_rows(database, document));
    ++forgotten.documents;
  }
  forgotten.chunks = static_cast<int64_t>(passages.size());
  for (const char* table : {"failures", "roots"}) {
    MNEME_ASSIGN_OR_RETURN(Statement remove,
                           database.prepare_once("DELETE FROM " + std::string(table) + " WHERE " + is_below("path")));
    MNEME_RETURN_IF_ERROR(remove.bind(range.exact, range.low, range.high, range.members).run());
    forgotten.other_rows += database.changes();
  }
  return {};
}

// Whose text no other document has: `forgotten` is told, and what chats were shown of it.
Result<std::set<Hash128>> texts_without_chunk(Database& database, const std::vector<RemovedPassage>& passages,
                                              Catalogue::Forgotten& forgotten) {
  std::set<Hash128> hashes;
  std::set<Hash128> shown;
  MNEME_ASSIGN_OR_RETURN(Statement find, database.prepare("SELECT 1 FROM chunks WHERE text_hash=?1 LIMIT 1"));
  for (const RemovedPassage& passage : passages) {
    MNEME_ASSIGN_OR_RETURN(const bool wanted, find.bind(ByteSpan(hash_to_blob(passage.text_hash))).step());
    find.reset();
    if (wanted) continue;
    hashes.insert(passage.text_hash);
    shown.insert(passage.text_hash);
    shown.insert(passage.pages.begin(), passage.pages.end());
  }
  forgotten.text_hashes.assign(hashes.begin(), hashes.end());
  return shown;
}

}  // namespace

Result<int64_t> Catalogue::times_forgotten() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  return times_forgotten_in(*database);
}

Result<int64_t> times_forgotten_in(Database& database) {
  return database.query_integer("SELECT value FROM counters WHERE name='texts.times_forgotten'");
}

Result<Catalogue::Forgotten> Catalogue::forget(std::string_view path, Members members) {
  Forgotten forgotten;
  MNEME_RETURN_IF_ERROR(writable());
  MNEME_ASSIGN_OR_RETURN(forgotten.trace, trace_of(path, members));
  if (forgotten.trace == Trace::kNone) return forgotten;
  // Before the rows go: a call that is cut off here finds them again. All of them, for they know files by other names,
  // too, that they have had since.
  if (forgotten.trace == Trace::kNamed) MNEME_RETURN_IF_ERROR(erase_all_put_aside(state_->env(), state_->options.path));
  MNEME_RETURN_IF_ERROR(erase_left_by_the_dead(state_->env(), state_->options.path));
  const PathRange range = path_range_with(path, members);
  int64_t others = 0;
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    ForgottenPassages in_chats;
    std::vector<RemovedPassage> passages;
    MNEME_RETURN_IF_ERROR(remove_documents(database, range, forgotten, in_chats.uids, passages));
    MNEME_RETURN_IF_ERROR(remove_jobs_without_text(database));
    MNEME_ASSIGN_OR_RETURN(in_chats.texts, texts_without_chunk(database, passages, forgotten));
    MNEME_ASSIGN_OR_RETURN(in_chats.names, earlier_names(database, range));
    MNEME_RETURN_IF_ERROR(forget_moves(database, range));
    MNEME_ASSIGN_OR_RETURN(forgotten.messages, scrub_chats(database, range, in_chats));
    MNEME_RETURN_IF_ERROR(merge_lexical(database));
    MNEME_RETURN_IF_ERROR(database.execute(kCountForgetting));
    // Also where only a chat named it: what this call removed is not overwritten before it ends.
    MNEME_RETURN_IF_ERROR(count_removed_text(database));
    MNEME_ASSIGN_OR_RETURN(forgotten.removed_texts,
                           database.query_integer("SELECT value FROM counters WHERE name='texts.removed'"));
    MNEME_ASSIGN_OR_RETURN(others, other_programs_writes(database));
    return {};
  }));
  MutexLock lock(state_->write_mutex);
  MNEME_RETURN_IF_ERROR(overwrite_removed(*state_->writer, others));
  return forgotten;
}

}  // namespace mneme::storage

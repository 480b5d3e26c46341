// Forgetting: no row, no free page, no backup, no waiting job tells of the file any more.
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/migrations.h"

namespace mneme::storage {
namespace {

// What chats keep of forgotten files (the object of `ask --json`): answers that cite one, and those that cite nothing
// and so may come from any passage they were shown, are replaced by a sentence; the passages that others were shown are
// taken out, and what the model thought of them. What the user asked stays.
Status scrub_chats(Database& database, const PathRange& range, int64_t& replaced) {
  {
    const std::string may_come_from_it =
        tells_of_file("$.citations") + " OR " + tells_of_file("$.sources", "json_extract(value, '$.cited') AND ") +
        " OR (coalesce(json_array_length(details_json, '$.citations'), 0)=0 AND " + tells_of_file("$.sources") + ")";
    MNEME_ASSIGN_OR_RETURN(
        Statement replace,
        database.prepare_once("UPDATE messages SET text='(This answer came from a file that was forgotten.)', "
                              "details_json='{}' WHERE CASE WHEN role='user' OR NOT json_valid(details_json) THEN 0 "
                              "ELSE " +
                              may_come_from_it + " END"));
    MNEME_RETURN_IF_ERROR(replace.bind(range.exact, range.low, range.high, range.members).run());
    replaced = database.changes();
  }
  MNEME_ASSIGN_OR_RETURN(
      Statement strip,
      database.prepare_once(
          "UPDATE messages SET details_json=json_set(json_remove(details_json, '$.reasoning'), '$.sources', "
          "(SELECT json_group_array(json(value)) FROM json_each(details_json, '$.sources') WHERE NOT " +
          is_below("json_extract(value, '$.document')") +
          ")) WHERE CASE WHEN NOT json_valid(details_json) THEN 0 ELSE " + tells_of_file("$.sources") + " END"));
  return strip.bind(range.exact, range.low, range.high, range.members).run();
}

constexpr const char* kCountForgetting =
    "INSERT INTO counters(name, value) VALUES('texts.times_forgotten', 1) ON CONFLICT(name) DO UPDATE SET "
    "value=value+1";

// With what SQLite keeps beside them while trace_of() looks into them, should that have been cut off.
Status remove_backups(FileEnv& env, const std::string& path) {
  for (int version = 1; version <= kSchemaVersion; ++version) {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      const Status status = env.erase(backup_path(path, version) + suffix);
      if (!status.ok() && status.code() != StatusCode::kNotFound) return status;
    }
  }
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

// Rows of the documents in the range and of what failed there; adds the hashes of their texts.
Status remove_documents(Database& database, const PathRange& range, Catalogue::Forgotten& forgotten,
                        std::set<Hash128>& hashes) {
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
    {
      MNEME_ASSIGN_OR_RETURN(Statement list, database.prepare("SELECT text_hash FROM chunks WHERE document=?1"));
      list.bind(document);
      while (true) {
        MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
        if (!row) break;
        hashes.insert(hash_from_blob(list.blob(0)));
        ++forgotten.chunks;
      }
    }
    MNEME_RETURN_IF_ERROR(remove_document_rows(database, document));
    ++forgotten.documents;
  }
  for (const char* table : {"failures", "roots"}) {
    MNEME_ASSIGN_OR_RETURN(Statement remove,
                           database.prepare_once("DELETE FROM " + std::string(table) + " WHERE " + is_below("path")));
    MNEME_RETURN_IF_ERROR(remove.bind(range.exact, range.low, range.high, range.members).run());
    forgotten.other_rows += database.changes();
  }
  return {};
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
  if (forgotten.trace == Trace::kNamed) MNEME_RETURN_IF_ERROR(remove_backups(state_->env(), state_->options.path));
  const PathRange range = path_range_with(path, members);
  std::set<Hash128> hashes;
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_RETURN_IF_ERROR(remove_documents(database, range, forgotten, hashes));
    MNEME_RETURN_IF_ERROR(remove_jobs_without_text(database));
    MNEME_RETURN_IF_ERROR(scrub_chats(database, range, forgotten.messages));
    MNEME_RETURN_IF_ERROR(merge_lexical(database));
    MNEME_RETURN_IF_ERROR(database.execute(kCountForgetting));
    // Also where only a chat named it: what this call removed is not overwritten before it ends.
    MNEME_RETURN_IF_ERROR(count_removed_text(database));
    MNEME_ASSIGN_OR_RETURN(forgotten.removed_texts,
                           database.query_integer("SELECT value FROM counters WHERE name='texts.removed'"));
    return {};
  }));
  for (const Hash128& hash : hashes) {
    MNEME_ASSIGN_OR_RETURN(const bool wanted, has_text(hash));
    if (!wanted) forgotten.text_hashes.push_back(hash);
  }
  MutexLock lock(state_->write_mutex);
  MNEME_RETURN_IF_ERROR(rewrite_file(*state_->writer));
  return forgotten;
}

}  // namespace mneme::storage

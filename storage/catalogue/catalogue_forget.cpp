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

// "x is the path, below it, or a member of it": with the parameters of PathRange.
#define MNEME_IS_BELOW(x) "(" x "=?1 OR (" x ">=?2 AND " x "<?3) OR substr(" x ", 1, length(?1)+2)=?1||'!/')"
#define MNEME_DOCUMENT "json_extract(value, '$.document')"

// What chats keep of forgotten files (the object of `ask --json`): answers that cite one, and those that cite nothing
// and so may come from any passage they were shown, are replaced by a sentence; the passages that others were shown are
// taken out. What the user asked stays.
Status scrub_chats(Database& database, const PathRange& range, int64_t& replaced) {
  {
    MNEME_ASSIGN_OR_RETURN(
        Statement replace,
        database.prepare(
            "UPDATE messages SET text='(This answer came from a file that was forgotten.)', details_json='{}' "
            "WHERE CASE WHEN role='user' OR NOT json_valid(details_json) THEN 0 ELSE "
            "EXISTS(SELECT 1 FROM json_each(details_json, '$.citations') WHERE " MNEME_IS_BELOW(
                MNEME_DOCUMENT) ") OR "
                                "EXISTS(SELECT 1 FROM json_each(details_json, '$.sources') WHERE json_extract(value, "
                                "'$.cited') AND " MNEME_IS_BELOW(
                                    MNEME_DOCUMENT) ") OR "
                                                    "(coalesce(json_array_length(details_json, '$.citations'), 0)=0 "
                                                    "AND EXISTS(SELECT 1 FROM json_each(details_json, '$.sources') "
                                                    "WHERE " MNEME_IS_BELOW(MNEME_DOCUMENT) ")) END"));
    MNEME_RETURN_IF_ERROR(replace.bind(range.exact, range.low, range.high).run());
    replaced = database.changes();
  }
  MNEME_ASSIGN_OR_RETURN(
      Statement strip,
      database.prepare(
          "UPDATE messages SET details_json=json_set(details_json, '$.sources', (SELECT json_group_array(json(value)) "
          "FROM json_each(details_json, '$.sources') WHERE NOT " MNEME_IS_BELOW(
              MNEME_DOCUMENT) ")) "
                              "WHERE CASE WHEN NOT json_valid(details_json) THEN 0 ELSE "
                              "EXISTS(SELECT 1 FROM json_each(details_json, '$.sources') WHERE " MNEME_IS_BELOW(
                                  MNEME_DOCUMENT) ") END"));
  return strip.bind(range.exact, range.low, range.high).run();
}

Status remove_backups(FileEnv& env, const std::string& path) {
  for (int version = 1; version <= kSchemaVersion; ++version) {
    const Status status = env.remove(path + ".v" + std::to_string(version) + ".bak");
    if (!status.ok() && status.code() != StatusCode::kNotFound) return status;
  }
  return {};
}

std::optional<Hash128> hash_from_hex(std::string_view hex) {
  Hash128 hash;
  if (hex.size() != 32) return std::nullopt;
  const char* middle = hex.data() + 16;
  const auto [at_middle, high_error] = std::from_chars(hex.data(), middle, hash.high, 16);
  const auto [at_end, low_error] = std::from_chars(middle, middle + 16, hash.low, 16);
  const bool whole =
      high_error == std::errc{} && low_error == std::errc{} && at_middle == middle && at_end == middle + 16;
  return whole ? std::optional(hash) : std::nullopt;
}

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

// Rows of the documents in the range and of what failed there; adds the hashes of their texts.
Status remove_documents(Database& database, const PathRange& range, Catalogue::Forgotten& forgotten,
                        std::set<Hash128>& hashes) {
  std::vector<DocumentId> documents;
  {
    MNEME_ASSIGN_OR_RETURN(Statement list, database.prepare("SELECT id FROM documents WHERE " MNEME_IS_BELOW("path")));
    list.bind(range.exact, range.low, range.high);
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
  for (const char* sql :
       {"DELETE FROM failures WHERE " MNEME_IS_BELOW("path"), "DELETE FROM roots WHERE " MNEME_IS_BELOW("path")}) {
    MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare(sql));
    MNEME_RETURN_IF_ERROR(remove.bind(range.exact, range.low, range.high).run());
    forgotten.other_rows += database.changes();
  }
  return {};
}

}  // namespace

Result<Catalogue::Forgotten> Catalogue::forget(std::string_view path) {
  Forgotten forgotten;
  const PathRange range = path_range(path);
  if (range.exact.empty()) return usage_error("forget needs a path");
  std::set<Hash128> hashes;
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_RETURN_IF_ERROR(remove_documents(database, range, forgotten, hashes));
    MNEME_RETURN_IF_ERROR(remove_jobs_without_text(database));
    MNEME_RETURN_IF_ERROR(scrub_chats(database, range, forgotten.messages));
    return merge_lexical(database);
  }));
  for (const Hash128& hash : hashes) {
    MNEME_ASSIGN_OR_RETURN(const bool wanted, has_text(hash));
    if (!wanted) forgotten.text_hashes.push_back(hash);
  }
  FileEnv& env = state_->options.env != nullptr ? *state_->options.env : FileEnv::posix();
  MNEME_RETURN_IF_ERROR(remove_backups(env, state_->options.path));
  {
    MutexLock lock(state_->write_mutex);
    MNEME_RETURN_IF_ERROR(rewrite_file(*state_->writer));
  }
  if (forgotten.documents == 0 && forgotten.other_rows == 0 && forgotten.messages == 0) {
    return not_found("nothing is indexed at " + range.exact +
                     "; what removed files may have left was overwritten all the same; `mneme document list` shows "
                     "what is indexed");
  }
  return forgotten;
}

}  // namespace mneme::storage

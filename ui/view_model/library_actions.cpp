#include "ui/view_model/library_actions.h"

#include <algorithm>
#include <utility>

#include "rag/indexing/failed_files.h"
#include "rag/kv_reuse/kv_collections.h"
#include "rag/kv_reuse/kv_quota.h"
#include "rag/vectors/vector_indexes.h"
#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"
#include "ui/language/tr.h"
#include "ui/view_model/kv_store.h"
#include "ui/view_model/settings_json.h"
#include "ui/view_model/settings_keys.h"

namespace mneme::ui {
namespace {

constexpr const char* kLevelKey = "window.kv_level.";
constexpr int kRefreshShare = 20;  // a refresh may take a twentieth of the time

// The rows of the catalogue are far larger than those shown; they are gone again on return.
Result<std::shared_ptr<const DocumentTable>> read_documents(storage::Catalogue& catalogue,
                                                            storage::CollectionId collection) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentRecord> records, catalogue.list_documents(collection));
  auto table = std::make_shared<DocumentTable>();
  size_t text_bytes = 0;
  for (const storage::DocumentRecord& d : records) text_bytes += d.path.size() + d.title.size();
  table->reserve(records.size(), text_bytes);
  for (const storage::DocumentRecord& d : records)
    table->add({static_cast<int64_t>(d.id), d.path, d.title, d.format, d.file.size_bytes, d.n_chunks, d.indexed_ms});
  table->tell_apart();
  return std::shared_ptr<const DocumentTable>(std::move(table));
}

// Reasons name what helps on the command line; here a button does.
std::string said_in_a_window(std::string reason) {
  constexpr std::string_view kOption = "index it with --ocr (needs tesseract-ocr)";
  const size_t at = reason.find(kOption);
  if (at != reason.npos) reason.replace(at, kOption.size(), tr("“Try with text recognition” reads it"));
  return reason;
}

}  // namespace

Status LibraryActions::refresh_if_due() {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const bool moves = now->indexing.running && !now->indexing.paused;
  return refreshed_lately() && moves && now->library.shown == listed_ ? Status() : timed_refresh();
}

bool LibraryActions::refresh_if_changed() {
  if (!publisher_.current()->library.loaded || refreshed_lately()) return false;
  const Result<Revisions> now = revisions();
  return now.ok() && (*now == seen_ || timed_refresh().ok());
}

bool LibraryActions::refreshed_lately() const {
  return Clock::now() - refreshed_at_ < refresh_cost_ * kRefreshShare;
}

Status LibraryActions::timed_refresh() {
  const Clock::time_point begin = Clock::now();
  MNEME_RETURN_IF_ERROR(refresh());
  refreshed_at_ = Clock::now();
  refresh_cost_ = refreshed_at_ - begin;
  return {};
}

Result<LibraryActions::Revisions> LibraryActions::revisions() {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> records,
                         workspace_.catalogue().list_collections());
  Revisions revisions;
  revisions.reserve(records.size());
  for (const storage::CollectionRecord& record : records) revisions.emplace_back(record.name, record.revision);
  return revisions;
}

Status LibraryActions::refresh() {
  storage::Catalogue& catalogue = workspace_.catalogue();
  MNEME_ASSIGN_OR_RETURN(seen_, revisions());
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> stats, catalogue.stats());
  MNEME_ASSIGN_OR_RETURN(const auto levels, catalogue.settings(kLevelKey));
  std::vector<CollectionRow> rows;
  for (const storage::CollectionStats& stat : stats) {
    CollectionRow row;
    row.name = stat.collection.name;
    row.documents = stat.documents;
    row.chunks = stat.chunks;
    row.tokens = stat.tokens;
    row.text_bytes = stat.text_bytes;
    row.failed = stat.failures;
    MNEME_ASSIGN_OR_RETURN(row.roots, catalogue.roots(stat.collection.id));
    for (const auto& [key, level] : levels) {
      if (key == kLevelKey + row.name && level.size() > 2) row.kv_level = level.substr(1, level.size() - 2);
    }
    rows.push_back(std::move(row));
  }
  std::string shown = publisher_.current()->library.shown;
  if (shown.empty() && !rows.empty()) shown = rows.front().name;
  publisher_.update([&](Snapshot& s) {
    for (CollectionRow& row : rows) {
      for (const CollectionRow& old : s.library.collections) {
        if (old.name == row.name) row.watched = old.watched;
      }
    }
    s.library.collections = rows;
    s.library.loaded = true;
  });
  MNEME_RETURN_IF_ERROR(ask_only_what_is_there());
  MNEME_RETURN_IF_ERROR(refresh_meters());
  return shown.empty() ? Status{} : show(shown);
}

// The collection that is asked may have been removed, here or by another process: then all are asked.
Status LibraryActions::ask_only_what_is_there() {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const std::vector<CollectionRow>& rows = now->library.collections;
  SettingsView settings = now->settings;
  const auto is_asked = [&](const CollectionRow& row) { return row.name == settings.collection; };
  if (settings.collection.empty() || std::any_of(rows.begin(), rows.end(), is_asked)) return {};
  settings.collection.clear();
  publisher_.update([](Snapshot& s) { s.settings.collection.clear(); });
  return workspace_.catalogue().put_setting(kSettingsKey, settings_to_json(settings));
}

Status LibraryActions::refresh_meters() {
  storage::Catalogue& catalogue = workspace_.catalogue();
  MNEME_ASSIGN_OR_RETURN(const uint64_t file_bytes, catalogue.file_bytes());
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace_));
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter meter, store->meter());
  MNEME_ASSIGN_OR_RETURN(const int64_t hits, catalogue.counter("kv.hits"));
  MNEME_ASSIGN_OR_RETURN(const int64_t misses, catalogue.counter("kv.misses"));
  MNEME_ASSIGN_OR_RETURN(const int64_t evictions, catalogue.counter("kv.evictions"));
  publisher_.update([&](Snapshot& s) {
    s.library.catalogue_bytes = file_bytes;
    s.library.kv_bytes = static_cast<int64_t>(meter.bytes);
    s.library.kv_quota_bytes = static_cast<int64_t>(meter.quota_bytes);
    s.library.kv_chunks = meter.chunks;
    s.library.kv_hits = hits;
    s.library.kv_misses = misses;
    s.library.kv_evictions = evictions;
  });
  return {};
}

Status LibraryActions::show(const std::string& collection) {
  storage::Catalogue& catalogue = workspace_.catalogue();
  const Result<storage::CollectionRecord> record = catalogue.find_collection(collection);
  if (!record.ok() && record.status().code() == StatusCode::kNotFound) return {};  // removed meanwhile
  if (!record.ok()) return record.status();
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const DocumentTable> documents, read_documents(catalogue, record->id));
  catalogue.release_pages();  // 16 MB of 100,000 documents, which nothing else asks for
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue.failures(record->id));
  auto failed = std::make_shared<std::vector<FailedRow>>();
  for (const storage::FailureRecord& failure : failures)
    failed->push_back({failure.path, said_in_a_window(failure.error)});
  const DocumentOrder order = publisher_.current()->library.order;
  auto rows = std::make_shared<const std::vector<uint32_t>>(ordered_rows(*documents, order));
  publisher_.update([&](Snapshot& s) {
    s.library.shown = collection;
    s.library.documents = documents;
    s.library.shown_rows = std::move(rows);
    s.library.failed = std::move(failed);
  });
  listed_ = collection;
  return {};
}

Status LibraryActions::order(const DocumentOrder& order) {
  const auto documents = publisher_.current()->library.documents;
  auto rows = std::make_shared<const std::vector<uint32_t>>(documents ? ordered_rows(*documents, order)
                                                                      : std::vector<uint32_t>{});
  publisher_.update([&](Snapshot& s) {
    s.library.order = order;
    if (s.library.documents == documents) s.library.shown_rows = std::move(rows);
  });
  return {};
}

Status LibraryActions::remove_document(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record,
                         workspace_.catalogue().find_collection(publisher_.current()->library.shown));
  MNEME_ASSIGN_OR_RETURN(const std::optional<storage::DocumentRecord> document,
                         workspace_.catalogue().find_document(record.id, path));
  if (document) {
    MNEME_RETURN_IF_ERROR(workspace_.catalogue().remove_document(document->id));
    tell_of_removed(path, record.name);
  }
  return refresh();
}

void LibraryActions::tell_of_removed(const std::string& path, const std::string& collection) {
  Notice notice;
  notice.text =
      filled(tr("“{0}” was removed. The next look for changes reads it again while its file is there; a line with its "
                "name in a file .mnemeignore beside it keeps it out."),
             path.substr(path.rfind('/') + 1));
  notice.action = NoticeAction::kReadAgain;
  notice.file = path;
  notice.collection = collection;
  publisher_.notice(std::move(notice));
}

Result<std::string> LibraryActions::forget_file_of(const std::string& path, const std::string& collection) {
  storage::Catalogue& catalogue = workspace_.catalogue();
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, catalogue.find_collection(collection));
  std::string file = rag::file_of_document(path);
  MNEME_ASSIGN_OR_RETURN(const std::optional<storage::DocumentRecord> whole, catalogue.find_document(record.id, file));
  if (whole) MNEME_RETURN_IF_ERROR(catalogue.remove_document(whole->id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentState> members,
                         catalogue.document_states(record.id, file + "!"));
  for (const storage::DocumentState& member : members) MNEME_RETURN_IF_ERROR(catalogue.remove_document(member.id));
  return file;
}

Status LibraryActions::delete_collection(const std::string& name) {
  const Result<storage::CollectionRecord> record = workspace_.catalogue().find_collection(name);
  if (record.status().code() == StatusCode::kNotFound) return refresh();  // it is gone
  MNEME_RETURN_IF_ERROR(record.status());
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().delete_collection(record->id));
  MNEME_RETURN_IF_ERROR(workspace_.vectors().discard(*record));
  MNEME_RETURN_IF_ERROR(rag::set_stores_kv(workspace_.catalogue(), name, true));
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().remove_setting(kLevelKey + name));
  publisher_.update([&](Snapshot& s) {
    if (s.library.shown == name) s.library.turn_to("");
  });
  return refresh();
}

Status LibraryActions::set_quota(uint64_t bytes) {
  MNEME_RETURN_IF_ERROR(rag::set_kv_quota(workspace_.catalogue(), bytes));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace_));
  MNEME_RETURN_IF_ERROR(rag::evict_beyond_quota(workspace_.catalogue(), *store).status());
  return refresh_meters();
}

Status LibraryActions::set_level(const std::string& collection, const std::string& level) {
  const std::string key = kLevelKey + collection;
  MNEME_RETURN_IF_ERROR(level.empty() ? workspace_.catalogue().remove_setting(key)
                                      : workspace_.catalogue().put_setting(key, "\"" + level + "\""));
  publisher_.update([&](Snapshot& s) {
    for (CollectionRow& row : s.library.collections) {
      if (row.name == collection) row.kv_level = level;
    }
  });
  return {};
}

}  // namespace mneme::ui

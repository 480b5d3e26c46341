#include "ui/view_model/library_actions.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "rag/indexing/indexer.h"
#include "rag/kv_reuse/kv_quota.h"
#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"
#include "storage/env/file_env.h"
#include "ui/view_model/kv_store.h"

namespace mneme::ui {
namespace {

constexpr const char* kUnfinishedKey = "window.unfinished_indexing";
constexpr const char* kLevelKey = "window.kv_level.";
constexpr double kLongWork_s = 20.0;

void show_progress(Publisher& publisher, const rag::IndexProgress& progress, int waiting) {
  publisher.update([&](Snapshot& s) {
    s.indexing.done = progress.documents_done;
    s.indexing.total = progress.documents_total;
    s.indexing.counting = progress.counting;
    s.indexing.chunks = progress.chunks;
    s.indexing.current_file = progress.current_file;
    s.indexing.bytes_per_s = progress.bytes_per_s;
    s.indexing.eta_s = progress.eta_s;
    s.indexing.seconds = progress.seconds;
    s.indexing.waiting = waiting;
  });
}

std::string summary_of(const rag::IndexReport& report) {
  std::string text = "Indexing finished: " + std::to_string(report.documents) + " new or changed, " +
                     std::to_string(report.unchanged) + " unchanged";
  if (report.removed > 0) text += ", " + std::to_string(report.removed) + " removed";
  if (!report.failed.empty()) text += ", " + std::to_string(report.failed.size()) + " could not be read";
  return text + ".";
}

}  // namespace

void LibraryActions::remember_unfinished(bool paused) {
  const IndexingView& now = publisher_.current()->indexing;
  const nlohmann::json json = {{"paths", now.paths}, {"collection", now.collection}, {"paused", paused}};
  publisher_.report(workspace_.catalogue().put_setting(
      kUnfinishedKey, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

bool LibraryActions::unfinished() {
  const auto saved = workspace_.catalogue().setting(kUnfinishedKey);
  if (!saved.ok() || !saved->has_value()) return false;
  const auto json = nlohmann::json::parse(**saved, nullptr, false);
  if (!json.is_object() || !json.contains("paths") || !json["paths"].is_array()) return false;
  bool paused = false;
  publisher_.update([&](Snapshot& s) {
    s.indexing = {};
    s.indexing.collection = json.value("collection", "default");
    for (const auto& path : json["paths"]) {
      if (path.is_string()) s.indexing.paths.push_back(path.get<std::string>());
    }
    paused = s.indexing.paused = json.value("paused", false);
  });
  return !paused;
}

void LibraryActions::index(std::vector<std::string> paths, const std::string& collection, bool quietly) {
  if (waiting_ > 0) --waiting_;
  if (closing_ || paths.empty()) return;
  run(std::move(paths), collection, quietly);
  publisher_.report(refresh());
}

void LibraryActions::run(std::vector<std::string> paths, const std::string& collection, bool quietly) {
  auto cancel = std::make_shared<CancelToken>();
  {
    MutexLock lock(mutex_);
    running_ = cancel;
  }
  paused_by_user_ = false;
  // What the user has paused stays paused behind what is asked for now.
  const IndexingView before = publisher_.current()->indexing;
  const bool keeps_paused = before.paused && before.paths != paths;
  publisher_.update([&](Snapshot& s) {
    s.indexing = {};
    s.indexing.running = true;
    s.indexing.counting = true;
    s.indexing.collection = collection;
    s.indexing.paths = paths;
    s.indexing.waiting = waiting_;
    if (!quietly) s.library.shown = collection;
  });
  remember_unfinished(false);
  rag::IndexOptions options;
  options.paths = std::move(paths);
  options.collection = collection;
  rag::IndexCallbacks callbacks;
  callbacks.progress = [this](const rag::IndexProgress& progress) { show_progress(publisher_, progress, waiting_); };
  callbacks.failed = [this](const rag::IndexFailure&) { publisher_.update([](Snapshot& s) { ++s.indexing.failed; }); };
  rag::Indexer indexer(workspace_);
  const Result<rag::IndexReport> report = indexer.run(options, callbacks, *cancel);
  const bool interrupted = report.ok() ? report->interrupted : report.status().code() == StatusCode::kCancelled;
  publisher_.update([&](Snapshot& s) {
    s.indexing.running = s.indexing.pausing = false;
    s.indexing.paused = interrupted;
  });
  if (interrupted) return remember_unfinished(paused_by_user_);
  publisher_.report(workspace_.catalogue().remove_setting(kUnfinishedKey));
  if (keeps_paused) {
    publisher_.update([&](Snapshot& s) { s.indexing = before; });
    remember_unfinished(true);
  }
  if (!report.ok()) return publisher_.report(report.status());
  if (quietly && report->documents + report->removed == 0) return;
  Notice notice;
  notice.text = summary_of(*report);
  notice.long_work = report->seconds > kLongWork_s;
  if (!report->failed.empty()) notice.action = NoticeAction::kShowFailed;
  publisher_.notice(std::move(notice));
}

void LibraryActions::pause() {
  paused_by_user_ = true;
  MutexLock lock(mutex_);
  if (!running_) return;
  running_->cancel();
  publisher_.update([](Snapshot& s) { s.indexing.pausing = s.indexing.running; });
}

void LibraryActions::resume() {
  const IndexingView indexing = publisher_.current()->indexing;
  if (!indexing.running) index(indexing.paths, indexing.collection);
}

void LibraryActions::stop() {
  closing_ = true;
  MutexLock lock(mutex_);
  if (running_) running_->cancel();
}

void LibraryActions::reindex(const std::string& collection, bool quietly) {
  const Result<storage::CollectionRecord> record = workspace_.catalogue().find_collection(collection);
  if (!record.ok()) return publisher_.report(record.status());
  const Result<std::vector<std::string>> roots = workspace_.catalogue().roots(record->id);
  if (!roots.ok()) return publisher_.report(roots.status());
  index(*roots, collection, quietly);
}

// A file that failed is not read again while it is unchanged, so its failure is forgotten first.
void LibraryActions::retry_failed(const std::string& collection) {
  storage::Catalogue& catalogue = workspace_.catalogue();
  const Result<storage::CollectionRecord> record = catalogue.find_collection(collection);
  if (!record.ok()) return publisher_.report(record.status());
  const auto failures = catalogue.failures(record->id);
  if (!failures.ok()) return publisher_.report(failures.status());
  for (const storage::FailureRecord& failure : *failures) {
    if (const Status status = catalogue.clear_failure(record->id, failure.path); !status.ok())
      return publisher_.report(status);
  }
  reindex(collection);
}

Status LibraryActions::refresh() {
  storage::Catalogue& catalogue = workspace_.catalogue();
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
  MNEME_RETURN_IF_ERROR(refresh_meters());
  return shown.empty() ? Status{} : show(shown);
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
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentRecord> records, catalogue.list_documents(record->id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue.failures(record->id));
  auto documents = std::make_shared<std::vector<DocumentRow>>();
  documents->reserve(records.size());
  for (const storage::DocumentRecord& d : records) {
    documents->push_back(
        {static_cast<int64_t>(d.id), d.path, d.title, d.format, d.size_bytes, d.n_chunks, d.indexed_ms});
  }
  auto failed = std::make_shared<std::vector<FailedRow>>();
  for (const storage::FailureRecord& failure : failures) failed->push_back({failure.path, failure.error});
  const DocumentOrder order = publisher_.current()->library.order;
  auto rows = std::make_shared<const std::vector<uint32_t>>(ordered_rows(*documents, order));
  publisher_.update([&](Snapshot& s) {
    s.library.shown = collection;
    s.library.documents = std::move(documents);
    s.library.shown_rows = std::move(rows);
    s.library.failed = std::move(failed);
  });
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
  if (document) MNEME_RETURN_IF_ERROR(workspace_.catalogue().remove_document(document->id));
  return refresh();
}

Status LibraryActions::delete_collection(const std::string& name) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, workspace_.catalogue().find_collection(name));
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().delete_collection(record.id));
  publisher_.update([&](Snapshot& s) {
    if (s.settings.collection == name) s.settings.collection.clear();
    if (s.library.shown != name) return;
    s.library.shown.clear();
    s.library.documents.reset();
    s.library.shown_rows.reset();
    s.library.failed.reset();
  });
  return refresh();
}

Status LibraryActions::set_quota(uint64_t bytes) {
  MNEME_RETURN_IF_ERROR(rag::set_kv_quota(workspace_.catalogue(), bytes));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace_));
  MNEME_RETURN_IF_ERROR(store->enforce_quota());
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

#include "ui/view_model/library_actions.h"

#include <utility>

#include "base/utf8.h"
#include "rag/indexing/indexer.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"

namespace mneme::ui {
namespace {

// Longest document text shown in the window.
constexpr uint64_t kShownTextBytes = uint64_t{64} << 20;

void show_progress(Publisher& publisher, const rag::IndexProgress& progress) {
  publisher.update([&](Snapshot& s) {
    s.indexing.done = progress.documents_done;
    s.indexing.total = progress.documents_total;
    s.indexing.counting = progress.counting;
    s.indexing.chunks = progress.chunks;
    s.indexing.current_file = progress.current_file;
    s.indexing.bytes_per_s = progress.bytes_per_s;
    s.indexing.eta_s = progress.eta_s;
    s.indexing.seconds = progress.seconds;
  });
}

std::string summary_of(const rag::IndexReport& report, bool paused) {
  std::string text = paused ? "Indexing paused: " : "Indexing finished: ";
  text += std::to_string(report.documents) + " new or changed, " + std::to_string(report.unchanged) + " unchanged";
  if (report.removed > 0) text += ", " + std::to_string(report.removed) + " removed";
  if (!report.failed.empty()) text += ", " + std::to_string(report.failed.size()) + " could not be read";
  return text + ".";
}

}  // namespace

void LibraryActions::index(std::vector<std::string> paths, const std::string& collection) {
  auto cancel = std::make_shared<CancelToken>();
  {
    MutexLock lock(mutex_);
    running_ = cancel;
  }
  publisher_.update([&](Snapshot& s) {
    s.indexing = {};
    s.indexing.running = true;
    s.indexing.counting = true;
    s.indexing.collection = collection;
    s.indexing.paths = paths;
    s.library.shown = collection;
  });
  rag::IndexOptions options;
  options.paths = std::move(paths);
  options.collection = collection;
  rag::IndexCallbacks callbacks;
  callbacks.progress = [this](const rag::IndexProgress& progress) { show_progress(publisher_, progress); };
  rag::Indexer indexer(workspace_);
  const Result<rag::IndexReport> report = indexer.run(options, callbacks, *cancel);
  publisher_.update([](Snapshot& s) { s.indexing.running = false; });
  if (!report.ok() && report.status().code() != StatusCode::kCancelled) {
    publisher_.notice(report.status().message(), true);
  } else if (report.ok()) {
    publisher_.notice(summary_of(*report, report->interrupted), false);
  }
  if (const Status status = refresh(); !status.ok()) publisher_.notice(status.message(), true);
}

void LibraryActions::pause() {
  MutexLock lock(mutex_);
  if (!running_) return;
  running_->cancel();
  publisher_.update([](Snapshot& s) { s.indexing.pausing = s.indexing.running; });
}

void LibraryActions::reindex(const std::string& collection) {
  const Result<storage::CollectionRecord> record = workspace_.catalogue().find_collection(collection);
  if (!record.ok()) return publisher_.notice(record.status().message(), true);
  const Result<std::vector<std::string>> roots = workspace_.catalogue().roots(record->id);
  if (!roots.ok()) return publisher_.notice(roots.status().message(), true);
  if (!roots->empty()) index(*roots, collection);
}

Status LibraryActions::refresh() {
  storage::Catalogue& catalogue = workspace_.catalogue();
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> stats, catalogue.stats());
  MNEME_ASSIGN_OR_RETURN(const uint64_t file_bytes, catalogue.file_bytes());
  std::vector<CollectionRow> rows;
  for (const storage::CollectionStats& stat : stats) {
    MNEME_ASSIGN_OR_RETURN(std::vector<std::string> roots, catalogue.roots(stat.collection.id));
    rows.push_back({stat.collection.name, stat.documents, stat.chunks, stat.tokens, stat.text_bytes, std::move(roots)});
  }
  std::string shown = publisher_.current()->library.shown;
  if (shown.empty() && !rows.empty()) shown = rows.front().name;
  publisher_.update([&](Snapshot& s) {
    s.library.collections = rows;
    s.library.catalogue_bytes = file_bytes;
  });
  return shown.empty() ? Status{} : show(shown);
}

Status LibraryActions::show(const std::string& collection) {
  storage::Catalogue& catalogue = workspace_.catalogue();
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, catalogue.find_collection(collection));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentRecord> records, catalogue.list_documents(record.id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue.failures(record.id));
  auto documents = std::make_shared<std::vector<DocumentRow>>();
  documents->reserve(records.size());
  for (const storage::DocumentRecord& d : records) {
    documents->push_back(
        {static_cast<int64_t>(d.id), d.path, d.title, d.format, d.size_bytes, d.n_chunks, d.indexed_ms});
  }
  auto failed = std::make_shared<std::vector<FailedRow>>();
  for (const storage::FailureRecord& failure : failures) failed->push_back({failure.path, failure.error});
  publisher_.update([&](Snapshot& s) {
    s.library.shown = collection;
    s.library.documents = std::move(documents);
    s.library.failed = std::move(failed);
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
    if (s.library.shown == name) s.library = {};
  });
  return refresh();
}

void LibraryActions::show_document(const SourceView& source) {
  DocumentTextView view;
  view.path = source.document;
  view.title = source.title;
  // The passage itself is in the catalogue, so it can be shown even when the file is gone by now.
  std::string text;
  const auto bytes = storage::read_whole(workspace_.env(), source.document, kShownTextBytes);
  if (bytes.ok() && utf8::valid(as_text(*bytes)) && as_text(*bytes).find(source.text) != std::string_view::npos) {
    text = as_text(*bytes);
  } else {
    text = source.text;
    view.error = bytes.ok() ? "Only the passage is shown; the document is not plain text or has changed since."
                            : "Only the passage is shown: " + bytes.status().message() + ".";
  }
  view.begin = text.find(source.text);
  view.end = view.begin + source.text.size();
  view.text = std::make_shared<const std::string>(std::move(text));
  publisher_.update([&](Snapshot& s) { s.document = std::move(view); });
}

Status LibraryActions::refresh_models() {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> records, workspace_.catalogue().list_models());
  std::vector<ModelRow> rows;
  const std::string in_use = workspace_.model_name();
  for (const storage::ModelRecord& m : records) {
    rows.push_back({m.name, m.path, m.kind, m.size_bytes, m.name == in_use});
  }
  publisher_.update([&](Snapshot& s) {
    s.models = std::move(rows);
    s.settings.model = in_use;
  });
  return {};
}

}  // namespace mneme::ui

#include "rag/indexing/indexer.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/trace.h"
#include "rag/indexing/better_readers.h"
#include "rag/indexing/document_writer.h"
#include "rag/indexing/file_claims.h"
#include "rag/indexing/file_loaders.h"
#include "rag/indexing/file_walker.h"
#include "rag/indexing/folder_changes.h"
#include "rag/indexing/folder_look.h"
#include "rag/indexing/folder_watcher.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/index_failures.h"
#include "rag/indexing/index_work.h"
#include "rag/indexing/lasting_failures.h"
#include "rag/indexing/own_places.h"
#include "rag/indexing/passage_size.h"
#include "rag/indexing/progress_meter.h"
#include "rag/kv_reuse/kv_collections.h"
#include "rag/readers/picture/picture_names.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/home.h"

namespace mneme::rag {

namespace {

using storage::CollectionId;

constexpr size_t kMostWorkers = 64;
constexpr std::chrono::milliseconds kLongestRetry{300'000};
constexpr std::string_view kAbsentDrive =
    "the drive that was mounted here is not there, so what was indexed from it is kept; mount it again, or `mneme "
    "forget` this folder";
constexpr std::string_view kReplacedDrive =
    "another drive is mounted here than the one some of it was indexed from, so what came from that one is kept; mount "
    "it again, or `mneme forget` what is to go";

// Whether there is nothing at one of the paths. One that does not answer counts as there.
bool lacks_path(const IndexOptions& options, const CancelToken& cancel) {
  const Result<std::vector<FolderEntry>> looked = look_at_all(options.paths, options.limit_file_time, cancel);
  return looked.ok() && std::any_of(looked->begin(), looked->end(), [](const FolderEntry& found) {
           return found.error == ENOENT || found.link_error == ENOENT;
         });
}

// One run over one collection.
class Run {
 public:
  Run(Workspace& workspace, const IndexOptions& options, const IndexCallbacks& callbacks, const CancelToken& cancel)
      : workspace_(workspace),
        catalogue_(workspace.catalogue()),
        options_(options),
        callbacks_(callbacks),
        cancel_(cancel),
        gate_(workspace, options.respect_pause),
        meter_(callbacks.progress, gate_) {}

  Result<IndexReport> run() {
    MNEME_RETURN_IF_ERROR(catalogue_.writable());
    // Another program that compacts the catalogue costs time, not the run.
    const storage::Catalogue::Patience patience(catalogue_, cancel_, callbacks_.waits_for_others);
    MNEME_ASSIGN_OR_RETURN(const std::optional<WalkResult> walk, walk());
    // Not before: a path that is not there makes no collection.
    MNEME_ASSIGN_OR_RETURN(const CollectionId collection, catalogue_.ensure_collection(options_.collection));
    if (options_.kv) {
      const bool stores = *options_.kv != KvPolicy::kOff;
      MNEME_RETURN_IF_ERROR(set_stores_kv(catalogue_, options_.collection, stores));
    }
    const Status indexed = walk.has_value() ? index(*walk, collection) : Status();
    if (!indexed.ok() && indexed.code() != StatusCode::kCancelled) return indexed;
    report_.interrupted = cancel_.cancelled();
    const bool is_whole = !walk.has_value() || walk->is_whole;
    MNEME_RETURN_IF_ERROR(update_vectors(is_whole));
    report_.seconds = meter_.seconds();
    meter_.show(true);
    return std::move(report_);
  }

 private:
  // Nothing when the run was cancelled meanwhile.
  Result<std::optional<WalkResult>> walk() {
    const trace::Span span("walk", "index");
    const OwnPlaces own(workspace_.options());
    const bool pictures = options_.ocr && readers::can_read_pictures();
    const WalkOptions walk_options{.include_hidden = options_.include_hidden,
                                   .use_ignore_files = options_.use_ignore_files,
                                   .pictures = pictures,
                                   .patience = options_.limit_file_time,
                                   .own = &own};
    Result<std::optional<WalkResult>> some = walk_changed(walk_options);
    const bool is_whole = some.ok() && !some->has_value();
    Result<std::optional<WalkResult>> walk = is_whole ? walk_roots(walk_options) : std::move(some);
    if (walk.status().code() == StatusCode::kCancelled) return std::optional<WalkResult>();
    return walk;
  }

  // Nothing where everything is to be looked at.
  Result<std::optional<WalkResult>> walk_changed(const WalkOptions& walk_options) {
    if (options_.changes == nullptr || options_.changes->is_anywhere()) return std::optional<WalkResult>();
    // Another program removed it, and with it all that was known to be unchanged.
    if (!catalogue_.find_collection(options_.collection).ok()) return std::optional<WalkResult>();
    FolderChanges changes = *options_.changes;
    if (options_.lasting_failures != nullptr) {
      for (std::string& path : options_.lasting_failures->to_look_at_again()) changes.add(std::move(path));
    }
    if (changes.is_anywhere()) return std::optional<WalkResult>();
    return walk_places(options_.paths, changes.places(), walk_options, cancel_);
  }

  Result<std::optional<WalkResult>> walk_roots(const WalkOptions& walk_options) {
    const auto counted = [&](uint64_t n_files) {
      meter_.progress.documents_total = n_files;
      meter_.show();
    };
    MNEME_ASSIGN_OR_RETURN(WalkResult walk, walk_files(options_.paths, walk_options, counted, cancel_));
    return std::optional<WalkResult>(std::move(walk));
  }

  Status index(const WalkResult& walk, CollectionId collection) {
    IndexFailures failures(catalogue_, collection, callbacks_, report_, options_.lasting_failures);
    for (const WalkProblem& problem : walk.problems) {
      MNEME_RETURN_IF_ERROR(failures.record(problem.path, {}, problem.error));
    }
    MNEME_RETURN_IF_ERROR(mark_for_better_readers(catalogue_));
    MNEME_ASSIGN_OR_RETURN(IndexWork work, find_work(catalogue_, collection, walk, options_, cancel_));
    for (const AbsentDrive& drive : work.absent_drives) {
      const std::string_view why = drive.is_replaced ? kReplacedDrive : kAbsentDrive;
      MNEME_RETURN_IF_ERROR(failures.record(drive.folder, {}, std::string(why)));
    }
    take_out_lasting_failures(walk, work.plan);
    if (walk.is_whole) MNEME_RETURN_IF_ERROR(name_unnamed(catalogue_, collection, work.roots, cancel_));
    MNEME_RETURN_IF_ERROR(failures.forget_stale(walk));
    begin(walk, work.plan);
    chunking::ChunkerOptions sizes;
    MNEME_ASSIGN_OR_RETURN(sizes.target_tokens, passage_tokens(catalogue_));
    const readers::ReadLimits limits = read_limits();
    MNEME_ASSIGN_OR_RETURN(const int64_t times_forgotten, catalogue_.times_forgotten());
    DocumentWriter writer({catalogue_, collection, workspace_.embedder(), sizes, limits, times_forgotten}, work,
                          failures, report_);
    if (!cancel_.cancelled()) MNEME_RETURN_IF_ERROR(store_files(work, collection, sizes, limits, writer));
    return cancel_.cancelled() ? writer.note_moves() : writer.remove_missing();
  }

  // Nothing new: told once, remembered already.
  void take_out_lasting_failures(const WalkResult& walk, IndexPlan& plan) {
    if (options_.lasting_failures == nullptr) return;
    options_.lasting_failures->begin(walk);
    for (const auto& failures :
         {options_.lasting_failures->take_out_of(plan), options_.lasting_failures->not_below(walk.looked_at)}) {
      report_.failed.insert(report_.failed.end(), failures.begin(), failures.end());
    }
  }

  void begin(const WalkResult& walk, const IndexPlan& plan) {
    report_.skipped = walk.skipped;
    report_.unchanged = plan.unchanged;
    IndexProgress& progress = meter_.progress;
    progress.counting = false;
    progress.documents_total = walk.files.size();
    progress.documents_done = walk.files.size() - plan.work.size();
    progress.bytes_total = plan.work_bytes;
  }

  readers::ReadLimits read_limits() const {
    readers::ReadLimits limits;
    limits.file_bytes = options_.limit_file_bytes;
    limits.container_bytes = options_.limit_container_bytes;
    limits.time = options_.limit_file_time;
    limits.ocr = options_.ocr;
    limits.cancel = &cancel_;
    return limits;
  }

  // Workers load files side by side; this thread alone writes.
  Status store_files(const IndexWork& work, CollectionId collection, const chunking::ChunkerOptions& sizes,
                     const readers::ReadLimits& limits, DocumentWriter& writer) {
    const FileClaims claims(workspace_.env(), storage::Home{workspace_.options().home}.indexing_claims(), collection);
    FileLoaders loaders({work, catalogue_, collection, claims, workspace_.embedder(), sizes, limits, gate_, cancel_},
                        worker_count(work.plan));
    for (;;) {
      const bool some_wait = writer.keeps_some_waiting();
      auto loaded = loaders.next(some_wait ? std::chrono::milliseconds::zero() : ProgressMeter::kTick);
      MNEME_RETURN_IF_ERROR(loaded ? store(writer, *loaded->first, std::move(loaded->second)) : writer.flush());
      gate_.look();
      loaders.prefer(gate_.take_wanted());
      meter_.progress.bytes_done = loaders.bytes_read();
      meter_.progress.chunks = report_.chunks;
      meter_.show();
      if (!loaded && loaders.done()) return loaders.status();
    }
  }

  int worker_count(const IndexPlan& plan) const {
    const int wanted = options_.n_threads > 0 ? options_.n_threads : workspace_.n_threads();
    return std::max(1, std::min(wanted, static_cast<int>(std::min(plan.work.size(), kMostWorkers))));
  }

  Status store(DocumentWriter& writer, const PlannedFile& planned, LoadedBatch batch) {
    IndexProgress& progress = meter_.progress;
    progress.documents_done += batch.is_last ? 1 : 0;
    // Within a container the last of its members: a large one is seen to go on.
    progress.current_file = batch.documents.empty() ? batch.file.path : batch.documents.back().document.record.path;
    const bool is_last = batch.is_last;
    const Status stored = writer.store(planned, std::move(batch));
    if (is_last && stored.ok() && callbacks_.looked_into) callbacks_.looked_into(planned.file.path);
    return stored;
  }

  Status update_vectors(bool is_whole) {
    const trace::Span span("vectors", "index");
    MNEME_ASSIGN_OR_RETURN(storage::CollectionRecord collection, catalogue_.find_collection(options_.collection));
    VectorIndexes& vectors = workspace_.vectors();
    // After a run over what changed nothing lacks vectors, as what it stored came with them.
    if (is_whole) {
      const Status embedded = vectors.embed_missing(collection, cancel_).status();
      if (embedded.code() == StatusCode::kCancelled) return {};  // the next run goes on
      MNEME_RETURN_IF_ERROR(embedded);
      MNEME_ASSIGN_OR_RETURN(collection, catalogue_.find_collection(options_.collection));
    }
    const Status saved = is_whole ? vectors.save(collection, cancel_) : vectors.save_if_due(collection, cancel_);
    // The file is a cache: not having it costs time at the next start, nothing else.
    return saved.code() == StatusCode::kCancelled || saved.code() == StatusCode::kNoSpace ? Status{} : saved;
  }

  Workspace& workspace_;
  storage::Catalogue& catalogue_;
  const IndexOptions& options_;
  const IndexCallbacks& callbacks_;
  const CancelToken& cancel_;
  IndexGate gate_;
  ProgressMeter meter_;
  IndexReport report_;
};

}  // namespace

Result<IndexReport> Indexer::run(const IndexOptions& options, const IndexCallbacks& callbacks,
                                 const CancelToken& cancel) {
  if (options.paths.empty()) return usage_error("nothing to index: name files or folders");
  return Run(workspace_, options, callbacks, cancel).run();
}

Status Indexer::watch(const IndexOptions& options, const IndexCallbacks& callbacks,
                      const std::function<void(const IndexReport&)>& done, const CancelToken& cancel) {
  // Watching begins before the first run, so that no change falls between.
  const OwnPlaces own(workspace_.options());
  FolderWatcher watcher(options.paths, WatchOptions{.include_hidden = options.include_hidden, .own = &own});
  LastingFailures failures;
  IndexOptions first_time = options;
  first_time.lasting_failures = &failures;
  IndexOptions again = first_time;
  again.respect_pause = true;  // a change to a file does not lift the user's pause
  FolderChanges changes = FolderChanges::anywhere();
  again.changes = &changes;
  std::chrono::milliseconds retry = options.watch_retry;
  for (bool first = true;; first = false) {
    Result<IndexReport> report = run(first ? first_time : again, callbacks, cancel);
    if (!report.ok() && first) return report.status();
    if (!report.ok() && callbacks.failed) callbacks.failed({options.paths.front(), report.status().message()});
    if (report.ok() && done) done(*report);
    // What a run that failed has stored of the changes nobody knows.
    changes = report.ok() ? FolderChanges() : FolderChanges::anywhere();
    // What the run did not get to would wait for the next change; a path that is gone tells itself when it is back.
    const bool tries_again = !report.ok() && !lacks_path(options, cancel);
    const Status changed = tries_again ? watcher.wait(cancel, retry) : watcher.wait(cancel);
    retry = tries_again ? std::min(2 * retry, kLongestRetry) : options.watch_retry;
    if (changed.code() == StatusCode::kCancelled) return {};
    MNEME_RETURN_IF_ERROR(changed);
    changes.add(watcher.take_changes());
  }
}

}  // namespace mneme::rag

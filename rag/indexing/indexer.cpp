#include "rag/indexing/indexer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "base/guarded.h"
#include "base/stopwatch.h"
#include "base/trace.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/file_walker.h"
#include "rag/indexing/folder_watcher.h"
#include "rag/indexing/gone_roots.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/index_plan.h"
#include "rag/indexing/passage_size.h"
#include "rag/indexing/work_order.h"
#include "rag/indexing/work_queue.h"
#include "rag/retrieval/vector_indexes.h"
#include "rag/text/path_names.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

using Clock = std::chrono::steady_clock;
using storage::Catalogue;
using storage::CollectionRecord;
using storage::DocumentState;

using LoadedQueue = WorkQueue<std::pair<size_t, LoadedFile>>;  // with their place in the plan

constexpr size_t kQueueLength = 64;
constexpr size_t kMostWorkers = 64;
constexpr size_t kNamedAtOnce = 256;  // documents of an older home: others may write in between
constexpr std::chrono::milliseconds kTick{100};
constexpr double kGuessAfter_s = 1.5;  // of work; before, what is left cannot be told

// Tells the workers to stop when the run is left, also by an exception.
class Closer {
 public:
  explicit Closer(LoadedQueue& queue) : queue_(queue) {}
  ~Closer() { queue_.close(); }
  Closer(const Closer&) = delete;
  Closer& operator=(const Closer&) = delete;

 private:
  LoadedQueue& queue_;
};

// Likewise those that wait because the run is paused.
class Releaser {
 public:
  explicit Releaser(IndexGate& gate) : gate_(gate) {}
  ~Releaser() { gate_.release(); }
  Releaser(const Releaser&) = delete;
  Releaser& operator=(const Releaser&) = delete;

 private:
  IndexGate& gate_;
};

// One run over one collection.
class Run {
 public:
  Run(Workspace& workspace, const IndexOptions& options, const IndexCallbacks& callbacks, const CancelToken& cancel)
      : workspace_(workspace),
        catalogue_(workspace.catalogue()),
        options_(options),
        callbacks_(callbacks),
        cancel_(cancel),
        gate_(workspace, options.respect_pause) {}

  Result<IndexReport> run() {
    MNEME_RETURN_IF_ERROR(find_work());
    if (!cancel_.cancelled()) MNEME_RETURN_IF_ERROR(process());
    report_.interrupted = cancel_.cancelled();
    if (!report_.interrupted) MNEME_RETURN_IF_ERROR(remove_missing());
    MNEME_RETURN_IF_ERROR(update_vectors());
    report_.seconds = seconds_since(start_) - std::chrono::duration<double>(gate_.waited()).count();
    show_progress(true);
    return std::move(report_);
  }

 private:
  Status find_work() {
    const trace::Span span("walk", "index");
    const WalkOptions walk_options{options_.include_hidden, options_.use_ignore_files, options_.limit_file_time};
    const auto counted = [&](uint64_t n_files) {
      progress_.documents_total = n_files;
      show_progress(false);
    };
    Result<WalkResult> walk = walk_files(options_.paths, walk_options, counted, cancel_);
    const bool cancelled = walk.status().code() == StatusCode::kCancelled;
    if (!walk.ok() && !cancelled) return walk.status();
    // Not before: a path that is not there makes no collection.
    MNEME_ASSIGN_OR_RETURN(collection_.id, catalogue_.ensure_collection(options_.collection));
    if (cancelled) return {};
    std::vector<DocumentState> states;
    std::set<int64_t> seen;
    for (const std::string& root : walk->roots) {
      if (options_.remember_roots) MNEME_RETURN_IF_ERROR(catalogue_.add_root(collection_.id, root));
      // The second: members of a container that is itself a root.
      for (const std::string& place : {root, root + "!"}) {
        MNEME_ASSIGN_OR_RETURN(std::vector<DocumentState> below, catalogue_.document_states(collection_.id, place));
        for (DocumentState& state : below) {
          if (seen.insert(static_cast<int64_t>(state.id)).second) states.push_back(std::move(state));
        }
      }
    }
    for (const WalkProblem& problem : walk->problems) MNEME_RETURN_IF_ERROR(fail(problem.path, {}, problem.error));
    report_.skipped = walk->skipped;
    plan_ = plan_index(*walk, std::move(states));
    roots_ = walk->roots;
    MNEME_RETURN_IF_ERROR(name_unnamed());
    MNEME_RETURN_IF_ERROR(forget_stale_failures(*walk));
    report_.unchanged = plan_.unchanged;
    for (const DocumentState& state : plan_.missing) missing_by_hash_.emplace(state.content_hash, state);
    MNEME_RETURN_IF_ERROR(find_left_behind(seen));
    progress_.counting = false;
    progress_.documents_total = walk->files.size();
    progress_.documents_done = walk->files.size() - plan_.work.size();
    progress_.bytes_total = plan_.work_bytes;
    return {};
  }

  // What an older program indexed is not known by its path yet.
  Status name_unnamed() {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::UnnamedDocument> unnamed,
                           catalogue_.unnamed_documents(collection_.id));
    std::vector<storage::DocumentNames> named;
    for (const storage::UnnamedDocument& document : unnamed) {
      const bool ours = std::any_of(roots_.begin(), roots_.end(),
                                    [&](const std::string& root) { return lies_in(document.path, root); });
      if (ours) named.push_back({document.id, path_names(document.path, roots_, document.title)});
    }
    for (size_t done = 0; done < named.size() && !cancel_.cancelled(); done += kNamedAtOnce) {
      const size_t n = std::min(kNamedAtOnce, named.size() - done);
      MNEME_RETURN_IF_ERROR(catalogue_.name_documents(collection_.id, std::span(named).subspan(done, n)));
    }
    return {};
  }

  // A folder that was moved and is now indexed where it came to: what the old place held moves too. What is not found
  // again stays, since a folder that is gone may come back.
  Status find_left_behind(const std::set<int64_t>& known) {
    if (!options_.remember_roots) return {};  // single files are tried again
    Result<std::vector<DocumentState>> left =
        documents_of_gone_roots(catalogue_, collection_.id, known, options_.limit_file_time, cancel_);
    if (left.status().code() == StatusCode::kCancelled) return {};
    if (!left.ok()) return left.status();
    left_behind_ = *std::move(left);
    for (const DocumentState& state : left_behind_) missing_by_hash_.emplace(state.content_hash, state);
    return {};
  }

  // Failures of files that have vanished are no longer of interest.
  Status forget_stale_failures(const WalkResult& walk) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue_.failures(collection_.id));
    for (const storage::FailureRecord& failure : failures) {
      const bool ours = std::any_of(walk.roots.begin(), walk.roots.end(),
                                    [&](const std::string& root) { return lies_in(failure.path, root); });
      const auto at = std::lower_bound(walk.files.begin(), walk.files.end(), failure.path,
                                       [](const FoundFile& file, const std::string& path) { return file.path < path; });
      const bool there = at != walk.files.end() && at->path == failure.path;
      const bool reported = std::any_of(report_.failed.begin(), report_.failed.end(),
                                        [&](const IndexFailure& f) { return f.path == failure.path; });
      const bool member = failure.path.find(kMemberMark) != std::string::npos;
      if (ours && !there && !reported && !member) {
        MNEME_RETURN_IF_ERROR(catalogue_.clear_failure(collection_.id, failure.path));
      }
    }
    return {};
  }

  // Workers load files side by side; this thread alone writes.
  Status process() {
    MNEME_ASSIGN_OR_RETURN(sizes_.target_tokens, passage_tokens(catalogue_));
    const int n_workers = worker_count();
    LoadedQueue queue(kQueueLength, n_workers);
    WorkOrder order(plan_.work);
    readers::ReadLimits limits;
    limits.file_bytes = options_.limit_file_bytes;
    limits.time = options_.limit_file_time;
    limits.ocr = options_.ocr;
    limits.cancel = &cancel_;
    std::atomic<bool> out_of_memory{false};
    std::vector<std::jthread> workers;  // joined at the end, whatever happens
    const Closer closer(queue);         // ... having been told to stop
    const Releaser releaser(gate_);     // ... and to wait no longer
    workers.reserve(static_cast<size_t>(n_workers));
    for (int i = 0; i < n_workers; ++i) {
      workers.emplace_back([&] {
        trace::name_thread("index worker");
        if (!guarded("indexing", [&] { return load_files(order, queue, limits); }).ok()) out_of_memory = true;
        queue.leave();
      });
    }
    MNEME_RETURN_IF_ERROR(store_files(order, queue));
    return out_of_memory ? mneme::out_of_memory("indexing") : Status();
  }

  int worker_count() const {
    const int wanted = options_.n_threads > 0 ? options_.n_threads : workspace_.n_threads();
    return std::max(1, std::min(wanted, static_cast<int>(std::min(plan_.work.size(), kMostWorkers))));
  }

  // A worker's: until no file is left or nobody takes them any more.
  Status load_files(WorkOrder& order, LoadedQueue& queue, const readers::ReadLimits& limits) {
    for (;;) {
      gate_.wait_while_paused(cancel_);
      const std::optional<size_t> item = cancel_.cancelled() ? std::nullopt : order.next();
      if (!item.has_value()) return {};
      const trace::Span span("load file", "index");
      if (!queue.push({*item, load_guarded(plan_.work[*item], limits)})) return {};
    }
  }

  // The writer's: until all that the workers loaded is stored.
  Status store_files(WorkOrder& order, LoadedQueue& queue) {
    for (;;) {
      auto loaded = queue.pop(kTick);
      if (loaded.has_value()) MNEME_RETURN_IF_ERROR(store(plan_.work[loaded->first], std::move(loaded->second)));
      gate_.look();
      order.prefer(gate_.take_wanted());
      show_progress(false);
      if (!loaded.has_value() && queue.drained()) return {};
    }
  }

  // A file that takes more memory than there is fails alone.
  LoadedFile load_guarded(const PlannedFile& planned, const readers::ReadLimits& limits) const {
    LoadedFile loaded;
    const Status status = guarded(planned.file.path, [&] {
      loaded = load(planned, limits);
      return Status();
    });
    if (status.ok()) return loaded;
    LoadedFile failed;
    failed.file = planned.file;
    failed.status = status;
    return failed;
  }

  LoadedFile load(const PlannedFile& planned, const readers::ReadLimits& limits) const {
    const auto is_known = [&](const Hash128& hash) {
      const bool unchanged =
          !planned.known.empty() && std::all_of(planned.known.begin(), planned.known.end(),
                                                [&](const DocumentState& state) { return state.content_hash == hash; });
      return unchanged || (planned.known.empty() && missing_by_hash_.contains(hash));
    };
    return load_file(planned.file, limits, workspace_.embedder(), is_known, sizes_);
  }

  Status store(const PlannedFile& planned, LoadedFile loaded) {
    const trace::Span span("store", "index");
    bool renamed = false;
    if (loaded.same_content && planned.known.empty()) {
      MNEME_ASSIGN_OR_RETURN(const Moved moved, move(planned, loaded.content_hash));
      if (moved != Moved::kDone) {
        found_again_.insert(loaded.content_hash);
        loaded = load_file(planned.file, readers::ReadLimits{}, workspace_.embedder(), {}, sizes_);
        renamed = moved == Moved::kNewTitle;
      }
    }
    progress_.documents_done += 1;
    progress_.bytes_done += loaded.file.size_bytes;
    progress_.current_file = loaded.file.path;
    report_.bytes += loaded.file.size_bytes;
    if (loaded.status.code() == StatusCode::kCancelled) return {};
    if (!loaded.status.ok()) return fail(loaded.file.path, loaded.file, loaded.status.message());
    if (loaded.same_content) {
      for (const DocumentState& state : planned.known) {
        MNEME_RETURN_IF_ERROR(catalogue_.touch_document(state.id, loaded.file.size_bytes, loaded.mtime_ns));
      }
      report_.unchanged += planned.known.size();
      return {};
    }
    if (renamed) report_.renamed += 1;
    return put(planned, loaded, !renamed);
  }

  Status put(const PlannedFile& planned, LoadedFile& loaded, bool counts) {
    std::set<std::string_view> present;
    for (storage::NewDocument& document : loaded.documents) {
      document.record.collection = collection_.id;
      document.record.names = path_names(document.record.path, roots_, document.record.title);
      MNEME_RETURN_IF_ERROR(catalogue_.put_document(document).status());
      present.insert(document.record.path);
      report_.documents += counts ? 1 : 0;
    }
    for (const auto& [path, error] : loaded.failed_members) MNEME_RETURN_IF_ERROR(fail(path, loaded.file, error));
    for (const DocumentState& state : planned.known) {
      if (present.contains(state.path)) continue;  // a member that is no longer in its container
      MNEME_RETURN_IF_ERROR(catalogue_.remove_document(state.id));
      ++report_.removed;
    }
    report_.chunks += counts ? loaded.n_chunks : 0;
    report_.tokens += counts ? loaded.n_tokens : 0;
    progress_.chunks = report_.chunks;
    return {};
  }

  enum class Moved { kDone, kNewTitle, kTaken };

  // A new path with the content of a document whose file is gone: the document moves. kTaken: another file with this
  // content took its place. kNewTitle: its title was its file's name, so it is removed here and must be put again.
  Result<Moved> move(const PlannedFile& planned, const Hash128& hash) {
    const auto range = missing_by_hash_.equal_range(hash);
    for (auto it = range.first; it != range.second; ++it) {
      const DocumentState& old = it->second;
      // A member of a container moves with its container, which is read anew.
      if (old.path.find(kMemberMark) != std::string::npos) continue;
      if (!moved_.insert(static_cast<int64_t>(old.id)).second) continue;
      MNEME_ASSIGN_OR_RETURN(const storage::DocumentRecord record, catalogue_.document(old.id));
      const std::filesystem::path from(old.path);
      const std::filesystem::path to(planned.file.path);
      const bool named_after_file = record.title == from.stem().string() || record.title == from.filename().string();
      if (named_after_file && from.filename() != to.filename()) {
        MNEME_RETURN_IF_ERROR(catalogue_.remove_document(old.id));
        return Moved::kNewTitle;
      }
      MNEME_RETURN_IF_ERROR(catalogue_.move_document(
          old.id, planned.file.path, path_names(planned.file.path, roots_, record.title), planned.file.mtime_ns));
      ++report_.renamed;
      return Moved::kDone;
    }
    return Moved::kTaken;
  }

  Status remove_missing() {
    for (const DocumentState& state : plan_.missing) {
      if (moved_.contains(static_cast<int64_t>(state.id))) continue;
      MNEME_RETURN_IF_ERROR(remove(state));
    }
    // Members of containers that were found again elsewhere: read anew there.
    for (const DocumentState& state : left_behind_) {
      const bool member = state.path.find(kMemberMark) != std::string::npos;
      if (member && found_again_.contains(state.content_hash)) MNEME_RETURN_IF_ERROR(remove(state));
    }
    return {};
  }

  Status remove(const DocumentState& state) {
    Status removed = catalogue_.remove_document(state.id);
    if (!removed.ok() && removed.code() != StatusCode::kNotFound) return removed;
    ++report_.removed;
    return {};
  }

  Status update_vectors() {
    const trace::Span span("vectors", "index");
    MNEME_ASSIGN_OR_RETURN(collection_, catalogue_.find_collection(options_.collection));
    VectorIndexes& vectors = workspace_.vectors();
    MNEME_RETURN_IF_ERROR(vectors.embed_missing(collection_, cancel_).status());
    MNEME_ASSIGN_OR_RETURN(collection_, catalogue_.find_collection(options_.collection));
    const Status saved = vectors.save(collection_, cancel_);
    // The file is a cache: not having it costs time at the next start, nothing else.
    return saved.code() == StatusCode::kCancelled || saved.code() == StatusCode::kNoSpace ? Status{} : saved;
  }

  Status fail(const std::string& path, const FoundFile& file, const std::string& error) {
    report_.failed.push_back({path, error});
    if (callbacks_.failed) callbacks_.failed(report_.failed.back());
    storage::FailureRecord record;
    record.collection = collection_.id;
    record.path = path;
    record.size_bytes = file.size_bytes;
    record.mtime_ns = file.mtime_ns;
    record.error = error;
    return catalogue_.record_failure(record);
  }

  void show_progress(bool now) {
    if (!callbacks_.progress) return;
    if (!now && Clock::now() - last_shown_ < kTick) return;
    last_shown_ = Clock::now();
    progress_.paused = gate_.paused();
    progress_.seconds = seconds_since(start_) - std::chrono::duration<double>(gate_.waited()).count();
    // The time until the first document is done goes into looking for files: it says nothing of what is left.
    if (progress_.documents_done == 0) begun_s_ = progress_.seconds;
    const double worked_s = progress_.seconds - begun_s_;
    progress_.bytes_per_s = worked_s > 0 ? static_cast<double>(progress_.bytes_done) / worked_s : 0;
    const uint64_t left = progress_.bytes_total - std::min(progress_.bytes_total, progress_.bytes_done);
    progress_.eta_s = !progress_.counting && progress_.bytes_per_s > 0 && worked_s > kGuessAfter_s
                          ? static_cast<double>(left) / progress_.bytes_per_s
                          : -1.0;
    callbacks_.progress(progress_);
  }

  Workspace& workspace_;
  Catalogue& catalogue_;
  const IndexOptions& options_;
  const IndexCallbacks& callbacks_;
  const CancelToken& cancel_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_{};
  double begun_s_ = 0.0;  // when the first document was being worked on
  CollectionRecord collection_;
  IndexPlan plan_;
  chunking::ChunkerOptions sizes_;                         // of passages
  std::multimap<Hash128, DocumentState> missing_by_hash_;  // with those left behind
  std::vector<std::string> roots_;                         // of this run
  std::vector<DocumentState> left_behind_;                 // of roots that are gone
  std::set<Hash128> found_again_;                          // of known content, but read anew
  std::set<int64_t> moved_;
  IndexGate gate_;
  IndexProgress progress_;
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
  FolderWatcher watcher(options.paths, WatchOptions{.include_hidden = options.include_hidden});
  IndexOptions again = options;
  again.respect_pause = true;  // a change to a file does not lift the user's pause
  for (bool first = true;; first = false) {
    Result<IndexReport> report = run(first ? options : again, callbacks, cancel);
    if (!report.ok() && first) return report.status();
    if (!report.ok() && callbacks.failed) callbacks.failed({options.paths.front(), report.status().message()});
    if (report.ok() && done) done(*report);
    const Status changed = watcher.wait(cancel);
    if (changed.code() == StatusCode::kCancelled) return {};
    MNEME_RETURN_IF_ERROR(changed);
  }
}

}  // namespace mneme::rag

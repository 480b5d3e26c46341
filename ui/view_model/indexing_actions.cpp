#include "ui/view_model/indexing_actions.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "rag/indexing/failed_files.h"
#include "rag/indexing/gone_roots.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/indexer.h"
#include "rag/readers/process/child_process.h"
#include "storage/catalogue/catalogue.h"
#include "ui/language/figures.h"
#include "ui/language/tr.h"
#include "ui/view_model/settings_keys.h"

namespace mneme::ui {
namespace {

constexpr std::chrono::seconds kTellEvery{3};  // of documents that came in while a run goes on

std::string summary_of(const rag::IndexReport& report, const std::vector<std::string>& paths) {
  if (report.documents + report.unchanged + report.renamed + report.removed + report.failed.size() == 0)
    return filled(
        tr("Nothing to read was found in “{0}”. mneme reads PDF, Word and other office files, web pages, mail, "
           "Markdown, plain text and source code."),
        paths.front());
  const auto n = [](size_t count) { return static_cast<int64_t>(count); };
  const int64_t read = n(report.documents);
  const int64_t unchanged = n(report.unchanged);
  const int64_t moved = n(report.renamed);
  const int64_t removed = n(report.removed);
  const int64_t failed = n(report.failed.size());
  std::string text =
      filled(tr_n("{0} document new or changed", "{0} documents new or changed", read), number_text(read));
  const auto add = [&](const char* what, int64_t count) {
    if (count > 0) text = listed(text, filled(what, number_text(count)));
  };
  add(tr_n("{0} unchanged", "{0} unchanged", unchanged), unchanged);
  add(tr_n("{0} moved", "{0} moved", moved), moved);
  add(tr_n("{0} removed", "{0} removed", removed), removed);
  add(tr_n("{0} could not be read", "{0} could not be read", failed), failed);
  return filled(tr("Indexing finished: {0}."), text);
}

std::string no_longer_there(const std::string& root) {
  return filled(tr("“{0}” is not there any more. If it was moved, add it from its new place; what was read of it stays "
                   "until you remove its collection."),
                root);
}

}  // namespace

Status IndexingActions::remember(const std::deque<IndexRequest>& all) {
  storage::Catalogue& catalogue = workspace_.catalogue();
  return all.empty() ? catalogue.remove_setting(kUnfinishedIndexingKey)
                     : catalogue.put_setting(kUnfinishedIndexingKey, requests_to_json(all));
}

Status IndexingActions::request(IndexRequest request) {
  if (request.paths.empty()) return {};
  MNEME_RETURN_IF_ERROR(resume());
  MutexLock saving(saving_);
  std::deque<IndexRequest> all = requests();
  if (all.size() > 1 && std::find(all.begin() + 1, all.end(), request) != all.end()) return {};
  all.push_back(request);
  MNEME_RETURN_IF_ERROR(remember(all));  // what cannot be kept is not begun: the user is told, and asks again
  {
    MutexLock lock(mutex_);
    requests_.push_back(std::move(request));
  }
  publisher_.update([&](Snapshot& s) {
    if (s.indexing.running) s.indexing.waiting = static_cast<int>(all.size()) - 1;
  });
  return {};
}

std::deque<IndexRequest> IndexingActions::requests() {
  MutexLock lock(mutex_);
  return requests_;
}

Status IndexingActions::request_roots(const std::string& collection) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, workspace_.catalogue().find_collection(collection));
  MNEME_ASSIGN_OR_RETURN(std::vector<std::string> roots, workspace_.catalogue().roots(record.id));
  MNEME_ASSIGN_OR_RETURN(
      const std::vector<std::string> gone,
      rag::gone_roots(workspace_.catalogue(), record.id, rag::IndexOptions().limit_file_time, never_cancelled()));
  for (const std::string& root : gone) {
    publisher_.notice(no_longer_there(root), true);
    std::erase(roots, root);
  }
  if (roots.empty()) return {};
  return request({collection, std::move(roots), false, true});
}

Status IndexingActions::request_failed(const std::string& collection, bool recognise) {
  // Files that vanished meanwhile are no failures any more: looking through the folders finds that out.
  if (!recognise) return request_roots(collection);
  if (readers::find_program("tesseract").empty())
    return unsupported(
        tr("Text recognition needs tesseract, which is not installed here: install the package tesseract-ocr, then "
           "try again."));
  MNEME_ASSIGN_OR_RETURN(std::vector<std::string> paths, rag::failed_paths(workspace_.catalogue(), collection));
  return request({collection, std::move(paths), true, false});
}

Status IndexingActions::pause() {
  MNEME_RETURN_IF_ERROR(rag::IndexControl(workspace_).pause());
  publisher_.update([](Snapshot& s) {
    s.indexing.pausing = s.indexing.running && !s.indexing.paused;
    s.indexing.paused = s.indexing.paused || (s.indexing.elsewhere && !s.indexing.running);
  });
  return {};
}

Status IndexingActions::resume() {
  MNEME_RETURN_IF_ERROR(rag::IndexControl(workspace_).resume());
  waits_for_user_ = false;
  publisher_.update([](Snapshot& s) { s.indexing.paused = s.indexing.pausing = false; });
  return {};
}

Status IndexingActions::give_up() {
  const IndexingView before = publisher_.current()->indexing;
  MutexLock saving(saving_);
  std::deque<IndexRequest> left;
  bool in_work = false;
  {
    MutexLock lock(mutex_);
    if (!running_ && requests_.empty()) return {};  // it has ended meanwhile
    left = requests_;
    in_work = running_ != nullptr;
    if (in_work) running_->give_up();
    if (!left.empty() && !(in_work && running_->quietly)) left.pop_front();
    if (!in_work) requests_ = left;  // the request of a run in work goes when that has ended
  }
  MNEME_RETURN_IF_ERROR(remember(left));
  tell_of_given_up(before);
  return show_fewer(left);
}

// A run in work shows itself, and what is next when it has ended.
Status IndexingActions::show_fewer(const std::deque<IndexRequest>& left) {
  bool runs = false;
  int waiting = 0;
  {
    MutexLock lock(mutex_);
    runs = running_ != nullptr;
    waiting = static_cast<int>(requests_.size()) - (runs && !running_->quietly ? 1 : 0);
  }
  if (left.empty()) MNEME_RETURN_IF_ERROR(resume());
  publisher_.update([&](Snapshot& s) {
    if (runs) s.indexing.waiting = waiting;
    if (!runs && left.empty()) s.indexing = {};
  });
  if (!runs && waits_for_user_) show_waiting();
  return {};
}

void IndexingActions::tell_of_given_up(const IndexingView& given_up) {
  const auto left = static_cast<int64_t>(given_up.total - std::min(given_up.done, given_up.total));
  if (left > 0 && !given_up.counting) {
    const char* const stopped = tr_n(
        "Indexing into “{1}” was stopped. What was read stays; {0} file was not read. “Look for changes now” reads "
        "the rest.",
        "Indexing into “{1}” was stopped. What was read stays; {0} files were not read. “Look for changes now” "
        "reads the rest.",
        left);
    return static_cast<void>(publisher_.notice(filled(stopped, number_text(left), given_up.collection), false));
  }
  publisher_.notice(filled(tr("Indexing into “{0}” was stopped. What was read stays. “Look for changes now” reads the "
                              "rest."),
                           given_up.collection),
                    false);
}

Result<bool> IndexingActions::drop(const std::string& collection) {
  MutexLock saving(saving_);
  std::deque<IndexRequest> left;
  bool in_work = false;
  {
    MutexLock lock(mutex_);
    in_work = running_ && running_->collection == collection;
    if (in_work) running_->give_up();
    left = requests_;
    const bool first_runs = running_ && !running_->quietly;
    std::erase_if(left, [&](const auto& request) { return request.collection == collection; });
    if (left.size() == requests_.size()) return in_work;
    // The request of a run in work goes when that has ended.
    const auto waiting = requests_.begin() + (first_runs ? 1 : 0);
    requests_.erase(std::remove_if(waiting, requests_.end(), [&](const auto& r) { return r.collection == collection; }),
                    requests_.end());
  }
  MNEME_RETURN_IF_ERROR(remember(left));
  MNEME_RETURN_IF_ERROR(show_fewer(left));
  return in_work;
}

Result<bool> IndexingActions::load_unfinished() {
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> saved,
                         workspace_.catalogue().setting(kUnfinishedIndexingKey));
  std::deque<IndexRequest> requests = saved ? requests_from_json(*saved) : std::deque<IndexRequest>{};
  if (requests.empty()) return false;
  {
    MutexLock lock(mutex_);
    requests_.insert(requests_.begin(), std::make_move_iterator(requests.begin()),
                     std::make_move_iterator(requests.end()));
  }
  MNEME_ASSIGN_OR_RETURN(const bool paused, rag::IndexControl(workspace_).paused());
  waits_for_user_ = paused;
  if (paused) show_waiting();
  return !paused;
}

Status IndexingActions::look_around() {
  const IndexingView before = publisher_.current()->indexing;
  if (before.running) return {};
  rag::IndexControl control(workspace_);
  const bool elsewhere = control.running();
  MNEME_ASSIGN_OR_RETURN(const bool paused, control.paused());
  const bool shown_paused = waits_for_user_ || (elsewhere && paused);
  if (elsewhere == before.elsewhere && shown_paused == before.paused) return {};
  publisher_.update([&](Snapshot& s) {
    if (s.indexing.running) return;
    s.indexing.elsewhere = elsewhere;
    s.indexing.paused = shown_paused;
  });
  if (before.elsewhere && !elsewhere) changed_();
  return {};
}

std::shared_ptr<IndexingActions::Run> IndexingActions::begin_first(IndexRequest& request) {
  MutexLock lock(mutex_);
  if (closing_ || waits_for_user_ || requests_.empty()) return nullptr;
  request = requests_.front();
  running_ = std::make_shared<Run>();
  running_->collection = request.collection;
  return running_;
}

std::shared_ptr<IndexingActions::Run> IndexingActions::begin(const std::string& collection) {
  MutexLock lock(mutex_);
  if (closing_) return nullptr;
  running_ = std::make_shared<Run>();
  running_->collection = collection;
  running_->quietly = true;
  return running_;
}

bool IndexingActions::run_next() {
  IndexRequest request;
  const std::shared_ptr<Run> its = begin_first(request);
  if (!its) return false;
  const Outcome outcome = run(request, *its);
  if (end_first(*its, outcome)) return true;
  if (outcome == Outcome::kNoSpace) {
    waits_for_user_ = true;
    show_waiting();
  }
  return false;
}

// Whether its request is done with. A catalogue too full to forget it does it once more at the next start, which costs
// a look at the files.
bool IndexingActions::end_first(const Run& its, Outcome outcome) {
  MutexLock saving(saving_);
  bool is_done = false;
  {
    MutexLock lock(mutex_);
    is_done = outcome == Outcome::kDone || its.given_up;
    running_.reset();
    if (is_done) requests_.pop_front();
  }
  if (is_done) publisher_.report(remember(requests()));
  return is_done;
}

void IndexingActions::follow_changes(const std::string& collection, const rag::FolderChanges& changes) {
  rag::FolderChanges& unfollowed = unfollowed_[collection];
  unfollowed.add(changes);
  const std::shared_ptr<Run> its = begin(collection);  // before it is looked for: who removes it ends this run
  if (!its) return;
  publisher_.report(look_for_changes(*its, unfollowed));
  MutexLock lock(mutex_);
  running_.reset();
}

Status IndexingActions::look_for_changes(const Run& its, rag::FolderChanges& changes) {
  const Result<storage::CollectionRecord> record = workspace_.catalogue().find_collection(its.collection);
  if (record.status().code() == StatusCode::kNotFound) return {};  // removed meanwhile
  MNEME_RETURN_IF_ERROR(record.status());
  MNEME_ASSIGN_OR_RETURN(std::vector<std::string> roots, workspace_.catalogue().roots(record->id));
  if (roots.empty()) return {};
  run({its.collection, std::move(roots), false, true}, its, &changes);
  if (waits_for_user_) show_waiting();
  return {};
}

void IndexingActions::show_begin(const IndexRequest& request, bool quietly) {
  const int waiting = static_cast<int>(requests().size()) - (quietly ? 0 : 1);
  publisher_.update([&](Snapshot& s) {
    s.indexing = {};
    s.indexing.running = true;
    s.indexing.counting = true;
    s.indexing.collection = request.collection;
    s.indexing.paths = request.paths;
    s.indexing.waiting = waiting;
    if (!quietly) s.library.turn_to(request.collection);
  });
}

// What is left when nothing runs: it waits for “Resume”.
void IndexingActions::show_waiting() {
  const std::deque<IndexRequest> left = requests();
  if (left.empty()) return;
  IndexingView view;
  view.collection = left.front().collection;
  view.paths = left.front().paths;
  view.waiting = static_cast<int>(left.size()) - 1;
  view.paused = true;
  publisher_.update([&](Snapshot& s) { s.indexing = std::move(view); });
}

void IndexingActions::show_progress(const rag::IndexProgress& progress) {
  const IndexingView before = publisher_.current()->indexing;
  // A run that waits has nothing new to show, and the window is to sleep.
  if (progress.paused && before.paused && before.done == progress.documents_done) return;
  publisher_.update([&](Snapshot& s) {
    s.indexing.paused = progress.paused;
    s.indexing.pausing = s.indexing.pausing && !progress.paused;
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

IndexingActions::Outcome IndexingActions::run(const IndexRequest& request, const Run& its,
                                              rag::FolderChanges* changes) {
  show_begin(request, its.quietly);
  changed_();
  rag::IndexOptions options;
  options.paths = request.paths;
  options.collection = request.collection;
  options.ocr = request.recognise;
  options.remember_roots = request.remember_roots;
  // What the user asks for is tried, all of it; a changed file is no reason to read those that failed once more.
  if (!its.quietly) failures_.erase(request.collection);
  options.lasting_failures = &failures_[request.collection];
  options.changes = changes;
  options.respect_pause = true;  // request() has lifted one from before; a changed file lifts none
  rag::IndexCallbacks callbacks;
  auto told = std::chrono::steady_clock::now();
  bool waited = false;
  uint64_t told_done = 0;
  callbacks.progress = [&](const rag::IndexProgress& progress) {
    show_progress(progress);
    // Documents in work when it was paused come in after it waits.
    const bool begins_to_wait = progress.paused && (!waited || progress.documents_done != told_done);
    waited = progress.paused;
    const bool due = !progress.paused && std::chrono::steady_clock::now() - told >= kTellEvery;
    if (!due && !begins_to_wait) return;
    told = std::chrono::steady_clock::now();
    told_done = progress.documents_done;
    changed_();
  };
  callbacks.waits_for_others = [this](bool waits) {
    publisher_.update([waits](Snapshot& s) { s.indexing.waits = waits; });
  };
  callbacks.failed = [this](const rag::IndexFailure&) { publisher_.update([](Snapshot& s) { ++s.indexing.failed; }); };
  const Result<rag::IndexReport> report = rag::Indexer(workspace_).run(options, callbacks, its.cancel);
  // What a run that failed or was stopped has stored of the changes nobody knows.
  if (changes != nullptr) {
    *changes = report.ok() && !report->interrupted ? rag::FolderChanges() : rag::FolderChanges::anywhere();
  }
  const Outcome outcome = conclude(report, request, its.quietly);
  publisher_.update([](Snapshot& s) { s.indexing = {}; });
  changed_();
  return outcome;
}

// Says what came of a run.
IndexingActions::Outcome IndexingActions::conclude(const Result<rag::IndexReport>& report, const IndexRequest& request,
                                                   bool quietly) {
  if (!report.ok()) {
    if (report.status().code() == StatusCode::kCancelled) return Outcome::kInterrupted;
    Notice notice;
    notice.is_error = true;
    notice.text = report.status().message();
    const bool full = report.status().code() == StatusCode::kNoSpace && !quietly;
    if (full) notice.action = NoticeAction::kResumeIndexing;
    publisher_.notice(std::move(notice));
    return full ? Outcome::kNoSpace : Outcome::kDone;
  }
  if (report->interrupted) return Outcome::kInterrupted;
  if (quietly && report->documents + report->removed == 0) return Outcome::kDone;
  Notice notice;
  notice.text = summary_of(*report, request.paths);
  notice.long_work = report->seconds > publisher_.current()->settings.long_work_s;
  if (!report->failed.empty()) notice.action = NoticeAction::kShowFailed;
  publisher_.notice(std::move(notice));
  return Outcome::kDone;
}

void IndexingActions::stop() {
  MutexLock lock(mutex_);
  closing_ = true;
  if (running_) running_->cancel.cancel();
}

}  // namespace mneme::ui

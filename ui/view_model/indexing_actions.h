// Indexing for the window: requests in the order they came, each kept in the catalogue until it is done, so that what
// was indexed or waited when the window closed or the machine stopped goes on at the next start. Pausing is the home's
// (rag/indexing/index_control.h): the command line's runs and the window's wait for the same word.
// Threads: run_next(), follow_changes() on the indexing thread; stop() from anywhere; the rest on the catalogue thread.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/indexing/folder_changes.h"
#include "rag/indexing/lasting_failures.h"
#include "rag/workspace.h"
#include "ui/view_model/index_request.h"
#include "ui/view_model/publisher.h"

namespace mneme::rag {
struct IndexProgress;
struct IndexReport;
}  // namespace mneme::rag

namespace mneme::ui {

class IndexingActions {
 public:
  // `changed` is told, on the thread that found out, when there may be other documents than before.
  IndexingActions(rag::Workspace& workspace, Publisher& publisher, std::function<void()> changed)
      : workspace_(workspace), publisher_(publisher), changed_(std::move(changed)) {}

  // Adds to what is to be done; run_next() does it. Asking for more also lifts a pause, as a new run of `mneme index`.
  // What waits already is not asked for twice.
  Status request(IndexRequest request);
  // The same for what a collection is made from.
  Status request_roots(const std::string& collection);
  // The same for the files of a collection that could not be read.
  Status request_failed(const std::string& collection, bool recognise);

  Status pause();
  Status resume();  // run_next() goes on with what waits
  // The first of what is to be done is done no further: what was read of it stays. Nothing else left lifts a pause.
  Status give_up();
  // The same for all that is to be done for a collection, which is about to go; nothing is said of it. True when a run
  // of it was in work: it is over when what the indexing thread is given behind it begins.
  Result<bool> drop(const std::string& collection);
  // What an earlier window left; true when it should go on now (nobody has paused it).
  Result<bool> load_unfinished();
  // Whether another process indexes on this home, and whether it is paused.
  Status look_around();

  bool run_next();  // whether there is more to do
  // Also what could not be followed before.
  void follow_changes(const std::string& collection, const rag::FolderChanges& changes);

  void stop();  // the window closes: what is unfinished goes on next time

 private:
  enum class Outcome { kDone, kInterrupted, kNoSpace };
  struct Run {
    CancelToken cancel;
    std::string collection;
    bool quietly = false;               // follows changes; else it does the first request
    std::atomic<bool> given_up{false};  // by the user, unlike by closing the window
    void give_up() {
      given_up = true;
      cancel.cancel();
    }
  };

  std::shared_ptr<Run> begin(const std::string& collection);  // a quiet one; null: the window closes
  std::shared_ptr<Run> begin_first(IndexRequest& request);    // null: nothing is to be done now
  bool end_first(const Run& its, Outcome outcome);
  Status look_for_changes(const Run& its, rag::FolderChanges& changes);
  Outcome run(const IndexRequest& request, const Run& its, rag::FolderChanges* changes = nullptr);
  Outcome conclude(const Result<rag::IndexReport>& report, const IndexRequest& request, bool quietly);
  void tell_of_given_up(const IndexingView& given_up);
  Status show_fewer(const std::deque<IndexRequest>& left);
  void show_begin(const IndexRequest& request, bool quietly);
  void show_progress(const rag::IndexProgress& progress);
  void show_waiting();
  std::deque<IndexRequest> requests();
  Status remember(const std::deque<IndexRequest>& all);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  const std::function<void()> changed_;
  std::map<std::string, rag::LastingFailures> failures_;  // by collection; of the thread that runs
  std::map<std::string, rag::FolderChanges> unfollowed_;  // by collection, of watched ones; of the thread that runs
  std::atomic<bool> closing_{false};
  std::atomic<bool> waits_for_user_{false};  // what is left is not begun before resume() or another request
  Mutex saving_;                             // held while requests change and are saved; taken before mutex_
  Mutex mutex_;
  std::deque<IndexRequest> requests_ MNEME_GUARDED_BY(mutex_);  // the first is the one in work, if one is
  std::shared_ptr<Run> running_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::ui

// Collections and documents: listing, ordering, removing, and the meters of the stores.
// Threads: the catalogue thread.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class LibraryActions {
 public:
  LibraryActions(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  Status refresh();  // collections, meters, and the documents of the shown collection
  // The same while documents come in: not before what the last one cost is a small share of the time since.
  Status refresh_if_due();
  // The same where another process has changed what the collections hold; whether what is shown is what there is.
  bool refresh_if_changed();
  Status refresh_meters();  // KV store and catalogue
  Status show(const std::string& collection);
  Status order(const DocumentOrder& order);
  // Of the shown collection, and says how it stays away and how it comes back.
  Status remove_document(const std::string& path);
  // Forgets all documents of the file that one of the collection lies in, so that it is read anew; the file.
  Result<std::string> forget_file_of(const std::string& path, const std::string& collection);
  Status delete_collection(const std::string& name);
  Status set_quota(uint64_t bytes);
  Status set_level(const std::string& collection, const std::string& level);

 private:
  void tell_of_removed(const std::string& path, const std::string& collection);
  using Clock = std::chrono::steady_clock;

  // Collections by name, and how often each was changed, by whomever.
  using Revisions = std::vector<std::pair<std::string, int64_t>>;

  Result<Revisions> revisions();
  Status timed_refresh();
  bool refreshed_lately() const;
  Status ask_only_what_is_there();

  rag::Workspace& workspace_;
  Publisher& publisher_;
  Revisions seen_;      // when the snapshot was made
  std::string listed_;  // the collection whose documents the snapshot holds
  Clock::time_point refreshed_at_{};
  Clock::duration refresh_cost_{};
};

// Rows of `documents` that pass the filter, in order. Equal rows stand by path.
std::vector<uint32_t> ordered_rows(const DocumentTable& documents, const DocumentOrder& order);

}  // namespace mneme::ui

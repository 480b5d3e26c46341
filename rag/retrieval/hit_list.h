// From candidates in their order to what a search shows: filters, repeats, diversity, neighbours, ranks.
// Ownership: borrows everything. Threads: one owner.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/retrieval/candidates.h"
#include "rag/retrieval/passage_rows.h"
#include "rag/retrieval/repeat_finder.h"
#include "rag/retrieval/retriever.h"

namespace mneme::rag {

// A passage with what its document tells of it; without score, rank and collection.
Hit hit_of(const storage::ChunkRecord& row, const storage::DocumentRecord& document);

class HitList {
 public:
  HitList(Workspace& workspace, const SearchOptions& options, const Query& query,
          std::span<const storage::CollectionRecord> collections, PassageRows& rows);

  // So many of the first candidates are read where no filter takes any away.
  static size_t n_read(const SearchOptions& options);

  // The hits of candidates that are still there and pass the filters, as many as the options ask for.
  // Candidates that are gone are in gone(), ascending.
  Status take(std::span<const Candidate> candidates);

  const std::vector<int64_t>& gone() const { return gone_; }
  const std::vector<Hit>& hits() const { return hits_; }
  std::vector<Hit> release() { return std::move(hits_); }
  // Repeats that are left out though there would have been room to show something; 0: none.
  size_t n_left_out() const { return n_left_out_; }

 private:
  Status read_hits(std::span<const Candidate> candidates);
  void take_candidate(const Candidate& candidate);
  Hit hit_for(const storage::ChunkRecord& row, const storage::DocumentRecord& document, double score) const;
  void put_repeats_last();
  Status take_diverse();
  Status bring_neighbours();
  size_t top_k() const { return static_cast<size_t>(std::max(options_.top_k, 0)); }

  Workspace& workspace_;
  const SearchOptions& options_;
  const Query& query_;
  const std::span<const storage::CollectionRecord> collections_;
  PassageRows& rows_;
  RepeatFinder repeats_of_;
  std::vector<Hit> hits_;
  std::vector<Hit> repeats_;  // of better ones; as many as are met before there are enough others
  std::vector<int64_t> gone_;
  size_t n_left_out_ = 0;
};

}  // namespace mneme::rag

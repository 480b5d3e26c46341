// What searches by words remember between questions, of one state of the catalogue: how many chunks have a term, its
// postings, lengths of chunks. Whoever asks says which state the question reads; what was kept of another is forgotten.
// Memory: at most kMostPostings postings of 8 bytes, the longest unused leaving first, 100,000 terms, and 4 bytes for
// each chunk that ever came near the best. Threads: all functions from any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/catalogue/posting_list.h"
#include "storage/catalogue/records.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// Two states of a catalogue that differ in what searches find differ in this: revisions only grow, collections that go
// are missed, and their ids are never given again.
struct CatalogueState {
  int64_t revisions = 0;  // the sum
  int64_t collections = 0;
  int64_t last_collection = 0;

  static Result<CatalogueState> read(Database& database);
  bool operator==(const CatalogueState&) const = default;
};

class LexicalCache {
 public:
  static constexpr size_t kMostPostings = 4'000'000;
  explicit LexicalCache(size_t most_postings = kMostPostings) : most_postings_(most_postings) {}

  struct Term {
    int64_t frequency = 0;
    std::shared_ptr<const PostingList> postings;  // null: not read, or gone again
  };
  std::optional<Term> term(const CatalogueState& state, const std::string& name);
  void keep_term(const CatalogueState& state, const std::string& name, Term term);

  // 0: not known.
  uint32_t length(const CatalogueState& state, ChunkId chunk);
  void keep_length(const CatalogueState& state, ChunkId chunk, uint32_t length);

  // Of all chunks, in terms; 0: not known.
  double average_length(const CatalogueState& state);
  void keep_average_length(const CatalogueState& state, double length);

  std::optional<int64_t> n_chunks(const CatalogueState& state);
  void keep_n_chunks(const CatalogueState& state, int64_t n_chunks);

  size_t n_postings();  // held now

 private:
  struct Entry {
    std::string name;
    Term term;
  };
  void be_at(const CatalogueState& state) MNEME_REQUIRES(mutex_);
  void drop_beyond_budget() MNEME_REQUIRES(mutex_);

  const size_t most_postings_;
  Mutex mutex_;
  CatalogueState state_ MNEME_GUARDED_BY(mutex_);
  std::list<Entry> entries_ MNEME_GUARDED_BY(mutex_);  // the last used in front
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_name_ MNEME_GUARDED_BY(mutex_);
  size_t n_postings_ MNEME_GUARDED_BY(mutex_) = 0;
  // Lengths by pages of neighbouring chunks; 0: not known.
  std::unordered_map<int64_t, std::vector<uint32_t>> lengths_ MNEME_GUARDED_BY(mutex_);
  double average_length_ MNEME_GUARDED_BY(mutex_) = 0.0;
  std::optional<int64_t> n_chunks_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::storage

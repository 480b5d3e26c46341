// What searches by words remember between questions, of one state of the catalogue: how many chunks have a term, its
// postings, how many chunks there are. Whoever asks says which state the question reads; what was kept of another is
// forgotten, but for lengths of chunks, which never change (chunk_lengths.h). Memory: at most kMostPostings postings of
// 8 bytes, the longest unused leaving first, the numbers of 100,000 terms, and the lengths. Threads: all functions from
// any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/catalogue/chunk_lengths.h"
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

  struct Lengths {
    std::shared_ptr<const ChunkLengths> lengths;  // never null
    bool complete = false;                        // they hold every chunk of the state
  };
  Lengths lengths(const CatalogueState& state);
  // lengths: never null; of all chunks of the state.
  void keep_lengths(const CatalogueState& state, std::shared_ptr<const ChunkLengths> lengths);

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
  // The last used in front: those with postings, and those of which only the number is known any more.
  std::list<Entry> held_ MNEME_GUARDED_BY(mutex_);
  std::list<Entry> counted_ MNEME_GUARDED_BY(mutex_);
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_name_ MNEME_GUARDED_BY(mutex_);
  size_t n_postings_ MNEME_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const ChunkLengths> lengths_ MNEME_GUARDED_BY(mutex_) = std::make_shared<ChunkLengths>();
  bool lengths_complete_ MNEME_GUARDED_BY(mutex_) = false;
  double average_length_ MNEME_GUARDED_BY(mutex_) = 0.0;
  std::optional<int64_t> n_chunks_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::storage

// The vector indexes of a home, one per collection, kept in step with the catalogue: opened at first use from their
// file, or rebuilt from the catalogue when the file is missing, stale, damaged or of another embedder.
// Ownership: borrows catalogue, files and embedder. Threads: all functions from any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/vectors/vector_index.h"
#include "storage/catalogue/records.h"
#include "storage/env/file_env.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class Embedder;

struct VectorIndexCheck {
  std::string collection{};
  std::string path{};     // of the index file
  int64_t entries = 0;    // live vectors
  std::string problem{};  // empty: as it should be; else one sentence
  bool repaired = false;
  // Not damage, as after a change of embedder: one sentence of what the next run or search makes anew. Empty: nothing,
  // as always after `repair`.
  std::string stale{};
};

class VectorIndexes {
 public:
  VectorIndexes(storage::Catalogue& catalogue, storage::FileEnv& env, std::string folder, const Embedder& embedder,
                int n_threads);

  // The index, in step with the catalogue's present revision. The pointer stays valid while held.
  Result<std::shared_ptr<VectorIndex>> get(const storage::CollectionRecord& collection);

  // After indexing: brings the index up to date, builds its graph when it is large enough, and writes the file unless
  // that lacks only a few of the rows, which get() adds.
  Status save(const storage::CollectionRecord& collection, const CancelToken& cancel = never_cancelled());

  // The same after a change of a few documents, without counting the passages of all.
  Status save_if_due(const storage::CollectionRecord& collection, const CancelToken& cancel = never_cancelled());

  // Drops the index and its file: after embeddings of old chunks changed, or the collection went.
  Status discard(const storage::CollectionRecord& collection);
  // Drops every index with its file, for a text that is to be forgotten: also files of collections that are gone, and
  // what killed writers left.
  Status discard_all();
  // Drops the files that belong to no collection any more.
  Status discard_orphans();

  // Computes the vectors of chunks that have none of this embedder (after a change of embedder). Returns how many.
  Result<int64_t> embed_missing(const storage::CollectionRecord& collection,
                                const CancelToken& cancel = never_cancelled());

  // Whether every passage has a vector of this embedder.
  Result<bool> is_current(const storage::CollectionRecord& collection);

  // For `verify`: every collection's file against the catalogue; with `repair` rebuilds what disagrees or is stale.
  Result<std::vector<VectorIndexCheck>> check(bool repair);

 private:
  struct Entry {
    std::shared_ptr<VectorIndex> index;
    int64_t revision = -1;
    std::optional<size_t> rows_in_file;  // none: there is no file of this index
    int64_t forgotten = 0;               // what the catalogue's counter was when the rows were read
  };
  static bool lacks_many(const Entry& entry);
  std::string file_of(const storage::CollectionRecord& collection) const;
  // kNotFound where there is no file; kUnsupported where it is sound but of another embedder or version.
  Result<Entry> load(const storage::CollectionRecord& collection);
  Result<VectorIndexCheck> check_one(const storage::CollectionRecord& collection, bool repair);
  Status refresh(const storage::CollectionRecord& collection, Entry& entry);
  Status rebuild(const storage::CollectionRecord& collection, Entry& entry);
  Status write(const storage::CollectionRecord& collection, const Entry& entry);
  Status embed(const std::vector<storage::ChunkRecord>& chunks);
  Status erase_files_but(const std::set<std::string>& kept);

  storage::Catalogue& catalogue_;
  storage::FileEnv& env_;
  const std::string folder_;
  const Embedder& embedder_;
  const int n_threads_;
  Mutex mutex_;
  std::map<int64_t, Entry> entries_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::rag

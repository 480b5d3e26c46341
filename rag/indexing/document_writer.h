// Loaded files into the catalogue: new and changed documents, several in a transaction (document_group.h), those that
// only moved, and the removal of those that are gone. A container comes in batches; it counts as read, and what has
// vanished from it goes, when its last one is stored: cut off before, it is read anew by the next run. Ownership:
// borrows its arguments. Threads: the run's own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/status.h"
#include "rag/chunking/chunker.h"
#include "rag/indexing/document_group.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/index_failures.h"
#include "rag/indexing/index_report.h"
#include "rag/indexing/index_work.h"
#include "rag/readers/reader.h"
#include "storage/catalogue/earlier_names.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class Embedder;

class DocumentWriter {
 public:
  struct Into {
    storage::Catalogue& catalogue;
    storage::CollectionId collection;
    const Embedder& embedder;
    const chunking::ChunkerOptions& sizes;  // of passages
    const readers::ReadLimits& limits;      // for files that must be read once more
    int64_t times_forgotten = 0;            // Catalogue::times_forgotten() before any file was read
  };
  DocumentWriter(const Into& into, const IndexWork& work, IndexFailures& failures, IndexReport& report)
      : into_(into), work_(work), failures_(failures), report_(report) {}

  // The batches of a file in their order; those of several files may come among each other. What is stored may wait for
  // others to be put with, until flush().
  Status store(const PlannedFile& planned, LoadedBatch batch);
  bool keeps_some_waiting() const { return !group_.empty(); }
  Status flush();

  // Documents whose files are gone and were not found again. Once, after the last store().
  Status remove_missing();
  // Notes which files have moved so far; remove_missing() does, too. A run that ends early calls it by itself.
  Status note_moves();

 private:
  // kNewTitle: its title was its file's name, so it is removed and must be put again. kTaken: another file with this
  // content took the place.
  enum class Moved { kDone, kNewTitle, kTaken };
  Result<Moved> move(const PlannedFile& planned, const LoadedBatch& batch);
  Result<Moved> move(const storage::DocumentState& old, const PlannedFile& planned, const storage::FileState& kept);
  Status take_known(const PlannedFile& planned, const LoadedBatch& batch);
  Status read_anew(const PlannedFile& planned);
  Status touch(const PlannedFile& planned, const LoadedBatch& batch);

  // A file whose last batch has not come yet.
  struct Unfinished {
    std::optional<storage::DocumentId> first;       // of its documents
    std::unordered_set<std::string_view> vanished;  // paths of known documents that it has not given yet
  };
  Unfinished& unfinished(const PlannedFile& planned);
  // Since the run began: a file that is gone may be what was.
  Result<bool> something_was_forgotten();
  bool can_wait(const PlannedFile& planned, const LoadedBatch& batch) const;
  Status put(Unfinished& file, std::vector<LoadedDocument>& documents, bool is_alone);
  Status put_fresh(Unfinished& file, std::vector<const storage::NewDocument*>& fresh);  // and leaves none
  Result<std::vector<storage::DocumentId>> put_new(std::span<const storage::NewDocument* const> documents);
  void note_found_again(const PlannedFile& planned, const LoadedBatch& batch);
  // Of a document that is there already; nothing where it has gone meanwhile.
  Status set_file_state(storage::DocumentId document, const storage::FileState& file, const Hash128& hash);
  Status finish(const PlannedFile& planned, const LoadedBatch& batch, bool is_alone);
  Status remove(const storage::DocumentState& state);
  // For who forgets the file, so that chats which know it by its old name are found (storage's earlier_names.h).
  Status note_move(const std::string& from, const std::string& to);

  const Into into_;
  const IndexWork& work_;
  IndexFailures& failures_;
  IndexReport& report_;
  DocumentGroup group_;
  std::map<const PlannedFile*, Unfinished> unfinished_;
  const PlannedFile* retitled_ = nullptr;  // read anew for its name alone: not counted as new
  std::set<int64_t> moved_;
  std::vector<storage::MovedFile> moves_;  // not noted yet
  std::optional<bool> has_chats_;          // which name files as they are called now; not asked yet
  // Of each content that moved: the first in work_.missing that may still be free. A thousand equal files are not gone
  // through for each of them.
  std::map<Hash128, std::multimap<Hash128, storage::DocumentState>::const_iterator> first_free_;
  std::set<Hash128> found_again_;  // of known content, but read anew
};

}  // namespace mneme::rag

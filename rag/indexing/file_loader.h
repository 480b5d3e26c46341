// One file to rows for the catalogue: read, hash, cut into chunks, embed. This is what index workers do. A container
// gives its documents in batches as they come, so that of a mailbox of any size a few messages are in memory.
// Ownership: borrows its arguments for the call. Threads: reentrant.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "rag/chunking/chunker.h"
#include "rag/indexing/file_claims.h"
#include "rag/indexing/file_walker.h"
#include "rag/readers/reader.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class Embedder;

struct LoadedDocument {
  // Path as member_path() makes it ("mail.zip!/a.md"). Record id and collection are the caller's to fill.
  storage::NewDocument document;
  // Set: the catalogue has it just so, but for what its file was; there are neither chunks nor vectors here then.
  std::optional<storage::DocumentId> unchanged;
};

// A piece of what a file holds; a file that is no container comes in one.
struct LoadedBatch {
  FoundFile file;
  bool is_first = true;        // of the file's
  bool is_last = true;         // of the file's: it has been read to its end, or `status` says why not
  Status status;               // why the file as a whole could not be read, or be read to its end
  bool holds_nothing = false;  // the file is empty, or was read to its end and gave no document; `status` says so
  Hash128 content_hash;
  storage::FileState kept;       // as the file has it, unless it may still change within the same time
  bool same_content = false;     // `is_known` said so: nothing was parsed
  size_t indexed_meanwhile = 0;  // documents of it that another run has put since the plan was made: nothing was read
  std::vector<LoadedDocument> documents;
  std::vector<std::pair<std::string, std::string>> failed_members;  // path, error
  FileClaim claim;                                                  // of the last batch: to be held until it is written
};

// Takes each batch; a failure it returns stops the reading, and is in the status of the last batch.
using BatchSink = std::function<Status(LoadedBatch batch)>;

// The path a document is known by: the file's own bytes, whatever their encoding.
std::string member_path(const std::string& path, const std::string& member);
// Whether it may be such a path: of a folder "Archive!" it is said, too.
bool is_member_path(const std::string& path);

struct FileLoad {
  const FoundFile& file;
  const readers::ReadLimits& limits;
  const Embedder& embedder;
  const chunking::ChunkerOptions& sizes;    // of passages
  std::span<const std::string> roots = {};  // that are indexed: they tell what a path calls a document
  // Asked with the hash before parsing; true ends the work there. Null: no content is known.
  std::function<bool(const Hash128&)> is_known = {};
  // Asked with each document before it is embedded. Null: all are new.
  std::function<std::optional<storage::DocumentId>(const storage::NewDocument&)> find_unchanged = {};
  std::atomic<uint64_t>* bytes_read = nullptr;  // goes on by what was read of the file, in all by its size
};

// Gives at least one batch, the last one exactly once.
void load_file(const FileLoad& load, const BatchSink& take);

// Chunks of one document.
void cut_into_chunks(const Document& document, const chunking::ChunkerOptions& sizes, storage::NewDocument& out);
// Vectors of a document's chunks.
Status embed_chunks(const Embedder& embedder, storage::NewDocument& out);

}  // namespace mneme::rag

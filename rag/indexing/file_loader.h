// One file to rows for the catalogue: read, hash, cut into chunks, embed. This is what index workers do.
// Ownership: borrows the embedder. Threads: reentrant.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "rag/chunking/chunker.h"
#include "rag/indexing/file_walker.h"
#include "rag/readers/reader.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class Embedder;

struct LoadedFile {
  FoundFile file;
  Status status;  // why the file as a whole could not be read
  Hash128 content_hash;
  int64_t mtime_ns = 0;       // to be kept: as the file has it, unless it may still change within that time
  bool same_content = false;  // `is_known` said so: nothing was parsed
  // One per document; paths as member_path() makes them ("mail.zip!/a.md"). Record ids and collection are the
  // caller's to fill.
  std::vector<storage::NewDocument> documents;
  std::vector<std::pair<std::string, std::string>> failed_members;  // path, error
  uint64_t n_chunks = 0;
  uint64_t n_tokens = 0;
};

// The path a document is known by: the file's own bytes, whatever their encoding.
std::string member_path(const std::string& path, const std::string& member);

// is_known: asked with the hash before parsing; true ends the work there.
LoadedFile load_file(const FoundFile& file, const readers::ReadLimits& limits, const Embedder& embedder,
                     const std::function<bool(const Hash128&)>& is_known, const chunking::ChunkerOptions& sizes = {});

// Chunks and vectors of one document.
Status chunk_and_embed(const Document& document, const Embedder& embedder, const chunking::ChunkerOptions& sizes,
                       storage::NewDocument& out);

}  // namespace mneme::rag

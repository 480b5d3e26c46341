// Rows of the catalogue as values. Text is UTF-8 except paths, which are the system's bytes. Times are milliseconds
// since 1970 (UTC) unless the name says otherwise. Ids are never reused, not even after deletion. Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"

namespace mneme::storage {

enum class CollectionId : int64_t {};
enum class DocumentId : int64_t {};
enum class ChunkId : int64_t {};
enum class ChatId : int64_t {};
enum class MessageId : int64_t {};
enum class JobId : int64_t {};

struct CollectionRecord {
  CollectionId id{};
  std::string name{};
  // Grows with every change to the collection's chunks or embeddings: what was built from revision r is stale when
  // this is no longer r.
  int64_t revision = 0;
  int64_t created_ms = 0;
};

// What tells whether a file is still the one that was indexed.
struct FileState {
  uint64_t size_bytes = 0;
  int64_t mtime_ns = 0;     // of its content; programs that copy files and unpack archives set it
  int64_t changed_ns = -1;  // of content or attributes: the system's own (ctime), which no program sets; -1: not known
  bool operator==(const FileState&) const = default;
};

struct DocumentRecord {
  DocumentId id{};  // given by put_document; ignored on input
  CollectionId collection{};
  std::string path{};  // absolute; unique within the collection
  // What the path below the indexed folder calls it, "Invoices > ACME > 2024", searched like headings (PathNames of
  // rag/text/documents/path_names.h); "": not known, as after migrating.
  std::string names{};
  std::string title{};
  std::string author{};
  std::string date{};    // ISO 8601 where known
  std::string format{};  // "markdown", "pdf", ...
  std::string notes{};   // what the reader left out or repaired, one per line
  FileState file{};
  Hash128 content_hash{};   // of the file's bytes
  int64_t n_chunks = 0;     // given by put_document
  uint64_t text_bytes = 0;  // given by put_document: bytes of all chunk texts
  int64_t n_tokens = 0;     // sum over chunks of their estimates
  int64_t indexed_ms = 0;   // given by put_document
};

struct UnnamedDocument {
  DocumentId id{};
  std::string path{};
  std::string title{};
};
struct DocumentNames {
  DocumentId document{};
  std::string names{};  // as DocumentRecord::names
};

// What a scan needs to decide whether a file must be read again; cheap enough to list for a whole collection.
struct DocumentState {
  DocumentId id{};
  std::string path{};
  FileState file{};
  Hash128 content_hash{};
};

// A file that could not be indexed; kept until it is indexed, vanishes, or is forgotten.
struct FailureRecord {
  CollectionId collection{};
  std::string path{};
  uint64_t size_bytes = 0;
  int64_t mtime_ns = 0;
  std::string error{};
  int64_t failed_ms = 0;
};

struct NewChunk {
  uint64_t byte_begin = 0;  // span in the document's text
  uint64_t byte_end = 0;
  int line_begin = 0;  // 1-based, inclusive; 0: the format has none
  int line_end = 0;
  int page = 0;      // 1-based; 0: none
  int n_tokens = 0;  // estimate, model-independent
  // Where in the text further pages begin, "412:3 980:4": bytes and pages; empty: all of it is on `page`.
  std::string page_marks{};
  std::string heading_path{};
  std::string text{};
};

struct ChunkRecord {
  ChunkId id{};
  std::string uid{};  // 16 hex digits, stable as long as collection, path, place and text are; what JSON calls "chunk"
  DocumentId document{};
  int ordinal = 0;  // 0-based place in the document
  uint64_t byte_begin = 0;
  uint64_t byte_end = 0;
  int line_begin = 0;
  int line_end = 0;
  int page = 0;
  int n_tokens = 0;
  std::string page_marks{};
  std::string heading_path{};
  std::string text{};
  Hash128 text_hash{};  // of text alone: equal chunks share KV files
};

// Vectors of one embedder for consecutive rows: values is (n_rows, dimensions), row-major. Stored as f16.
struct EmbeddingRows {
  std::string embedder{};  // identity: name plus version or weights' hash; "" when there are none
  int dimensions = 0;
  std::vector<float> values{};
};

struct NewDocument {
  DocumentRecord record{};
  std::vector<NewChunk> chunks{};
  EmbeddingRows embeddings{};         // one row per chunk, or empty
  std::optional<std::string> text{};  // the extracted text, when it is not the file itself (PDF, HTML, office)
};

struct LexicalHit {
  ChunkId chunk{};
  double score = 0;  // BM25, larger is better; comparable within one query only
};

struct ModelRecord {
  std::string name{};
  std::string path{};
  std::string kind{};  // "language", "embedder", "reranker"
  bool is_default = false;
  uint64_t size_bytes = 0;
  std::string content_hash{};  // as the engine names the weights
  std::string profile_json{};  // calibration, speeds, quality gate; opaque here
};

struct ChatRecord {
  ChatId id{};
  std::string title{};
  std::string settings_json{};
  int64_t n_messages = 0;
  int64_t created_ms = 0;
  int64_t updated_ms = 0;
};

struct MessageRecord {
  MessageId id{};
  ChatId chat{};
  std::string role{};  // "user", "assistant"
  std::string text{};
  std::string details_json{};  // citations, usage, cache; opaque here
  int64_t created_ms = 0;
};

// Durable work. (kind, key) is unique among unfinished jobs: enqueueing it again changes nothing.
struct JobRecord {
  JobId id{};
  std::string kind{};  // "kv"
  std::string key{};
  std::string payload_json{};
  int priority = 0;  // larger first, then oldest
  int attempts = 0;
  std::string error{};  // of the last attempt
};

struct JobCounts {
  std::string kind{};
  int64_t pending = 0;  // waiting or being worked on
  int64_t done = 0;     // since the queue of this kind was last empty
  int64_t failed = 0;   // gave up
};

struct CollectionStats {
  CollectionRecord collection{};
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  uint64_t text_bytes = 0;
  int64_t failures = 0;
};

struct CatalogueProblem {
  std::string kind{};    // "database", "document", "chunk", "embedding", "lexical"
  std::string path{};    // of the document or file concerned
  std::string detail{};  // one sentence
  bool repaired = false;
};

struct CatalogueCheck {
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t embeddings = 0;
  bool lexical_compared = true;  // false: only read, since comparing the lexical index with the texts writes
  std::vector<CatalogueProblem> problems{};
};

}  // namespace mneme::storage

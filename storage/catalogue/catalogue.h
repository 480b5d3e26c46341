// The catalogue: what is indexed, in one SQLite file (catalog.db). Text and embeddings here are the truth; everything
// else on disk can be rebuilt from it. Tables: schema.md.
// Ownership: a Catalogue owns its connections; results are values.
// Threads: every function may be called from any thread. Reads run side by side, each on its own connection; writes are
// serialised, also against other processes on the same home (they wait up to busy_timeout_ms, then kBusy; under a
// Patience longer).
// Durability: every call is one transaction. A killed process loses nothing that returned. After a power loss the
// newest documents may be missing (they are indexed again); chats, settings and models are synced before returning.
// Errors: kCorruption for a damaged file, kUnsupported for a newer schema (left untouched), kNoSpace, kIo, kBusy.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/catalogue/records.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

struct CatalogueOptions {
  std::string path{};           // the database file; its folder must exist (storage/home.h makes it)
  FileEnv* env = nullptr;       // where its bytes go; null: the operating system's files. Must outlive the catalogue
  int busy_timeout_ms = 10000;  // how long a write waits for another process
  bool must_exist = false;      // true: kNotFound instead of creating a new one
};

class Catalogue {
 public:
  // Opens or creates; migrates an older schema after writing a backup beside it (catalog.db.v<N>.bak). Where nothing
  // can be written (read-only media, permissions, a full disk) it opens what is there for reading; see writable().
  // kUnsupported then for one that has to be brought up to date first.
  static Result<std::unique_ptr<Catalogue>> open(const CatalogueOptions& options);
  ~Catalogue();
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  static int schema_version();

  // Ok where the catalogue can be written. Otherwise why not, and what to do: then everything here that writes fails
  // so. Opened on a full disk, it can be written once there is room again.
  Status writable();

  // Another number whenever something was written since, by whomever: microseconds, where reading what changed is not.
  Result<int64_t> data_version();
  // Gives back what was kept of the file for reading it again, after a list was read that is as long as the catalogue.
  void release_pages();

  // While one lives, writes wait for other programs for as long as these take (compacting a large catalogue takes
  // minutes), until `cancel` is set: then they are kCancelled. For work that is to go on behind. Both outlive it.
  // `tell`, where one is given, hears true on the writing thread once a write has waited for kTellAfter, and false when
  // it waits no more; it may not use the catalogue.
  class Patience {
   public:
    static constexpr std::chrono::milliseconds kTellAfter{1000};

    Patience(Catalogue& catalogue, const CancelToken& cancel, std::function<void(bool waits)> tell = {});
    ~Patience();
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

   private:
    Catalogue& catalogue_;
    const CancelToken& cancel_;
    const std::function<void(bool)> tell_;
  };

  // ---- Collections
  Result<CollectionId> ensure_collection(std::string_view name);  // kUsage for an empty or unprintable new name
  Result<CollectionRecord> find_collection(std::string_view name);
  Result<std::vector<CollectionRecord>> list_collections();
  Status delete_collection(CollectionId collection);  // with all its documents
  // Folders and files the user asked to index, for --watch and for showing.
  Status add_root(CollectionId collection, std::string_view path);
  Result<std::vector<std::string>> roots(CollectionId collection);

  // ---- Documents
  // Replaces the document at (collection, path) or adds it: document, chunks, lexical index and embeddings in one
  // transaction. The document keeps its id; chunks whose text did not change keep neither id nor embedding row, but
  // their text_hash (and so their KV). Clears the path's failure.
  Result<DocumentId> put_document(const NewDocument& document);
  // Several documents in one transaction, each at a place of its own: all of them or, where one cannot be put, none.
  // Their ids, in order.
  Result<std::vector<DocumentId>> put_documents(std::span<const NewDocument* const> documents);
  // Only the file's state changed (content hash equal).
  Status touch_document(DocumentId document, const FileState& file);
  // What its file was when it was read, for documents that were put before that could be said.
  Status set_file_state(DocumentId document, const FileState& file, const Hash128& content_hash);
  // The file moved: same content under another path and other names. kUsage when a document is there already.
  Status move_document(DocumentId document, std::string_view path, std::string_view names, const FileState& file);
  // Documents whose names are not known, by path, and what gives them theirs; those gone meanwhile are no error.
  Result<std::vector<UnnamedDocument>> unnamed_documents(CollectionId collection);
  Status name_documents(CollectionId collection, std::span<const DocumentNames> named);
  Status remove_document(DocumentId document);  // kNotFound when absent
  // The same, also kNotFound when it has another path by now.
  Status remove_document_at(DocumentId document, std::string_view path);
  Result<DocumentRecord> document(DocumentId document);
  Result<std::optional<DocumentRecord>> find_document(CollectionId collection, std::string_view path);
  // All documents at or below `path_prefix` (a file or folder; "" for all), by path.
  Result<std::vector<DocumentRecord>> list_documents(CollectionId collection, std::string_view path_prefix = {});
  // Any `limit` documents of these formats, in no order: who wants the only one need not load all there are.
  Result<std::vector<DocumentRecord>> documents_of_formats(CollectionId collection,
                                                           std::span<const std::string_view> formats, int limit);
  Result<std::vector<DocumentState>> document_states(CollectionId collection, std::string_view path_prefix = {});
  Result<std::optional<std::string>> document_text(DocumentId document);  // as given to put_document

  Status record_failure(const FailureRecord& failure);
  Status clear_failure(CollectionId collection, std::string_view path);
  // By path; the first `limit` of them, all where it is negative.
  Result<std::vector<FailureRecord>> failures(CollectionId collection, int64_t limit = -1);
  // Those of a container's members ("a.zip!/b.docx"), by path.
  Result<std::vector<FailureRecord>> member_failures(CollectionId collection, std::string_view container);

  // ---- Chunks
  Result<ChunkRecord> chunk(ChunkId chunk);
  Result<ChunkRecord> chunk_by_uid(std::string_view uid);
  // In the order asked; ids that are gone are left out.
  Result<std::vector<ChunkRecord>> chunks(std::span<const ChunkId> chunks);
  // Chunks [first, last] of a document by ordinal, in order, clipped to what exists: a passage's neighbours.
  Result<std::vector<ChunkRecord>> document_chunks(DocumentId document, int first_ordinal, int last_ordinal);
  Result<std::vector<ChunkRecord>> document_chunks(DocumentId document);
  // Walks all chunks of a collection by id, starting after `after`; the visitor returns false to stop. It must not
  // call back into the catalogue's writing functions.
  Status for_each_chunk(CollectionId collection, ChunkId after, const std::function<bool(const ChunkRecord&)>& visit);

  // ---- Embeddings
  // Walks (chunk, vector) by chunk id, starting after `after`; the span is valid during the call.
  Status for_each_embedding(CollectionId collection, std::string_view embedder, ChunkId after,
                            const std::function<bool(ChunkId, std::span<const float>)>& visit);
  // Vectors of the given chunks, in the order asked; chunks without one are left out.
  Result<std::vector<std::pair<ChunkId, std::vector<float>>>> embeddings(std::string_view embedder,
                                                                         std::span<const ChunkId> chunks);
  // Chunks that lack a vector of this embedder (after a change of embedder), by id; those behind `after`.
  Result<std::vector<ChunkId>> chunks_without_embedding(CollectionId collection, std::string_view embedder, int limit,
                                                        ChunkId after = ChunkId{0});
  // rows.values holds one row per chunk; chunks that are gone are passed over.
  Status put_embeddings(std::span<const ChunkId> chunks, const EmbeddingRows& rows);
  // Drops the vectors of every embedder but this one.
  Status keep_only_embedder(std::string_view embedder);

  // ---- Lexical search
  // BM25 over title, headings and text. `query` is what a person typed: any text, never a syntax error; "quoted words"
  // must stand together. No collections given: all. Best first; ties by id.
  Result<std::vector<LexicalHit>> search_lexical(std::string_view query, std::span<const CollectionId> collections,
                                                 int limit);
  // In how many chunks each term (as lexical_terms() gives them) occurs, and the number of chunks, for idf weights.
  Result<std::vector<int64_t>> term_document_counts(std::span<const std::string> terms);
  Result<int64_t> n_chunks();
  Result<bool> has_chunks(CollectionId collection);  // found without counting them

  // ---- Settings and profiles: JSON by key ("machine.profile", "model.<hash>.profile")
  Status put_setting(std::string_view key, std::string_view json);
  Result<std::optional<std::string>> setting(std::string_view key);
  Result<std::vector<std::pair<std::string, std::string>>> settings(std::string_view key_prefix = {});
  Status remove_setting(std::string_view key);

  // ---- Models
  Status put_model(const ModelRecord& model);  // by name, a line; at most one default per kind
  Result<std::optional<ModelRecord>> find_model(std::string_view name);
  Result<std::vector<ModelRecord>> list_models();
  Status remove_model(std::string_view name);  // kNotFound when absent; the file stays

  // ---- Chats
  Result<ChatId> create_chat(std::string_view title, std::string_view settings_json = "{}");
  Status update_chat(const ChatRecord& chat);  // title, settings_json
  Result<ChatRecord> chat(ChatId chat);
  Result<std::vector<ChatRecord>> list_chats();  // newest first
  Status delete_chat(ChatId chat);
  // Chats with a title or a message that says `text` as people look for it (sought_text.h); by id.
  Result<std::vector<ChatId>> find_chats(std::string_view text);
  Result<MessageId> append_message(const MessageRecord& message);
  // Takes messages out of a chat and appends others, whose `chat` is not read; messages `behind` come to stand behind
  // those, unchanged but for their ids. Ids that are not the chat's, or no more, are no error. Returns the ids of what
  // was appended and of what stands behind it, 0 for what is gone.
  Result<std::vector<MessageId>> replace_messages(ChatId chat, std::span<const MessageId> taken_out,
                                                  std::span<const MessageRecord> appended,
                                                  std::span<const MessageId> behind = {});
  Result<std::vector<MessageRecord>> messages(ChatId chat);

  // ---- Jobs
  // Kind, key, payload_json and priority are read. times_forgotten: as it was before the jobs' texts were read; where
  // something was forgotten since, jobs that say whose text they carry (`text_hash` in their object) are left out when
  // no chunk has it.
  Status enqueue_jobs(std::span<const JobRecord> jobs, std::optional<int64_t> times_forgotten = std::nullopt);
  // The next job of a kind, leased to the caller: if it is not finished within lease_ms (the caller died), the job goes
  // to the next one who asks.
  Result<std::optional<JobRecord>> claim_job(std::string_view kind, int64_t lease_ms);
  Status finish_job(JobId job);
  Status fail_job(JobId job, std::string_view error, bool retry);
  Result<std::vector<JobCounts>> job_counts();

  // ---- Counters ("kv.hits", "kv.misses", "kv.evictions"): sums over all processes
  Status add_to_counter(std::string_view name, int64_t delta);
  Result<int64_t> counter(std::string_view name);

  // ---- Whole
  Result<std::vector<CollectionStats>> stats();
  Result<uint64_t> file_bytes();  // database with its log
  // What the home may still hold of a path and of what lies below it.
  enum class Trace {
    kNone,       // nothing
    kLeftovers,  // nothing names it, but texts of removed files, perhaps this one, have not been overwritten yet
    kNamed,      // documents, failures, roots, answers of chats or the backup of an older schema name it
  };
  // Whether what begins with the path and "!/" belongs to it. An archive's members do ("a.zip!/b.txt"); the files of a
  // folder that happens to be called like it, with a "!" behind, do not. Only who sees the folders can tell.
  enum class Members { kIncluded, kOthers };
  Result<Trace> trace_of(std::string_view path, Members members = Members::kIncluded);
  // Removes every document at or below `path` from every collection, with its failures and waiting jobs, and overwrites
  // what is left in the files. Answers of chats that come from it are replaced by a sentence that says so (schema.md).
  // Returns the removed chunks' text hashes that no other chunk has: their KV must go too. Does only what the trace
  // that was found asks for: backups go where the path is named, nothing at all is touched where there is no trace. A
  // call that is cut off leaves a trace.
  struct Forgotten {
    Trace trace = Trace::kNone;
    int64_t documents = 0;
    int64_t chunks = 0;
    int64_t other_rows = 0;  // failures and roots
    int64_t messages = 0;    // answers of chats that came from the files
    std::vector<Hash128> text_hashes;
    int64_t removed_texts = 0;  // by then, of all files: for note_overwritten()
  };
  Result<Forgotten> forget(std::string_view path, Members members = Members::kIncluded);
  // How often forget() has removed anything: who makes files of texts looks at it before and afterwards.
  Result<int64_t> times_forgotten();
  // To be called when the caches, too, hold nothing of what was removed up to forget(): no leftovers until the next
  // removal.
  Status note_overwritten(const Forgotten& forgotten);
  // True when some chunk has this text: a KV file of it is still wanted.
  Result<bool> has_text(const Hash128& text_hash);
  // Checks the file, every reference and the lexical index; with `repair` rebuilds what can be rebuilt.
  Result<CatalogueCheck> check(bool repair);
  // Gives free pages back to the file system and merges the lexical index.
  Status compact();
  // Erases backups of older schemas that are older than kBackupDays, and gives their bytes. After compact(), which has
  // read all that came of them.
  static constexpr int kBackupDays = 30;
  Result<uint64_t> discard_old_backups();
  // Damaged catalogues beside it that a repair has replaced: they stay until the user removes them.
  Result<std::vector<std::string>> damaged_ones();

 private:
  struct State;
  explicit Catalogue(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mneme::storage

#include "storage/catalogue/migrations.h"

#include <array>

#include <sqlite3.h>

#include "storage/catalogue/copy_database.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/vacuum_file.h"

namespace mneme::storage {
namespace {

// Version 1. Metadata and text of chunks are apart: walking ids, spans or embeddings then never drags text through
// the page cache. The lexical index holds no text of its own; the view gives it back for rebuilding and checking.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE collections(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL) STRICT;
CREATE TABLE roots(
  collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  PRIMARY KEY(collection, path)) STRICT, WITHOUT ROWID;

CREATE TABLE documents(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collections(id),
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  date TEXT NOT NULL,
  format TEXT NOT NULL,
  notes TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  content_hash BLOB NOT NULL,
  n_chunks INTEGER NOT NULL,
  text_bytes INTEGER NOT NULL,
  n_tokens INTEGER NOT NULL,
  indexed_ms INTEGER NOT NULL,
  UNIQUE(collection, path)) STRICT;
CREATE INDEX documents_by_content ON documents(content_hash);
CREATE TABLE document_texts(
  document INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
  text TEXT NOT NULL) STRICT;
CREATE TABLE failures(
  collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  error TEXT NOT NULL,
  failed_ms INTEGER NOT NULL,
  PRIMARY KEY(collection, path)) STRICT, WITHOUT ROWID;

CREATE TABLE chunks(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL REFERENCES documents(id),
  ordinal INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  byte_begin INTEGER NOT NULL,
  byte_end INTEGER NOT NULL,
  line_begin INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  page INTEGER NOT NULL,
  n_tokens INTEGER NOT NULL,
  heading_path TEXT NOT NULL,
  text_hash BLOB NOT NULL,
  UNIQUE(document, ordinal)) STRICT;
CREATE INDEX chunks_by_uid ON chunks(uid);
CREATE INDEX chunks_by_text ON chunks(text_hash);
CREATE TABLE chunk_texts(
  chunk INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
  text TEXT NOT NULL) STRICT;

CREATE TABLE embedders(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL) STRICT;
CREATE TABLE embeddings(
  chunk INTEGER NOT NULL REFERENCES chunks(id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders(id),
  vector BLOB NOT NULL,
  PRIMARY KEY(chunk, embedder)) STRICT, WITHOUT ROWID;

CREATE VIEW lexical_source(id, title, heading, text) AS
  SELECT chunks.id, documents.title, chunks.heading_path, chunk_texts.text
  FROM chunks JOIN chunk_texts ON chunk_texts.chunk = chunks.id JOIN documents ON documents.id = chunks.document;
CREATE VIRTUAL TABLE lexical USING fts5(title, heading, text,
  content='lexical_source', content_rowid='id', tokenize='mneme');
CREATE VIRTUAL TABLE lexical_terms USING fts5vocab('lexical', 'row');

CREATE TABLE settings(
  key TEXT PRIMARY KEY,
  json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE models(
  name TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  profile_json TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE chats(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  settings_json TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL) STRICT;
CREATE TABLE messages(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chat INTEGER NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  details_json TEXT NOT NULL,
  created_ms INTEGER NOT NULL) STRICT;
CREATE INDEX messages_by_chat ON messages(chat, id);

CREATE TABLE jobs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  priority INTEGER NOT NULL,
  failed INTEGER NOT NULL DEFAULT 0,
  lease_until_ms INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  UNIQUE(kind, key)) STRICT;
CREATE INDEX jobs_in_order ON jobs(kind, failed, priority DESC, id);

CREATE TABLE counters(
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
)sql";

// Version 3: the names of folders and file are searched like the headings below them. Documents of an older catalogue
// have none until the next run over their folder gives them theirs, so the index need not be made anew here.
constexpr const char* kVersion3 = R"sql(
ALTER TABLE documents ADD COLUMN names TEXT NOT NULL DEFAULT '';
DROP VIEW lexical_source;
CREATE VIEW lexical_source(id, title, heading, text) AS
  SELECT chunks.id, documents.title,
    CASE documents.names WHEN '' THEN chunks.heading_path ELSE documents.names || ' > ' || chunks.heading_path END,
    chunk_texts.text
  FROM chunks JOIN chunk_texts ON chunk_texts.chunk = chunks.id JOIN documents ON documents.id = chunks.document;
)sql";

// Version 4: passages with the same text keep it once (shared_texts.h), and say where in it pages begin. What an older
// catalogue has twice, or says of one page alone, stays so until the document is indexed again.
constexpr const char* kVersion4 = R"sql(
ALTER TABLE chunks ADD COLUMN same_as INTEGER;
ALTER TABLE chunks ADD COLUMN page_marks TEXT NOT NULL DEFAULT '';
DROP VIEW lexical_source;
CREATE VIEW lexical_source(id, title, heading, text) AS
  SELECT chunks.id, documents.title,
    CASE documents.names WHEN '' THEN chunks.heading_path ELSE documents.names || ' > ' || chunks.heading_path END,
    chunk_texts.text
  FROM chunks JOIN chunk_texts ON chunk_texts.chunk = coalesce(chunks.same_as, chunks.id)
    JOIN documents ON documents.id = chunks.document;
)sql";

// Version 5: of a file also the time that no program sets. Of documents of an older catalogue it is not known, so the
// next run over their folder compares what is in the files once.
constexpr const char* kVersion5 = R"sql(
ALTER TABLE documents ADD COLUMN changed_ns INTEGER NOT NULL DEFAULT -1;
)sql";

struct Migration {
  int to_version;
  const char* sql;
};
// Version 2: pages with checksums (page_checksums.h); the tables are those of version 1.
constexpr std::array<Migration, 5> kMigrations = {
    {{1, kVersion1}, {2, ""}, {3, kVersion3}, {4, kVersion4}, {5, kVersion5}}};
static_assert(kMigrations.back().to_version == kSchemaVersion);

// While nobody else can migrate: a copy made after another program did so would take the place of the one that program
// made before. The lock is another connection's, as one that writes cannot be copied from.
Status back_up_alone(Database& source, int version, const MigrationOptions& options) {
  MNEME_ASSIGN_OR_RETURN(
      std::unique_ptr<Database> holder,
      Database::open(source.path(), {.create = false, .vfs = options.vfs, .busy_timeout_ms = options.busy_timeout_ms}));
  MNEME_ASSIGN_OR_RETURN(const Transaction lock, Transaction::begin(*holder, Transaction::Kind::kWrite));
  MNEME_ASSIGN_OR_RETURN(const int64_t now, source.query_integer("PRAGMA user_version"));
  if (now != version) return {};
  return copy_database(source, backup_path(source.path(), version), options.vfs, options.env)
      .with_context("cannot back up before migrating: ");
}

Status apply(Database& database, int version) {
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database, Transaction::Kind::kWrite));
  // Another process may have migrated while we waited for the lock.
  MNEME_ASSIGN_OR_RETURN(const int64_t now, database.query_integer("PRAGMA user_version"));
  if (now != version) return transaction.commit();
  for (const Migration& migration : kMigrations) {
    if (migration.to_version > version) MNEME_RETURN_IF_ERROR(database.execute(migration.sql));
  }
  // A new catalogue knows that nothing was ever removed from it (Catalogue::trace_of()); of an older one nobody knows.
  if (version == 0) {
    MNEME_RETURN_IF_ERROR(database.execute("INSERT INTO counters(name, value) VALUES('texts.overwritten', 0)"));
  }
  const std::string stamp = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                            "; PRAGMA user_version=" + std::to_string(kSchemaVersion);
  MNEME_RETURN_IF_ERROR(database.execute(stamp.c_str()));
  return transaction.commit();
}

}  // namespace

Status check_schema(Database& database) {
  // One state of the file: while another program makes the catalogue, its tables must not be seen without its stamp.
  MNEME_ASSIGN_OR_RETURN(const Transaction transaction, Transaction::begin(database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(const int64_t version, database.query_integer("PRAGMA user_version"));
  MNEME_ASSIGN_OR_RETURN(const int64_t application, database.query_integer("PRAGMA application_id"));
  MNEME_ASSIGN_OR_RETURN(const int64_t objects, database.query_integer("SELECT count(*) FROM sqlite_schema"));
  if (application != kApplicationId && (application != 0 || version != 0 || objects != 0)) {
    return unsupported(database.path() + " is a database of another program; choose another home folder");
  }
  if (version > kSchemaVersion) {
    return unsupported(database.path() + " was written by a newer mneme (schema " + std::to_string(version) +
                       ", this one knows " + std::to_string(kSchemaVersion) + "); it was left untouched, update mneme");
  }
  return {};
}

std::string backup_path(const std::string& path, int version) {
  return path + ".v" + std::to_string(version) + ".bak";
}

Status migrate(Database& database, const MigrationOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const int64_t version, database.query_integer("PRAGMA user_version"));
  if (version == kSchemaVersion) return {};
  if (version > 0) {
    MNEME_RETURN_IF_ERROR(back_up_alone(database, static_cast<int>(version), options));
  }
  // Rewriting every page gives it its checksum. The tables stay as they are, so dying after this leaves a sound
  // database of the older version.
  if (version > 0 && version < kFirstSchemaWithChecksums) MNEME_RETURN_IF_ERROR(vacuum(database));
  return apply(database, static_cast<int>(version));
}

}  // namespace mneme::storage

#include "storage/catalogue/fts_extension.h"

#include <algorithm>
#include <new>

#include <sqlite3.h>

#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {
namespace {

using TokenCallback = int (*)(void*, int, const char*, int, int, int);

int create_tokenizer(void*, const char**, int, Fts5Tokenizer** out) {
  // No state: any non-null pointer will do.
  static char marker;
  *out = reinterpret_cast<Fts5Tokenizer*>(&marker);
  return SQLITE_OK;
}

void delete_tokenizer(Fts5Tokenizer*) {}

int tokenize_raw(std::string_view text, void* context, TokenCallback callback) {
  while (!text.empty()) {
    text.remove_prefix(1);
    const size_t length = std::min(text.find(kRawTermSign), text.size());
    if (length > 0) {
      const int code = callback(context, 0, text.data(), static_cast<int>(length), 0, static_cast<int>(length));
      if (code != SQLITE_OK) return code;
    }
    text.remove_prefix(length);
  }
  return SQLITE_OK;
}

int tokenize_terms(std::string_view text, bool query, void* context, TokenCallback callback) {
  int code = SQLITE_OK;
  for_each_term(text, query ? TermPurpose::kQuery : TermPurpose::kDocument, [&](const LexicalTerm& term) {
    code = callback(context, term.colocated ? FTS5_TOKEN_COLOCATED : 0, term.term.data(),
                    static_cast<int>(term.term.size()), static_cast<int>(term.byte_begin),
                    static_cast<int>(term.byte_end));
    return code == SQLITE_OK;
  });
  return code;
}

int tokenize(Fts5Tokenizer*, void* context, int flags, const char* data, int size, TokenCallback callback) {
  if (data == nullptr || size <= 0) return SQLITE_OK;
  const std::string_view text(data, static_cast<size_t>(size));
  const bool query = (flags & FTS5_TOKENIZE_QUERY) != 0;
  if (query && text.front() == kRawTermSign) return tokenize_raw(text, context, callback);
  try {
    return tokenize_terms(text, query, context, callback);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

constexpr uint64_t kTitleCounts = 2;  // an occurrence in the title; elsewhere 1

// How often the phrase of a row's cursor stands in it. A cursor of xQueryPhrase has one phrase.
int count_in_row(const Fts5ExtensionApi* api, Fts5Context* context, uint64_t& frequency) {
  Fts5PhraseIter iterator;
  int column = -1;
  int offset = -1;
  const int code = api->xPhraseFirst(context, 0, &iterator, &column, &offset);
  if (code != SQLITE_OK) return code;
  while (column >= 0) {
    frequency += column == 0 ? kTitleCounts : 1;
    api->xPhraseNext(context, &iterator, &column, &offset);
  }
  return SQLITE_OK;
}

constexpr size_t kLookEvery = 2048;   // rows
constexpr double kClearlyMore = 1.1;  // times as many as are wanted

struct PostingSink {
  PostingRequest::Found& found;
  const size_t most_rows;
  const RowRange rows;
};

// Whether a phrase that has had so many rows up to this one will have more than are wanted, if it goes on like that.
bool will_be_too_many(const PostingSink& sink, int64_t row) {
  const size_t n_read = sink.found.postings.size();
  if (n_read == 0 || n_read % kLookEvery != 0 || sink.rows.last == 0 || row < sink.rows.first) return false;
  const double passed = static_cast<double>(row - sink.rows.first + 1);
  const double all = static_cast<double>(sink.rows.last - sink.rows.first + 1);
  return static_cast<double>(n_read) * all / passed > kClearlyMore * static_cast<double>(sink.most_rows);
}

// No exception may pass through SQLite.
int take_posting(const Fts5ExtensionApi* api, Fts5Context* context, void* user) {
  auto& sink = *static_cast<PostingSink*>(user);
  const sqlite3_int64 chunk = api->xRowid(context);
  if (sink.found.postings.size() >= sink.most_rows || will_be_too_many(sink, chunk)) {
    sink.found.whole = false;
    return SQLITE_DONE;
  }
  if (chunk < 0 || static_cast<uint64_t>(chunk) > kLastChunk) return SQLITE_CORRUPT_VTAB;
  uint64_t frequency = 0;
  const int code = count_in_row(api, context, frequency);
  if (code != SQLITE_OK) return code;
  try {
    sink.found.postings.push_back({static_cast<uint64_t>(chunk), std::min(frequency, kMostFrequent)});
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

int load_average_length(const Fts5ExtensionApi* api, Fts5Context* context, double& average) {
  sqlite3_int64 rows = 0;
  sqlite3_int64 terms = 0;
  int code = api->xRowCount(context, &rows);
  if (code == SQLITE_OK) code = api->xColumnTotalSize(context, -1, &terms);
  average = std::max(1.0, static_cast<double>(terms) / static_cast<double>(std::max<int64_t>(rows, 1)));
  return code;
}

int answer_request(const Fts5ExtensionApi* api, Fts5Context* context, PostingRequest& request) {
  int code = load_average_length(api, context, request.average_length);
  const int n_phrases = api->xPhraseCount(context);
  try {
    request.phrases.resize(static_cast<size_t>(n_phrases));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  for (int phrase = 0; phrase < n_phrases && code == SQLITE_OK; ++phrase) {
    PostingSink sink{request.phrases[static_cast<size_t>(phrase)], request.most_rows, request.rows};
    code = api->xQueryPhrase(context, phrase, &sink, take_posting);
  }
  return code;
}

void postings(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int n_arguments,
              sqlite3_value** arguments) {
  auto* request =
      n_arguments == 1 ? static_cast<PostingRequest*>(sqlite3_value_pointer(arguments[0], kPostingsPointer)) : nullptr;
  if (request == nullptr) return sqlite3_result_error(result, "mneme_postings needs its request", -1);
  const int code = answer_request(api, context, *request);
  if (code != SQLITE_OK) return sqlite3_result_error_code(result, code);
  sqlite3_result_int64(result, static_cast<sqlite3_int64>(request->phrases.size()));
}

Result<fts5_api*> fts5_of(Database& database) {
  sqlite3_stmt* statement = nullptr;
  fts5_api* api = nullptr;
  int code = sqlite3_prepare_v2(database.handle(), "SELECT fts5(?1)", -1, &statement, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", nullptr);
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) code = SQLITE_OK;
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_OK || api == nullptr) return unsupported("this SQLite has no FTS5; install libsqlite3-0 with it");
  return api;
}

}  // namespace

Status register_fts_extension(Database& database) {
  MNEME_ASSIGN_OR_RETURN(fts5_api * api, fts5_of(database));
  fts5_tokenizer tokenizer{create_tokenizer, delete_tokenizer, tokenize};
  int code = api->xCreateTokenizer(api, "mneme", nullptr, &tokenizer, nullptr);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "mneme_postings", nullptr, postings, nullptr);
  return code == SQLITE_OK ? Status() : database.error(code);
}

}  // namespace mneme::storage

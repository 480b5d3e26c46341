#include "storage/catalogue/fts_extension.h"

#include <algorithm>
#include <limits>
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

// Weighted term frequency of one phrase in the current row.
double phrase_frequency(const Fts5ExtensionApi* api, Fts5Context* context, int phrase, const LexicalScorer& scorer) {
  Fts5PhraseIter iterator;
  int column = -1;
  int offset = -1;
  double frequency = 0;
  if (api->xPhraseFirst(context, phrase, &iterator, &column, &offset) != SQLITE_OK) return 0;
  while (column >= 0) {
    frequency += scorer.column_weights[std::min(column, 2)];
    api->xPhraseNext(context, &iterator, &column, &offset);
  }
  return frequency;
}

int load_average_length(const Fts5ExtensionApi* api, Fts5Context* context, LexicalScorer& scorer) {
  sqlite3_int64 rows = 0;
  sqlite3_int64 tokens = 0;
  int code = api->xRowCount(context, &rows);
  if (code == SQLITE_OK) code = api->xColumnTotalSize(context, -1, &tokens);
  if (code != SQLITE_OK) return code;
  scorer.average_length = std::max(1.0, static_cast<double>(tokens) / static_cast<double>(std::max<int64_t>(rows, 1)));
  return SQLITE_OK;
}

// Okapi BM25 with a term's weight given from outside. The length of a row costs a look-up, so rows that could not
// reach the threshold even if they were very short are passed over before it.
void score_row(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int n_arguments,
               sqlite3_value** arguments) {
  auto* scorer =
      n_arguments == 1 ? static_cast<LexicalScorer*>(sqlite3_value_pointer(arguments[0], kScorerPointer)) : nullptr;
  if (scorer == nullptr) return sqlite3_result_error(result, "mneme_bm25 needs its scorer", -1);
  if (scorer->average_length == 0) {
    const int code = load_average_length(api, context, *scorer);
    if (code != SQLITE_OK) return sqlite3_result_error_code(result, code);
  }
  const int n_phrases = std::min(api->xPhraseCount(context), static_cast<int>(scorer->phrase_weights.size()));
  std::vector<std::pair<double, double>> found;  // weight, frequency
  double bound = 0;
  const double shortest = scorer->k1 * (1 - scorer->b);
  for (int phrase = 0; phrase < n_phrases; ++phrase) {
    const double weight = scorer->phrase_weights[static_cast<size_t>(phrase)];
    if (weight <= 0) continue;
    const double frequency = phrase_frequency(api, context, phrase, *scorer);
    if (frequency <= 0) continue;
    found.emplace_back(weight, frequency);
    bound += weight * frequency * (scorer->k1 + 1) / (frequency + shortest);
  }
  if (bound <= scorer->threshold) return sqlite3_result_null(result);
  int length = 0;
  const int code = api->xColumnSize(context, -1, &length);
  if (code != SQLITE_OK) return sqlite3_result_error_code(result, code);
  const double norm = scorer->k1 * (1 - scorer->b + scorer->b * length / scorer->average_length);
  double score = 0;
  for (const auto& [weight, frequency] : found) score += weight * frequency * (scorer->k1 + 1) / (frequency + norm);
  sqlite3_result_double(result, score);
}

// No exception may pass through SQLite.
void score_row_guarded(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int n_arguments,
                       sqlite3_value** arguments) {
  try {
    score_row(api, context, result, n_arguments, arguments);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(result);
  }
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
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "mneme_bm25", nullptr, score_row_guarded, nullptr);
  return code == SQLITE_OK ? Status() : database.error(code);
}

}  // namespace mneme::storage

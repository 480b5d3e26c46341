// From a question to passages: lexical BM25 (the catalogue's FTS5 index) and dense vectors, merged by reciprocal rank,
// looked at a second time, made diverse, with where each passage stands. Passages that repeat a better one nearly word
// for word come after all others.
//
// The query language is told in query.h; anything is a query.
// Ownership: a Retriever borrows its Workspace. Threads: search() may run concurrently.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/document.h"
#include "rag/retrieval/answer_evidence.h"
#include "rag/retrieval/passage_evidence.h"

namespace mneme::rag {

class Reranker;
class Workspace;

enum class SearchMethod { kHybrid, kDense, kLexical };
Result<SearchMethod> parse_search_method(std::string_view name);  // "hybrid", "dense", "lexical"
std::string_view search_method_name(SearchMethod method);

struct SearchOptions {
  SearchMethod method = SearchMethod::kHybrid;
  int top_k = 6;
  std::string collection{};  // empty: all collections
  // A second, closer look at the best candidates (second_look.h); costs milliseconds. Unset: with kHybrid.
  std::optional<bool> rerank{};
  double diversity = 0.0;        // 0: by score alone; towards 1: passages unlike those already chosen (MMR)
  int neighbours = 0;            // of so many of the best passages, those before and after come along, within top_k
  bool join_neighbours = false;  // neighbouring passages of one document stand together, in document order
  // A third look by a model (reranker.h), at as many of the best as it can read within the budget. Borrowed; null:
  // none.
  Reranker* reranker = nullptr;
  double rerank_budget_ms = 300.0;
  bool judge = false;                  // SearchResult::answerable is decided; only those who refuse need it
  bool explain = false;                // SearchResult::considered is filled, and with `judge` judged
  std::vector<std::string> without{};  // documents that are passed over, by absolute path
  std::vector<std::string> within{};   // documents that alone are looked at, by absolute path; empty: all
};

// One passage. Pages and lines are 1-based; 0 means the format has none (JSON: null).
struct Hit {
  int rank = 0;  // from 1
  double score = 0.0;
  double lexical_score = 0.0;     // BM25, higher is better; 0: not found by words
  double dense_similarity = 0.0;  // dot product; 0: not found by vectors
  int64_t chunk_row = 0;          // catalogue row
  std::string chunk;              // stable id (ChunkRecord::uid): what `document show --chunk` and citations name
  int64_t document_id = 0;
  std::string document;  // absolute path
  std::string names;     // as DocumentRecord has them
  std::string title;
  std::string author;  // "" when the document names none
  std::string date;    // ISO 8601; "" when the document tells none
  std::string heading_path;
  TextForm form = TextForm::kProse;
  std::string collection;
  int ordinal = 0;         // position of the passage in its document, from 0
  int page = 0;            // where the passage begins; further ones:
  std::string page_marks;  // as ChunkRecord has them
  int line_start = 0;
  int line_end = 0;
  uint64_t byte_begin = 0;
  uint64_t byte_end = 0;
  std::string text;
  size_t excerpt_begin = 0;  // byte of text from where a few lines say most of what was asked for (excerpt_place.h)
};

// A candidate of the second look, with what spoke for it.
struct Considered {
  int64_t chunk_row = 0;
  std::string document;  // absolute path
  PassageEvidence evidence;
};

struct SearchResult {
  std::vector<Hit> hits;
  // What was searched: without filters, and in words the documents have (words_of_documents.h).
  std::string query;
  // false: nothing found comes near enough to the question (answerability.h); unset without SearchOptions::judge
  std::optional<bool> answerable;
  double milliseconds = 0.0;  // retrieval alone, the second look included
  int reranked = 0;           // candidates that were looked at a second time; 0: none
  int read_by_model = 0;      // candidates that the reranker read; 0: none
  double rerank_milliseconds = 0.0;
  std::vector<Considered> considered;  // best first; with SearchOptions::explain
  std::vector<AnswerEvidence> judged;  // by which `answerable` was decided, of the first hits; likewise
  std::vector<std::string> notes;      // for people: "vectors are being indexed"
};

class Retriever {
 public:
  explicit Retriever(Workspace& workspace) : workspace_(workspace) {}

  // kNotFound for a collection that does not exist; an empty result is not an error.
  Result<SearchResult> search(const std::string& query, const SearchOptions& options,
                              const CancelToken& cancel = never_cancelled());

 private:
  Workspace& workspace_;
};

}  // namespace mneme::rag

// The passages that a question is answered from: those the caller gives, else those that retrieval finds for the
// question as it stands alone. Threads: one question at a time, where a model rewrites it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "rag/retrieval/retriever.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class Workspace;

struct QuestionSources {
  std::vector<Hit> hits;  // best first, ranks from 1
  // What was searched, in words the documents have, or the parts of it that they answer; the question where nothing
  // was.
  std::string query;
  std::string leaned_on;   // by the query: QuestionReading
  std::string named;       // likewise
  std::string standalone;  // the question as the history made it; empty: it stands alone
  int page = 0;            // that was asked for by its number, and of which the hits are; 0: none
  bool of_whole = false;   // a document was asked for as a whole (text/documents/asked_gist.h), and the hits are of it
  bool answerable = true;  // false: nothing found comes near enough (decided for quoting only)
  // Questions for what each of two compared things is, which the hits answer; both or none (compared_definitions()).
  std::vector<std::string> compared;
  int reranked = 0;
  std::optional<double> retrieve_ms;  // unset: nothing was searched
  std::optional<double> rerank_ms;    // of it; unset: no second look
  std::vector<std::string> notes;
};

// Adds the hits that are not there yet, behind what is.
void add_new_hits(std::vector<Hit> hits, std::vector<Hit>& to);

// model: which is to answer; null when sentences are quoted. kNotFound: a collection or file that is not there.
Result<QuestionSources> find_sources(Workspace& workspace, const Asked& asked, engine::LanguageModel* model);

}  // namespace mneme::rag

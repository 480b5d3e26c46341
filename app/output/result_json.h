// Results of search and index as the JSON of the interface contract: unknown values are null, never left out. Threads:
// pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"

namespace mneme::app {

nlohmann::json search_json(const rag::SearchResult& result);
nlohmann::json index_json(const rag::IndexReport& report);

}  // namespace mneme::app

// Results as the JSON of the interface contract: unknown values are null, never left out. Threads: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"

namespace mneme::app {

nlohmann::json answer_json(const rag::Answer& answer);
nlohmann::json citation_json(const rag::Citation& citation);
nlohmann::json search_json(const rag::SearchResult& result);
nlohmann::json index_json(const rag::IndexReport& report);

// 0 stands for "the format has none" in passages: null in JSON.
nlohmann::json position_json(int page_or_line);

}  // namespace mneme::app

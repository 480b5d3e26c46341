#include "app/output/result_json.h"

#include <nlohmann/json.hpp>

#include "rag/answering/exchange/answer_json.h"

namespace mneme::app {

using nlohmann::json;
using rag::position_to_json;

json search_json(const rag::SearchResult& result) {
  json results = json::array();
  for (const rag::Hit& hit : result.hits) {
    results.push_back({{"rank", hit.rank},
                       {"score", hit.score},
                       {"document", hit.document},
                       {"title", hit.title},
                       {"author", hit.author.empty() ? json(nullptr) : json(hit.author)},
                       {"date", hit.date.empty() ? json(nullptr) : json(hit.date)},
                       {"heading", hit.heading_path.empty() ? json(nullptr) : json(hit.heading_path)},
                       {"collection", hit.collection},
                       {"page", position_to_json(hit.page)},
                       {"line_start", position_to_json(hit.line_start)},
                       {"line_end", position_to_json(hit.line_end)},
                       {"text", hit.text},
                       {"excerpt_begin", hit.excerpt_begin},
                       {"chunk", hit.chunk}});
  }
  return {{"results", std::move(results)},
          {"notes", result.notes},
          {"reranked", result.reranked},
          {"read_by_model", result.read_by_model},
          {"timing_ms",
           {{"retrieve", result.milliseconds},
            {"rerank", result.reranked > 0 ? json(result.rerank_milliseconds) : json(nullptr)}}}};
}

json index_json(const rag::IndexReport& report) {
  json failed = json::array();
  for (const rag::IndexFailure& failure : report.failed) {
    failed.push_back({{"path", failure.path}, {"error", failure.error}});
  }
  return {{"event", "done"},
          {"documents", report.documents},
          {"unchanged", report.unchanged},
          {"removed", report.removed},
          {"renamed", report.renamed},
          {"skipped", report.skipped},
          {"failed", std::move(failed)},
          {"chunks", report.chunks},
          {"tokens", report.tokens},
          {"bytes", report.bytes},
          {"seconds", report.seconds},
          {"interrupted", report.interrupted}};
}

}  // namespace mneme::app

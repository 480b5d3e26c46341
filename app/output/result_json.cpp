#include "app/output/result_json.h"

#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json cache_json(const rag::CacheReport& cache) {
  return {{"mode", rag::answer_mode_name(cache.mode)},
          {"chunks", cache.chunks},
          {"hits", cache.hits},
          {"recompute_ratio", cache.recompute_ratio},
          {"recomputed_tokens", cache.recomputed_tokens},
          {"level", or_null(cache.level)},
          {"bytes_read", cache.bytes_read},
          {"bytes_fp16", cache.bytes_fp16}};
}

json spans_json(const std::vector<rag::UnsupportedSpan>& spans) {
  json list = json::array();
  for (const rag::UnsupportedSpan& span : spans) {
    list.push_back({{"byte_begin", span.byte_begin}, {"byte_end", span.byte_end}});
  }
  return list;
}

}  // namespace

json position_json(int page_or_line) {
  return page_or_line > 0 ? json(page_or_line) : json(nullptr);
}

json citation_json(const rag::Citation& citation) {
  const rag::Hit& source = citation.source;
  return {{"n", citation.n},
          {"document", source.document},
          {"title", source.title},
          {"page", position_json(source.page)},
          {"line_start", position_json(source.line_start)},
          {"line_end", position_json(source.line_end)},
          {"score", source.score},
          {"text", source.text},
          {"chunk", source.chunk},
          {"quoted", citation.quoted}};
}

json answer_json(const rag::Answer& answer) {
  json citations = json::array();
  for (const rag::Citation& citation : answer.citations) citations.push_back(citation_json(citation));
  json object;
  object["answer"] = answer.text;
  object["finish"] = rag::finish_name(answer.finish);
  object["citations"] = std::move(citations);
  object["usage"] = {{"prompt_tokens", answer.usage.prompt_tokens},
                     {"chunk_tokens", answer.usage.chunk_tokens},
                     {"answer_tokens", answer.usage.answer_tokens}};
  object["cache"] = cache_json(answer.cache);
  object["attention"] = {{"kind", answer.attention.kind},
                         {"budget", or_null(answer.attention.budget)},
                         {"attended", or_null(answer.attention.attended)},
                         {"block_cache_hit_rate", or_null(answer.attention.block_cache_hit_rate)}};
  object["timing_ms"] = {{"retrieve", or_null(answer.timing.retrieve)},
                         {"load", or_null(answer.timing.load)},
                         {"recompute", or_null(answer.timing.recompute)},
                         {"ttft", or_null(answer.timing.ttft)},
                         {"total", or_null(answer.timing.total)}};
  object["decode_tokens_per_s"] = or_null(answer.decode_tokens_per_s);
  object["model"] = answer.model;
  object["device"] = answer.device;
  object["in_documents"] = answer.in_documents;
  object["unsupported"] = spans_json(answer.unsupported);
  object["query"] = answer.standalone_query.empty() ? json(nullptr) : json(answer.standalone_query);
  object["notes"] = answer.notes;
  return object;
}

json search_json(const rag::SearchResult& result) {
  json results = json::array();
  for (const rag::Hit& hit : result.hits) {
    results.push_back({{"rank", hit.rank},
                       {"score", hit.score},
                       {"document", hit.document},
                       {"title", hit.title},
                       {"heading", hit.heading_path.empty() ? json(nullptr) : json(hit.heading_path)},
                       {"collection", hit.collection},
                       {"page", position_json(hit.page)},
                       {"line_start", position_json(hit.line_start)},
                       {"line_end", position_json(hit.line_end)},
                       {"text", hit.text},
                       {"chunk", hit.chunk}});
  }
  return {{"results", std::move(results)},
          {"answerable", result.answerable},
          {"notes", result.notes},
          {"timing_ms", {{"retrieve", result.milliseconds}}}};
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

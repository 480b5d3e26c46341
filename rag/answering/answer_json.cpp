#include "rag/answering/answer_json.h"

#include <nlohmann/json.hpp>

namespace mneme::rag {
namespace {

using nlohmann::json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json plan_json(const LoadingPlan& plan) {
  return {{"ratio", plan.ratio},
          {"computed", plan.n_computed()},
          {"predicted_ms",
           {{"load", plan.load_ms},
            {"decode", plan.decode_ms},
            {"compute", plan.compute_ms},
            {"ttft", plan.first_token_ms},
            {"full", plan.full_ms}}}};
}

json cache_json(const CacheReport& cache) {
  return {{"mode", answer_mode_name(cache.mode)},
          {"chunks", cache.chunks},
          {"hits", cache.hits},
          {"recompute_ratio", cache.recompute_ratio},
          {"recomputed_tokens", cache.recomputed_tokens},
          {"level", or_null(cache.level)},
          {"bytes_read", cache.bytes_read},
          {"bytes_fp16", cache.bytes_fp16},
          {"carried", cache.carried},
          {"history_tokens", cache.history_tokens},
          {"controller", cache.plan ? plan_json(*cache.plan) : json(nullptr)}};
}

json spans_json(const std::vector<UnsupportedSpan>& spans) {
  json list = json::array();
  for (const UnsupportedSpan& span : spans) {
    list.push_back({{"byte_begin", span.byte_begin}, {"byte_end", span.byte_end}});
  }
  return list;
}

}  // namespace

json position_to_json(int page_or_line) {
  return page_or_line > 0 ? json(page_or_line) : json(nullptr);
}

json citation_to_json(const Citation& citation) {
  const Hit& source = citation.source;
  return {{"n", citation.n},
          {"document", source.document},
          {"title", source.title},
          {"page", position_to_json(source.page)},
          {"line_start", position_to_json(source.line_start)},
          {"line_end", position_to_json(source.line_end)},
          {"score", source.score},
          {"text", source.text},
          {"chunk", source.chunk},
          {"quoted", citation.quoted}};
}

namespace {

json citations_to_json(const std::vector<Citation>& citations) {
  json list = json::array();
  for (const Citation& citation : citations) list.push_back(citation_to_json(citation));
  return list;
}

}  // namespace

json answer_to_json(const Answer& answer) {
  json object;
  object["answer"] = answer.text;
  object["finish"] = finish_name(answer.finish);
  object["citations"] = citations_to_json(answer.citations);
  object["usage"] = {{"prompt_tokens", answer.usage.prompt_tokens},
                     {"chunk_tokens", answer.usage.chunk_tokens},
                     {"answer_tokens", answer.usage.answer_tokens}};
  object["cache"] = cache_json(answer.cache);
  object["attention"] = {{"kind", answer.attention.kind},
                         {"budget", or_null(answer.attention.budget)},
                         {"attended", or_null(answer.attention.attended)},
                         {"block_cache_hit_rate", or_null(answer.attention.block_cache_hit_rate)},
                         {"recall", or_null(answer.attention.recall)},
                         {"mass", or_null(answer.attention.mass)}};
  object["timing_ms"] = {{"retrieve", or_null(answer.timing.retrieve)}, {"rerank", or_null(answer.timing.rerank)},
                         {"load", or_null(answer.timing.load)},         {"recompute", or_null(answer.timing.recompute)},
                         {"ttft", or_null(answer.timing.ttft)},         {"total", or_null(answer.timing.total)}};
  object["decode_tokens_per_s"] = or_null(answer.decode_tokens_per_s);
  object["model"] = answer.model;
  object["device"] = answer.device;
  object["sources"] = citations_to_json(answer.sources);
  object["reranked"] = answer.reranked;
  object["in_documents"] = answer.in_documents;
  object["unsupported"] = spans_json(answer.unsupported);
  object["query"] = answer.standalone_query.empty() ? json(nullptr) : json(answer.standalone_query);
  object["notes"] = answer.notes;
  return object;
}

}  // namespace mneme::rag

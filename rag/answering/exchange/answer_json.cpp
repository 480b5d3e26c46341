#include "rag/answering/exchange/answer_json.h"

#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace mneme::rag {
namespace {

using nlohmann::json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json plan_json(const LoadingPlan& plan) {
  return {{"ratio", plan.ratio},
          {"full_layers", plan.full_layers},
          {"computed", plan.n_computed()},
          {"predicted_ms",
           {{"load", plan.load_ms},
            {"decode", plan.decode_ms},
            {"compute", plan.compute_ms},
            {"ttft", plan.first_token_ms},
            {"full", plan.full_ms}}}};
}

// How many layers came at each level, finest first.
json layers_json(const PassageForm& form) {
  json layers = json::object();
  for (size_t level = 0; level < form.layers.size(); ++level) {
    layers[std::string(engine::kv_level_name(static_cast<engine::KvLevel>(level)))] = form.layers[level];
  }
  return layers;
}

json passages_json(const std::vector<PassageForm>& passages) {
  constexpr const char* kSources[] = {"text", "store", "chat"};
  json list = json::array();
  for (const PassageForm& form : passages) {
    const bool stored = form.source == PassageForm::Source::kStore;
    list.push_back({{"source", kSources[static_cast<size_t>(form.source)]},
                    {"layers", stored ? layers_json(form) : json(nullptr)}});
  }
  return list;
}

json goal_json(const Answer& answer) {
  if (!answer.first_token_goal_ms) return nullptr;
  const std::optional<double>& ttft = answer.timing.ttft;
  return {{"ms", *answer.first_token_goal_ms},
          {"kept", ttft ? json(*ttft <= *answer.first_token_goal_ms) : json(nullptr)}};
}

json cache_json(const CacheReport& cache) {
  return {{"mode", answer_mode_name(cache.mode)},
          {"chunks", cache.chunks},
          {"hits", cache.hits},
          {"recompute_ratio", cache.recompute_ratio},
          {"recomputed_tokens", cache.recomputed_tokens},
          {"full_layers", cache.full_layers},
          {"level", or_null(cache.level)},
          {"bytes_read", cache.bytes_read},
          {"bytes_fp16", cache.bytes_fp16},
          {"bytes_decoded", cache.bytes_decoded},
          {"bytes_decoded_on_device", cache.bytes_decoded_on_device},
          {"carried", cache.carried},
          {"history_tokens", cache.history_tokens},
          {"controller", cache.plan ? plan_json(*cache.plan) : json(nullptr)},
          {"passages", passages_json(cache.passages)}};
}

json brief_json(const std::optional<BriefAnswer>& brief) {
  if (!brief) return nullptr;
  return {{"text", brief->text},
          {"n", brief->n},
          {"probability", brief->probability},
          {"stated", brief->stated},
          {"model", brief->model.empty() ? json(nullptr) : json(brief->model)}};
}

json spans_json(const std::vector<UnsupportedSpan>& spans) {
  json list = json::array();
  for (const UnsupportedSpan& span : spans) {
    list.push_back({{"byte_begin", span.byte_begin}, {"byte_end", span.byte_end}});
  }
  return list;
}

json quotes_json(const std::vector<Stretch>& quotes) {
  json list = json::array();
  for (const Stretch& quote : quotes) list.push_back({{"byte_begin", quote.begin}, {"byte_end", quote.end}});
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
          {"heading", source.heading_path.empty() ? json(nullptr) : json(source.heading_path)},
          {"page", position_to_json(source.page)},
          {"line_start", position_to_json(source.line_start)},
          {"line_end", position_to_json(source.line_end)},
          {"score", source.score},
          {"text", source.text},
          {"excerpt_begin", source.excerpt_begin},
          {"chunk", source.chunk},
          {"cited", citation.cited},
          {"quoted", citation.quoted},
          {"quotes", quotes_json(citation.quotes)}};
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
  object["reasoning"] = answer.reasoning.empty() ? json(nullptr) : json(answer.reasoning);
  object["finish"] = finish_name(answer.finish);
  object["citations"] = citations_to_json(answer.citations);
  object["usage"] = {{"prompt_tokens", answer.usage.prompt_tokens}, {"chunk_tokens", answer.usage.chunk_tokens},
                     {"answer_tokens", answer.usage.answer_tokens}, {"reasoning_tokens", answer.usage.reasoning_tokens},
                     {"decode_steps", answer.usage.decode_steps},   {"cut_passages", answer.usage.cut_passages}};
  object["cache"] = cache_json(answer.cache);
  object["attention"] = {{"kind", answer.attention.kind},
                         {"budget", or_null(answer.attention.budget)},
                         {"attended", or_null(answer.attention.attended)},
                         {"block_cache_hit_rate", or_null(answer.attention.block_cache_hit_rate)},
                         {"recall", or_null(answer.attention.recall)},
                         {"mass", or_null(answer.attention.mass)},
                         {"kv_in_host_memory", answer.attention.kv_in_host_memory}};
  object["timing_ms"] = {{"retrieve", or_null(answer.timing.retrieve)}, {"rerank", or_null(answer.timing.rerank)},
                         {"load", or_null(answer.timing.load)},         {"recompute", or_null(answer.timing.recompute)},
                         {"ttft", or_null(answer.timing.ttft)},         {"total", or_null(answer.timing.total)}};
  object["first_token_goal"] = goal_json(answer);
  object["decode_tokens_per_s"] = or_null(answer.decode_tokens_per_s);
  object["model"] = answer.model;
  object["device"] = answer.device;
  object["gpu_layers"] = or_null(answer.gpu_layers);
  object["sources"] = citations_to_json(answer.sources);
  object["reranked"] = answer.reranked;
  object["in_documents"] = answer.in_documents;
  object["brief"] = brief_json(answer.brief);
  object["unsupported"] = spans_json(answer.unsupported);
  object["query"] = answer.standalone_query.empty() ? json(nullptr) : json(answer.standalone_query);
  object["notes"] = answer.notes;
  return object;
}

namespace {

// What is there, where it is of the right type.
template <typename T>
std::optional<T> value_of(const json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  constexpr bool kWhole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  if (kWhole && !found->is_number_integer()) return std::nullopt;  // of 1e300 no integer can be made
  try {
    return found->get<T>();
  } catch (const json::exception&) {
    return std::nullopt;  // of another type
  }
}

// What is not there stays as it was, so that answers saved by other versions open.
template <typename T>
void read(const json& object, const char* key, T& out) {
  if (std::optional<T> value = value_of<T>(object, key)) out = *std::move(value);
}

template <typename T>
void read(const json& object, const char* key, std::optional<T>& out) {
  if (std::optional<T> value = value_of<T>(object, key)) out = std::move(value);
}

const json& member(const json& object, const char* key) {
  static const json kEmpty = json::object();
  const auto found = object.find(key);
  return found == object.end() ? kEmpty : *found;
}

// Those that lie in the text.
std::vector<Stretch> quotes_from_json(const json& list, std::string_view text) {
  std::vector<Stretch> quotes;
  if (!list.is_array()) return quotes;
  for (const json& one : list) {
    Stretch quote;
    read(one, "byte_begin", quote.begin);
    read(one, "byte_end", quote.end);
    if (quote.begin >= quote.end || quote.end > text.size()) continue;
    quotes.push_back({utf8::floor_boundary(text, quote.begin), utf8::floor_boundary(text, quote.end)});
  }
  return quotes;
}

Citation citation_from_json(const json& object) {
  Citation citation;
  Hit& source = citation.source;
  read(object, "n", citation.n);
  read(object, "document", source.document);
  read(object, "title", source.title);
  read(object, "heading", source.heading_path);
  read(object, "page", source.page);
  read(object, "line_start", source.line_start);
  read(object, "line_end", source.line_end);
  read(object, "score", source.score);
  read(object, "text", source.text);
  read(object, "excerpt_begin", source.excerpt_begin);
  source.excerpt_begin = utf8::floor_boundary(source.text, source.excerpt_begin);
  read(object, "chunk", source.chunk);
  read(object, "cited", citation.cited);
  read(object, "quoted", citation.quoted);
  citation.quotes = quotes_from_json(member(object, "quotes"), source.text);
  source.rank = citation.n;
  return citation;
}

std::vector<Citation> citations_from_json(const json& list) {
  std::vector<Citation> citations;
  if (!list.is_array()) return citations;
  for (const json& one : list) {
    if (one.is_object()) citations.push_back(citation_from_json(one));
  }
  return citations;
}

void read_cache(const json& object, CacheReport& cache) {
  std::string mode;
  read(object, "mode", mode);
  if (const Result<AnswerMode> parsed = parse_answer_mode(mode); parsed.ok()) cache.mode = *parsed;
  read(object, "chunks", cache.chunks);
  read(object, "hits", cache.hits);
  read(object, "recompute_ratio", cache.recompute_ratio);
  read(object, "recomputed_tokens", cache.recomputed_tokens);
  read(object, "full_layers", cache.full_layers);
  read(object, "level", cache.level);
  read(object, "bytes_read", cache.bytes_read);
  read(object, "bytes_fp16", cache.bytes_fp16);
  read(object, "bytes_decoded", cache.bytes_decoded);
  read(object, "bytes_decoded_on_device", cache.bytes_decoded_on_device);
  read(object, "carried", cache.carried);
  read(object, "history_tokens", cache.history_tokens);
}

void read_timing(const json& object, AnswerTiming& timing) {
  read(object, "retrieve", timing.retrieve);
  read(object, "rerank", timing.rerank);
  read(object, "load", timing.load);
  read(object, "recompute", timing.recompute);
  read(object, "ttft", timing.ttft);
  read(object, "total", timing.total);
}

}  // namespace

std::optional<Answer> answer_from_json(const json& object) {
  if (!object.is_object() || !object.contains("usage")) return std::nullopt;
  Answer answer;
  read(object, "answer", answer.text);
  read(object, "reasoning", answer.reasoning);
  std::string finish;
  read(object, "finish", finish);
  for (const Finish one : {Finish::kStop, Finish::kLength, Finish::kInterrupted}) {
    if (finish == finish_name(one)) answer.finish = one;
  }
  answer.citations = citations_from_json(member(object, "citations"));
  answer.sources = citations_from_json(member(object, object.contains("sources") ? "sources" : "citations"));
  const json& usage = member(object, "usage");
  read(usage, "prompt_tokens", answer.usage.prompt_tokens);
  read(usage, "chunk_tokens", answer.usage.chunk_tokens);
  read(usage, "answer_tokens", answer.usage.answer_tokens);
  read(usage, "reasoning_tokens", answer.usage.reasoning_tokens);
  read(usage, "decode_steps", answer.usage.decode_steps);
  read(usage, "cut_passages", answer.usage.cut_passages);
  read_cache(member(object, "cache"), answer.cache);
  const json& attention = member(object, "attention");
  read(attention, "kind", answer.attention.kind);
  read(attention, "budget", answer.attention.budget);
  read(attention, "attended", answer.attention.attended);
  read(attention, "block_cache_hit_rate", answer.attention.block_cache_hit_rate);
  read(attention, "recall", answer.attention.recall);
  read(attention, "mass", answer.attention.mass);
  read(attention, "kv_in_host_memory", answer.attention.kv_in_host_memory);
  read_timing(member(object, "timing_ms"), answer.timing);
  read(member(object, "first_token_goal"), "ms", answer.first_token_goal_ms);
  read(object, "decode_tokens_per_s", answer.decode_tokens_per_s);
  read(object, "model", answer.model);
  read(object, "device", answer.device);
  read(object, "gpu_layers", answer.gpu_layers);
  read(object, "in_documents", answer.in_documents);
  if (const json& brief = member(object, "brief"); brief.contains("text")) {
    answer.brief.emplace();
    read(brief, "text", answer.brief->text);
    read(brief, "n", answer.brief->n);
    read(brief, "probability", answer.brief->probability);
    read(brief, "stated", answer.brief->stated);
    read(brief, "model", answer.brief->model);
  }
  for (const json& span : member(object, "unsupported")) {
    if (!span.is_object()) continue;
    UnsupportedSpan unsupported;
    read(span, "byte_begin", unsupported.byte_begin);
    read(span, "byte_end", unsupported.byte_end);
    answer.unsupported.push_back(unsupported);
  }
  read(object, "reranked", answer.reranked);
  read(object, "query", answer.standalone_query);
  read(object, "notes", answer.notes);
  return answer;
}

}  // namespace mneme::rag

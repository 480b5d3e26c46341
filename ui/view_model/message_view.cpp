#include "ui/view_model/message_view.h"

#include <nlohmann/json.hpp>

namespace mneme::ui {
namespace {

using nlohmann::json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

// Text that JSON can hold whatever the document held.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <typename T>
void read(const json& object, const char* key, T& out) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return;
  try {
    out = found->get<T>();
  } catch (const json::exception&) {
    // Of another type than expected: left as it was.
  }
}

template <typename T>
void read(const json& object, const char* key, std::optional<T>& out) {
  T value{};
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return;
  read(object, key, value);
  out = value;
}

json source_json(const SourceView& s) {
  return {{"n", s.n},
          {"title", s.title},
          {"document", s.document},
          {"heading", s.heading},
          {"page", s.page == 0 ? json(nullptr) : json(s.page)},
          {"line_start", s.line_begin},
          {"line_end", s.line_end},
          {"score", s.score},
          {"text", s.text},
          {"cited", s.cited},
          {"quoted", s.quoted}};
}

SourceView read_source(const json& object) {
  SourceView s;
  read(object, "n", s.n);
  read(object, "title", s.title);
  read(object, "document", s.document);
  read(object, "heading", s.heading);
  read(object, "page", s.page);
  read(object, "line_start", s.line_begin);
  read(object, "line_end", s.line_end);
  read(object, "score", s.score);
  read(object, "text", s.text);
  read(object, "cited", s.cited);
  read(object, "quoted", s.quoted);
  return s;
}

std::vector<StageView> timeline_of(const rag::AnswerTiming& timing) {
  std::vector<StageView> stages;
  double now = 0.0;
  const auto add = [&](const char* name, std::optional<double> milliseconds) {
    if (!milliseconds) return;
    stages.push_back({name, now, now + *milliseconds});
    now += *milliseconds;
  };
  add("retrieve", timing.retrieve);
  add("load", timing.load);
  add("recompute", timing.recompute);
  if (timing.ttft && *timing.ttft > now) stages.push_back({"read", now, *timing.ttft});
  if (timing.ttft && timing.total) stages.push_back({"generate", *timing.ttft, *timing.total});
  return stages;
}

AnswerFacts read_facts(const json& object) {
  AnswerFacts facts;
  read(object, "model", facts.model);
  read(object, "device", facts.device);
  read(object, "finish", facts.finish);
  read(object, "decode_tokens_per_s", facts.tokens_per_s);
  read(object, "notes", facts.notes);
  const json cache = object.value("cache", json::object());
  read(cache, "mode", facts.mode);
  read(cache, "chunks", facts.chunks);
  read(cache, "hits", facts.hits);
  read(cache, "recompute_ratio", facts.recompute_ratio);
  read(cache, "level", facts.level);
  read(cache, "bytes_read", facts.bytes_read);
  read(cache, "bytes_fp16", facts.bytes_fp16);
  const json usage = object.value("usage", json::object());
  read(usage, "prompt_tokens", facts.prompt_tokens);
  read(usage, "chunk_tokens", facts.chunk_tokens);
  read(usage, "answer_tokens", facts.answer_tokens);
  const json timing = object.value("timing_ms", json::object());
  rag::AnswerTiming times;
  read(timing, "retrieve", times.retrieve);
  read(timing, "load", times.load);
  read(timing, "recompute", times.recompute);
  read(timing, "ttft", times.ttft);
  read(timing, "total", times.total);
  facts.ttft_ms = times.ttft;
  facts.total_ms = times.total;
  facts.timeline = timeline_of(times);
  return facts;
}

json facts_json(const AnswerFacts& f) {
  const auto stage_ms = [&](const char* name) -> json {
    for (const StageView& stage : f.timeline) {
      if (stage.name == name) return stage.end_ms - stage.begin_ms;
    }
    return nullptr;
  };
  return {{"finish", f.finish},
          {"model", f.model},
          {"device", f.device},
          {"notes", f.notes},
          {"decode_tokens_per_s", or_null(f.tokens_per_s)},
          {"usage",
           {{"prompt_tokens", f.prompt_tokens}, {"chunk_tokens", f.chunk_tokens}, {"answer_tokens", f.answer_tokens}}},
          {"cache",
           {{"mode", f.mode},
            {"chunks", f.chunks},
            {"hits", f.hits},
            {"recompute_ratio", or_null(f.recompute_ratio)},
            {"level", or_null(f.level)},
            {"bytes_read", f.bytes_read},
            {"bytes_fp16", f.bytes_fp16}}},
          {"timing_ms",
           {{"retrieve", stage_ms("retrieve")},
            {"load", stage_ms("load")},
            {"recompute", stage_ms("recompute")},
            {"ttft", or_null(f.ttft_ms)},
            {"total", or_null(f.total_ms)}}}};
}

AnswerFacts facts_of(const rag::Answer& answer) {
  AnswerFacts facts;
  facts.mode = rag::answer_mode_name(answer.cache.mode);
  facts.model = answer.model;
  facts.device = answer.device;
  facts.finish = rag::finish_name(answer.finish);
  facts.chunks = answer.cache.chunks;
  facts.hits = answer.cache.hits;
  facts.recompute_ratio = answer.cache.recompute_ratio;
  facts.level = answer.cache.level;
  facts.bytes_read = answer.cache.bytes_read;
  facts.bytes_fp16 = answer.cache.bytes_fp16;
  facts.prompt_tokens = answer.usage.prompt_tokens;
  facts.chunk_tokens = answer.usage.chunk_tokens;
  facts.answer_tokens = answer.usage.answer_tokens;
  facts.ttft_ms = answer.timing.ttft;
  facts.total_ms = answer.timing.total;
  facts.tokens_per_s = answer.decode_tokens_per_s;
  facts.timeline = timeline_of(answer.timing);
  facts.notes = answer.notes;
  return facts;
}

}  // namespace

SourceView source_view(const rag::Citation& citation) {
  SourceView view;
  view.n = citation.n;
  view.title = citation.source.title;
  view.document = citation.source.document;
  view.heading = citation.source.heading_path;
  view.page = citation.source.page;
  view.line_begin = citation.source.line_start;
  view.line_end = citation.source.line_end;
  view.score = citation.source.score;
  view.text = citation.source.text;
  view.cited = citation.cited;
  view.quoted = citation.quoted;
  return view;
}

MessageView message_of(const rag::Answer& answer) {
  MessageView message;
  message.text = answer.text;
  for (const rag::Citation& source : answer.sources) message.sources.push_back(source_view(source));
  for (const rag::Citation& cited : answer.citations) {
    for (SourceView& source : message.sources) {
      if (source.n != cited.n) continue;
      source.cited = true;
      source.quoted = cited.quoted;
    }
  }
  message.facts = facts_of(answer);
  return message;
}

void read_details(const std::string& details_json, MessageView& message) {
  const json details = json::parse(details_json, nullptr, /*allow_exceptions=*/false);
  if (!details.is_object()) return;
  const char* list = details.contains("sources") ? "sources" : "citations";
  const auto sources = details.find(list);
  if (sources != details.end() && sources->is_array()) {
    for (const json& source : *sources) {
      if (source.is_object()) message.sources.push_back(read_source(source));
    }
  }
  if (details.contains("usage") && details["usage"].is_object()) message.facts = read_facts(details);
}

std::string details_of(const MessageView& message) {
  json details = message.facts ? facts_json(*message.facts) : json::object();
  details["answer"] = message.text;
  details["sources"] = json::array();
  details["citations"] = json::array();
  for (const SourceView& source : message.sources) {
    details["sources"].push_back(source_json(source));
    if (source.cited) details["citations"].push_back(source_json(source));
  }
  return dump(details);
}

std::string export_markdown(const ConversationView& conversation) {
  std::string text = "# " + conversation.title + "\n";
  for (const auto& message : conversation.messages) {
    text += message->from_user ? "\n## Question\n\n" : "\n## Answer\n\n";
    text += message->text + "\n";
    bool first = true;
    for (const SourceView& source : message->sources) {
      if (!source.cited) continue;
      if (std::exchange(first, false)) text += "\n";
      text += "- [" + std::to_string(source.n) + "] " + source.title + " (" + source.document;
      if (source.page > 0) text += ", page " + std::to_string(source.page);
      if (source.page == 0 && source.line_begin > 0) text += ", line " + std::to_string(source.line_begin);
      text += ")\n";
    }
  }
  return text;
}

std::string export_json(const ConversationView& conversation) {
  json chat = {{"title", conversation.title}, {"messages", json::array()}};
  for (const auto& message : conversation.messages) {
    json entry = {{"role", message->from_user ? "user" : "assistant"}, {"text", message->text}};
    if (!message->from_user) entry["details"] = json::parse(details_of(*message), nullptr, false);
    chat["messages"].push_back(entry);
  }
  return dump(chat) + "\n";
}

}  // namespace mneme::ui

#include "ui/view_model/message_view.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "rag/answering/citations/cited_place.h"
#include "rag/answering/exchange/answer_json.h"
#include "rag/document.h"
#include "rag/readers/reader.h"
#include "rag/saved_json.h"
#include "ui/language/tr.h"
#include "ui/view_model/cited_heading.h"
#include "ui/view_model/flowing_text.h"
#include "ui/view_model/quotation.h"
#include "ui/view_model/telling_apart.h"

namespace mneme::ui {
namespace {

using nlohmann::json;

// Text that JSON can hold whatever the document held.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Stages in the order they are drawn, with the spans they are made of.
struct StageSpans {
  const char* stage;
  std::string_view category;
  std::string_view name;
};
constexpr StageSpans kStages[] = {
    {"retrieve", "rag", "retrieve"},    {"open", "rag", "open model"},     {"load", "kv", "fetch"},
    {"decode", "kv", "decode"},         {"recompute", "layer", "compute"}, {"read", "rag", "prefill"},
    {"generate", "rag", "generate"},    {"measure", "kv", "calibrate"},    {"measure", "kv", "quality gate"},
    {"measure", "kv", "measure speed"},
};
constexpr std::string_view kLanes[] = {"measure", "retrieve",  "open", "load",
                                       "decode",  "recompute", "read", "generate"};
constexpr std::string_view kMeasure = "measure";
constexpr size_t kMostIntervals = 400;  // of one stage, as kept with the chat

// Empty: none that is shown.
std::string_view stage_of(const trace::Event& event) {
  for (const StageSpans& kind : kStages) {
    if (kind.category == event.category && kind.name == event.name) return kind.stage;
  }
  return {};
}

// The times in which a model was tried out: what was loaded and computed then belongs to that, not to the answer.
class Trials {
 public:
  explicit Trials(const std::vector<trace::Event>& events) {
    for (const trace::Event& event : events) {
      if (stage_of(event) == kMeasure) spans_.push_back({event.begin_us, event.begin_us + event.duration_us});
    }
  }
  bool hold(const trace::Event& event) const {
    return std::any_of(spans_.begin(), spans_.end(), [&](const auto& span) {
      return event.begin_us >= span.first && event.begin_us + event.duration_us <= span.second;
    });
  }

 private:
  std::vector<std::pair<int64_t, int64_t>> spans_;  // begin and end, in us
};

// Sorts, and joins what lies less than `gap_ms` apart.
void join(std::vector<StageView::Interval>& intervals, double gap_ms) {
  std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.begin_ms < b.begin_ms; });
  std::vector<StageView::Interval> joined;
  for (const StageView::Interval& i : intervals) {
    if (!joined.empty() && i.begin_ms <= joined.back().end_ms + gap_ms) {
      joined.back().end_ms = std::max(joined.back().end_ms, i.end_ms);
    } else {
      joined.push_back(i);
    }
  }
  intervals = std::move(joined);
}

json timeline_json(const std::vector<StageView>& timeline) {
  json list = json::array();
  for (const StageView& stage : timeline) {
    json intervals = json::array();
    for (const StageView::Interval& i : stage.intervals) intervals.push_back({i.begin_ms, i.end_ms});
    list.push_back({{"stage", stage.name}, {"intervals", std::move(intervals)}});
  }
  return list;
}

std::vector<StageView> read_timeline(const json& list) {
  std::vector<StageView> timeline;
  if (!list.is_array()) return timeline;
  for (const json& one : list) {
    if (!one.is_object() || !one.contains("intervals") || !one["intervals"].is_array()) continue;
    StageView stage;
    if (one.contains("stage") && one["stage"].is_string()) stage.name = one["stage"].get<std::string>();
    for (const json& i : one["intervals"]) {
      if (i.is_array() && i.size() == 2 && i[0].is_number() && i[1].is_number())
        stage.intervals.push_back({i[0].get<double>(), i[1].get<double>()});
    }
    if (!stage.intervals.empty()) timeline.push_back(std::move(stage));
  }
  return timeline;
}

AnswerFacts facts_of(const rag::Answer& answer, std::vector<StageView> timeline) {
  AnswerFacts facts;
  facts.mode = rag::answer_mode_name(answer.cache.mode);
  facts.model = answer.model;
  if (answer.brief) facts.reader = answer.brief->model;
  facts.device = rag::device_text(answer);
  facts.finish = rag::finish_name(answer.finish);
  facts.chunks = answer.cache.chunks;
  facts.hits = answer.cache.hits;
  facts.cut_passages = answer.usage.cut_passages;
  facts.recompute_ratio = answer.cache.recompute_ratio;
  facts.recomputed_tokens = answer.cache.recomputed_tokens;
  facts.level = answer.cache.level;
  facts.bytes_read = answer.cache.bytes_read;
  facts.bytes_fp16 = answer.cache.bytes_fp16;
  facts.prompt_tokens = answer.usage.prompt_tokens;
  facts.chunk_tokens = answer.usage.chunk_tokens;
  facts.answer_tokens = answer.usage.answer_tokens;
  facts.decode_steps = answer.usage.decode_steps;
  facts.unsupported = static_cast<int>(answer.unsupported.size());
  facts.in_documents = answer.in_documents;
  facts.ttft_ms = answer.timing.ttft;
  facts.total_ms = answer.timing.total;
  facts.tokens_per_s = answer.decode_tokens_per_s;
  facts.query = answer.standalone_query;
  facts.timeline = timeline.empty() ? timeline_of(answer.timing) : std::move(timeline);
  facts.notes = answer.notes;
  return facts;
}

// By its name: what is kept with a chat does not say what its documents are.
std::string_view format_of(const rag::Hit& hit) {
  return readers::detect_format(hit.document, as_bytes(hit.text));
}

bool has_lines_of_its_own(const rag::Hit& hit) {
  constexpr std::array<std::string_view, 3> kFormats = {rag::kSourceFormat, "csv", "json"};
  return hit.form == rag::TextForm::kSource ||
         std::find(kFormats.begin(), kFormats.end(), format_of(hit)) != kFormats.end();
}

// Code is shown with its indentation.
size_t line_begin(std::string_view text, size_t byte) {
  const size_t border = text.substr(0, byte).rfind('\n');
  return border == text.npos ? 0 : border + 1;
}

void begin_excerpt(size_t byte, SourceView& source) {
  source.excerpt_from = source.is_code ? line_begin(source.text, byte) : byte;
}

// The answer may say a row of a table with the names of its columns, and a sentence behind a heading. Lines of prose
// are broken elsewhere where it is shown.
std::string quotes_of(const rag::Citation& cited, bool is_code) {
  std::string quotes;
  for (const rag::Stretch& stretch : cited.quotes) {
    std::string quote = cited.source.text.substr(stretch.begin, stretch.end - stretch.begin);
    const bool is_table = is_code || quote.find_first_of("|\t") != quote.npos;
    if (!is_table) std::replace(quote.begin(), quote.end(), '\n', ' ');
    quotes += quote + '\n';
  }
  return quotes;
}

// Where the words stand that an answer cites, instead of where their passage begins.
void point_at_words(const rag::Citation& cited, const std::string& answer, SourceView& source) {
  source.cited = true;
  source.quoted = cited.quoted;
  source.quotes = quotes_of(cited, source.is_code);
  const rag::CitedPlace place = rag::cited_place(cited, answer);
  if (place.byte > 0) begin_excerpt(place.byte, source);
  if (source.quoted && place.line > 0) {
    source.line_begin = place.line;
    source.line_end = place.last_line;
  }
  if (format_of(cited.source) == "markdown")
    source.heading = heading_above(cited.source.heading_path, cited.source.text, place.byte);
}

void take(const rag::Answer& answer, std::vector<StageView> timeline, MessageView& message) {
  message.reasoning = answer.reasoning;
  message.sources = source_views(answer.sources);
  for (const rag::Citation& cited : answer.citations) {
    for (SourceView& source : message.sources) {
      if (source.n == cited.n) point_at_words(cited, message.text, source);
    }
  }
  message.facts = facts_of(answer, std::move(timeline));
}

}  // namespace

std::vector<StageView> timeline_of(const std::vector<trace::Event>& events) {
  const Trials trials(events);
  std::vector<StageView> timeline;
  for (const std::string_view lane : kLanes) {
    StageView stage;
    stage.name = lane;
    for (const trace::Event& event : events) {
      if (stage_of(event) != lane || (lane != kMeasure && trials.hold(event))) continue;
      const double begin = static_cast<double>(event.begin_us) / 1000.0;
      stage.intervals.push_back({begin, begin + static_cast<double>(event.duration_us) / 1000.0});
    }
    for (double gap_ms = 0.05; stage.intervals.size() > kMostIntervals || gap_ms == 0.05; gap_ms *= 4.0)
      join(stage.intervals, gap_ms);
    if (!stage.intervals.empty()) timeline.push_back(std::move(stage));
  }
  return timeline;
}

std::vector<StageView> timeline_of(const rag::AnswerTiming& timing) {
  std::vector<StageView> stages;
  double now = 0.0;
  const auto add = [&](const char* name, std::optional<double> milliseconds) {
    if (!milliseconds) return;
    stages.push_back({name, {{now, now + *milliseconds}}});
    now += *milliseconds;
  };
  add("retrieve", timing.retrieve);
  add("load", timing.load);
  add("recompute", timing.recompute);
  if (timing.ttft && *timing.ttft > now) stages.push_back({"read", {{now, *timing.ttft}}});
  if (timing.ttft && timing.total && *timing.total > *timing.ttft)
    stages.push_back({"generate", {{*timing.ttft, *timing.total}}});
  return stages;
}

SourceView source_view(const rag::Citation& citation) {
  SourceView view;
  view.n = citation.n;
  view.title = citation.source.title;
  view.document = citation.source.document;
  view.heading = citation.source.heading_path;
  view.page = citation.source.page;
  view.text = citation.source.text;
  view.line_begin = citation.source.line_start;
  view.line_end = citation.source.line_end;
  const auto breaks = std::count(view.text.begin(), view.text.end(), '\n');
  if (view.line_begin > 0 && view.line_end - view.line_begin == breaks) view.first_line = view.line_begin;
  view.score = citation.source.score;
  view.cited = citation.cited;
  view.quoted = citation.quoted;
  view.is_code = has_lines_of_its_own(citation.source);
  view.is_plain = !view.is_code && has_flowing_lines(format_of(citation.source));
  begin_excerpt(citation.source.excerpt_begin, view);
  return view;
}

std::vector<SourceView> source_views(const std::vector<rag::Citation>& citations) {
  std::vector<SourceView> views;
  views.reserve(citations.size());
  for (const rag::Citation& citation : citations) views.push_back(source_view(citation));
  std::vector<NamedDocument> documents;
  documents.reserve(views.size());
  for (const SourceView& view : views) documents.push_back({view.title, view.document});
  const std::vector<std::string_view> files = telling_paths(documents);
  for (size_t i = 0; i < views.size(); ++i) views[i].file = files[i];
  return views;
}

MessageView message_of(const rag::Answer& answer, std::vector<StageView> timeline) {
  MessageView message;
  message.text = answer.text;
  take(answer, std::move(timeline), message);
  json details = rag::answer_to_json(answer);
  details["timeline"] = timeline_json(message.facts->timeline);
  message.details_json = std::make_shared<const std::string>(dump(details));
  return message;
}

void read_details(const std::string& details_json, MessageView& message) {
  const json details = rag::parse_saved_json(details_json);
  const std::optional<rag::Answer> answer = rag::answer_from_json(details);
  if (!answer) return;
  take(*answer, details.contains("timeline") ? read_timeline(details["timeline"]) : std::vector<StageView>{}, message);
  message.details_json = std::make_shared<const std::string>(details_json);
}

std::string export_markdown(const ConversationView& conversation) {
  std::string text = "# " + conversation.title + "\n";
  for (const auto& message : conversation.messages) {
    text += std::string("\n## ") + (message->from_user ? tr("Question") : tr("Answer")) + "\n\n";
    text += message->text + "\n";
    bool first = true;
    for (const SourceView& source : message->sources) {
      if (!source.cited) continue;
      if (std::exchange(first, false)) text += "\n";
      text += "- [" + std::to_string(source.n) + "] " + reference_text(place_of_quotation(source)) + "\n";
    }
  }
  return text;
}

std::string export_json(const ConversationView& conversation) {
  json chat = {{"title", conversation.title}, {"messages", json::array()}};
  for (const auto& message : conversation.messages) {
    json entry = {{"role", message->from_user ? "user" : "assistant"}, {"text", message->text}};
    if (message->details_json) entry["details"] = rag::parse_saved_json(*message->details_json);
    chat["messages"].push_back(entry);
  }
  return dump(chat) + "\n";
}

}  // namespace mneme::ui

// Notes of Google Keep, as Takeout gives them: one in a file of JSON, with a list to tick off or text.
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/text/json_tree.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

void tell_labels(const Json& note, DocumentBuilder& builder) {
  std::string labels;
  for (const Json& label : json_member(note, "labels")) {
    const std::string name = json_words(json_member(label, "name"));
    if (!name.empty()) labels += (labels.empty() ? "" : ", ") + name;
  }
  if (!labels.empty()) builder.list_item("Labels: " + labels);
}

// Each line is one of its own.
void tell_text(const std::string& text, DocumentBuilder& builder) {
  std::string lines;
  LineCursor cursor(text);
  Line line;
  while (cursor.next(line)) lines.append(lines.empty() ? std::string_view() : kLineBreak).append(line.text);
  builder.paragraph(lines);
}

void tell_list(const Json& list, DocumentBuilder& builder) {
  for (const Json& item : list) {
    const std::string words = json_words(json_member(item, "text"));
    if (words.empty()) continue;
    const Json& ticked = json_member(item, "isChecked");
    const bool done = ticked.is_boolean() && ticked.get<bool>();
    builder.list_item((done ? "[x] " : "[ ] ") + words);
  }
}

void tell_links(const Json& links, DocumentBuilder& builder) {
  for (const Json& link : links) {
    const std::string url = json_words(json_member(link, "url"));
    if (!url.empty()) builder.paragraph(json_words(json_member(link, "title")) + " " + url);
  }
}

std::string day_of(const Json& microseconds) {
  if (!microseconds.is_number_unsigned()) return {};
  constexpr uint64_t kLatest = 253'402'300'800'000'000;  // the year 10000
  const auto since = microseconds.get<uint64_t>();
  if (since == 0 || since >= kLatest) return {};
  const std::chrono::sys_seconds time{std::chrono::seconds(since / 1'000'000)};
  return iso_day({.wall = time, .has_time = true, .zone = {}});
}

}  // namespace

bool looks_like_keep(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 1024);
  return head.starts_with('{') && head.find("\"isTrashed\":") != head.npos &&
         (head.find("\"textContent\":") != head.npos || head.find("\"listContent\":") != head.npos);
}

Status read_keep(ReadContext& context, Input input) {
  const auto note = parse_json_tree(context, input.name, input.bytes);
  if (!note.ok()) return read_json(context, std::move(input));
  rag::Document document;
  document.format = "keep";
  document.title = clean_text(json_words(json_member(*note, "title")));
  document.date = day_of(json_member(*note, "userEditedTimestampUsec"));
  DocumentBuilder builder(document, context.limits().text_bytes);
  builder.heading(1, document.title);
  tell_labels(*note, builder);
  tell_text(json_words(json_member(*note, "textContent")), builder);
  tell_list(json_member(*note, "listContent"), builder);
  tell_links(json_member(*note, "annotations"), builder);
  if (builder.empty()) return unsupported(printable(input.name) + " is a note without text.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers

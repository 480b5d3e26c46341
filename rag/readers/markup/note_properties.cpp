#include "rag/readers/markup/note_properties.h"

#include <algorithm>
#include <string>

#include "rag/readers/front_matter.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestTail = 4096;  // bytes of Joplin's fields, those that are the writer's among them

// "title:: The flat": the key's length; npos: no property.
size_t property_key(std::string_view line) {
  const size_t end = line.find("::");
  const bool is_key = end != line.npos && end > 0 && end < 40 &&
                      line.substr(0, end).find_first_of(" \t[]()#*`") == line.npos &&
                      (end + 2 == line.size() || line[end + 2] == ' ');
  return is_key ? end : std::string_view::npos;
}

// "[[Mar 12th, 2026]]" and the like without brackets.
std::string without_brackets(std::string_view value) {
  std::string plain;
  for (const char c : value)
    if (c != '[' && c != ']') plain += c;
  return plain;
}

}  // namespace

std::string_view text_above_tail(rag::Document& document) {
  const std::string_view text = document.text;
  const std::string_view end = trim(text);
  const std::string_view last = end.substr(end.rfind('\n') + 1);
  if (!last.starts_with("type_: ") || last.size() > 9) return text;
  const size_t searched = text.size() - std::min(text.size(), kLongestTail);
  const size_t begin = text.substr(searched).rfind("\nid: ");
  if (begin == text.npos) return text;
  const size_t at = searched + begin;
  LineCursor fields(text.substr(at));
  Line line;
  while (fields.next(line)) {
    if (line.blank()) continue;
    const size_t colon = line.text.find(':');
    if (colon == line.text.npos || line.text.substr(0, colon).find(' ') != line.text.npos) return text;
    const std::string_view key = line.text.substr(0, colon);
    if (key == "user_created_time") take_metadata(document, "created", line.text.substr(colon + 1));
    if (key == "author") take_metadata(document, key, line.text.substr(colon + 1));
  }
  const std::string_view first = trim(text.substr(0, std::min(text.find('\n'), at)));
  if (document.title.empty()) document.title = plain_inline(first);
  return text.substr(0, at);
}

void take_page_properties(rag::Document& document, LineCursor& lines, BlockWriter& blocks) {
  LineCursor ahead = lines;
  Line line;
  bool open = false;
  while (ahead.peek(line) && property_key(line.trimmed()) != std::string_view::npos && line.indent() == 0) {
    ahead.next(line);
    const std::string_view text = line.trimmed();
    const size_t key = property_key(text);
    const std::string_view name = text.substr(0, key);
    take_metadata(document, name, without_brackets(trim(text.substr(key + 2))));
    if (open) {
      blocks.extend(line);
    } else {
      blocks.begin(rag::BlockKind::kCode, line);
    }
    open = true;
    lines = ahead;
  }
  if (open) blocks.close();
}

bool OutlineAsides::is_aside(std::string_view trimmed) {
  if (in_drawer_) {  // one that does not end ends with its entries
    const bool ends = trimmed == ":END:";
    in_drawer_ = !ends && trimmed.starts_with("CLOCK:");
    if (ends || in_drawer_) return true;
  }
  in_drawer_ = trimmed == ":LOGBOOK:";
  if (in_drawer_) return true;
  const size_t key = property_key(trimmed);
  if (key == std::string_view::npos) return false;
  constexpr std::string_view kPrograms[] = {
      "id", "collapsed", "created-at", "updated-at", "heading", "background-color", "logseq.order-list-type"};
  return std::find(std::begin(kPrograms), std::end(kPrograms), trimmed.substr(0, key)) != std::end(kPrograms);
}

}  // namespace mneme::readers

#include "rag/retrieval/query.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/ascii.h"
#include "rag/text/languages/notes.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Takes a value from `input` at `at`: up to a space, or between quotation marks. Nothing when it is empty.
std::optional<std::string_view> take_value(std::string_view input, size_t& at) {
  if (at >= input.size() || is_space(input[at])) return std::nullopt;
  size_t begin = at;
  size_t end = begin;
  if (input[begin] == '"') {
    end = input.find('"', ++begin);
    if (end == std::string_view::npos || end == begin) return std::nullopt;
    at = end + 1;
  } else {
    while (end < input.size() && !is_space(input[end])) ++end;
    at = end;
  }
  return input.substr(begin, end - begin);
}

// Says that a filter is none. One without a value is a word with a colon, as people write it.
bool not_a_filter(std::string_view input, std::string_view written, Note why, Query& query) {
  query.notes.push_back(note_for(input, why, {{"filter", std::string(written)}}));
  return false;
}

// A filter at the beginning of a word; moves `at` past it.
bool take_filter(std::string_view input, size_t& at, Query& query) {
  const std::string_view rest = input.substr(at);
  for (const std::string_view name : {"path:", "type:", "after:", "before:"}) {
    if (rest.size() < name.size() || lower_ascii(rest.substr(0, name.size())) != name) continue;
    size_t after = at + name.size();
    const std::optional<std::string_view> value = take_value(input, after);
    const std::string_view written = rest.substr(0, std::min(rest.find_first_of(" \t\r\n"), rest.size()));
    if (!value.has_value()) {
      return written.size() > name.size() && not_a_filter(input, written, &NoteTexts::no_filter, query);
    }
    if (name == "path:") {
      query.path_parts.push_back(lower_ascii(*value));
    } else if (name == "type:") {
      std::string type = lower_ascii(*value);
      if (type.starts_with('.')) type.erase(0, 1);
      if (type.empty()) return not_a_filter(input, written, &NoteTexts::no_filter, query);
      query.types.push_back(std::move(type));
    } else {
      const std::optional<int64_t> date = parse_date_ns(*value);
      if (!date.has_value()) return not_a_filter(input, written, &NoteTexts::no_date, query);
      if (name == "after:") query.after_ns = std::max(query.after_ns.value_or(*date), *date);
      if (name == "before:") query.before_ns = std::min(query.before_ns.value_or(*date), *date);
    }
    at = after;
    return true;
  }
  return false;
}

// A message says when it was written, and is not written again: the time of the mailbox it lies in tells nothing of it.
// Of other documents the date that they name is as likely that of their first version.
int64_t time_of(const DocumentFacts& document) {
  if (document.format != "eml" && document.format != "msg") return document.mtime_ns;
  return parse_date_ns(document.date.substr(0, std::string_view("YYYY-MM-DD").size())).value_or(document.mtime_ns);
}

}  // namespace

std::optional<int64_t> parse_date_ns(std::string_view text) {
  // YYYY, YYYY-MM or YYYY-MM-DD.
  int parts[3] = {0, 1, 1};
  int n = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end && n < 3) {
    const auto [next, error] = std::from_chars(at, end, parts[n]);
    if (error != std::errc{} || next == at) return std::nullopt;
    ++n;
    at = next;
    if (at == end) break;
    if (*at != '-') return std::nullopt;
    ++at;
    if (at == end) return std::nullopt;
  }
  if (n == 0 || at != end || parts[0] < 1678 || parts[0] > 2261) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{parts[0]},
                                         std::chrono::month{static_cast<unsigned>(parts[1])},
                                         std::chrono::day{static_cast<unsigned>(parts[2])}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::nanoseconds(std::chrono::sys_days(date).time_since_epoch()).count();
}

Query parse_query(std::string_view input) {
  Query query;
  size_t at = 0;
  bool word_begins = true;
  while (at < input.size()) {
    if (word_begins && take_filter(input, at, query)) continue;
    const char c = input[at];
    if (c == '"') {
      const size_t close = input.find('"', at + 1);
      if (close != std::string_view::npos) {
        std::string phrase = folded_text(input.substr(at + 1, close - at - 1));
        if (!phrase.empty()) query.phrases.push_back(std::move(phrase));
        query.text.append(input.substr(at, close + 1 - at));
        at = close + 1;
        word_begins = false;
        continue;
      }
    }
    word_begins = is_space(c);
    query.text.push_back(c);
    ++at;
  }
  while (!query.text.empty() && is_space(query.text.back())) query.text.pop_back();
  query.text.erase(0, std::min(query.text.find_first_not_of(" \t\r\n"), query.text.size()));
  return query;
}

bool passes_filters(const Query& query, const DocumentFacts& document) {
  if (query.after_ns.has_value() && time_of(document) < *query.after_ns) return false;
  if (query.before_ns.has_value() && time_of(document) >= *query.before_ns) return false;
  const std::string path = lower_ascii(document.path);
  for (const std::string& part : query.path_parts) {
    if (path.find(part) == std::string::npos) return false;
  }
  if (query.types.empty()) return true;
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  return std::any_of(query.types.begin(), query.types.end(), [&](const std::string& type) {
    return document.format == type ||
           (name.size() > type.size() && name.ends_with(type) && name[name.size() - type.size() - 1] == '.');
  });
}

bool has_phrases(const Query& query, std::string_view passage) {
  if (query.phrases.empty()) return true;
  const std::string folded = " " + folded_text(passage) + " ";
  return std::all_of(query.phrases.begin(), query.phrases.end(), [&](const std::string& phrase) {
    // Whole words where the script has them; a run of Chinese has no borders to respect.
    return folded.find(" " + phrase + " ") != std::string::npos ||
           (static_cast<unsigned char>(phrase.front()) >= 0xE0 && folded.find(phrase) != std::string::npos);
  });
}

}  // namespace mneme::rag

// Calendars (iCalendar, RFC 5545): each event, task and journal entry becomes a section headed by its summary, with
// time, place, people and rule of recurrence in words, each with the lines of the file that it stands in.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/mail/content_lines.h"
#include "rag/readers/mail/entry_documents.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

bool is_entry(std::string_view component) {
  return equals_ignoring_case(component, "VEVENT") || equals_ignoring_case(component, "VTODO") ||
         equals_ignoring_case(component, "VJOURNAL");
}

// One event, task or journal entry while its lines are read.
struct Entry {
  std::vector<ContentLine> lines;
  int line_begin = 0;
  int line_end = 0;
  bool dropped_lines = false;
  bool cancelled = false;  // the calendar says so of all that it holds

  const ContentLine* find(std::string_view name) const {
    const auto at =
        std::find_if(lines.begin(), lines.end(), [&](const ContentLine& line) { return line.name == name; });
    return at == lines.end() ? nullptr : &*at;
  }
};

std::optional<CalendarTime> time_of(const ContentLine* line) {
  return line ? parse_calendar_time(line->value, line->parameter("TZID")) : std::nullopt;
}

// What a line says of a time; as it stands where that is no time.
std::string time_or_value(const ContentLine& line) {
  const auto time = time_of(&line);
  return time ? time_in_words(*time) : unescape_content(line.value);
}

// "Anna Weber <anna@example.org>"
std::string person(const ContentLine& line) {
  std::string_view address = trim(line.value);
  if (equals_ignoring_case(address.substr(0, 7), "mailto:")) address.remove_prefix(7);
  const std::string name = line.parameter("CN");
  if (name.empty() || name == address) return std::string(address);
  return address.empty() ? name : name + " <" + std::string(address) + ">";
}

std::string attendee(const ContentLine& line) {
  std::string text = person(line);
  const std::string answer = line.parameter("PARTSTAT");
  for (const char* told : {"accepted", "declined", "tentative"}) {
    if (equals_ignoring_case(answer, told)) text.append(" (").append(told).append(")");
  }
  return text;
}

// Writes an entry as blocks.
class EntryWriter {
 public:
  EntryWriter(const Entry& entry, DocumentBuilder& builder) : entry_(entry), builder_(builder) {}

  void write() {
    heading();
    when();
    label("DUE", "Due", time_or_value);
    label("COMPLETED", "Completed", time_or_value);
    label("RRULE", "Repeats", [](const ContentLine& line) { return rule_in_words(line.value); });
    label("X-MNEME-REPEATS", "Repeats", text);  // in words already
    list("RDATE", "Also on", dates);
    list("EXDATE", "Not on", dates);
    label("RECURRENCE-ID", "Instead of the one on", time_or_value);
    label("LOCATION", "Place", text);
    label("ORGANIZER", "Organiser", person);
    list("ATTENDEE", "Attendees", attendee);
    list("CONTACT", "Contact", text);
    label("STATUS", "Status", status);
    if (entry_.cancelled && !entry_.find("STATUS")) builder_.list_item("Status: cancelled");
    label("PERCENT-COMPLETE", "Done", [](const ContentLine& line) { return line.value + " %"; });
    label("PRIORITY", "Priority", priority);
    list("CATEGORIES", "Categories", text);
    for (const char* link : {"URL", "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL"}) {
      label(link, "Link", [](const ContentLine& line) { return line.value; });
    }
    description();
  }

 private:
  using Words = std::string (*)(const ContentLine& line);

  static std::string text(const ContentLine& line) { return unescape_content(line.value); }

  static std::string dates(const ContentLine& line) {
    std::string all;
    for (const std::string& value : split_content(line.value, ',')) {
      const auto time = parse_calendar_time(value, line.parameter("TZID"));
      all.append(all.empty() ? "" : "; ").append(time ? time_in_words(*time) : value);
    }
    return all;
  }

  static std::string status(const ContentLine& line) {
    std::string words = lower_ascii(line.value);
    std::replace(words.begin(), words.end(), '-', ' ');
    return words;
  }

  // 1 is the highest of nine; 0 is none at all.
  static std::string priority(const ContentLine& line) {
    const std::string_view value = trim(line.value);
    if (value == "0") return {};
    return std::string(value) + (value == "1" ? " (highest)" : value == "9" ? " (lowest)" : "");
  }

  void add(const ContentLine& line, std::string_view name, const std::string& words) {
    if (trim(words).empty()) return;
    builder_.set_lines(line.line_begin, line.line_end);
    builder_.list_item(std::string(name) + ": " + words);
  }

  void label(std::string_view property, std::string_view name, Words words) {
    if (const ContentLine* line = entry_.find(property)) add(*line, name, words(*line));
  }

  // All lines of a property in one block.
  void list(std::string_view property, std::string_view name, Words words) {
    std::string all;
    ContentLine place;
    for (const ContentLine& line : entry_.lines) {
      if (line.name != property) continue;
      const std::string words_of_line = words(line);
      if (all.empty()) place.line_begin = line.line_begin;
      place.line_end = line.line_end;
      if (!words_of_line.empty()) all.append(all.empty() ? "" : "; ").append(words_of_line);
    }
    add(place, name, all);
  }

  void heading() {
    const ContentLine* summary = entry_.find("SUMMARY");
    std::string title = summary ? clean_text(unescape_content(summary->value)) : std::string();
    if (title.empty()) title = "Untitled entry";
    builder_.set_lines(summary ? summary->line_begin : entry_.line_begin,
                       summary ? summary->line_end : entry_.line_begin);
    builder_.heading(2, title);
  }

  void when() {
    const ContentLine* start = entry_.find("DTSTART");
    if (!start) return;
    const auto begin = time_of(start);
    if (!begin) return add(*start, "When", unescape_content(start->value));
    auto end = time_of(entry_.find("DTEND"));
    const ContentLine* lasts = entry_.find("DURATION");
    const auto duration = lasts ? parse_duration(lasts->value) : std::nullopt;
    if (!end && duration) {
      end = *begin;
      end->wall += *duration;
    }
    add(*start, "When", span_in_words(*begin, end));
    if (duration) add(*lasts, "Takes", duration_in_words(*duration));
  }

  // Calendars on the web keep what people wrote there as HTML.
  static std::string without_tags(const std::string& text) {
    if (text.find("</") == text.npos && text.find("<br") == text.npos) return text;
    std::string plain;
    size_t done = 0;
    for (size_t open = text.find('<'); open != text.npos; open = text.find('<', done)) {
      const size_t close = text.find('>', open);
      if (close == text.npos) break;
      const std::string tag =
          lower_ascii(std::string_view(text).substr(open + 1, std::min(close - open - 1, size_t{16})));
      const bool ends_line =
          tag.starts_with("br") || tag.starts_with("/p") || tag.starts_with("/li") || tag.starts_with("/div");
      plain.append(text, done, open - done).append(ends_line ? "\n" : "");
      done = close + 1;
    }
    plain.append(text, done);
    for (const auto& [entity, sign] :
         {std::pair{"&nbsp;", " "}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
      for (size_t at = plain.find(entity); at != plain.npos; at = plain.find(entity, at + 1)) {
        plain.replace(at, std::string_view(entity).size(), sign);
      }
    }
    return plain;
  }

  // A block for each line of it: agendas and lists are written so.
  void description() {
    for (const ContentLine& line : entry_.lines) {
      if (line.name != "DESCRIPTION" && line.name != "COMMENT") continue;
      builder_.set_lines(line.line_begin, line.line_end);
      const std::string whole = without_tags(unescape_content(line.value));
      LineCursor rows(whole);
      Line row;
      while (rows.next(row)) builder_.paragraph(row.text);
    }
  }

  const Entry& entry_;
  DocumentBuilder& builder_;
};

// Walks through the components; what lies in alarms and time zones is not of the entry around them.
class CalendarReader {
 public:
  CalendarReader(ReadContext& context, const std::string& name, DocumentBuilder& builder)
      : context_(context), name_(name), builder_(builder) {}

  Status read(ContentLineCursor& lines) {
    ContentLine line;
    for (uint64_t count = 0; !builder_.full() && lines.next(line); ++count) {
      if (count % 1024 == 0) MNEME_RETURN_IF_ERROR(context_.check(name_));
      take(line);
    }
    if (entry_) {
      builder_.document().notes.push_back("the file ends in the middle of an entry");
      finish();
    }
    // An invitation is called by what it invites to.
    if (entries_ == 1) builder_.document().date = first_day_;
    if (entries_ == 1 && builder_.document().title.empty()) builder_.document().title = first_summary_;
    return {};
  }

  bool is_calendar() const { return is_calendar_; }

 private:
  static constexpr size_t kMostLines = 10'000;  // of one entry

  void take(ContentLine& line) {
    if (line.is("BEGIN", "VCALENDAR")) {
      is_calendar_ = true;
      cancelled_ = false;
    }
    // Servers give single entries without the calendar around them.
    if (line.name == "BEGIN" && is_entry(trim(line.value))) return begin(line);
    if (!entry_) {
      if (line.name == "METHOD") cancelled_ = line.is("METHOD", "CANCEL");
      const bool names = line.name == "X-WR-CALNAME" || (line.name == "NAME" && builder_.document().title.empty());
      if (names) builder_.document().title = clean_text(unescape_content(line.value));
      return;
    }
    entry_->line_end = line.line_end;
    if (line.name == "BEGIN") {
      ++inner_;
    } else if (line.name == "END" && is_entry(trim(line.value))) {
      finish();
    } else if (line.name == "END") {
      inner_ = std::max(0, inner_ - 1);
    } else if (inner_ == 0 && entry_->lines.size() < kMostLines) {
      entry_->lines.push_back(std::move(line));
    } else if (inner_ == 0) {
      entry_->dropped_lines = true;
    }
  }

  // One that begins before the last has ended: that one was cut off.
  void begin(const ContentLine& line) {
    if (entry_) finish();
    is_calendar_ = true;
    entry_.emplace();
    entry_->line_begin = line.line_begin;
    entry_->cancelled = cancelled_;
    inner_ = 0;
  }

  void finish() {
    if (!entry_->lines.empty()) {
      if (entries_++ == 0) note_first();
      EntryWriter(*entry_, builder_).write();
    }
    if (entry_->dropped_lines) {
      builder_.document().notes.push_back("an entry of more than " + std::to_string(kMostLines) +
                                          " lines was cut off there");
    }
    entry_.reset();
  }

  void note_first() {
    if (const auto start = time_of(entry_->find("DTSTART"))) first_day_ = iso_day(*start);
    if (const ContentLine* summary = entry_->find("SUMMARY")) {
      first_summary_ = clean_text(unescape_content(summary->value));
    }
  }

  ReadContext& context_;
  const std::string& name_;
  DocumentBuilder& builder_;
  std::optional<Entry> entry_;
  int inner_ = 0;
  uint64_t entries_ = 0;
  std::string first_day_;
  std::string first_summary_;
  bool is_calendar_ = false;
  bool cancelled_ = false;  // by the calendar that is read
};

}  // namespace

Result<rag::Document> calendar_document(ReadContext& context, Input input) {
  auto lines = ContentLineCursor::open(std::move(input.bytes));
  if (!lines.ok()) return lines.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = "ics";
  if (!lines->note().empty()) document.notes.push_back(lines->note());
  DocumentBuilder builder(document, context.limits().text_bytes);
  CalendarReader reader(context, input.name, builder);
  MNEME_RETURN_IF_ERROR(reader.read(*lines));
  if (!reader.is_calendar()) return corruption(printable(input.name) + " is damaged: no calendar begins in it.");
  if (builder.empty()) return unsupported(printable(input.name) + " is a calendar without events or tasks.");
  return document;
}

Status read_calendar(ReadContext& context, Input input) {
  const std::string name = input.name;
  MNEME_ASSIGN_OR_RETURN(rag::Document document, calendar_document(context, std::move(input)));
  return context.emit(name, std::move(document));
}

}  // namespace mneme::readers

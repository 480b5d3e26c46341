#include "rag/readers/outlook/outlook_entries.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/mail/entry_documents.h"
#include "rag/readers/office/compressed_rtf.h"
#include "rag/readers/office/rtf_text.h"
#include "rag/readers/outlook/outlook_zone.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr int64_t kDay = 86'400;

// Properties of sets (MS-OXPROPS).
constexpr NamedProperty kPlace{MapiSet::kAppointment, 0x8208};
constexpr NamedProperty kBegins{MapiSet::kAppointment, 0x820d};
constexpr NamedProperty kEnds{MapiSet::kAppointment, 0x820e};
constexpr NamedProperty kWholeDay{MapiSet::kAppointment, 0x8215};
constexpr NamedProperty kState{MapiSet::kAppointment, 0x8217};
constexpr NamedProperty kRepeats{MapiSet::kAppointment, 0x8232};
constexpr NamedProperty kZone{MapiSet::kAppointment, 0x8233};
constexpr NamedProperty kZoneDefinition{MapiSet::kAppointment, 0x825e};
constexpr NamedProperty kTaskStatus{MapiSet::kTask, 0x8101};
constexpr NamedProperty kTaskDone{MapiSet::kTask, 0x8102};
constexpr NamedProperty kTaskStart{MapiSet::kTask, 0x8104};
constexpr NamedProperty kTaskDue{MapiSet::kTask, 0x8105};
constexpr NamedProperty kTaskCompleted{MapiSet::kTask, 0x810f};
constexpr NamedProperty kJournalStart{MapiSet::kJournal, 0x8706};
constexpr NamedProperty kHomeAddress{MapiSet::kAddress, 0x801a};
constexpr NamedProperty kWorkAddress{MapiSet::kAddress, 0x801b};
constexpr NamedProperty kOtherAddress{MapiSet::kAddress, 0x801c};
constexpr NamedProperty kWebPage{MapiSet::kAddress, 0x802b};
constexpr NamedProperty kMails[] = {
    {MapiSet::kAddress, 0x8083}, {MapiSet::kAddress, 0x8093}, {MapiSet::kAddress, 0x80a3}};

// "Ann Weber <ann@example.org>". Addresses within an Exchange server say nothing to anybody.
std::string person(const std::string& name, std::initializer_list<std::string> addresses) {
  for (const std::string& address : addresses) {
    if (address.find('@') == std::string::npos) continue;
    return name.empty() || name == address ? address : name + " <" + address + ">";
  }
  return name;
}

// What was typed into it. RTF and HTML are what Outlook keeps of it beside the text.
std::string typed_text(const OutlookObject& item) {
  std::string text = item.text(MapiProperty::kBody);
  if (!text.empty()) return text;
  const std::string rtf = unpacked_rtf(item.bytes(MapiProperty::kRtf));
  if (rtf.empty()) return {};
  rag::Document document;
  DocumentBuilder builder(document, rtf.size());
  add_rtf(rtf, builder);
  return std::move(document.text);
}

std::string digits_of(int64_t seconds, bool with_time) {
  const int64_t of_day = (seconds % kDay + kDay) % kDay;
  const std::chrono::sys_days day{std::chrono::days{(seconds - of_day) / kDay}};
  const std::chrono::year_month_day date{day};
  char text[32];
  std::snprintf(text, sizeof text, "%04d%02u%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  std::string digits = text;
  if (!with_time) return digits;
  std::snprintf(text, sizeof text, "T%02d%02d%02d", static_cast<int>(of_day / 3600), static_cast<int>(of_day / 60 % 60),
                static_cast<int>(of_day % 60));
  return digits + text;
}

// Lines of iCalendar or vCard.
class EntryText {
 public:
  explicit EntryText(std::string begin) : text_(std::move(begin)) {}

  void add(std::string_view field, std::string_view value) {
    if (!value.empty()) add_written(field, escape_content(value));
  }
  void add_written(std::string_view field, std::string_view value) {
    if (!value.empty()) text_.append(field).append(":").append(value).append("\r\n");
  }
  std::string end(std::string_view end) {
    text_.append(end);
    return std::move(text_);
  }

 private:
  std::string text_;
};

std::optional<OutlookZone> zone_of(const OutlookObject& item) {
  auto zone = OutlookZone::of_definition(item.bytes(kZoneDefinition));
  return zone ? zone : OutlookZone::of_struct(item.bytes(kZone));
}

// A parameter's value cannot hold what parts parameters.
std::string as_parameter(std::string_view value) {
  std::string clean;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"') clean += c;
  }
  return "\"" + clean + "\"";
}

void add_time(EntryText& text, std::string_view field, std::optional<uint64_t> ticks,
              const std::optional<OutlookZone>& zone, bool whole_day) {
  const auto utc = seconds_of_ticks(ticks.value_or(0));
  if (!utc) return;
  const int64_t wall = zone ? zone->wall(*utc) : *utc;
  std::string name(field);
  if (whole_day) return text.add_written(name + ";VALUE=DATE", digits_of(wall, false));
  const bool named = zone && !zone->name().empty();
  if (named) name += ";TZID=" + as_parameter(zone->name());
  text.add_written(name, digits_of(wall, true) + (zone ? "" : "Z"));
}

// A day without a zone: midnight in UTC, whatever the place.
void add_day(EntryText& text, std::string_view field, std::optional<uint64_t> ticks) {
  add_time(text, field, ticks, std::nullopt, true);
}

void add_person(EntryText& text, std::string_view field, const std::string& name, std::string_view address) {
  if (name.empty() && address.empty()) return;
  std::string with_name(field);
  if (!name.empty()) with_name += ";CN=" + as_parameter(name);
  text.add_written(with_name, address.empty() ? " " : "mailto:" + std::string(address));
}

std::string address_of(const OutlookObject& recipient) {
  for (const MapiProperty property : {MapiProperty::kInternetAddress, MapiProperty::kAddress}) {
    std::string address = recipient.text(property);
    if (address.find('@') != std::string::npos) return address;
  }
  return {};
}

Result<std::string> appointment_text(const OutlookObject& item) {
  constexpr uint32_t kCancelled = 4;
  EntryText text("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n");
  text.add("SUMMARY", item.text(MapiProperty::kSubject));
  const auto zone = zone_of(item);
  const bool whole_day = item.number(kWholeDay).value_or(0) != 0;
  const auto begins = item.wide(kBegins);
  const auto ends = item.wide(kEnds);
  add_time(text, "DTSTART", begins ? begins : item.wide(MapiProperty::kStart), zone, whole_day);
  add_time(text, "DTEND", ends ? ends : item.wide(MapiProperty::kEnd), zone, whole_day);
  text.add("LOCATION", item.text(kPlace));
  if ((item.number(kState).value_or(0) & kCancelled) != 0) text.add("STATUS", "CANCELLED");
  text.add("X-MNEME-REPEATS", item.text(kRepeats));
  add_person(text, "ORGANIZER", sender_of(item), {});
  size_t count = 0;
  MNEME_RETURN_IF_ERROR(item.each_recipient([&](const OutlookObject& recipient) -> Status {
    constexpr size_t kMost = 1000;
    if (++count <= kMost) add_person(text, "ATTENDEE", recipient.text(MapiProperty::kName), address_of(recipient));
    return {};
  }));
  text.add("DESCRIPTION", typed_text(item));
  return text.end("END:VEVENT\r\nEND:VCALENDAR\r\n");
}

std::string task_text(const OutlookObject& item) {
  static constexpr std::string_view kStates[] = {"NOT-STARTED", "IN-PROCESS", "COMPLETED", "WAITING", "DEFERRED"};
  EntryText text("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n");
  text.add("SUMMARY", item.text(MapiProperty::kSubject));
  add_day(text, "DTSTART", item.wide(kTaskStart));
  add_day(text, "DUE", item.wide(kTaskDue));
  add_day(text, "COMPLETED", item.wide(kTaskCompleted));
  const uint32_t state = item.number(kTaskStatus).value_or(0);
  if (state > 0 && state < std::size(kStates)) text.add("STATUS", kStates[state]);
  const auto done = std::bit_cast<double>(item.wide(kTaskDone).value_or(0));
  if (done > 0 && done < 1) text.add("PERCENT-COMPLETE", std::to_string(std::lround(done * 100)));
  text.add("DESCRIPTION", typed_text(item));
  return text.end("END:VTODO\r\nEND:VCALENDAR\r\n");
}

std::string journal_text(const OutlookObject& item) {
  EntryText text("BEGIN:VCALENDAR\r\nBEGIN:VJOURNAL\r\n");
  text.add("SUMMARY", item.text(MapiProperty::kSubject));
  add_time(text, "DTSTART", item.wide(kJournalStart), std::nullopt, false);
  text.add("DESCRIPTION", typed_text(item));
  return text.end("END:VJOURNAL\r\nEND:VCALENDAR\r\n");
}

std::string contact_text(const OutlookObject& item) {
  struct Telephone {
    MapiProperty property;
    std::string_view field;
  };
  static constexpr Telephone kTelephones[] = {{MapiProperty::kBusinessTelephone, "TEL;TYPE=work"},
                                              {MapiProperty::kHomeTelephone, "TEL;TYPE=home"},
                                              {MapiProperty::kMobileTelephone, "TEL;TYPE=cell"},
                                              {MapiProperty::kOtherTelephone, "TEL;TYPE=other"},
                                              {MapiProperty::kBusinessFax, "TEL;TYPE=fax"}};
  EntryText text("BEGIN:VCARD\r\n");
  const std::string name = item.text(MapiProperty::kName);
  text.add("FN", name.empty() ? item.text(MapiProperty::kSubject) : name);
  text.add("NICKNAME", item.text(MapiProperty::kNickname));
  const std::string department = escape_content(item.text(MapiProperty::kDepartment));
  text.add_written("ORG",
                   escape_content(item.text(MapiProperty::kCompany)) + (department.empty() ? "" : ";" + department));
  text.add("TITLE", item.text(MapiProperty::kPosition));
  for (const Telephone& telephone : kTelephones) text.add(telephone.field, item.text(telephone.property));
  for (const NamedProperty& mail : kMails) text.add("EMAIL", item.text(mail));
  text.add("ADR;TYPE=home", item.text(kHomeAddress));
  text.add("ADR;TYPE=work", item.text(kWorkAddress));
  text.add("ADR;TYPE=other", item.text(kOtherAddress));
  const auto birthday = seconds_of_ticks(item.wide(MapiProperty::kBirthday).value_or(0));
  // Midnight at home, in UTC: noon of that day is the same day nearly everywhere.
  if (birthday) text.add_written("BDAY", digits_of(*birthday + kDay / 2, false));
  const std::string page = item.text(kWebPage);
  text.add("URL", page.empty() ? item.text(MapiProperty::kBusinessPage) : page);
  text.add("NOTE", typed_text(item));
  return text.end("END:VCARD\r\n");
}

Result<rag::Document> note_document(ReadContext& context, const std::string& name, const OutlookObject& item) {
  rag::Document document;
  document.format = "text";
  DocumentBuilder builder(document, context.limits().text_bytes);
  document.title = clean_text(item.text(MapiProperty::kSubject));
  if (const auto made = seconds_of_ticks(item.wide(MapiProperty::kCreated).value_or(0))) {
    const std::string day = digits_of(*made, false);
    document.date = day.substr(0, 4) + "-" + day.substr(4, 2) + "-" + day.substr(6, 2);
  }
  const std::string text = typed_text(item);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    builder.paragraph(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  if (builder.empty()) return unsupported(printable(name) + " is a note without text.");
  return document;
}

Result<std::optional<rag::Document>> without_lines(Result<rag::Document> document) {
  if (!document.ok()) return document.status();
  forget_lines(*document);
  return std::optional(std::move(*document));
}

bool is_class(std::string_view message_class, std::string_view wanted) {
  const std::string_view beginning = message_class.substr(0, wanted.size());
  return equals_ignoring_case(beginning, wanted) &&
         (message_class.size() == wanted.size() || message_class[wanted.size()] == '.');
}

}  // namespace

std::string sender_of(const OutlookObject& message) {
  std::string sender = person(message.text(MapiProperty::kSender), {message.text(MapiProperty::kSenderInternetAddress),
                                                                    message.text(MapiProperty::kSenderAddress)});
  if (!sender.empty()) return sender;
  return person(message.text(MapiProperty::kWriter),
                {message.text(MapiProperty::kWriterInternetAddress), message.text(MapiProperty::kWriterAddress)});
}

std::string recipient_in_words(const OutlookObject& recipient) {
  return person(recipient.text(MapiProperty::kName), {address_of(recipient)});
}

Result<std::optional<rag::Document>> outlook_entry(ReadContext& context, const std::string& name,
                                                   const OutlookObject& item) {
  const std::string kind = item.text(MapiProperty::kMessageClass);
  const auto calendar = [&](std::string text) {
    return without_lines(calendar_document(context, Input{.name = name, .bytes = std::move(text)}));
  };
  if (is_class(kind, "IPM.Appointment")) {
    MNEME_ASSIGN_OR_RETURN(std::string text, appointment_text(item));
    return calendar(std::move(text));
  }
  if (is_class(kind, "IPM.Task")) return calendar(task_text(item));
  if (is_class(kind, "IPM.Activity")) return calendar(journal_text(item));
  if (is_class(kind, "IPM.Contact")) {
    return without_lines(contacts_document(context, Input{.name = name, .bytes = contact_text(item)}));
  }
  if (!is_class(kind, "IPM.StickyNote")) return std::optional<rag::Document>();
  MNEME_ASSIGN_OR_RETURN(rag::Document note, note_document(context, name, item));
  return std::optional(std::move(note));
}

}  // namespace mneme::readers

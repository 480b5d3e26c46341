// Notes and journals that programs export all in one file: each is a document of its own, with title, day and tags.
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/notes/note_readers.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

struct ExportedNote {
  std::string title;  // "": the first line of the text is
  std::string day;    // ISO 8601, "" where none is told
  std::string tags;
  std::string place;
  std::string text;  // Markdown, or nearly
};

struct NoteExport {
  // By the first bytes of a file.
  bool (*looks_like)(std::string_view beginning);
  std::vector<ExportedNote> (*notes)(const Json& tree);
};

std::string joined(const Json& names) {
  std::string all;
  if (!names.is_array()) return all;
  for (const Json& name : names)
    if (name.is_string()) all += (all.empty() ? "" : ", ") + name.get<std::string>();
  return all;
}

// Day One escapes what Markdown might read ("\!", "1\."), and refers to its pictures.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() &&
                        std::string_view("!.-()[]#+_*").find(text[i + 1]) != std::string_view::npos;
    if (!escape) plain += text[i];
  }
  for (size_t at = plain.find("![](dayone-moment:"); at != plain.npos; at = plain.find("![](dayone-moment:", at)) {
    const size_t end = plain.find(')', at);
    if (end == plain.npos) break;
    plain.erase(at, end + 1 - at);
  }
  return plain;
}

bool is_day_one(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "entries", "[") &&
         holds_member(beginning, "metadata", "{") && holds_member(beginning, "version");
}

std::vector<ExportedNote> day_one_notes(const Json& tree) {
  std::vector<ExportedNote> notes;
  for (const Json* entry : objects_of(json_member(tree, "entries"))) {
    const Json& location = json_member(*entry, "location");
    std::string place = json_words(json_member(location, "placeName"));
    const std::string town = json_words(json_member(location, "localityName"));
    if (!town.empty() && town != place) place += (place.empty() ? "" : ", ") + town;
    notes.push_back({.title = {},
                     .day = iso_date(json_words(json_member(*entry, "creationDate"))),
                     .tags = joined(json_member(*entry, "tags")),
                     .place = place,
                     .text = without_escapes(json_words(json_member(*entry, "text")))});
  }
  return notes;
}

bool is_simplenote(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "activeNotes", "[");
}

std::vector<ExportedNote> simplenote_notes(const Json& tree) {
  std::vector<ExportedNote> notes;
  for (const Json* note : objects_of(json_member(tree, "activeNotes")))
    notes.push_back(
        {.title = {},
         .day = iso_date(first_words({&json_member(*note, "lastModified"), &json_member(*note, "creationDate")})),
         .tags = joined(json_member(*note, "tags")),
         .place = {},
         .text = json_words(json_member(*note, "content"))});
  return notes;
}

bool is_standard_notes(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "items", "[") &&
         holds_member(beginning, "content_type", "\"") && holds_member(beginning, "uuid", "\"");
}

// The tags of each note, which is named by the tag.
std::map<std::string, std::string> tags_by_note(const Json& items) {
  std::map<std::string, std::string> tags;
  for (const Json* item : objects_of(items)) {
    if (json_words(json_member(*item, "content_type")) != "Tag") continue;
    const Json& content = json_member(*item, "content");
    for (const Json* reference : objects_of(json_member(content, "references"))) {
      std::string& names = tags[json_words(json_member(*reference, "uuid"))];
      names += (names.empty() ? "" : ", ") + json_words(json_member(content, "title"));
    }
  }
  return tags;
}

std::vector<ExportedNote> standard_notes(const Json& tree) {
  std::vector<ExportedNote> notes;
  const Json& items = json_member(tree, "items");
  const std::map<std::string, std::string> tags = tags_by_note(items);
  for (const Json* item : objects_of(items)) {
    const Json& content = json_member(*item, "content");
    if (json_words(json_member(*item, "content_type")) != "Note") continue;
    const auto tagged = tags.find(json_words(json_member(*item, "uuid")));
    const std::string day = first_words({&json_member(*item, "updated_at"), &json_member(*item, "created_at")});
    notes.push_back({.title = json_words(json_member(content, "title")),
                     .day = iso_date(day),
                     .tags = tagged == tags.end() ? std::string() : tagged->second,
                     .place = {},
                     .text = json_words(json_member(content, "text"))});
  }
  return notes;
}

constexpr std::string_view kTiddlers = "<script class=\"tiddlywiki-tiddler-store\" type=\"application/json\">";

// A wiki of one page; its texts stand behind the program that shows them, or before.
bool is_tiddlywiki(std::string_view beginning) {
  return beginning.substr(0, 8192).find("name=\"application-name\" content=\"TiddlyWiki\"") != beginning.npos;
}

// Those that begin with "$:/" are the program's own.
std::vector<ExportedNote> tiddlers(const Json& tree) {
  std::vector<ExportedNote> notes;
  for (const Json* tiddler : objects_of(tree)) {
    const std::string title = json_words(json_member(*tiddler, "title"));
    const std::string type = json_words(json_member(*tiddler, "type"));
    if (title.starts_with("$:/") || (!type.empty() && !type.starts_with("text/"))) continue;
    const std::string day = first_words({&json_member(*tiddler, "modified"), &json_member(*tiddler, "created")});
    notes.push_back({.title = title,
                     .day = iso_date(day.substr(0, 8)),
                     .tags = json_words(json_member(*tiddler, "tags")),
                     .place = {},
                     .text = json_words(json_member(*tiddler, "text"))});
  }
  return notes;
}

constexpr std::array kExports = {NoteExport{is_day_one, day_one_notes}, NoteExport{is_simplenote, simplenote_notes},
                                 NoteExport{is_standard_notes, standard_notes}, NoteExport{is_tiddlywiki, tiddlers}};

const NoteExport* find_export(std::string_view beginning) {
  const std::string_view head = beginning.substr(bom_length(beginning));
  if (head.empty() || (head.front() != '{' && head.front() != '<')) return nullptr;
  for (const NoteExport& one : kExports)
    if (one.looks_like(head)) return &one;
  return nullptr;
}

// The JSON within a page; newer programs have several such elements, the texts in the longest.
std::string_view json_of(std::string_view file) {
  if (!is_tiddlywiki(file)) return file;
  std::string_view longest;
  for (size_t at = file.find(kTiddlers); at != file.npos; at = file.find(kTiddlers, at + 1)) {
    const std::string_view rest = file.substr(at + kTiddlers.size());
    const std::string_view json = rest.substr(0, rest.find("</script>"));
    if (json.size() > longest.size()) longest = json;
  }
  return longest;
}

// "Lake" of "# Lake", else the beginning of a first line.
std::string first_line(std::string_view text) {
  text = trim(text);
  std::string_view line = trim(text.substr(0, text.find('\n')));
  while (line.starts_with('#')) line.remove_prefix(1);
  constexpr size_t kLongestTitle = 80;
  std::string title = clean_text(plain_inline(trim(line)));
  if (title.size() <= kLongestTitle) return title;
  title.resize(title.rfind(' ', kLongestTitle) == title.npos ? utf8::floor_boundary(title, kLongestTitle)
                                                             : title.rfind(' ', kLongestTitle));
  return title;
}

// "Friday, 13 March 2026" of an ISO date; "" for what is none.
std::string day_in_words_of(std::string_view iso) {
  std::string digits(iso.substr(0, 10));
  std::erase(digits, '-');
  const auto time = parse_calendar_time(digits, "");
  return time ? day_in_words(*time) : std::string();
}

// Its text behind a heading, its day, tags and place.
rag::Document document_of(const ExportedNote& note) {
  rag::Document document;
  document.format = "markdown";
  document.title = note.title.empty() ? first_line(note.text) : clean_text(note.title);
  document.date = note.day;
  std::string head;
  if (!note.title.empty()) head += "# " + clean_text(note.title) + "\n\n";
  // When is asked of journals; the day stands nowhere else.
  if (const std::string day = day_in_words_of(note.day); !day.empty()) head += "Day: " + day + "\n\n";
  if (!note.tags.empty()) head += "Tags: " + clean_text(note.tags) + "\n\n";
  if (!note.place.empty()) head += "Place: " + clean_text(note.place) + "\n\n";
  document.text = utf8::sanitise(head + note.text);
  std::erase(document.text, '\r');
  parse_markdown(document);
  for (rag::Block& block : document.blocks) block.line_begin = block.line_end = 0;  // the file has other lines
  return document;
}

}  // namespace

bool looks_like_exported_notes(std::string_view beginning) {
  return find_export(beginning) != nullptr;
}

// What is none after all is told as it is written.
Status read_exported_notes(ReadContext& context, Input input) {
  const NoteExport* const kind = find_export(input.bytes);
  const auto otherwise = [&] {
    return input.bytes.find('<') < input.bytes.find('{') ? read_html(context, std::move(input))
                                                         : read_json(context, std::move(input));
  };
  const auto tree = parse_json_tree(context, input.name, json_of(input.bytes));
  if (kind == nullptr || !tree.ok() || context.depth() >= context.limits().container_depth) return otherwise();
  const std::vector<ExportedNote> notes = kind->notes(*tree);
  if (notes.empty()) return otherwise();
  input.bytes = std::string();
  uint64_t number = 0;
  for (const ExportedNote& note : notes) {
    ++number;
    if (clean_text(note.text).empty()) continue;
    MNEME_RETURN_IF_ERROR(context.charge_member(input.name));
    MNEME_RETURN_IF_ERROR(context.check(input.name));
    rag::Document document = document_of(note);
    std::string label = safe_label(document.title);
    if (label.empty()) label = "note " + std::to_string(number);
    MNEME_RETURN_IF_ERROR(context.read_member(label, [&] { return context.emit(label, std::move(document)); }));
  }
  return {};
}

}  // namespace mneme::readers

// Evernote's exports (enex): each note is a document of its own, read as the page it is, with title, author, days and
// tags; what is attached to it is read as files are. One note is in memory at a time.
#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/cut_spans.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/mail/mail_message.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/source_window.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kPieceOfExport = size_t{1} << 20;
constexpr std::string_view kExportBegins = "<en-export";
constexpr std::string_view kNoteBegins = "<note>";
constexpr std::string_view kNoteEnds = "</note>";
constexpr size_t kLongestTag = 400;

// Words of an element, in CDATA or not.
std::string text_of_element(const pugi::xml_node& element) {
  std::string text;
  for (const pugi::xml_node child : element.children()) text += child.value();
  return text;
}

// What is to be ticked off, by an element of its own or the style of an item.
std::string_view box_of(std::string_view tag) {
  const bool ticked = tag.find("--en-checked:true") != tag.npos || tag.find("checked=\"true\"") != tag.npos;
  const bool is_box = tag.starts_with("<en-todo") || tag.find("--en-checked:false") != tag.npos;
  return ticked ? "[x] " : is_box ? "[ ] " : "";
}

// What Evernote adds to HTML: boxes to tick, pictures and attachments, encrypted text.
std::string as_html(std::string_view content) {
  const std::string plain = without_spans(content, "<en-crypt", "</en-crypt>");
  std::string html;
  for (size_t at = 0; at < plain.size();) {
    const std::string_view rest = std::string_view(plain).substr(at);
    const bool own = rest.starts_with("<en-todo") || rest.starts_with("<en-media");
    const size_t close =
        own || rest.starts_with("<li ") ? rest.substr(0, kLongestTag).find('>') : std::string_view::npos;
    if (close == std::string_view::npos) {
      html += plain[at++];
      continue;
    }
    const std::string_view tag = rest.substr(0, close + 1);
    at += tag.size();
    if (!own) html += tag;
    // A box is ticked in the words of the item, which Evernote puts into an element of their own.
    if (!own && std::string_view(plain).substr(at).starts_with("<div>")) {
      html += "<div>";
      at += 5;
    }
    html += box_of(tag);
  }
  return html;
}

class NoteReader {
 public:
  NoteReader(ReadContext& context, std::string note) : context_(context), note_(std::move(note)) {
    const std::string own = without_spans(note_, "<resource>", "</resource>");
    const auto parsed = tree_.load_buffer(own.data(), own.size(), pugi::parse_default, pugi::encoding_utf8);
    damage_ = parsed ? "" : parsed.description();
    title_ = clean_text(text_of_element(root().child("title")));
  }

  const std::string& title() const { return title_; }

  Status read(const std::string& name) {
    rag::Document document;
    document.format = "enex";
    document.title = title_;
    document.author = clean_text(text_of_element(root().child("note-attributes").child("author")));
    if (!damage_.empty()) document.notes.push_back("the note is damaged (" + damage_ + "); it was read as far as that");
    DocumentBuilder builder(document, context_.limits().text_bytes);
    builder.heading(1, title_);
    tell_head(builder);
    const HtmlOptions options{.keep_lines = false, .only_main_text = false, .take_metadata = false};
    const std::string html = as_html(text_of_element(root().child("content")));
    MNEME_RETURN_IF_ERROR(add_html(context_, name, html, options, builder));
    tell_tasks(builder);
    if (builder.empty()) return unsupported(printable(name) + " is a note without text.");
    MNEME_RETURN_IF_ERROR(context_.emit(name, std::move(document)));
    return context_.depth() < context_.limits().container_depth ? read_attachments() : Status();
  }

 private:
  pugi::xml_node root() const { return tree_.child("note"); }

  void tell_head(DocumentBuilder& builder) {
    for (const auto& [element, name] : {std::pair{"created", "Created"}, std::pair{"updated", "Changed"}}) {
      const auto time = parse_calendar_time(trim(root().child(element).child_value()), "");
      if (!time) continue;
      builder.list_item(std::string(name) + ": " + time_in_words(*time));
      builder.document().date = iso_day(*time);
    }
    std::string tags;
    for (const pugi::xml_node tag : root().children("tag")) tags += (tags.empty() ? "" : ", ") + text_of_element(tag);
    if (!tags.empty()) builder.list_item("Tags: " + tags);
    const std::string source = text_of_element(root().child("note-attributes").child("source-url"));
    if (!source.empty()) builder.list_item("Source: " + source);
  }

  // What newer programs keep beside the text: "[ ] Call Leo".
  void tell_tasks(DocumentBuilder& builder) {
    for (const pugi::xml_node task : root().children("task")) {
      const std::string title = text_of_element(task.child("title"));
      const bool done = std::string_view(task.child("taskStatus").child_value()) == "completed";
      if (!title.empty()) builder.list_item((done ? "[x] " : "[ ] ") + title);
    }
  }

  Status read_attachments() {
    constexpr std::string_view kBegins = "<resource>";
    constexpr std::string_view kEnds = "</resource>";
    const std::string_view note = note_;
    for (size_t at = note.find(kBegins); at != note.npos; at = note.find(kBegins, at)) {
      const size_t end = std::min(note.find(kEnds, at), note.size());
      MNEME_RETURN_IF_ERROR(read_resource(note.substr(at, end - at)));
      at = end;
    }
    return {};
  }

  // As a mail's attachment, which is written in base64, too.
  Status read_resource(std::string_view resource) {
    std::string about = without_spans(resource, "<data", "</data>");
    about = without_spans(about, "<recognition>", "</recognition>") + "</resource>";
    pugi::xml_document tree;
    tree.load_buffer(about.data(), about.size(), pugi::parse_default, pugi::encoding_utf8);
    const pugi::xml_node root = tree.child("resource");
    MimePart part;
    part.attachment = true;
    part.headers.emplace_back("content-transfer-encoding", "base64");
    part.type = lower_ascii(trim(root.child("mime").child_value()));
    part.file_name = clean_text(text_of_element(root.child("resource-attributes").child("file-name")));
    const std::string name = safe_label(attachment_name(part));
    const size_t data = resource.find("<data");
    const size_t begin = resource.find('>', std::min(data, resource.size()));
    if (name.empty() || begin == resource.npos || !worth_opening(name)) return {};
    part.body = resource.substr(begin + 1, resource.find("</data>", begin) - begin - 1);
    return read_attachment(context_, name, part.decoded_body());
  }

  ReadContext& context_;
  const std::string note_;
  pugi::xml_document tree_;
  std::string damage_;
  std::string title_;
};

class ExportReader {
 public:
  ExportReader(ReadContext& context, const std::string& name, ByteSource& source)
      : context_(context), name_(name), window_(context, name, source) {}

  Status read() {
    MNEME_RETURN_IF_ERROR(window_.extend(kPieceOfExport));
    const size_t export_begins = window_.text().find(kExportBegins);
    if (export_begins != std::string_view::npos) encoding_ = declared_encoding(window_.text().substr(0, export_begins));
    while (true) {
      MNEME_ASSIGN_OR_RETURN(const bool found, find(kNoteBegins));
      if (!found) break;
      MNEME_RETURN_IF_ERROR(context_.charge_member(name_));
      ++number_;
      MNEME_ASSIGN_OR_RETURN(const size_t size, size_of_note());
      MNEME_RETURN_IF_ERROR(size > 0 ? read_note(size) : pass_over());
    }
    return number_ > 0 ? Status() : corruption(printable(name_) + " is damaged or holds no notes.");
  }

 private:
  // Lets go of all before the mark.
  Result<bool> find(std::string_view mark) {
    while (true) {
      const size_t at = window_.text().find(mark);
      if (at != std::string_view::npos) {
        window_.take(at);
        return true;
      }
      window_.take(window_.text().size() - std::min(window_.text().size(), mark.size() - 1));
      if (window_.at_end()) return false;
      MNEME_RETURN_IF_ERROR(window_.extend(kPieceOfExport));
    }
  }

  // Of the note that the window begins with; 0: it is more than a file may have.
  Result<size_t> size_of_note() {
    for (size_t searched = 0;;) {
      const size_t end = window_.text().find(kNoteEnds, searched);
      if (end != std::string_view::npos) return end + kNoteEnds.size();
      if (window_.at_end()) return window_.text().size();
      if (window_.text().size() > context_.limits().file_bytes) return size_t{0};
      searched = window_.text().size() - std::min(window_.text().size(), kNoteEnds.size());
      MNEME_RETURN_IF_ERROR(window_.extend(kPieceOfExport));
    }
  }

  Status read_note(size_t size) {
    std::string text = in_utf8(window_.text().substr(0, size));
    window_.take(size);
    NoteReader note(context_, std::move(text));
    const std::string label = safe_label(note.title());
    const std::string member = label.empty() ? "note " + std::to_string(number_) : label;
    return context_.read_member(member, [&] { return note.read(member); });
  }

  // Evernote writes UTF-8; what others wrote may be in what the file names for itself.
  std::string in_utf8(std::string_view note) const {
    if (encoding_.empty() || utf8::valid(note)) return utf8::sanitise(note);
    const Result<std::string> converted = convert_from(note, encoding_);
    return utf8::sanitise(converted.ok() ? *converted : note);
  }

  Status pass_over() {
    MNEME_RETURN_IF_ERROR(context_.emit_failure(
        "note " + std::to_string(number_),
        resource_error("note " + std::to_string(number_) + " is over the limit of " +
                       std::to_string(context_.limits().file_bytes >> 20) + " MiB for one note; it was left out.")));
    window_.take(kNoteBegins.size());
    return find(kNoteEnds).status();
  }

  ReadContext& context_;
  const std::string& name_;
  SourceWindow window_;
  std::string encoding_;  // "" where the file names none
  uint64_t number_ = 0;
};

}  // namespace

Status read_enex(ReadContext& context, const std::string& name, ByteSource& source) {
  if (context.depth() >= context.limits().container_depth) {
    return resource_error(printable(name) + ": containers are nested too deep; it was left out.");
  }
  context.begin_container(source.size());
  return ExportReader(context, name, source).read();
}

}  // namespace mneme::readers

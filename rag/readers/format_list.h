// The one list of formats: name, extensions, reader. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

using ReadFunction = Status (*)(ReadContext& context, Input input);
using ReadByPieces = Status (*)(ReadContext& context, const std::string& name, ByteSource& source);

struct Format {
  std::string_view name;        // as in Document::format
  std::string_view extensions;  // lower case, space between and around: " md markdown "
  ReadFunction read;            // a file in memory; null for containers
  // Containers are always read by pieces. Of others this gives parts: it is used where there is more text than one
  // document may hold; null: then the file is refused.
  ReadByPieces by_pieces = nullptr;

  bool is_container() const { return read == nullptr; }
};

// The format of a file; nullptr when it is binary or nothing known. `beginning` may be the whole file.
const Format* find_format(std::string_view name, std::string_view beginning);

// Whether a text is a saved chat, by its first lines.
bool looks_like_chat(std::string_view beginning);
// ... or JSON that a program exported its chats as, or Google Keep its notes.
bool looks_like_exported_chat(std::string_view beginning);
bool looks_like_keep(std::string_view beginning);

// Plain-text formats: a text in UTF-8 goes in, title (if any), metadata and blocks come out. They never fail.
void parse_plain(rag::Document& document);
void parse_markdown(rag::Document& document);
void parse_rst(rag::Document& document);
void parse_asciidoc(rag::Document& document);
void parse_source(rag::Document& document);
void parse_csv(rag::Document& document);
void parse_json(rag::Document& document);

Status read_plain(ReadContext& context, Input input);
Status read_markdown(ReadContext& context, Input input);
Status read_rst(ReadContext& context, Input input);
Status read_asciidoc(ReadContext& context, Input input);
Status read_source(ReadContext& context, Input input);
Status read_csv(ReadContext& context, Input input);
Status read_json(ReadContext& context, Input input);

// Formats that are parsed into a text of their own.
Status read_html(ReadContext& context, Input input);
Status read_pdf(ReadContext& context, Input input);
Status read_picture(ReadContext& context, Input input);
Status read_docx(ReadContext& context, Input input);
Status read_xlsx(ReadContext& context, Input input);
Status read_pptx(ReadContext& context, Input input);
Status read_vsdx(ReadContext& context, Input input);
Status read_abw(ReadContext& context, Input input);
Status read_opendocument(ReadContext& context, Input input);
Status read_flat_opendocument(ReadContext& context, Input input);
Status read_epub(ReadContext& context, Input input);
Status read_fb2(ReadContext& context, Input input);
Status read_mobi(ReadContext& context, Input input);
Status read_rtf(ReadContext& context, Input input);
Status read_compound(ReadContext& context, Input input);  // doc, xls, ppt, msg; others like them are refused
Status read_tex(ReadContext& context, Input input);
Status read_man(ReadContext& context, Input input);
Status read_org(ReadContext& context, Input input);
Status read_subtitles(ReadContext& context, Input input);
Status read_chat(ReadContext& context, Input input);
Status read_exported_chat(ReadContext& context, Input input);
Status read_keep(ReadContext& context, Input input);
Status read_notebook(ReadContext& context, Input input);
Status read_xml(ReadContext& context, Input input);

// Mail: one message (also MHTML), or a mailbox as a container of messages.
Status read_eml(ReadContext& context, Input input);
Status read_tnef(ReadContext& context, Input input);
Status read_olm(ReadContext& context, Input input);  // a message that Outlook for Mac exported
bool looks_like_olm(std::string_view beginning);
Status read_mbox(ReadContext& context, const std::string& name, ByteSource& source);
Status read_pst(ReadContext& context, const std::string& name, ByteSource& source);

// Calendars (iCalendar) and contacts (vCard).
Status read_calendar(ReadContext& context, Input input);
Status read_contacts(ReadContext& context, Input input);

// Evernote's exports: notes with attachments.
Status read_enex(ReadContext& context, const std::string& name, ByteSource& source);

// Containers: every file in them is read as one of its own.
Status read_archive(ReadContext& context, const std::string& name, ByteSource& source);

// Texts in parts of whole lines, each a document of its own (text_parts.h).
Status read_plain_parts(ReadContext& context, const std::string& name, ByteSource& source);
Status read_csv_parts(ReadContext& context, const std::string& name, ByteSource& source);
Status read_json_parts(ReadContext& context, const std::string& name, ByteSource& source);

}  // namespace mneme::readers

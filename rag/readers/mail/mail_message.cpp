#include "rag/readers/mail/mail_message.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/armour.h"
#include "rag/readers/mail/mail_date.h"
#include "rag/readers/mail/plain_body.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/office/rtf_text.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kRichText = "text/rtf";

// Also of kinds that nobody shows otherwise than as they stand ("text/x-patch"), and what a server reports of a message
// that could not be delivered.
bool is_text(const MimePart& part) {
  static constexpr std::array<std::string_view, 9> kNotShown = {
      "text/calendar", "text/vcard",      "text/x-vcard",    "text/directory",    "text/css",
      "text/xml",      "text/javascript", "text/x-amp-html", "text/x-moz-deleted"};
  if (part.type == "message/delivery-status" || part.type == "message/disposition-notification") return true;
  return part.type.starts_with("text/") &&
         std::find(kNotShown.begin(), kNotShown.end(), part.type) == kNotShown.end() && !part.type.ends_with("-html");
}

// Sealed and opened by programs: signatures, keys, what is encrypted.
bool is_sealing(const MimePart& part) {
  static constexpr std::array<std::string_view, 8> kTypes = {
      "application/pgp-signature",   "application/pgp-encrypted",     "application/pgp-keys",
      "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pkcs7-mime",
      "application/x-pkcs7-mime",    "application/pkix-cert"};
  if (std::find(kTypes.begin(), kTypes.end(), part.type) != kTypes.end()) return true;
  const std::string ending = extension(part.file_name);
  for (const char* sealed : {"p7s", "p7m", "p7c", "sig", "asc", "pgp", "gpg"}) {
    if (ending == sealed) return true;
  }
  return false;
}

// Whether what it says is encrypted, wherever in it that stands.
bool is_encrypted(const MimePart& part) {
  if (part.type == "multipart/encrypted" || part.type.ends_with("pkcs7-mime")) return true;
  return std::any_of(part.children.begin(), part.children.end(), is_encrypted);
}

// What a message says, in order: a mail may be cut in two by a picture, or have the words of a mailing list behind it.
// Of alternatives the one that says something in the preferred type.
MimeParts bodies_of(const MimePart& part, std::string_view preferred) {
  if (part.children.empty()) {
    const bool shown = is_text(part) && !part.attachment && part.file_name.empty();
    return shown && !trim(part.body).empty() ? MimeParts{&part} : MimeParts{};
  }
  MimeParts bodies;
  const bool alternatives = part.type == "multipart/alternative";
  bool best = false;
  for (const MimePart& child : part.children) {
    const MimeParts of_child = bodies_of(child, preferred);
    if (!alternatives) {
      bodies.insert(bodies.end(), of_child.begin(), of_child.end());
      continue;
    }
    const bool as_preferred =
        std::any_of(of_child.begin(), of_child.end(), [&](const MimePart* p) { return p->type == preferred; });
    if (bodies.empty() || (as_preferred && !best)) bodies = of_child;
    best = best || as_preferred;
  }
  return bodies;
}

// Some programs give the text of a message a file name.
const MimePart* first_text(const MimePart& part) {
  if (part.children.empty()) return is_text(part) && !part.attachment ? &part : nullptr;
  for (const MimePart& child : part.children) {
    if (const MimePart* found = first_text(child)) return found;
  }
  return nullptr;
}

MimeParts shown_parts(const MimePart& message, bool page) {
  MimeParts bodies = bodies_of(message, page ? "text/html" : "text/plain");
  if (page) {  // others are frames within it
    const auto html =
        std::find_if(bodies.begin(), bodies.end(), [](const MimePart* p) { return p->type == "text/html"; });
    if (html != bodies.end()) return {*html};
  }
  if (bodies.empty()) {
    if (const MimePart* text = first_text(message)) bodies.push_back(text);
  }
  return bodies;
}

// A page that is called plain text.
bool is_html_by_mistake(std::string_view bytes) {
  const std::string beginning = lower_ascii(trim(bytes.substr(0, 64)));
  return beginning.starts_with("<!doctype html") || beginning.starts_with("<html");
}

Status add_body(ReadContext& context, const std::string& name, const MimePart& part, bool page,
                DocumentBuilder& builder) {
  std::string bytes = part.decoded_body();
  const bool is_html = part.type == "text/html" || is_html_by_mistake(bytes);
  if (part.type == kRichText) {
    add_rtf(bytes, builder);
    return {};
  }
  const std::string charset = part.charset.empty() && is_html ? declared_encoding(bytes) : part.charset;
  const std::string encoding = lower_ascii(charset);
  const bool wide = encoding.starts_with("utf-16") || encoding.starts_with("utf-32");
  if (!wide) std::erase(bytes, '\0');  // of broken programs
  auto decoded = decode_text(std::move(bytes), charset);
  if (!decoded.ok()) {
    builder.document().notes.push_back("the message's text could not be read: " + decoded.status().message());
    return {};
  }
  if (!is_html) {
    add_plain_body(part, std::move(decoded->text), builder);
    return {};
  }
  const HtmlOptions options{
      .keep_lines = false, .only_main_text = page, .take_metadata = page, .only_what_is_shown = !page};
  return add_html(context, name, decoded->text, options, builder);
}

// What parts say, as text.
Result<std::string> text_of(ReadContext& context, const std::string& name, const MimeParts& parts) {
  rag::Document document;
  DocumentBuilder builder(document, context.limits().text_bytes);
  for (const MimePart* part : parts) MNEME_RETURN_IF_ERROR(add_body(context, name, *part, false, builder));
  return std::move(document.text);
}

// Whether most words of one text are those of another.
bool says_the_same(std::string_view text, std::string_view other) {
  const std::string words = lower_ascii(text);
  const std::string known = lower_ascii(other);
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || (c & 0x80) != 0; };
  size_t all = 0;
  size_t found = 0;
  for (auto at = std::find_if(words.begin(), words.end(), is_part); at != words.end();) {
    const auto end = std::find_if_not(at, words.end(), is_part);
    ++all;
    found += known.find(std::string_view(at, end)) != std::string::npos;
    at = std::find_if(end, words.end(), is_part);
  }
  return found * 2 > all;
}

// Programs that write HTML send a few words for those who do not read it: "Please view this message online."
Result<MimeParts> without_stub(ReadContext& context, const std::string& name, const MimePart& message,
                               MimeParts plain) {
  constexpr size_t kLongestStub = 300;
  const MimeParts html = bodies_of(message, "text/html");
  if (html.empty() || html == plain) return plain;
  MNEME_ASSIGN_OR_RETURN(const std::string few, text_of(context, name, plain));
  if (few.size() > kLongestStub) return plain;
  MNEME_ASSIGN_OR_RETURN(const std::string said, text_of(context, name, html));
  const bool is_stub = said.size() > 3 * few.size() || (said.size() * 2 >= few.size() && !says_the_same(few, said));
  return is_stub ? html : plain;
}

// Whether there are parts that parse_mime() did not open.
bool goes_deeper(const MimePart& part) {
  if (part.children.empty()) return part.type.starts_with("multipart/") && !trim(part.body).empty();
  return std::any_of(part.children.begin(), part.children.end(), goes_deeper);
}

// Who writes letters beyond ASCII as they are does so in the encoding of the text.
std::string told_in_head(const MimePart& message, std::string_view field) {
  const MimePart* const text = first_text(message);
  return clean_text(decode_header(message.header(field), text ? std::string_view(text->charset) : std::string_view()));
}

// Pictures within the text say nothing by their names.
bool is_picture_in_text(const MimePart& part) {
  return part.type.starts_with("image/") && !part.attachment &&
         (!part.header("content-id").empty() || part.file_name.empty());
}

// What a person sees hanging on the message, in order.
void take_attachments(const MimePart& part, const MimeParts& shown, std::vector<std::string>& names) {
  constexpr size_t kMost = 100;
  for (const MimePart& child : part.children) take_attachments(child, shown, names);
  const bool told = std::find(shown.begin(), shown.end(), &part) != shown.end();
  if (!part.children.empty() || told || names.size() >= kMost) return;
  const bool opened = part.type.ends_with("ms-tnef");  // what it holds is told
  if (is_sealing(part) || is_picture_in_text(part) || opened) return;
  const std::string name = safe_label(clean_text(part.file_name));
  if (!name.empty()) names.push_back(name);
}

// Who wrote whom when about what, and what came along, as one paragraph.
void add_head(const MimePart& message, const MimeParts& shown, DocumentBuilder& builder) {
  std::string head;
  const auto add = [&](std::string_view field, const std::string& value) {
    if (!value.empty()) head.append(head.empty() ? "" : "; ").append(field).append(": ").append(value);
  };
  for (const std::string_view field : {"From", "To", "Cc", "Date", "Subject"}) {
    add(field, field == "Date" ? clean_text(told_date(message)) : told_in_head(message, lower_ascii(field)));
  }
  std::vector<std::string> names;
  take_attachments(message, shown, names);
  std::string all;
  for (const std::string& name : names) all.append(all.empty() ? "" : ", ").append(name);
  add("Attachments", all);
  if (message.body_line > 0) builder.set_lines(1, std::max(1, message.body_line - 2));
  builder.paragraph(head);
  builder.set_lines(0, 0);
}

}  // namespace

bool says_something(const MimePart& message) {
  return !bodies_of(message, "text/plain").empty();
}

bool has_attachments(const MimePart& message) {
  if (message.children.empty()) return !attachment_name(message).empty();
  return std::any_of(message.children.begin(), message.children.end(), has_attachments);
}

Result<MimeParts> emit_message(ReadContext& context, const std::string& name, const MimePart& message,
                               std::string_view format) {
  const bool page = format == kSavedPage;
  rag::Document document;
  document.format = format;
  DocumentBuilder builder(document, context.limits().text_bytes);
  document.title = told_in_head(message, "subject");
  document.date = mail_day(told_date(message));
  MimeParts shown = shown_parts(message, page);
  if (!page) {
    document.author = told_in_head(message, "from");
    MNEME_ASSIGN_OR_RETURN(shown, without_stub(context, name, message, std::move(shown)));
    add_head(message, shown, builder);
    if (is_encrypted(message)) document.notes.emplace_back(kEncryptedNote);
  }
  for (const MimePart* part : shown) MNEME_RETURN_IF_ERROR(add_body(context, name, *part, page, builder));
  if (builder.empty()) {
    const std::string why = goes_deeper(message) ? ": its parts are nested too deep to be read." : ".";
    return unsupported(printable(name) + " is a message without text" + why);
  }
  // Lines of the head alone would say that a body without any stands there.
  rag::Block& head = document.blocks.front();
  if (document.blocks.back().line_begin == 0) head.line_begin = head.line_end = 0;
  MNEME_RETURN_IF_ERROR(context.emit(name, std::move(document)));
  return shown;
}

// Invitations, cards, and messages that are passed on often have no file name.
std::string attachment_name(const MimePart& part) {
  const bool elsewhere = part.type == "message/external-body" || part.type == "text/x-moz-deleted";
  if (is_sealing(part) || elsewhere) return {};
  if (part.type == "message/rfc822") {
    if (part.file_name.empty()) return "message.eml";
    return extension(part.file_name) == "eml" ? part.file_name : part.file_name + ".eml";
  }
  if (!part.file_name.empty()) return part.file_name;
  if (part.type == "text/calendar") return "invitation.ics";
  if (part.type == "text/vcard" || part.type == "text/x-vcard") return "card.vcf";
  if (part.type == "application/pdf") return "attachment.pdf";
  if (part.attachment && is_text(part)) return part.type == "text/html" ? "attachment.html" : "attachment.txt";
  return {};
}

Status read_attachment(ReadContext& context, const std::string& name, std::string bytes) {
  MNEME_RETURN_IF_ERROR(context.charge_member(name));
  MNEME_RETURN_IF_ERROR(context.charge_unpacked(name, bytes.size()));
  return context.read_member(name, Input{.name = name, .bytes = std::move(bytes)});
}

}  // namespace mneme::readers

// Mail messages (eml), saved pages (MHTML) and mailboxes (mbox). Attachments are read as files of their own.
#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/html_text.h"
#include "rag/readers/mime.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr int kDeepestPart = 8;

// The part that shows the message best: plain text before HTML, the first of each; nullptr when there is none.
const MimePart* find_body(const MimePart& part, std::string_view type) {
  if (part.children.empty()) {
    return part.type == type && !part.attachment ? &part : nullptr;
  }
  for (const MimePart& child : part.children) {
    if (const MimePart* found = find_body(child, type)) return found;
  }
  return nullptr;
}

void add_plain_body(const MimePart& part, std::string text, DocumentBuilder& builder) {
  const int offset = part.body_is_plain() ? part.body_line - 1 : 0;
  rag::Document body;
  body.text = std::move(text);
  parse_plain(body);
  for (const rag::Block& block : body.blocks) {
    const std::string_view piece =
        std::string_view(body.text).substr(block.byte_begin, block.byte_end - block.byte_begin);
    if (part.body_is_plain()) builder.set_lines(block.line_begin + offset, block.line_end + offset);
    const bool quoted = piece.starts_with('>');
    // A heading in a mail is as likely a shout.
    const auto kind = quoted                                   ? rag::BlockKind::kQuote
                      : block.kind == rag::BlockKind::kHeading ? rag::BlockKind::kParagraph
                                                               : block.kind;
    builder.add(kind, piece);
  }
  builder.set_lines(0, 0);
}

Status add_body(ReadContext& context, const std::string& name, const MimePart& message, bool html_first,
                DocumentBuilder& builder) {
  const MimePart* plain = find_body(message, "text/plain");
  const MimePart* html = find_body(message, "text/html");
  const bool use_html = html && (html_first || !plain);
  const MimePart* part = use_html ? html : plain;
  if (!part) return {};
  auto decoded = decode_text(part->decoded_body(), part->charset);
  if (!decoded.ok()) {
    builder.document().notes.push_back("the message's text could not be read: " + decoded.status().message());
    return {};
  }
  if (!use_html) {
    add_plain_body(*part, std::move(decoded->text), builder);
    return {};
  }
  const HtmlOptions options{.keep_lines = false, .only_main_text = html_first, .take_metadata = html_first};
  return add_html(context, name, decoded->text, options, builder);
}

// Invitations and cards often have no file name.
std::string name_of(const MimePart& part) {
  if (!part.file_name.empty()) return part.file_name;
  if (part.type == "text/calendar") return "invitation.ics";
  if (part.type == "text/vcard" || part.type == "text/x-vcard") return "card.vcf";
  return {};
}

// Parts with a file name, or of a kind that needs none, wherever they stand.
Status read_attachments(ReadContext& context, const MimePart& part) {
  for (const MimePart& child : part.children) MNEME_RETURN_IF_ERROR(read_attachments(context, child));
  const std::string name = name_of(part);
  if (!part.children.empty() || name.empty() || !worth_opening(name)) return {};
  MNEME_RETURN_IF_ERROR(context.charge_member(name));
  std::string bytes = part.decoded_body();
  MNEME_RETURN_IF_ERROR(context.charge_unpacked(name, bytes.size()));
  return context.read_member(name, Input{.name = name, .bytes = std::move(bytes)});
}

}  // namespace

Status read_eml(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  const MimePart message = parse_mime(bytes, kDeepestPart);
  const bool page = extension(input.name) != "eml" && message.type == "multipart/related";
  rag::Document document;
  document.format = page ? "mhtml" : "eml";
  DocumentBuilder builder(document, context.limits().text_bytes);
  document.title = clean_text(decode_header(message.header("subject")));
  if (!page) {
    document.author = clean_text(decode_header(message.header("from")));
    std::string head;
    for (const std::string_view field : {"From", "To", "Cc", "Date", "Subject"}) {
      const std::string value = clean_text(decode_header(message.header(lower_ascii(field))));
      if (!value.empty()) head.append(head.empty() ? "" : "; ").append(field).append(": ").append(value);
    }
    builder.set_lines(1, std::max(1, message.body_line - 2));
    builder.paragraph(head);
    builder.set_lines(0, 0);
  }
  document.date = iso_date(message.header("date"));
  MNEME_RETURN_IF_ERROR(add_body(context, input.name, message, page, builder));
  if (builder.empty()) return unsupported(printable(input.name) + " is a message without text.");
  // Lines of the head alone would say that a body without any stands there.
  rag::Block& head = document.blocks.front();
  if (document.blocks.back().line_begin == 0) head.line_begin = head.line_end = 0;
  MNEME_RETURN_IF_ERROR(context.emit(input.name, std::move(document)));
  if (page || context.depth() >= context.limits().container_depth) return {};
  return read_attachments(context, message);
}

Status read_mbox(ReadContext& context, Input input) {
  if (context.depth() >= context.limits().container_depth) {
    return resource_error(printable(input.name) + ": containers are nested too deep; it was left out.");
  }
  if (!input.bytes.starts_with("From ")) {
    return corruption(printable(input.name) + " is damaged: no mailbox begins like this.");
  }
  const std::string bytes = std::move(input.bytes);
  const std::string_view text = bytes;
  int number = 0;
  size_t begin = 0;
  while (begin < text.size()) {
    MNEME_RETURN_IF_ERROR(context.check(input.name));
    MNEME_RETURN_IF_ERROR(context.charge_member(input.name));
    size_t next = text.find("\nFrom ", begin + 1);
    // Only behind a blank line does "From " begin a message.
    while (next != text.npos && next > 0 && text[next - 1] != '\n' && text[next - 1] != '\r') {
      next = text.find("\nFrom ", next + 1);
    }
    const size_t end = next == text.npos ? text.size() : next + 1;
    const size_t body = std::min(text.find('\n', begin), end - 1) + 1;
    ++number;
    const std::string member = "message " + std::to_string(number);
    if (body < end) {
      MNEME_RETURN_IF_ERROR(context.read_member(
          member, Input{.name = member + ".eml", .bytes = std::string(text.substr(body, end - body))}));
    }
    begin = end;
  }
  return {};
}

}  // namespace mneme::readers

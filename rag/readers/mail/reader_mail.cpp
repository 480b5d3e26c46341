// Mail messages (eml, Apple's emlx, Outlook's winmail.dat) and saved pages (MHTML). Attachments are read as files of
// their own.
#include <algorithm>
#include <charconv>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/mail_message.h"
#include "rag/readers/mail/mime.h"
#include "rag/readers/mail/signed_content.h"
#include "rag/readers/mail/tnef.h"
#include "rag/readers/mail/uuencoded.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr int kDeepestPart = 8;

// By a browser, as MHTML.
bool is_saved_page(std::string_view name, const MimePart& message) {
  const std::string ending = extension(name);
  const bool saved = message.header("from").find("<Saved by ") != std::string_view::npos;
  return message.type == "multipart/related" && (ending == "mht" || ending == "mhtml" || saved);
}

bool is_tnef_part(const MimePart& part) {
  return part.type.ends_with("ms-tnef") || equals_ignoring_case(part.file_name, "winmail.dat");
}

// What messages hold in wrappings of their own, unwrapped. The texts have to outlive the parts.
using Unwrapped = std::deque<std::string>;

void add_text(const char* type, const char* charset, std::string text, MimePart& parent, Unwrapped& texts) {
  if (trim(text).empty()) return;
  MimePart part;
  part.type = type;
  part.charset = charset;
  part.body = texts.emplace_back(std::move(text));
  part.body_line = 0;
  parent.children.push_back(std::move(part));
}

// A file that hangs on a message in a wrapping.
MimePart file_part(std::string name, std::string bytes, Unwrapped& texts) {
  MimePart part;
  part.type = "application/octet-stream";
  part.attachment = true;
  part.file_name = std::move(name);
  part.body = texts.emplace_back(std::move(bytes));
  part.body_line = 0;
  return part;
}

// Its text and its files as parts; the text only where nothing else says it.
void unwrap_tnef(MimePart& part, bool with_text, Unwrapped& texts) {
  const std::string bytes = part.decoded_body();
  if (!is_tnef(bytes)) return;
  TnefMessage message = parse_tnef(bytes);
  if (with_text) {
    MimePart text;
    text.type = "multipart/alternative";
    add_text("text/plain", "utf-8", std::move(message.plain), text, texts);
    add_text("text/html", "", std::move(message.html), text, texts);
    if (text.children.empty()) add_text("text/rtf", "", std::move(message.rtf), text, texts);
    part.children.push_back(std::move(text));
  }
  for (TnefFile& file : message.files) {
    part.children.push_back(file_part(std::move(file.name), std::move(file.bytes), texts));
  }
  part.type = "multipart/mixed";
}

// A message that is signed as a whole becomes what it says.
void unwrap_signed(MimePart& part, Unwrapped& texts) {
  std::optional<std::string> content = signed_content(part.decoded_body());
  if (!content) return;
  part.type = "multipart/mixed";
  part.file_name.clear();
  part.children.push_back(parse_mime(texts.emplace_back(std::move(*content)), kDeepestPart));
  const auto without_lines = [](MimePart& inner, const auto& again) -> void {
    inner.body_line = 0;
    for (MimePart& child : inner.children) again(child, again);
  };
  without_lines(part.children.back(), without_lines);
}

// Files that an old program wrote into the text.
void unwrap_uuencoded(MimePart& part, Unwrapped& texts, std::vector<MimePart>& found) {
  if (part.type != "text/plain" || part.attachment) return;
  if (part.body.find("\nbegin ") == std::string_view::npos && !part.body.starts_with("begin ")) return;
  for (UuencodedFile& file : uuencoded_files(part.decoded_body())) {
    found.push_back(file_part(std::move(file.name), std::move(file.bytes), texts));
  }
}

// `has_text`: whether another part of the message says something.
void unwrap(MimePart& part, bool has_text, Unwrapped& texts, std::vector<MimePart>& found) {
  for (MimePart& child : part.children) unwrap(child, has_text, texts, found);
  if (!part.children.empty()) return;
  if (is_tnef_part(part)) {
    unwrap_tnef(part, !has_text, texts);
  } else if (part.type.ends_with("pkcs7-mime")) {
    unwrap_signed(part, texts);
  } else {
    unwrap_uuencoded(part, texts, found);
  }
}

void unwrap_all(MimePart& message, Unwrapped& texts) {
  std::vector<MimePart> found;
  unwrap(message, says_something(message), texts, found);
  if (found.empty()) return;
  if (message.children.empty()) {  // its only part becomes the first of several
    MimePart text = message;
    message.type = "multipart/mixed";
    text.headers.erase(std::remove_if(text.headers.begin(), text.headers.end(),
                                      [](const auto& header) { return header.first != "content-transfer-encoding"; }),
                       text.headers.end());
    message.children.push_back(std::move(text));
  }
  for (MimePart& file : found) message.children.push_back(std::move(file));
}

// What an attached text says of its encoding stands in the message alone.
std::string attached_bytes(const MimePart& part) {
  std::string bytes = part.decoded_body();
  if (!part.type.starts_with("text/") || part.type == "text/html" || part.charset.empty()) return bytes;
  auto text = decode_text(bytes, part.charset);
  return text.ok() ? std::move(text->text) : bytes;
}

// Parts with a file name, or of a kind that needs none, wherever they stand, but for those that are `shown`.
// invitations: those read before; many a program sends one as part of the message and once more as a file.
Status read_attachments(ReadContext& context, const MimePart& part, const MimeParts& shown,
                        std::vector<std::string>& invitations) {
  for (const MimePart& child : part.children) {
    MNEME_RETURN_IF_ERROR(read_attachments(context, child, shown, invitations));
  }
  const std::string name = safe_label(attachment_name(part));
  if (!part.children.empty() || name.empty() || !worth_opening(name)) return {};
  if (std::find(shown.begin(), shown.end(), &part) != shown.end()) return {};
  std::string bytes = attached_bytes(part);
  if (extension(name) == "ics") {
    std::string said = bytes;  // whatever its line breaks are
    std::erase_if(said, is_space);
    if (std::find(invitations.begin(), invitations.end(), said) != invitations.end()) return {};
    invitations.push_back(std::move(said));
  }
  return trim(bytes).empty() ? Status() : read_attachment(context, name, std::move(bytes));
}

// Apple Mail: how many bytes the message has, in a line; the message; a list of properties. Empty: it is none.
std::string_view message_of_emlx(std::string_view bytes) {
  constexpr size_t kLongestNumber = 40;
  const size_t line_end = bytes.find('\n');
  if (line_end > kLongestNumber) return {};
  const std::string_view digits = trim(bytes.substr(0, line_end));
  size_t size = 0;
  const auto [behind, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc() || behind != digits.data() + digits.size()) return {};
  return bytes.substr(line_end + 1, size);
}

Status read_parsed(ReadContext& context, const std::string& name, MimePart message) {
  const bool page = is_saved_page(name, message);
  Unwrapped texts;
  if (!page) unwrap_all(message, texts);
  for (const std::string& text : texts) MNEME_RETURN_IF_ERROR(context.charge_unpacked(name, text.size()));
  const auto shown = emit_message(context, name, message, page ? kSavedPage : std::string_view("eml"));
  // One that says nothing may have something attached.
  const bool only_attached =
      !shown.ok() && shown.status().code() == StatusCode::kUnsupported && has_attachments(message);
  if (!shown.ok() && !only_attached) return shown.status();
  if (page || context.depth() >= context.limits().container_depth) return {};
  std::vector<std::string> invitations;
  return read_attachments(context, message, shown.ok() ? *shown : MimeParts{}, invitations);
}

}  // namespace

Status read_eml(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  const std::string_view within = extension(input.name) == "emlx" ? message_of_emlx(bytes) : std::string_view();
  const int first_line = within.empty() ? 1 : 2;
  return read_parsed(context, input.name,
                     parse_mime(within.empty() ? std::string_view(bytes) : within, kDeepestPart, first_line));
}

Status read_tnef(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  MimePart message;
  message.headers.emplace_back("subject", parse_tnef(bytes).subject);
  message.type = "application/ms-tnef";
  message.body = bytes;
  message.body_line = 0;
  return read_parsed(context, input.name, std::move(message));
}

}  // namespace mneme::readers

#include "rag/readers/outlook/outlook_message.h"

#include <deque>
#include <initializer_list>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/mail_message.h"
#include "rag/readers/mail/mime.h"
#include "rag/readers/office/compressed_rtf.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/outlook/outlook_entries.h"

namespace mneme::readers {
namespace {

constexpr uint32_t kRecipient = 1;
constexpr uint32_t kCopy = 2;

// Attachments, recipients of one message: more are written by nobody.
constexpr size_t kMostParts = 10'000;

std::string file_name_of(const OutlookObject& attachment) {
  for (const MapiProperty property : {MapiProperty::kLongFileName, MapiProperty::kFileName, MapiProperty::kName}) {
    std::string name = attachment.text(property);
    if (!name.empty()) return name;
  }
  return {};
}

class MessageReader {
 public:
  MessageReader(ReadContext& context, const std::string& name, const OutlookObject& object)
      : context_(context), name_(name), object_(object) {}

  Status read() {
    MimePart message;
    message.type = "multipart/alternative";
    message.body_line = 0;
    MNEME_RETURN_IF_ERROR(take_head(message));
    const std::string body = object_.text(MapiProperty::kBody);
    const std::string html = html_body();
    const std::string rtf =
        body.empty() && html.empty() ? unpacked_rtf(object_.bytes(MapiProperty::kRtf)) : std::string();
    MNEME_RETURN_IF_ERROR(context_.charge_unpacked(name_, body.size() + html.size() + rtf.size()));
    add_part("text/plain", "utf-8", body, message);
    add_part("text/html", html_encoding_, html, message);
    add_part("text/rtf", {}, rtf, message);
    MNEME_RETURN_IF_ERROR(add_names(message));
    const auto shown = emit_message(context_, name_, message, "msg");
    return shown.ok() ? Status() : shown.status();
  }

 private:
  // Head of the message as it came over the Internet, or what Outlook knows of one that never did.
  Status take_head(MimePart& message) const {
    const std::string written = object_.text(MapiProperty::kHead);
    const MimePart head = parse_mime(written, 0);
    const auto take = [&](const std::string& field, std::string value) {
      if (const std::string_view told = head.header(field); !told.empty()) value = told;
      message.headers.emplace_back(field, std::move(value));
    };
    message.headers.emplace_back("subject", object_.text(MapiProperty::kSubject));
    if (message.headers.back().second.empty()) message.headers.back().second = head.header("subject");
    take("from", sender_of(object_));
    std::string to;
    std::string copies;
    if (head.header("to").empty() || head.header("cc").empty()) MNEME_RETURN_IF_ERROR(take_recipients(to, copies));
    take("to", to.empty() ? object_.text(MapiProperty::kShownRecipients) : std::move(to));
    take("cc", copies.empty() ? object_.text(MapiProperty::kShownCopies) : std::move(copies));
    const std::string submitted = object_.time(MapiProperty::kSubmitted);
    take("date", submitted.empty() ? object_.time(MapiProperty::kDelivered) : submitted);
    return {};
  }

  Status take_recipients(std::string& to, std::string& copies) const {
    constexpr size_t kMostBytes = 100'000;
    return object_.each_recipient([&](const OutlookObject& recipient) -> Status {
      MNEME_RETURN_IF_ERROR(context_.check(name_));
      const uint32_t kind = recipient.number(MapiProperty::kRecipientKind).value_or(kRecipient);
      std::string& all = kind == kCopy ? copies : to;
      if ((kind != kRecipient && kind != kCopy) || all.size() > kMostBytes) return {};
      const std::string who = recipient_in_words(recipient);
      if (!who.empty()) all.append(all.empty() ? "" : ", ").append(who);
      return {};
    });
  }

  // In bytes of an encoding that the message names; or as text.
  std::string html_body() {
    std::string html = object_.bytes(MapiProperty::kHtml);
    if (!html.empty()) {
      const auto code_page = object_.number(MapiProperty::kHtmlCodePage);
      html_encoding_ = code_page ? encoding_of_code_page(static_cast<int>(*code_page & 0xffff)) : std::string();
      return html;
    }
    html_encoding_ = "utf-8";
    return object_.text(MapiProperty::kHtml);
  }

  static void add_part(const char* type, std::string charset, const std::string& body, MimePart& message) {
    if (body.empty()) return;
    MimePart part;
    part.type = type;
    part.charset = std::move(charset);
    part.body = body;
    part.body_line = 0;
    message.children.push_back(std::move(part));
  }

  // Attachments, for their names: what they hold is read as files of their own.
  Status add_names(MimePart& message) const {
    return object_.each_attachment([&](const OutlookObject& attachment) -> Status {
      if (message.children.size() > kMostParts) return {};
      MNEME_RETURN_IF_ERROR(context_.check(name_));
      MimePart part;
      part.type = attachment.text(MapiProperty::kMimeType);
      part.file_name = file_name_of(attachment);
      const std::string id = attachment.text(MapiProperty::kContentId);
      if (!id.empty()) part.headers.emplace_back("content-id", id);
      part.attachment = id.empty();
      part.body_line = 0;
      message.children.push_back(std::move(part));
      return {};
    });
  }

  ReadContext& context_;
  const std::string& name_;
  const OutlookObject& object_;
  std::string html_encoding_;
};

Status read_message_within(ReadContext& context, const OutlookObject& message, const std::string& file_name) {
  const std::string name = safe_label((file_name.empty() ? "message" : file_name) + ".msg");
  MNEME_RETURN_IF_ERROR(context.charge_member(name));
  return context.read_member(name, [&] { return read_outlook_item(context, name, message); });
}

Status read_one(ReadContext& context, const OutlookObject& attachment) {
  std::string file_name = file_name_of(attachment);
  if (const auto message = attachment.message_within()) return read_message_within(context, *message, file_name);
  MimePart part;
  part.attachment = true;
  part.type = attachment.text(MapiProperty::kMimeType);
  part.file_name = std::move(file_name);
  const std::string name = safe_label(attachment_name(part));
  if (name.empty() || !worth_opening(name)) return {};
  if (attachment.size_of(MapiProperty::kData) > context.limits().file_bytes) {
    return context.emit_failure(
        name, resource_error(name + " is over the limit of " + std::to_string(context.limits().file_bytes >> 20) +
                             " MiB for one file; it was left out."));
  }
  std::string bytes = attachment.bytes(MapiProperty::kData);
  return bytes.empty() ? Status() : read_attachment(context, name, std::move(bytes));
}

Status read_attachments(ReadContext& context, const std::string& name, const OutlookObject& item) {
  if (context.depth() >= context.limits().container_depth) return {};
  size_t count = 0;
  return item.each_attachment([&](const OutlookObject& attachment) -> Status {
    if (++count > kMostParts) return {};
    MNEME_RETURN_IF_ERROR(context.check(name));
    return read_one(context, attachment);
  });
}

}  // namespace

Status read_outlook_item(ReadContext& context, const std::string& name, const OutlookObject& item) {
  auto entry = outlook_entry(context, name, item);
  Status told = entry.status();
  if (entry.ok()) told = *entry ? context.emit(name, std::move(**entry)) : MessageReader(context, name, item).read();
  if (told.ok()) return read_attachments(context, name, item);
  // One that says nothing may have something attached.
  if (context.must_stop() || told.code() != StatusCode::kUnsupported) return told;
  bool attached = false;
  MNEME_RETURN_IF_ERROR(item.each_attachment([&](const OutlookObject& /*attachment*/) -> Status {
    attached = true;
    return {};
  }));
  return attached ? read_attachments(context, name, item) : told;
}

}  // namespace mneme::readers

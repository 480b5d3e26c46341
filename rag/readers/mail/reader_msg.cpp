// Messages that Outlook saved (msg), read as those of every other program (reader_mail.cpp): their properties are told
// as its head and its parts.
#include <string>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/mail_message.h"
#include "rag/readers/mail/mime.h"
#include "rag/readers/office/compound_readers.h"
#include "rag/readers/office/compressed_rtf.h"
#include "rag/readers/office/msg_object.h"
#include "rag/readers/office/rtf_fonts.h"

namespace mneme::readers {
namespace {

constexpr uint32_t kRecipient = 1;
constexpr uint32_t kCopy = 2;

// "Ann Weber <ann@example.org>". Addresses within an Exchange server say nothing to anybody.
std::string person(const std::string& name, std::initializer_list<std::string> addresses) {
  for (const std::string& address : addresses) {
    if (address.find('@') == std::string::npos) continue;
    return name.empty() || name == address ? address : name + " <" + address + ">";
  }
  return name;
}

class MessageReader {
 public:
  MessageReader(ReadContext& context, std::string name, const CompoundFile& file, uint32_t storage,
                MsgObject::Kind kind)
      : context_(context), name_(std::move(name)), file_(file), object_(file, storage, kind) {}

  Status read() {
    MimePart message;
    message.type = "multipart/alternative";
    message.body_line = 0;
    take_head(message);
    const std::string body = object_.text(MsgProperty::kBody);
    const std::string html = html_body();
    const std::string rtf =
        body.empty() && html.empty() ? unpacked_rtf(object_.bytes(MsgProperty::kRtf)) : std::string();
    MNEME_RETURN_IF_ERROR(context_.charge_unpacked(name_, body.size() + html.size() + rtf.size()));
    add_part("text/plain", "utf-8", body, message);
    add_part("text/html", html_encoding_, html, message);
    add_part("text/rtf", {}, rtf, message);
    add_names(message);
    const auto shown = emit_message(context_, name_, message, "msg");
    if (!shown.ok()) return shown.status();
    return context_.depth() >= context_.limits().container_depth ? Status() : read_attachments();
  }

 private:
  // Head of the message as it came over the Internet, or what Outlook knows of one that never did.
  void take_head(MimePart& message) const {
    const std::string written = object_.text(MsgProperty::kHead);
    const MimePart head = parse_mime(written, 0);
    const auto take = [&](const std::string& field, const auto& known) {
      std::string value(head.header(field));
      if (value.empty()) value = known();
      message.headers.emplace_back(field, std::move(value));
    };
    message.headers.emplace_back("subject", object_.text(MsgProperty::kSubject));
    if (message.headers.back().second.empty()) message.headers.back().second = head.header("subject");
    take("from", [&] { return sender(); });
    take("to", [&] { return recipients(kRecipient, MsgProperty::kShownRecipients); });
    take("cc", [&] { return recipients(kCopy, MsgProperty::kShownCopies); });
    take("date", [&] {
      const std::string submitted = object_.time(MsgProperty::kSubmitted);
      return submitted.empty() ? object_.time(MsgProperty::kDelivered) : submitted;
    });
  }

  std::string sender() const {
    std::string sender = person(object_.text(MsgProperty::kSender), {object_.text(MsgProperty::kSenderInternetAddress),
                                                                     object_.text(MsgProperty::kSenderAddress)});
    if (!sender.empty()) return sender;
    return person(object_.text(MsgProperty::kWriter),
                  {object_.text(MsgProperty::kWriterInternetAddress), object_.text(MsgProperty::kWriterAddress)});
  }

  std::string recipients(uint32_t kind, MsgProperty shown) const {
    constexpr size_t kMostBytes = 100'000;
    std::string all;
    for (const uint32_t storage : object_.recipients()) {
      if (all.size() > kMostBytes) break;
      const MsgObject recipient(file_, storage, MsgObject::Kind::kPart, object_.encoding());
      if (recipient.number(MsgProperty::kRecipientKind).value_or(kRecipient) != kind) continue;
      const std::string who = person(recipient.text(MsgProperty::kName), {recipient.text(MsgProperty::kInternetAddress),
                                                                          recipient.text(MsgProperty::kAddress)});
      if (!who.empty()) all.append(all.empty() ? "" : ", ").append(who);
    }
    return all.empty() ? object_.text(shown) : all;
  }

  // In bytes of an encoding that the message names; or as text.
  std::string html_body() {
    std::string html = object_.bytes(MsgProperty::kHtml);
    if (!html.empty()) {
      const auto code_page = object_.number(MsgProperty::kHtmlCodePage);
      html_encoding_ = code_page ? encoding_of_code_page(static_cast<int>(*code_page & 0xffff)) : std::string();
      return html;
    }
    html_encoding_ = "utf-8";
    return object_.text(MsgProperty::kHtml);
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
  void add_names(MimePart& message) const {
    for (const uint32_t storage : object_.attachments()) {
      const MsgObject attachment(file_, storage, MsgObject::Kind::kPart, object_.encoding());
      MimePart part;
      part.type = attachment.text(MsgProperty::kMimeType);
      part.file_name = file_name_of(attachment);
      const std::string id = attachment.text(MsgProperty::kContentId);
      if (!id.empty()) part.headers.emplace_back("content-id", id);
      part.attachment = id.empty();
      part.body_line = 0;
      message.children.push_back(std::move(part));
    }
  }

  static std::string file_name_of(const MsgObject& attachment) {
    for (const MsgProperty property : {MsgProperty::kLongFileName, MsgProperty::kFileName, MsgProperty::kName}) {
      std::string name = attachment.text(property);
      if (!name.empty()) return name;
    }
    return {};
  }

  Status read_attachments() const {
    for (const uint32_t storage : object_.attachments()) {
      MNEME_RETURN_IF_ERROR(context_.check(name_));
      MNEME_RETURN_IF_ERROR(read_one(MsgObject(file_, storage, MsgObject::Kind::kPart, object_.encoding())));
    }
    return {};
  }

  Status read_one(const MsgObject& attachment) const {
    constexpr uint32_t kIsMessage = 5;
    std::string file_name = file_name_of(attachment);
    const auto within = attachment.storage(MsgProperty::kData);
    if (within && attachment.number(MsgProperty::kMethod) == kIsMessage) return read_message_within(*within, file_name);
    MimePart part;
    part.attachment = true;
    part.type = attachment.text(MsgProperty::kMimeType);
    part.file_name = std::move(file_name);
    const std::string name = safe_label(attachment_name(part));
    if (name.empty() || !worth_opening(name)) return {};
    std::string bytes = attachment.bytes(MsgProperty::kData);
    return bytes.empty() ? Status() : read_attachment(context_, name, std::move(bytes));
  }

  Status read_message_within(uint32_t storage, const std::string& file_name) const {
    const std::string name = safe_label((file_name.empty() ? "message" : file_name) + ".msg");
    MNEME_RETURN_IF_ERROR(context_.charge_member(name));
    return context_.read_member(
        name, [&] { return MessageReader(context_, name, file_, storage, MsgObject::Kind::kMessageWithin).read(); });
  }

  ReadContext& context_;
  const std::string name_;
  const CompoundFile& file_;
  const MsgObject object_;
  std::string html_encoding_;
};

}  // namespace

Status read_message(ReadContext& context, const std::string& name, const CompoundFile& file) {
  return MessageReader(context, name, file, CompoundFile::kTop, MsgObject::Kind::kFile).read();
}

}  // namespace mneme::readers

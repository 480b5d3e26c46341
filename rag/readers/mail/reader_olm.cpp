// Messages as Outlook for Mac exports them: an archive (olm) of one XML file for each.
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/mail/mail_message.h"
#include "rag/readers/office/zip_package.h"

namespace mneme::readers {
namespace {

std::string text_of(const pugi::xml_node& message, const char* field) {
  return message.child(field).text().get();
}

// "Ann Weber <ann@example.org>, ..."
std::string people_in(const pugi::xml_node& list) {
  constexpr size_t kMostBytes = 100'000;
  std::string all;
  for (const pugi::xml_node address : list.children("emailAddress")) {
    const std::string name = address.attribute("OPFContactEmailAddressName").value();
    const std::string mail = address.attribute("OPFContactEmailAddressAddress").value();
    if (all.size() > kMostBytes || (name.empty() && mail.empty())) continue;
    all.append(all.empty() ? "" : ", ");
    all += name.empty() || name == mail ? mail : mail.empty() ? name : name + " <" + mail + ">";
  }
  return all;
}

// "2011-04-12T18:04:21" with a space, which dates of mail know.
std::string time_of(const pugi::xml_node& message) {
  std::string time = text_of(message, "OPFMessageCopySentTime");
  if (time.empty()) time = text_of(message, "OPFMessageCopyReceivedTime");
  if (time.size() > 10 && time[10] == 'T') time[10] = ' ';
  return time;
}

Status read_one(ReadContext& context, const std::string& name, const pugi::xml_node& node) {
  MimePart message;
  message.type = "multipart/alternative";
  message.body_line = 0;
  const std::string from = people_in(node.child("OPFMessageCopyFromAddresses"));
  message.headers.emplace_back("from", from.empty() ? people_in(node.child("OPFMessageCopySenderAddress")) : from);
  message.headers.emplace_back("to", people_in(node.child("OPFMessageCopyToAddresses")));
  message.headers.emplace_back("cc", people_in(node.child("OPFMessageCopyCCAddresses")));
  message.headers.emplace_back("date", time_of(node));
  message.headers.emplace_back("subject", text_of(node, "OPFMessageCopySubject"));
  const std::string plain = text_of(node, "OPFMessageCopyBody");
  const std::string html = text_of(node, "OPFMessageCopyHTMLBody");
  for (const auto& [type, body] : {std::pair{"text/plain", &plain}, {"text/html", &html}}) {
    if (body->empty()) continue;
    MimePart part;
    part.type = type;
    part.charset = "utf-8";
    part.body = *body;
    part.body_line = 0;
    message.children.push_back(std::move(part));
  }
  const auto shown = emit_message(context, name, message, "eml");
  return shown.ok() ? Status() : shown.status();
}

}  // namespace

bool looks_like_olm(std::string_view beginning) {
  return beginning.substr(0, 2048).find("<OPFMessageCopy") != std::string_view::npos;
}

Status read_olm(ReadContext& context, Input input) {
  pugi::xml_document tree;
  const auto parsed =
      tree.load_buffer(input.bytes.data(), input.bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata_single);
  if (!parsed) return corruption(printable(input.name) + " is damaged: it is not XML (" + parsed.description() + ").");
  const pugi::xml_node root = tree.document_element();
  const pugi::xml_node message = std::string_view(root.name()) == "email" ? root : root.child("email");
  if (!message) return unsupported(printable(input.name) + " holds no message.");
  return read_one(context, input.name, message);
}

}  // namespace mneme::readers

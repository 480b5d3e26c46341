// Mail messages (eml) and saved pages (MHTML). Attachments are read as files of their own.
#include <algorithm>
#include <string>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/mail/mail_message.h"
#include "rag/readers/mail/mime.h"

namespace mneme::readers {
namespace {

constexpr int kDeepestPart = 8;

// By a browser, as MHTML.
bool is_saved_page(std::string_view name, const MimePart& message) {
  const std::string ending = extension(name);
  const bool saved = message.header("from").find("<Saved by ") != std::string_view::npos;
  return message.type == "multipart/related" && (ending == "mht" || ending == "mhtml" || saved);
}

// Parts with a file name, or of a kind that needs none, wherever they stand, but for those that are `shown`.
Status read_attachments(ReadContext& context, const MimePart& part, const MimeParts& shown) {
  for (const MimePart& child : part.children) MNEME_RETURN_IF_ERROR(read_attachments(context, child, shown));
  const std::string name = safe_label(attachment_name(part));
  if (!part.children.empty() || name.empty() || !worth_opening(name)) return {};
  if (std::find(shown.begin(), shown.end(), &part) != shown.end()) return {};
  return read_attachment(context, name, part.decoded_body());
}

}  // namespace

Status read_eml(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  const MimePart message = parse_mime(bytes, kDeepestPart);
  const bool page = is_saved_page(input.name, message);
  MNEME_ASSIGN_OR_RETURN(const MimeParts shown,
                         emit_message(context, input.name, message, page ? kSavedPage : std::string_view("eml")));
  if (page || context.depth() >= context.limits().container_depth) return {};
  return read_attachments(context, message, shown);
}

}  // namespace mneme::readers

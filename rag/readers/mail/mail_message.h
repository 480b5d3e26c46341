// Messages as documents, whatever format they are saved in: head and text, and attachments as files of their own.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/readers/mail/mime.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

using MimeParts = std::vector<const MimePart*>;

// Document::format of pages that browsers saved as messages.
inline constexpr std::string_view kSavedPage = "mhtml";

// Gives the message as a document of that format. Returns the parts that were told: others may be attachments.
// kUnsupported where it says nothing.
Result<MimeParts> emit_message(ReadContext& context, const std::string& name, const MimePart& message,
                               std::string_view format);

// Whether there is a text to show.
bool says_something(const MimePart& message);

// The name that an attachment is read under; "" for what is none. Invitations, cards, and messages that are passed on
// often have no file name.
std::string attachment_name(const MimePart& part);

// Whether anything in the message is read as a file of its own.
bool has_attachments(const MimePart& message);

// Counts an attachment against the budgets and reads it as a file of its own.
Status read_attachment(ReadContext& context, const std::string& name, std::string bytes);

}  // namespace mneme::readers

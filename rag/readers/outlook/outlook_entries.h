// Appointments, tasks, journal entries, contacts and notes of Outlook, said as calendars (iCalendar), cards (vCard) and
// texts are. Internal to rag/readers. Threads: one thread each.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/outlook/outlook_object.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// What the item says as one of these; nothing where it is a message.
Result<std::optional<rag::Document>> outlook_entry(ReadContext& context, const std::string& name,
                                                   const OutlookObject& item);

// Who sent it, a recipient: "Ann Weber <ann@example.org>".
std::string sender_of(const OutlookObject& message);
std::string recipient_in_words(const OutlookObject& recipient);

}  // namespace mneme::readers

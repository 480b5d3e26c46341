// What people keep in Outlook, as documents: messages as those of every other program (mail_message.h), appointments,
// tasks and contacts as calendars and cards (outlook_entries.h), notes as texts. Internal to rag/readers. Threads: one
// thread each.
#pragma once

#include <string>

#include "base/status.h"
#include "rag/readers/outlook/outlook_object.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Gives the item and what is attached to it. kUnsupported where it says nothing.
Status read_outlook_item(ReadContext& context, const std::string& name, const OutlookObject& item);

}  // namespace mneme::readers

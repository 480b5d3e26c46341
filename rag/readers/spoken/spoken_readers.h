// Readers of chats that are neither text nor JSON, and how they are known. Internal to rag/readers. Threads: pure
// functions.
#pragma once

#include <string_view>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Text messages of a telephone, as "SMS Backup & Restore" saves them.
bool looks_like_sms(std::string_view beginning);
Status read_sms(ReadContext& context, Input input);

// Pages that Telegram and DiscordChatExporter make of a chat.
bool looks_like_chat_page(std::string_view beginning);
Status read_chat_page(ReadContext& context, Input input);

}  // namespace mneme::readers

// Chats that other programs than WhatsApp and IRC's save as text: Pidgin, Zoom, LINE, KakaoTalk, DiscordChatExporter,
// and what is copied out of Telegram. Internal to rag/readers. Threads: pure functions.
#pragma once

#include "rag/readers/spoken/chat_lines.h"

namespace mneme::readers {

ChatHead pidgin_head(std::string_view line);    // "(18:05:09) anna: ..."
ChatHead zoom_head(std::string_view line);      // "18:05:09 From Anna Kurz to Everyone:"
ChatHead line_head(std::string_view line);      // "18:05\tAnna\t..."
ChatHead kakao_head(std::string_view line);     // "[민지] [오후 6:05] ..."
ChatHead discord_head(std::string_view line);   // "[12-Mar-26 06:05 PM] anna#1234", the words below
ChatHead telegram_head(std::string_view line);  // "Anna Kurz, [12.03.2026 18:05]", the words below

// The days that stand above them: in "Conversation with anna at 2026-03-12 ...", on lines of their own.
std::array<int, 3> pidgin_day(std::string_view line);
std::array<int, 3> line_day(std::string_view line);
std::array<int, 3> kakao_day(std::string_view line);

// What Discord's export writes between messages: rules, "{Attachments}", "{Reactions}" and those below.
Aside discord_aside(std::string_view line);

// A day in the name of a file, which logs of one day have no other: "#rowing_20260312.log", "2026-03-12.txt".
std::array<int, 3> day_in_name(std::string_view name);

}  // namespace mneme::readers

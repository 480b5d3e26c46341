// Answers into what the window shows and keeps: from rag::Answer while it is fresh, from the chat's saved JSON later
// (the object of `ask --json`). Threads: pure functions.
#pragma once

#include <string>

#include "rag/answering/answerer.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

SourceView source_view(const rag::Citation& citation);
MessageView message_of(const rag::Answer& answer);

// Fills sources and facts from saved details; unknown or damaged JSON leaves them empty.
void read_details(const std::string& details_json, MessageView& message);
// The same, to be saved.
std::string details_of(const MessageView& message);

// A chat as Markdown or JSON, for export.
std::string export_markdown(const ConversationView& conversation);
std::string export_json(const ConversationView& conversation);

}  // namespace mneme::ui

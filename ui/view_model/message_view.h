// Answers into what the window shows and keeps: from rag::Answer while it is fresh, from the chat's saved JSON later
// (the object of `ask --json`, with the window's `timeline` beside it). Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/trace.h"
#include "rag/answering/exchange/answer.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

SourceView source_view(const rag::Citation& citation);
// Those of one answer, told apart where their titles are the same.
std::vector<SourceView> source_views(const std::vector<rag::Citation>& citations);

// The stages of an answer as its trace has them: intervals of one kind that touch or overlap become one.
std::vector<StageView> timeline_of(const std::vector<trace::Event>& events);
// The same from the answer's own clock, where there was no trace: stages one after the other.
std::vector<StageView> timeline_of(const rag::AnswerTiming& timing);

// With details_json set. An empty `timeline` is filled from the answer's timing.
MessageView message_of(const rag::Answer& answer, std::vector<StageView> timeline);

// Fills sources, facts and details from saved details; unknown or damaged JSON leaves them empty.
void read_details(const std::string& details_json, MessageView& message);

// A chat as Markdown or JSON, for export.
std::string export_markdown(const ConversationView& conversation);
std::string export_json(const ConversationView& conversation);

}  // namespace mneme::ui

// Messages of a chat as a document: each day a section, each message a paragraph that says when and who. Internal to
// rag/readers. Ownership: borrows the builder. Threads: one thread each.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

// Lines ended by \n, or in any other way, with kLineBreak between them instead.
std::string with_line_breaks(std::string_view text);

class ChatWriter {
 public:
  explicit ChatWriter(DocumentBuilder& builder) : builder_(builder) {}

  // What follows was written on this day.
  void begin_day(std::chrono::year_month_day day);
  // words: lines with kLineBreak between them; a message without any is left out.
  void message(std::string_view time, std::string_view speaker, std::string_view words);
  // The same of text in Markdown, its lines ended by \n: code between fences is told as code.
  void markdown(std::string_view time, std::string_view speaker, std::string_view text);

  // Whether a message of theirs was written, among the first that spoke.
  bool speaks(std::string_view speaker) const { return speakers_.contains(speaker); }

  // The day of the last message is the document's; who is in the chat, where the document has no better title.
  void describe(bool needs_title);

 private:
  // The day's heading where it is still to come, and who speaks.
  void begin_message(std::string_view speaker);

  DocumentBuilder& builder_;
  std::optional<std::chrono::year_month_day> day_;  // whose heading is to come, or is there
  bool is_day_told_ = false;
  std::set<std::string, std::less<>> speakers_;
};

}  // namespace mneme::readers

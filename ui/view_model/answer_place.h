// Where an answer goes in its conversation, and what it takes the place of. Threads: values.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/view_model/answer_view.h"

namespace mneme::ui {

using Messages = std::vector<std::shared_ptr<const MessageView>>;

struct AnswerPlace {
  Messages shown;  // the conversation as it was
  Messages before;
  std::shared_ptr<const MessageView> question;
  Messages replaced;  // stays until there is something in its place
  Messages behind;    // stays

  // Whether something would be lost if it were taken away before the answer is there: an answer, or a question that
  // was asked otherwise and answered.
  bool replaces_an_answer() const;
  // The conversation with this behind the question.
  Messages with(std::shared_ptr<const MessageView> answer) const;
};

// A new question, behind all.
AnswerPlace place_at_end(const Messages& shown, const std::string& question);
// A question's answer made anew, whatever follows it; without an index that of the last one. None: there is no such
// question.
std::optional<AnswerPlace> place_of_answer(const Messages& shown, std::optional<size_t> question);
// A question asked otherwise, in place of all that follows it.
std::optional<AnswerPlace> place_of_edited(const Messages& shown, size_t question, const std::string& text);

}  // namespace mneme::ui

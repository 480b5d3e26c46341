#include "ui/view_model/answer_place.h"

#include <algorithm>
#include <utility>

namespace mneme::ui {
namespace {

std::shared_ptr<const MessageView> asked(const std::string& text) {
  auto question = std::make_shared<MessageView>();
  question->from_user = true;
  question->text = text;
  return question;
}

bool is_question(const Messages& messages, size_t at) {
  return at < messages.size() && messages[at]->from_user;
}

}  // namespace

bool AnswerPlace::replaces_an_answer() const {
  return std::any_of(replaced.begin(), replaced.end(),
                     [](const auto& message) { return !message->from_user && !message->text.empty(); });
}

Messages AnswerPlace::with(std::shared_ptr<const MessageView> answer) const {
  Messages all = before;
  all.push_back(question);
  all.push_back(std::move(answer));
  all.insert(all.end(), behind.begin(), behind.end());
  return all;
}

AnswerPlace place_at_end(const Messages& shown, const std::string& question) {
  return {.shown = shown, .before = shown, .question = asked(question), .replaced = {}, .behind = {}};
}

std::optional<AnswerPlace> place_of_answer(const Messages& shown, std::optional<size_t> question) {
  size_t at = shown.size();
  if (question) {
    at = *question;
  } else {
    while (at > 0 && !is_question(shown, at)) --at;
  }
  if (!is_question(shown, at)) return std::nullopt;
  const auto answer = shown.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  const auto next = std::find_if(answer, shown.end(), [](const auto& message) { return message->from_user; });
  return AnswerPlace{.shown = shown,
                     .before = Messages(shown.begin(), answer - 1),
                     .question = shown[at],
                     .replaced = Messages(answer, next),
                     .behind = Messages(next, shown.end())};
}

std::optional<AnswerPlace> place_of_edited(const Messages& shown, size_t question, const std::string& text) {
  if (!is_question(shown, question)) return std::nullopt;
  const auto at = shown.begin() + static_cast<std::ptrdiff_t>(question);
  const bool same = (*at)->text == text;
  return AnswerPlace{.shown = shown,
                     .before = Messages(shown.begin(), at),
                     .question = same ? *at : asked(text),
                     .replaced = Messages(same ? at + 1 : at, shown.end()),
                     .behind = {}};
}

}  // namespace mneme::ui

#include "ui/view_model/conversations.h"

#include <algorithm>
#include <utility>

namespace mneme::ui {
namespace {

// The shown one first.
template <typename Condition>
ConversationView* find_conversation(Snapshot& s, const Condition& is_it) {
  if (is_it(s.conversation)) return &s.conversation;
  const auto found = std::find_if(s.elsewhere.begin(), s.elsewhere.end(), is_it);
  return found == s.elsewhere.end() ? nullptr : &*found;
}

auto place_of(Messages& messages, uint64_t answer) {
  return std::find_if(messages.begin(), messages.end(), [&](const auto& m) { return m->under_way == answer; });
}

// What the catalogue does not have.
bool is_needed(const ConversationView& conversation) {
  return conversation.answering || conversation.unkept();
}

bool end(Snapshot& s, ConversationView& conversation) {
  conversation.answering = false;
  const bool shown = &conversation == &s.conversation;
  forget_unneeded(s);
  return shown;
}

}  // namespace

void forget_unneeded(Snapshot& s) {
  std::erase_if(s.elsewhere, [](const ConversationView& c) { return !is_needed(c); });
}

uint64_t answer_under_way(const ConversationView& conversation) {
  for (const auto& message : conversation.messages) {
    if (message->under_way != 0) return message->under_way;
  }
  return 0;
}

const ConversationView* conversation_of_chat(const Snapshot& s, int64_t chat) {
  if (s.conversation.chat == chat) return &s.conversation;
  for (const ConversationView& conversation : s.elsewhere) {
    if (conversation.chat == chat) return &conversation;
  }
  return nullptr;
}

ConversationView* conversation_of_chat(Snapshot& s, int64_t chat) {
  return find_conversation(s, [&](const ConversationView& c) { return c.chat == chat; });
}

ConversationView* conversation_with(Snapshot& s, const std::shared_ptr<const MessageView>& message) {
  return find_conversation(s, [&](const ConversationView& c) {
    return std::find(c.messages.begin(), c.messages.end(), message) != c.messages.end();
  });
}

ConversationView* conversation_of_answer(Snapshot& s, uint64_t answer) {
  return find_conversation(s, [&](const ConversationView& c) { return answer_under_way(c) == answer; });
}

void show_conversation(Snapshot& s, ConversationView next) {
  ConversationView before = std::exchange(s.conversation, std::move(next));
  if (is_needed(before)) s.elsewhere.push_back(std::move(before));
}

bool return_to_chat(Snapshot& s, int64_t chat) {
  if (s.conversation.chat == chat && is_needed(s.conversation)) return true;
  const auto found =
      std::find_if(s.elsewhere.begin(), s.elsewhere.end(), [&](const ConversationView& c) { return c.chat == chat; });
  if (found == s.elsewhere.end()) return false;
  ConversationView next = std::move(*found);
  s.elsewhere.erase(found);
  show_conversation(s, std::move(next));
  return true;
}

void change_answer(Snapshot& s, uint64_t answer, const std::function<void(MessageView&)>& change) {
  ConversationView* const conversation = conversation_of_answer(s, answer);
  if (conversation == nullptr) return;
  const auto place = place_of(conversation->messages, answer);
  auto message = std::make_shared<MessageView>(**place);
  change(*message);
  *place = std::move(message);
}

bool end_answer(Snapshot& s, uint64_t answer, std::shared_ptr<const MessageView> made) {
  ConversationView* const conversation = conversation_of_answer(s, answer);
  if (conversation == nullptr) return false;
  *place_of(conversation->messages, answer) = std::move(made);
  return end(s, *conversation);
}

bool give_up_answer(Snapshot& s, uint64_t answer, const Messages& before) {
  ConversationView* const conversation = conversation_of_answer(s, answer);
  if (conversation == nullptr) return false;
  conversation->messages = before;
  return end(s, *conversation);
}

}  // namespace mneme::ui

#include "ui/view_model/chat_keeper.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "base/wall_clock.h"
#include "storage/catalogue/catalogue.h"
#include "ui/language/tr.h"
#include "ui/view_model/conversations.h"

namespace mneme::ui {
namespace {

constexpr size_t kTitleBytes = 60;

std::string title_of(const std::string& question) {
  std::string title = question.substr(0, utf8::floor_boundary(question, kTitleBytes));
  std::replace(title.begin(), title.end(), '\n', ' ');
  if (title.size() < question.size()) title += "…";
  return title;
}

std::vector<storage::MessageRecord> records_of(const Messages& messages, storage::ChatId chat) {
  std::vector<storage::MessageRecord> records;
  for (const auto& message : messages) {
    storage::MessageRecord record;
    record.chat = chat;
    record.role = message->from_user ? "user" : "assistant";
    record.text = message->text;
    record.details_json = message->details_json ? *message->details_json : "{}";
    records.push_back(std::move(record));
  }
  return records;
}

Messages joined(Messages first, const Messages& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

bool holds(const Messages& messages, const std::shared_ptr<const MessageView>& message) {
  return std::find(messages.begin(), messages.end(), message) != messages.end();
}

// Those that are in the catalogue.
Messages kept_of(Messages messages) {
  std::erase_if(messages, [](const auto& message) { return message->id == 0; });
  return messages;
}

std::vector<storage::MessageId> ids_of(const Messages& messages) {
  std::vector<storage::MessageId> ids;
  for (const auto& message : messages) ids.push_back(static_cast<storage::MessageId>(message->id));
  return ids;
}

Messages with_ids(const Messages& messages, const std::vector<storage::MessageId>& ids) {
  Messages numbered;
  for (size_t i = 0; i < messages.size(); ++i) {
    auto message = std::make_shared<MessageView>(*messages[i]);
    message->id = i < ids.size() ? static_cast<int64_t>(ids[i]) : 0;
    numbered.push_back(std::move(message));
  }
  return numbered;
}

// The conversation as it is to be: what is added stands where an answer is being made, if it does not stand yet.
Messages changed_messages(const ConversationView& conversation, const Messages& added) {
  Messages all;
  const auto add = [&all](const Messages& messages) {
    for (const auto& message : messages) {
      if (!holds(all, message)) all.push_back(message);
    }
  };
  for (const auto& message : conversation.messages) {
    if (message->streaming) {
      add(added);
    } else if (message->from_user || holds_words(*message)) {
      add({message});
    }
  }
  add(added);
  return all;
}

// The change with all that could not be kept before: from the first such message on, the chat is written anew.
ChatKeeper::Change with_unkept(const ConversationView& conversation, const ChatKeeper::Change& change) {
  Messages all = changed_messages(conversation, change.added);
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& message) { return message->id == 0; });
  const Messages from_there(first, all.end());
  return {joined(change.taken_out, kept_of(from_there)), from_there, {}};
}

// Those in which nothing goes on.
std::vector<int64_t> unkept_chats(const Snapshot& s) {
  std::vector<int64_t> chats;
  const auto add = [&chats](const ConversationView& c) {
    if (c.unkept() && !c.answering) chats.push_back(c.chat);
  };
  add(s.conversation);
  std::for_each(s.elsewhere.begin(), s.elsewhere.end(), add);
  return chats;
}

}  // namespace

Messages ChatKeeper::keep(const Change& change, int64_t& chat) {
  MutexLock turn(keeping_);
  Result<Saved> saved = save(change, chat);
  if (saved.ok()) {
    chat = saved->chat;
    publisher_.report(changed_());
    return std::move(saved->added);
  }
  chat = note_unkept(change, chat);
  publisher_.report(
      Status(saved.status().code(), filled(tr("The chat cannot be kept so far: {0}"), saved.status().message())));
  static_cast<void>(changed_());
  return {};
}

void ChatKeeper::keep_what_was_not() {
  MutexLock turn(keeping_);
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  bool kept = false;
  for (const int64_t chat : unkept_chats(*now)) kept = save({}, chat).ok() || kept;
  if (kept) static_cast<void>(changed_());
}

Result<ChatKeeper::Saved> ChatKeeper::save(const Change& change, int64_t chat) {
  if (chat == 0 && change.added.empty()) return Saved{};
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const ConversationView* const here = chat == 0 ? nullptr : conversation_of_chat(*now, chat);
  const bool unkept = here != nullptr && here->unkept();
  const Change whole = unkept ? with_unkept(*here, change) : change;
  if (chat < 0 && !unkept) return not_found(tr("The chat was deleted."));
  Result<Saved> saved =
      chat > 0 ? write(whole, chat) : make(whole, chat, unkept ? here->title : title_of(whole.added.front()->text));
  if (chat > 0 && saved.status().code() == StatusCode::kNotFound) {
    MNEME_ASSIGN_OR_RETURN(chat, keep_anew(chat, whole));
    saved = write({{}, joined(whole.added, kept_of(whole.behind)), {}}, chat);
  }
  MNEME_RETURN_IF_ERROR(saved.status());
  if (unkept) note_kept(saved->chat);
  // Of all that was written, what was asked for.
  Messages added;
  for (size_t i = 0; i < whole.added.size() && i < saved->added.size(); ++i) {
    if (holds(change.added, whole.added[i])) added.push_back(saved->added[i]);
  }
  return Saved{saved->chat, std::move(added)};
}

// A chat that cannot be written to the end is none.
Result<ChatKeeper::Saved> ChatKeeper::make(const Change& change, int64_t chat, const std::string& title) {
  MNEME_ASSIGN_OR_RETURN(Saved made, copy(title, change.added));
  publisher_.update([&](Snapshot& s) {
    ConversationView* const conversation =
        chat < 0 ? conversation_of_chat(s, chat) : conversation_with(s, change.added.front());
    if (conversation == nullptr) return;
    conversation->chat = made.chat;
    conversation->title = title;
    for (Notice& notice : s.notices) {
      if (chat < 0 && notice.chat == chat) notice.chat = made.chat;
    }
  });
  give_numbers(made.chat, change.added, made.added);
  return made;
}

Result<ChatKeeper::Saved> ChatKeeper::write(const Change& change, int64_t chat) {
  const auto id = static_cast<storage::ChatId>(chat);
  const Messages behind = kept_of(change.behind);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageId> ids,
                         workspace_.catalogue().replace_messages(id, ids_of(kept_of(change.taken_out)),
                                                                 records_of(change.added, id), ids_of(behind)));
  const Messages written = joined(change.added, behind);
  Messages numbered = with_ids(written, ids);
  give_numbers(chat, written, numbered);
  numbered.resize(change.added.size());
  return Saved{chat, std::move(numbered)};
}

void ChatKeeper::give_numbers(int64_t chat, const Messages& messages, const Messages& numbered) {
  publisher_.update([&](Snapshot& s) {
    ConversationView* const conversation = conversation_of_chat(s, chat);
    if (conversation == nullptr) return;
    for (auto& shown : conversation->messages) {
      const auto found = std::find(messages.begin(), messages.end(), shown);
      if (found != messages.end()) shown = numbered[static_cast<size_t>(found - messages.begin())];
    }
  });
}

// The number that the conversation has: one of its own below 0 where the catalogue has none for it.
int64_t ChatKeeper::note_unkept(const Change& change, int64_t chat) {
  if (change.added.empty()) return chat;
  const bool is_new = chat == 0;
  const int64_t number = is_new ? --last_unkept_ : chat;
  publisher_.update([&](Snapshot& s) {
    ConversationView* const conversation =
        is_new ? conversation_with(s, change.added.front()) : conversation_of_chat(s, chat);
    if (conversation == nullptr) return;
    if (is_new) {
      conversation->chat = number;
      conversation->title = title_of(change.added.front()->text);
    }
    if (!conversation->unkept()) conversation->unkept_since_ms = now_ms();
  });
  return number;
}

void ChatKeeper::note_kept(int64_t chat) {
  publisher_.update([&](Snapshot& s) {
    if (ConversationView* const conversation = conversation_of_chat(s, chat)) conversation->unkept_since_ms = 0;
    forget_unneeded(s);
  });
}

bool ChatKeeper::is_gone(int64_t chat) {
  if (chat < 0) return conversation_of_chat(*publisher_.current(), chat) == nullptr;
  const auto found = workspace_.catalogue().chat(static_cast<storage::ChatId>(chat));
  return found.status().code() == StatusCode::kNotFound;
}

// Another process has deleted the chat that goes on here: what is here of it is a new one.
Result<int64_t> ChatKeeper::keep_anew(int64_t chat, const Change& change) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const ConversationView* const here = conversation_of_chat(*now, chat);
  if (here == nullptr) return not_found(tr("The chat was deleted."));
  const Messages changed = joined(change.added, change.behind);
  Messages others = here->messages;
  std::erase_if(others, [&](const auto& message) { return message->id == 0 || holds(changed, message); });
  MNEME_ASSIGN_OR_RETURN(const Saved copied, copy(here->title, others));
  publisher_.update([&](Snapshot& s) {
    if (ConversationView* const conversation = conversation_of_chat(s, chat)) conversation->chat = copied.chat;
  });
  give_numbers(copied.chat, others, copied.added);
  return copied.chat;
}

Result<ChatKeeper::Saved> ChatKeeper::copy(const std::string& title, const Messages& messages) {
  storage::Catalogue& catalogue = workspace_.catalogue();
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, catalogue.create_chat(title));
  const auto ids = catalogue.replace_messages(id, {}, records_of(messages, id));
  if (!ids.ok()) {
    static_cast<void>(catalogue.delete_chat(id));
    return ids.status();
  }
  return Saved{static_cast<int64_t>(id), with_ids(messages, *ids)};
}

}  // namespace mneme::ui

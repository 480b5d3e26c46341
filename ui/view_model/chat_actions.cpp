#include "ui/view_model/chat_actions.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "rag/answering/answerer.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "ui/view_model/message_view.h"

namespace mneme::ui {
namespace {

constexpr size_t kTitleBytes = 60;

std::string title_of(const std::string& question) {
  std::string title = question.substr(0, utf8::floor_boundary(question, kTitleBytes));
  std::replace(title.begin(), title.end(), '\n', ' ');
  if (title.size() < question.size()) title += "…";
  return title;
}

bool is_pinned(const std::string& settings_json) {
  const auto settings = nlohmann::json::parse(settings_json, nullptr, false);
  return settings.is_object() && settings.value("pinned", false);
}

// The conversation's earlier turns as the answerer wants them.
std::vector<rag::Turn> history_of(const ConversationView& conversation) {
  std::vector<rag::Turn> turns;
  for (const auto& message : conversation.messages) {
    if (message->from_user) {
      turns.push_back({message->text, ""});
    } else if (!turns.empty()) {
      turns.back().answer = message->text;
    }
  }
  std::erase_if(turns, [](const rag::Turn& turn) { return turn.answer.empty(); });
  return turns;
}

rag::AskOptions options_of(const Snapshot& snapshot) {
  rag::AskOptions options;
  options.search.collection = snapshot.settings.collection;
  options.search.top_k = snapshot.settings.top_k;
  options.instructions = snapshot.settings.instructions;
  options.temperature = snapshot.settings.temperature;
  options.max_tokens = snapshot.settings.max_tokens;
  options.history = history_of(snapshot.conversation);
  return options;
}

// Changes the last message of the shown conversation, which is the answer being written.
void change_last(Publisher& publisher, const std::function<void(MessageView&)>& change) {
  publisher.update([&](Snapshot& s) {
    if (s.conversation.messages.empty()) return;
    auto message = std::make_shared<MessageView>(*s.conversation.messages.back());
    if (!message->streaming) return;  // another conversation is shown by now
    change(*message);
    s.conversation.messages.back() = std::move(message);
  });
}

}  // namespace

Status ChatActions::save_message(const MessageView& message) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  int64_t chat = now->conversation.chat;
  if (chat == 0) {
    const std::string title = title_of(message.text);
    MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, workspace_.catalogue().create_chat(title));
    chat = static_cast<int64_t>(id);
    publisher_.update([&](Snapshot& s) {
      s.conversation.chat = chat;
      s.conversation.title = title;
    });
  }
  storage::MessageRecord record;
  record.chat = static_cast<storage::ChatId>(chat);
  record.role = message.from_user ? "user" : "assistant";
  record.text = message.text;
  record.details_json = message.from_user ? "{}" : details_of(message);
  MNEME_ASSIGN_OR_RETURN(const storage::MessageId id, workspace_.catalogue().append_message(record));
  publisher_.update([&](Snapshot& s) {
    for (auto& shown : s.conversation.messages) {
      if (shown->id != 0 || shown->from_user != message.from_user) continue;
      auto copy = std::make_shared<MessageView>(*shown);
      copy->id = static_cast<int64_t>(id);
      shown = std::move(copy);
    }
  });
  return refresh_chats();
}

void ChatActions::ask(const std::string& question) {
  auto cancel = std::make_shared<CancelToken>();
  {
    MutexLock lock(mutex_);
    running_ = cancel;
  }
  const rag::AskOptions options = options_of(*publisher_.current());
  MessageView user;
  user.from_user = true;
  user.text = question;
  auto pending = std::make_shared<MessageView>();
  pending->streaming = true;
  pending->stage = "retrieving";
  publisher_.update([&](Snapshot& s) {
    s.answering = true;
    s.conversation.messages.push_back(std::make_shared<MessageView>(user));
    s.conversation.messages.push_back(pending);
  });
  if (const Status saved = save_message(user); !saved.ok()) publisher_.notice(saved.message(), true);

  rag::AskCallbacks callbacks;
  callbacks.token = [&](std::string_view text) { change_last(publisher_, [&](MessageView& m) { m.text += text; }); };
  callbacks.stage = [&](std::string_view stage) { change_last(publisher_, [&](MessageView& m) { m.stage = stage; }); };
  callbacks.sources = [&](const std::vector<rag::Citation>& sources) {
    change_last(publisher_, [&](MessageView& m) {
      m.sources.clear();
      for (const rag::Citation& source : sources) m.sources.push_back(source_view(source));
    });
  };
  rag::Answerer answerer(workspace_);
  const Result<rag::Answer> answer = answerer.ask(question, options, callbacks, *cancel);
  MessageView final_message;
  if (answer.ok()) {
    final_message = message_of(*answer);
  } else {
    final_message.error = answer.status().message();
  }
  change_last(publisher_, [&](MessageView& m) { m = final_message; });
  publisher_.update([](Snapshot& s) { s.answering = false; });
  if (answer.ok()) {
    if (const Status saved = save_message(final_message); !saved.ok()) publisher_.notice(saved.message(), true);
  }
}

void ChatActions::stop() {
  MutexLock lock(mutex_);
  if (running_) running_->cancel();
}

// Forgets the messages from `index` on, in the chat and in the window. The catalogue keeps no holes: the chat is
// written anew.
Status ChatActions::drop_messages_from(size_t index) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  ConversationView kept = now->conversation;
  if (index >= kept.messages.size()) return {};
  kept.messages.resize(index);
  storage::Catalogue& catalogue = workspace_.catalogue();
  if (kept.chat != 0) {
    MNEME_ASSIGN_OR_RETURN(const storage::ChatRecord old, catalogue.chat(static_cast<storage::ChatId>(kept.chat)));
    MNEME_ASSIGN_OR_RETURN(const storage::ChatId fresh, catalogue.create_chat(old.title, old.settings_json));
    for (const auto& message : kept.messages) {
      storage::MessageRecord record;
      record.chat = fresh;
      record.role = message->from_user ? "user" : "assistant";
      record.text = message->text;
      record.details_json = message->from_user ? "{}" : details_of(*message);
      MNEME_ASSIGN_OR_RETURN([[maybe_unused]] const storage::MessageId id, catalogue.append_message(record));
    }
    MNEME_RETURN_IF_ERROR(catalogue.delete_chat(old.id));
    kept.chat = static_cast<int64_t>(fresh);
  }
  publisher_.update([&](Snapshot& s) { s.conversation = kept; });
  return {};
}

void ChatActions::regenerate() {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const auto& messages = now->conversation.messages;
  for (size_t i = messages.size(); i-- > 0;) {
    if (messages[i]->from_user) return edit(i, messages[i]->text);
  }
}

void ChatActions::edit(size_t message, const std::string& text) {
  if (const Status status = drop_messages_from(message); !status.ok()) {
    publisher_.notice(status.message(), true);
    return;
  }
  ask(text);
}

Status ChatActions::refresh_chats() {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> records, workspace_.catalogue().list_chats());
  std::vector<ChatRow> rows;
  for (const storage::ChatRecord& record : records) {
    rows.push_back({static_cast<int64_t>(record.id), record.title, record.updated_ms, record.n_messages,
                    is_pinned(record.settings_json)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const ChatRow& a, const ChatRow& b) { return a.pinned && !b.pinned; });
  publisher_.update([&](Snapshot& s) { s.chats = std::move(rows); });
  return {};
}

void ChatActions::start_new() {
  publisher_.update([](Snapshot& s) { s.conversation = {}; });
}

Result<ConversationView> ChatActions::load(int64_t chat) {
  const auto id = static_cast<storage::ChatId>(chat);
  MNEME_ASSIGN_OR_RETURN(const storage::ChatRecord record, workspace_.catalogue().chat(id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageRecord> messages, workspace_.catalogue().messages(id));
  ConversationView conversation{chat, record.title, {}};
  for (const storage::MessageRecord& saved : messages) {
    auto message = std::make_shared<MessageView>();
    message->id = static_cast<int64_t>(saved.id);
    message->from_user = saved.role == "user";
    message->text = saved.text;
    if (!message->from_user) read_details(saved.details_json, *message);
    conversation.messages.push_back(std::move(message));
  }
  return conversation;
}

Status ChatActions::open(int64_t chat) {
  MNEME_ASSIGN_OR_RETURN(ConversationView conversation, load(chat));
  publisher_.update([&](Snapshot& s) { s.conversation = std::move(conversation); });
  return {};
}

Status ChatActions::rename(int64_t chat, const std::string& title) {
  MNEME_ASSIGN_OR_RETURN(storage::ChatRecord record, workspace_.catalogue().chat(static_cast<storage::ChatId>(chat)));
  record.title = title;
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().update_chat(record));
  publisher_.update([&](Snapshot& s) {
    if (s.conversation.chat == chat) s.conversation.title = title;
  });
  return refresh_chats();
}

Status ChatActions::pin(int64_t chat, bool pinned) {
  MNEME_ASSIGN_OR_RETURN(storage::ChatRecord record, workspace_.catalogue().chat(static_cast<storage::ChatId>(chat)));
  auto settings = nlohmann::json::parse(record.settings_json, nullptr, false);
  if (!settings.is_object()) settings = nlohmann::json::object();
  settings["pinned"] = pinned;
  record.settings_json = settings.dump();
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().update_chat(record));
  return refresh_chats();
}

Status ChatActions::remove(int64_t chat) {
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().delete_chat(static_cast<storage::ChatId>(chat)));
  if (publisher_.current()->conversation.chat == chat) start_new();
  return refresh_chats();
}

Status ChatActions::export_to(int64_t chat, const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const ConversationView conversation, load(chat));
  const std::string text = path.ends_with(".json") ? export_json(conversation) : export_markdown(conversation);
  MNEME_RETURN_IF_ERROR(storage::write_atomically(workspace_.env(), path, as_bytes(text)));
  publisher_.notice("The chat was written to " + path + ".", false);
  return {};
}

}  // namespace mneme::ui

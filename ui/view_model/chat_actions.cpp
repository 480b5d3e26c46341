#include "ui/view_model/chat_actions.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "rag/saved_json.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "storage/env/free_name.h"
#include "ui/view_model/conversations.h"
#include "ui/view_model/json_fields.h"
#include "ui/view_model/kv_store.h"
#include "ui/view_model/message_view.h"

namespace mneme::ui {
namespace {

constexpr size_t kTitleBytes = 60;
constexpr int kMostBranches = 1000;  // counted

std::string title_of(const std::string& question) {
  std::string title = question.substr(0, utf8::floor_boundary(question, kTitleBytes));
  std::replace(title.begin(), title.end(), '\n', ' ');
  if (title.size() < question.size()) title += "…";
  return title;
}

// "Kettle (branch)", then "Kettle (branch 2)": a branch of a branch is one more of the first.
std::string title_of_branch(const std::string& title) {
  constexpr std::string_view kMark = " (branch";
  const size_t mark = title.rfind(kMark);
  if (mark != title.npos && title.ends_with(')')) {
    const char* const begin = title.data() + mark + kMark.size();
    const char* const end = title.data() + title.size() - 1;
    int n = 1;
    const bool counted = begin == end || (*begin == ' ' && std::from_chars(begin + 1, end, n).ptr == end && n > 0);
    if (counted && n < kMostBranches) return title.substr(0, mark) + " (branch " + std::to_string(n + 1) + ")";
  }
  return title + " (branch)";
}

bool is_pinned(const std::string& settings_json) {
  const auto settings = rag::parse_saved_json(settings_json);
  bool pinned = false;
  if (settings.is_object()) read_field(settings, "pinned", pinned);
  return pinned;
}

storage::MessageRecord record_of(const MessageView& message, storage::ChatId chat) {
  storage::MessageRecord record;
  record.chat = chat;
  record.role = message.from_user ? "user" : "assistant";
  record.text = message.text;
  record.details_json = message.details_json ? *message.details_json : "{}";
  return record;
}

Messages joined(Messages first, const Messages& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Those that are in the catalogue.
Messages kept_of(Messages messages) {
  std::erase_if(messages, [](const auto& message) { return message->id == 0; });
  return messages;
}

// An answer that failed, or was stopped before anything was written.
bool holds_nothing(const std::shared_ptr<const MessageView>& message) {
  return message->text.empty() && message->reasoning.empty();
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

}  // namespace

Result<ChatActions::Saved> ChatActions::save(const Change& change, int64_t chat) {
  if (chat == 0 && change.added.empty()) return Saved{};
  if (chat == 0) {
    MNEME_ASSIGN_OR_RETURN(chat, make_chat(change.added.front()));
  }
  Result<Saved> saved = write(change, chat);
  if (saved.status().code() == StatusCode::kNotFound) {
    MNEME_ASSIGN_OR_RETURN(chat, keep_anew(chat, change));
    saved = write({{}, joined(change.added, kept_of(change.behind)), {}}, chat);
  }
  MNEME_RETURN_IF_ERROR(saved.status());
  MNEME_RETURN_IF_ERROR(refresh());
  return saved;
}

Messages ChatActions::keep(const Change& change, int64_t& chat) {
  Result<Saved> saved = save(change, chat);
  if (!saved.ok()) {
    publisher_.report(Status(saved.status().code(), "the chat cannot be kept: " + saved.status().message()));
    return {};
  }
  chat = saved->chat;
  return std::move(saved->added);
}

Result<int64_t> ChatActions::make_chat(const std::shared_ptr<const MessageView>& first) {
  const std::string title = title_of(first->text);
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, workspace_.catalogue().create_chat(title));
  const auto chat = static_cast<int64_t>(id);
  publisher_.update([&](Snapshot& s) {
    ConversationView* const conversation = conversation_with(s, first);
    if (conversation == nullptr) return;
    conversation->chat = chat;
    conversation->title = title;
  });
  return chat;
}

Result<ChatActions::Saved> ChatActions::write(const Change& change, int64_t chat) {
  const auto id = static_cast<storage::ChatId>(chat);
  std::vector<storage::MessageRecord> records;
  for (const auto& message : change.added) records.push_back(record_of(*message, id));
  const Messages behind = kept_of(change.behind);
  MNEME_ASSIGN_OR_RETURN(
      const std::vector<storage::MessageId> ids,
      workspace_.catalogue().replace_messages(id, ids_of(kept_of(change.taken_out)), records, ids_of(behind)));
  const Messages written = joined(change.added, behind);
  Messages numbered = with_ids(written, ids);
  give_numbers(chat, written, numbered);
  numbered.resize(change.added.size());
  return Saved{chat, std::move(numbered)};
}

void ChatActions::give_numbers(int64_t chat, const Messages& messages, const Messages& numbered) {
  publisher_.update([&](Snapshot& s) {
    ConversationView* const conversation = conversation_of_chat(s, chat);
    if (conversation == nullptr) return;
    for (auto& shown : conversation->messages) {
      const auto found = std::find(messages.begin(), messages.end(), shown);
      if (found != messages.end()) shown = numbered[static_cast<size_t>(found - messages.begin())];
    }
  });
}

bool ChatActions::is_gone(int64_t chat) {
  const auto found = workspace_.catalogue().chat(static_cast<storage::ChatId>(chat));
  return found.status().code() == StatusCode::kNotFound;
}

// Another process has deleted the chat that goes on here: what is here of it is a new one.
Result<int64_t> ChatActions::keep_anew(int64_t chat, const Change& change) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const ConversationView* const here = conversation_of_chat(*now, chat);
  if (here == nullptr) return not_found("the chat was deleted");
  const Messages changed = joined(change.added, change.behind);
  Messages others = here->messages;
  std::erase_if(others, [&](const auto& message) {
    return message->id == 0 || std::find(changed.begin(), changed.end(), message) != changed.end();
  });
  MNEME_ASSIGN_OR_RETURN(const Saved copied, copy(here->title, others));
  publisher_.update([&](Snapshot& s) {
    if (ConversationView* const conversation = conversation_of_chat(s, chat)) conversation->chat = copied.chat;
  });
  give_numbers(copied.chat, others, copied.added);
  return copied.chat;
}

Result<ChatActions::Saved> ChatActions::copy(const std::string& title, const Messages& messages) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, workspace_.catalogue().create_chat(title));
  std::vector<storage::MessageRecord> records;
  for (const auto& message : messages) records.push_back(record_of(*message, id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageId> ids,
                         workspace_.catalogue().replace_messages(id, {}, records));
  return Saved{static_cast<int64_t>(id), with_ids(messages, ids)};
}

Status ChatActions::refresh() {
  MutexLock turn(refreshing_);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> records, workspace_.catalogue().list_chats());
  auto rows = std::make_shared<std::vector<ChatRow>>();
  {
    MutexLock lock(mutex_);
    for (const storage::ChatRecord& record : records) {
      const auto id = static_cast<int64_t>(record.id);
      if (deleted_.contains(id)) continue;
      rows->push_back({id, record.title, record.updated_ms, record.n_messages, is_pinned(record.settings_json)});
    }
  }
  std::stable_sort(rows->begin(), rows->end(),
                   [](const ChatRow& a, const ChatRow& b) { return a.pinned && !b.pinned; });
  if (*rows == *publisher_.current()->chats) return {};  // nothing new to draw
  publisher_.update([&](Snapshot& s) { s.chats = std::move(rows); });
  return {};
}

void ChatActions::start_new() {
  publisher_.update([](Snapshot& s) {
    show_conversation(s, {});
    s.document.reset();
  });
}

Result<ConversationView> ChatActions::load(int64_t chat) {
  const auto id = static_cast<storage::ChatId>(chat);
  MNEME_ASSIGN_OR_RETURN(const storage::ChatRecord record, workspace_.catalogue().chat(id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageRecord> messages, workspace_.catalogue().messages(id));
  ConversationView conversation{chat, record.title, {}, false};
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

// A chat that is being answered is here as it stands; the catalogue has it without that answer, or soon with it.
Status ChatActions::open(int64_t chat) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const ConversationView* const here = conversation_of_chat(*now, chat);
  bool returned = false;
  if (here != nullptr && here->answering) {
    publisher_.update([&](Snapshot& s) {
      returned = return_to_chat(s, chat);
      if (returned) s.document.reset();
    });
  }
  if (returned) return {};
  MNEME_ASSIGN_OR_RETURN(ConversationView conversation, load(chat));
  publisher_.update([&](Snapshot& s) {
    show_conversation(s, std::move(conversation));
    s.document.reset();
  });
  return {};
}

Status ChatActions::branch(size_t last_message) {
  const ConversationView shown = publisher_.current()->conversation;
  if (last_message >= shown.messages.size()) return {};
  const auto first = shown.messages.begin();
  Messages messages(first, first + static_cast<std::ptrdiff_t>(last_message) + 1);
  std::erase_if(messages, [](const auto& message) { return holds_nothing(message) || message->streaming; });
  MNEME_ASSIGN_OR_RETURN(Saved copied, copy(title_of_branch(shown.title), messages));
  ConversationView branch{copied.chat, title_of_branch(shown.title), std::move(copied.added), false};
  publisher_.update([&](Snapshot& s) { show_conversation(s, std::move(branch)); });
  return refresh();
}

Status ChatActions::rename(int64_t chat, const std::string& title) {
  MNEME_ASSIGN_OR_RETURN(storage::ChatRecord record, workspace_.catalogue().chat(static_cast<storage::ChatId>(chat)));
  record.title = title;
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().update_chat(record));
  publisher_.update([&](Snapshot& s) {
    if (ConversationView* const conversation = conversation_of_chat(s, chat)) conversation->title = title;
  });
  return refresh();
}

Status ChatActions::pin(int64_t chat, bool pinned) {
  MNEME_ASSIGN_OR_RETURN(storage::ChatRecord record, workspace_.catalogue().chat(static_cast<storage::ChatId>(chat)));
  auto settings = rag::parse_saved_json(record.settings_json);
  if (!settings.is_object()) settings = nlohmann::json::object();
  settings["pinned"] = pinned;
  record.settings_json = settings.dump();
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().update_chat(record));
  return refresh();
}

Status ChatActions::search(const std::string& text) {
  std::shared_ptr<ChatMatches> matches;
  if (!text.empty()) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatId> found, workspace_.catalogue().find_chats(text));
    matches = std::make_shared<ChatMatches>();
    matches->text = text;
    for (const storage::ChatId chat : found) matches->chats.push_back(static_cast<int64_t>(chat));
  }
  publisher_.update([&](Snapshot& s) { s.chat_matches = std::move(matches); });
  return {};
}

Status ChatActions::remove(int64_t chat) {
  std::string title;
  for (const ChatRow& row : *publisher_.current()->chats) {
    if (row.id == chat) title = row.title;
  }
  Notice notice;
  notice.text = "“" + title + "” was deleted.";
  notice.action = NoticeAction::kUndoDelete;
  notice.chat = chat;
  const uint64_t id = publisher_.notice(std::move(notice));
  {
    MutexLock lock(mutex_);
    deleted_[chat] = id;
  }
  if (publisher_.current()->conversation.chat == chat) start_new();
  return refresh();
}

Status ChatActions::undo_remove(int64_t chat) {
  uint64_t notice = 0;
  {
    MutexLock lock(mutex_);
    const auto found = deleted_.find(chat);
    if (found == deleted_.end()) return {};
    notice = found->second;
    deleted_.erase(found);
  }
  publisher_.update([&](Snapshot& s) { std::erase_if(s.notices, [&](const Notice& n) { return n.id == notice; }); });
  return refresh();
}

Status ChatActions::forget_deleted(uint64_t notice) {
  int64_t chat = 0;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, its_notice] : deleted_) {
      if (its_notice == notice) chat = id;
    }
    if (chat == 0) return {};
    deleted_.erase(chat);
  }
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().delete_chat(static_cast<storage::ChatId>(chat)));
  return forget_chat_kv(workspace_, chat);
}

Status ChatActions::forget_all_deleted() {
  std::map<int64_t, uint64_t> all;
  {
    MutexLock lock(mutex_);
    all.swap(deleted_);
  }
  for (const auto& [chat, notice] : all) {
    MNEME_RETURN_IF_ERROR(workspace_.catalogue().delete_chat(static_cast<storage::ChatId>(chat)));
    MNEME_RETURN_IF_ERROR(forget_chat_kv(workspace_, chat));
  }
  return {};
}

Status ChatActions::export_to(int64_t chat, const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const ConversationView conversation, load(chat));
  const std::string text = path.ends_with(".json") ? export_json(conversation) : export_markdown(conversation);
  // An earlier export may have been corrected by hand since.
  MNEME_ASSIGN_OR_RETURN(const std::string file, storage::free_name(workspace_.env(), path));
  MNEME_RETURN_IF_ERROR(storage::write_atomically(workspace_.env(), file, as_bytes(text)));
  Notice notice;
  notice.text = "The chat was written to “" + file + "”.";
  notice.action = NoticeAction::kOpenFile;
  notice.file = file;
  publisher_.notice(std::move(notice));
  return {};
}

}  // namespace mneme::ui

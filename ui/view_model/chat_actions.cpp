#include "ui/view_model/chat_actions.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "rag/saved_json.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "storage/env/free_name.h"
#include "ui/language/tr.h"
#include "ui/view_model/conversations.h"
#include "ui/view_model/json_fields.h"
#include "ui/view_model/kv_store.h"
#include "ui/view_model/message_view.h"

namespace mneme::ui {
namespace {

constexpr int kMostBranches = 1000;  // counted

std::string numbered_branch(const std::string& title, int n) {
  return filled(tr("{0} (branch {1})"), title, std::to_string(n));
}

// "Kettle (branch)", then "Kettle (branch 2)": a branch of a branch is one more of the first.
std::string title_of_branch(const std::string& title) {
  // Translators: the title of a chat that goes on from the middle of another, whose title is {0}.
  const std::string first = filled(tr("{0} (branch)"), "");
  if (title.ends_with(first)) return numbered_branch(title.substr(0, title.size() - first.size()), 2);
  // Translators: the same, of the second such chat and those behind it; {1} is their number.
  const std::string_view numbered = tr("{0} (branch {1})");
  const size_t number = numbered.find("{1}");
  if (!numbered.starts_with("{0}") || number == numbered.npos) return filled(tr("{0} (branch)"), title);
  const std::string_view before = numbered.substr(3, number - 3);
  const std::string_view behind = numbered.substr(number + 3);
  const size_t mark = title.rfind(before);
  if (mark != title.npos && mark + before.size() + behind.size() < title.size() && title.ends_with(behind)) {
    const char* const end = title.data() + title.size() - behind.size();
    int n = 0;
    const bool counted = std::from_chars(title.data() + mark + before.size(), end, n).ptr == end && n > 0;
    if (counted && n < kMostBranches) return numbered_branch(title.substr(0, mark), n + 1);
  }
  return filled(tr("{0} (branch)"), title);
}

// Of chats that the catalogue does not have, newest first.
std::vector<ChatRow> rows_of_new_unkept(const Snapshot& s) {
  std::vector<ChatRow> rows;
  const auto add = [&rows](const ConversationView& c) {
    if (c.chat >= 0 || !c.unkept()) return;
    rows.push_back({c.chat, c.title, c.unkept_since_ms, static_cast<int64_t>(c.messages.size()), false, true});
  };
  add(s.conversation);
  std::for_each(s.elsewhere.begin(), s.elsewhere.end(), add);
  std::sort(rows.begin(), rows.end(), [](const ChatRow& a, const ChatRow& b) { return a.id < b.id; });
  return rows;
}

bool is_pinned(const std::string& settings_json) {
  const auto settings = rag::parse_saved_json(settings_json);
  bool pinned = false;
  if (settings.is_object()) read_field(settings, "pinned", pinned);
  return pinned;
}

// An answer being made is cut off when its chat is deleted.
ConversationView without_answer_under_way(ConversationView conversation) {
  std::erase_if(conversation.messages, [](const auto& message) { return message->streaming; });
  conversation.answering = false;
  return conversation;
}

// Of a chat that the catalogue does not have.
Status not_kept_so_far() {
  return unsupported(tr("This chat is not kept so far; once there is room for it, it can be pinned."));
}

}  // namespace

Status ChatActions::refresh() {
  MutexLock turn(refreshing_);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> records, workspace_.catalogue().list_chats());
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  auto rows = std::make_shared<std::vector<ChatRow>>(rows_of_new_unkept(*now));
  {
    MutexLock lock(mutex_);
    for (const storage::ChatRecord& record : records) {
      const auto id = static_cast<int64_t>(record.id);
      if (deleted_.contains(id)) continue;
      const ConversationView* const here = conversation_of_chat(*now, id);
      rows->push_back({id, record.title, record.updated_ms, record.n_messages, is_pinned(record.settings_json),
                       here != nullptr && here->unkept()});
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
  ConversationView conversation{chat, record.title, {}, false, 0};
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

// A chat that is being answered is here as it stands, as is one that could not be kept; the catalogue has it without
// that, or soon with it.
Status ChatActions::open(int64_t chat) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const ConversationView* const here = conversation_of_chat(*now, chat);
  bool returned = false;
  if (here != nullptr && (here->answering || here->unkept())) {
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
  std::erase_if(messages, [](const auto& message) { return !holds_words(*message) || message->streaming; });
  MNEME_ASSIGN_OR_RETURN(ChatKeeper::Saved copied, keeper_.copy(title_of_branch(shown.title), messages));
  ConversationView branch{copied.chat, title_of_branch(shown.title), std::move(copied.added), false, 0};
  publisher_.update([&](Snapshot& s) { show_conversation(s, std::move(branch)); });
  return refresh();
}

Status ChatActions::rename(int64_t chat, const std::string& title) {
  if (chat > 0) {
    MNEME_ASSIGN_OR_RETURN(storage::ChatRecord record, workspace_.catalogue().chat(static_cast<storage::ChatId>(chat)));
    record.title = title;
    MNEME_RETURN_IF_ERROR(workspace_.catalogue().update_chat(record));
  }
  publisher_.update([&](Snapshot& s) {
    if (ConversationView* const conversation = conversation_of_chat(s, chat)) conversation->title = title;
  });
  return refresh();
}

Status ChatActions::pin(int64_t chat, bool pinned) {
  if (chat < 0) return not_kept_so_far();
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

// Any search does it.
void ChatActions::prepare_search() {
  static_cast<void>(workspace_.catalogue().find_chats("\x01"));
}

Status ChatActions::remove(int64_t chat) {
  std::string title;
  for (const ChatRow& row : *publisher_.current()->chats) {
    if (row.id == chat) title = row.title;
  }
  Notice notice;
  notice.text = filled(tr("“{0}” was deleted."), title);
  notice.action = NoticeAction::kUndoDelete;
  notice.chat = chat;
  Deleted deleted{publisher_.notice(std::move(notice))};
  publisher_.update([&](Snapshot& s) {
    deleted.was_shown = s.conversation.chat == chat;
    ConversationView* const conversation = conversation_of_chat(s, chat);
    if (conversation == nullptr || !conversation->unkept()) return;
    deleted.unkept = without_answer_under_way(*conversation);
    conversation->unkept_since_ms = 0;
    forget_unneeded(s);
  });
  const bool was_shown = deleted.was_shown;
  {
    MutexLock lock(mutex_);
    deleted_[chat] = std::move(deleted);
  }
  if (was_shown) start_new();
  return refresh();
}

Status ChatActions::undo_remove(int64_t chat) {
  Deleted deleted;
  {
    MutexLock lock(mutex_);
    const auto found = deleted_.find(chat);
    if (found == deleted_.end()) return {};
    deleted = std::move(found->second);
    deleted_.erase(found);
  }
  bool shows_it = false;
  publisher_.update([&](Snapshot& s) {
    std::erase_if(s.notices, [&](const Notice& n) { return n.id == deleted.notice; });
    if (deleted.unkept) s.elsewhere.push_back(*deleted.unkept);
    shows_it = deleted.was_shown && s.conversation.chat == 0 && s.conversation.messages.empty();
  });
  MNEME_RETURN_IF_ERROR(refresh());
  return shows_it ? open(chat) : Status();
}

// What the catalogue never had is gone already.
Status ChatActions::forget(int64_t chat) {
  if (chat < 0) return {};
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().delete_chat(static_cast<storage::ChatId>(chat)));
  return forget_chat_kv(workspace_, chat);
}

Status ChatActions::forget_deleted(uint64_t notice) {
  int64_t chat = 0;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, deleted] : deleted_) {
      if (deleted.notice == notice) chat = id;
    }
    if (chat == 0) return {};
    deleted_.erase(chat);
  }
  return forget(chat);
}

Status ChatActions::forget_all_deleted() {
  std::map<int64_t, Deleted> all;
  {
    MutexLock lock(mutex_);
    all.swap(deleted_);
  }
  for (const auto& [chat, deleted] : all) MNEME_RETURN_IF_ERROR(forget(chat));
  return {};
}

Status ChatActions::export_to(int64_t chat, const std::string& path) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const ConversationView* const here = conversation_of_chat(*now, chat);
  ConversationView conversation;
  if (here != nullptr && here->unkept()) {
    conversation = *here;
  } else {
    MNEME_ASSIGN_OR_RETURN(conversation, load(chat));
  }
  const std::string text = path.ends_with(".json") ? export_json(conversation) : export_markdown(conversation);
  // An earlier export may have been corrected by hand since.
  MNEME_ASSIGN_OR_RETURN(const std::string file, storage::free_name(workspace_.env(), path));
  MNEME_RETURN_IF_ERROR(storage::write_atomically(workspace_.env(), file, as_bytes(text)));
  Notice notice;
  notice.text = filled(tr("The chat was written to “{0}”."), file);
  notice.action = NoticeAction::kOpenFile;
  notice.file = file;
  publisher_.notice(std::move(notice));
  return {};
}

}  // namespace mneme::ui

// Settings, models, chats and counters: small tables of what the user chose and said.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/wall_clock.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/sought_text.h"

namespace mneme::storage {

// ---- Settings

Status Catalogue::put_setting(std::string_view key, std::string_view json) {
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("INSERT INTO settings(key, json) VALUES(?1, ?2) "
                                                                 "ON CONFLICT(key) DO UPDATE SET json=excluded.json"));
    return statement.bind(key, json).run();
  });
}

Result<std::optional<std::string>> Catalogue::setting(std::string_view key) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare("SELECT json FROM settings WHERE key=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(key).step());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(statement.string(0));
}

Result<std::vector<std::pair<std::string, std::string>>> Catalogue::settings(std::string_view key_prefix) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database->prepare("SELECT key, json FROM settings WHERE substr(key, 1, length(?1))=?1 ORDER BY key"));
  statement.bind(key_prefix);
  std::vector<std::pair<std::string, std::string>> rows;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return rows;
    rows.emplace_back(statement.string(0), statement.string(1));
  }
}

Status Catalogue::remove_setting(std::string_view key) {
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM settings WHERE key=?1"));
    return statement.bind(key).run();
  });
}

// ---- Models

namespace {

constexpr const char* kSelectModel =
    "SELECT name, path, kind, is_default, size_bytes, content_hash, profile_json FROM models ";

ModelRecord read_model(const Statement& row) {
  return {row.string(0), row.string(1), row.string(2), row.integer(3) != 0, static_cast<uint64_t>(row.integer(4)),
          row.string(5), row.string(6)};
}

// Lists and notes show it in a line.
Status check_model_name(std::string_view name) {
  constexpr size_t kLongest = 255;  // as a file's
  if (name.empty()) return usage_error("a model needs a name");
  const bool is_line =
      std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (is_line && name.size() <= kLongest) return {};
  return usage_error("a model's name has up to " + std::to_string(kLongest) +
                     " bytes and no control characters; give it another one");
}

}  // namespace

Status Catalogue::put_model(const ModelRecord& model) {
  MNEME_RETURN_IF_ERROR(check_model_name(model.name));
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    if (model.is_default) {
      MNEME_ASSIGN_OR_RETURN(Statement others, database.prepare("UPDATE models SET is_default=0 WHERE kind=?1"));
      MNEME_RETURN_IF_ERROR(others.bind(model.kind).run());
    }
    MNEME_ASSIGN_OR_RETURN(Statement put,
                           database.prepare("INSERT OR REPLACE INTO models(name, path, kind, is_default, size_bytes, "
                                            "content_hash, profile_json) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"));
    put.bind(model.name, model.path, model.kind, model.is_default, model.size_bytes, model.content_hash,
             model.profile_json);
    return put.run();
  });
}

Result<std::optional<ModelRecord>> Catalogue::find_model(std::string_view name) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectModel) + "WHERE name=?1";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(name).step());
  if (!found) return std::optional<ModelRecord>();
  return std::optional<ModelRecord>(read_model(statement));
}

Result<std::vector<ModelRecord>> Catalogue::list_models() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectModel) + "ORDER BY name";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  std::vector<ModelRecord> models;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return models;
    models.push_back(read_model(statement));
  }
}

Status Catalogue::remove_model(std::string_view name) {
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM models WHERE name=?1"));
    MNEME_RETURN_IF_ERROR(statement.bind(name).run());
    if (database.changes() > 0) return {};
    return not_found("there is no model '" + std::string(name) + "'; `mneme model list` shows them");
  });
}

// ---- Chats

namespace {

constexpr const char* kSelectChat =
    "SELECT id, title, settings_json, (SELECT count(*) FROM messages WHERE chat=chats.id), created_ms, updated_ms "
    "FROM chats ";

ChatRecord read_chat(const Statement& row) {
  return {row.id<ChatId>(0), row.string(1), row.string(2), row.integer(3), row.integer(4), row.integer(5)};
}

Status chat_is_gone(ChatId chat) {
  return not_found("there is no chat " + std::to_string(static_cast<int64_t>(chat)) + "; `mneme chat list` shows them");
}

Status set_updated(Database& database, ChatId chat) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("UPDATE chats SET updated_ms=?2 WHERE id=?1"));
  MNEME_RETURN_IF_ERROR(statement.bind(chat, now_ms()).run());
  return database.changes() > 0 ? Status() : chat_is_gone(chat);
}

Status delete_message(Database& database, ChatId chat, MessageId message) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM messages WHERE id=?1 AND chat=?2"));
  return statement.bind(message, chat).run();
}

Result<MessageId> insert_message(Database& database, ChatId chat, const MessageRecord& message) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("INSERT INTO messages(chat, role, text, details_json, created_ms) "
                                          "VALUES(?1, ?2, ?3, ?4, ?5)"));
  MNEME_RETURN_IF_ERROR(statement.bind(chat, message.role, message.text, message.details_json, now_ms()).run());
  return static_cast<MessageId>(database.last_insert_id());
}

// Copied by the database, not from what somebody read: parts of it may have been forgotten since.
Result<MessageId> move_to_end(Database& database, ChatId chat, MessageId message) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("INSERT INTO messages(chat, role, text, details_json, created_ms) SELECT "
                                          "chat, role, text, details_json, created_ms FROM messages WHERE id=?1 AND "
                                          "chat=?2"));
  MNEME_RETURN_IF_ERROR(statement.bind(message, chat).run());
  if (database.changes() == 0) return MessageId{};
  const auto moved = static_cast<MessageId>(database.last_insert_id());
  MNEME_RETURN_IF_ERROR(delete_message(database, chat, message));
  return moved;
}

}  // namespace

Result<ChatId> Catalogue::create_chat(std::string_view title, std::string_view settings_json) {
  ChatId id{};
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("INSERT INTO chats(title, settings_json, created_ms, "
                                                                 "updated_ms) VALUES(?1, ?2, ?3, ?3)"));
    MNEME_RETURN_IF_ERROR(statement.bind(title, settings_json, now_ms()).run());
    id = static_cast<ChatId>(database.last_insert_id());
    return {};
  }));
  return id;
}

Status Catalogue::update_chat(const ChatRecord& chat) {
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("UPDATE chats SET title=?2, settings_json=?3 WHERE id=?1"));
    MNEME_RETURN_IF_ERROR(statement.bind(chat.id, chat.title, chat.settings_json).run());
    return set_updated(database, chat.id);
  });
}

Result<ChatRecord> Catalogue::chat(ChatId chat) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectChat) + "WHERE id=?1";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(chat).step());
  if (!found) return chat_is_gone(chat);
  return read_chat(statement);
}

Result<std::vector<ChatRecord>> Catalogue::list_chats() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectChat) + "ORDER BY updated_ms DESC, id DESC";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  std::vector<ChatRecord> chats;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return chats;
    chats.push_back(read_chat(statement));
  }
}

namespace {

Result<std::unordered_set<int64_t>> chats_by_title(Database& database, std::string_view wanted) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT id, title FROM chats"));
  std::unordered_set<int64_t> found;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return found;
    if (sought_text(statement.text(1)).find(wanted) != std::string::npos) found.insert(statement.integer(0));
  }
}

}  // namespace

Result<std::vector<ChatId>> Catalogue::find_chats(std::string_view text) {
  const std::string wanted = sought_text(text);
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(*database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(auto found, chats_by_title(*database, wanted));
  MNEME_ASSIGN_OR_RETURN(auto by_messages, state_->message_texts.chats_that_say(*database, wanted));
  MNEME_RETURN_IF_ERROR(transaction.commit());
  found.merge(by_messages);
  std::vector<ChatId> chats;
  chats.reserve(found.size());
  for (const int64_t chat : found) chats.push_back(static_cast<ChatId>(chat));
  std::sort(chats.begin(), chats.end());
  return chats;
}

Status Catalogue::delete_chat(ChatId chat) {
  state_->message_texts.forget(chat);
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM chats WHERE id=?1"));
    MNEME_RETURN_IF_ERROR(statement.bind(chat).run());
    return database.changes() > 0 ? Status() : chat_is_gone(chat);
  });
}

Result<MessageId> Catalogue::append_message(const MessageRecord& message) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<MessageId> ids, replace_messages(message.chat, {}, {&message, 1}));
  return ids.front();
}

Result<std::vector<MessageId>> Catalogue::replace_messages(ChatId chat, std::span<const MessageId> taken_out,
                                                           std::span<const MessageRecord> appended,
                                                           std::span<const MessageId> behind) {
  std::vector<MessageId> ids;
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_RETURN_IF_ERROR(set_updated(database, chat));
    for (const MessageId message : taken_out) MNEME_RETURN_IF_ERROR(delete_message(database, chat, message));
    for (const MessageRecord& message : appended) {
      MNEME_ASSIGN_OR_RETURN(ids.emplace_back(), insert_message(database, chat, message));
    }
    for (const MessageId message : behind) {
      MNEME_ASSIGN_OR_RETURN(ids.emplace_back(), move_to_end(database, chat, message));
    }
    return {};
  }));
  return ids;
}

Result<std::vector<MessageRecord>> Catalogue::messages(ChatId chat) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database->prepare(
          "SELECT id, chat, role, text, details_json, created_ms FROM messages WHERE chat=?1 ORDER BY id"));
  statement.bind(chat);
  std::vector<MessageRecord> messages;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return messages;
    messages.push_back({statement.id<MessageId>(0), statement.id<ChatId>(1), statement.string(2), statement.string(3),
                        statement.string(4), statement.integer(5)});
  }
}

// ---- Counters

Status Catalogue::add_to_counter(std::string_view name, int64_t delta) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("INSERT INTO counters(name, value) VALUES(?1, ?2) "
                                            "ON CONFLICT(name) DO UPDATE SET value=value+excluded.value"));
    return statement.bind(name, delta).run();
  });
}

Result<int64_t> Catalogue::counter(std::string_view name) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare("SELECT value FROM counters WHERE name=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(name).step());
  return found ? statement.integer(0) : 0;
}

}  // namespace mneme::storage

#include "storage/catalogue/chat_echoes.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "storage/catalogue/lexical_terms.h"
#include "storage/catalogue/stop_words.h"

namespace mneme::storage {
namespace {

struct Message {
  int64_t id = 0;
  bool is_question = false;
  std::string text;
  std::string shown;  // titles, headings, names and texts of its passages
  std::string own;    // what it keeps beside them: the question as it was searched for, what the model thought
};

Result<std::vector<Message>> messages_of(Database& database, int64_t chat) {
  MNEME_ASSIGN_OR_RETURN(
      Statement list,
      database.prepare("SELECT id, role='user', text, CASE WHEN json_valid(details_json) THEN "
                       "(SELECT group_concat(coalesce(json_extract(value, '$.title'), '') || ' ' || "
                       "coalesce(json_extract(value, '$.heading'), '') || ' ' || "
                       "coalesce(json_extract(value, '$.author'), '') || ' ' || "
                       "coalesce(json_extract(value, '$.document'), '') || ' ' || "
                       "coalesce(json_extract(value, '$.text'), ''), char(10)) "
                       "FROM json_each(details_json, '$.sources')) END, CASE WHEN json_valid(details_json) THEN "
                       "coalesce(json_extract(details_json, '$.query'), '') || ' ' || "
                       "coalesce(json_extract(details_json, '$.reasoning'), '') END "
                       "FROM messages WHERE chat=?1 ORDER BY id"));
  list.bind(chat);
  std::vector<Message> messages;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return messages;
    messages.push_back({list.integer(0), list.integer(1) != 0, std::string(list.text(2)), std::string(list.text(3)),
                        std::string(list.text(4))});
  }
}

void add_terms(std::string_view text, std::set<std::string>& terms) {
  for (std::string& term : lexical_terms(text)) terms.insert(std::move(term));
}

// Whether a text has a word of the forgotten ones that has not been said elsewhere.
bool repeats(std::string_view text, const std::set<std::string>& forgotten, const std::set<std::string>& said) {
  const std::vector<std::string> terms = lexical_terms(text);
  const StopTerms grammar(terms);
  return std::any_of(terms.begin(), terms.end(), [&](const std::string& term) {
    return forgotten.contains(term) && !said.contains(term) && !grammar.contains(term);
  });
}

Result<int64_t> scrub_chat(Database& database, int64_t chat, const ForgottenTerms& forgotten) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<Message> messages, messages_of(database, chat));
  MNEME_ASSIGN_OR_RETURN(Statement replace,
                         database.prepare("UPDATE messages SET text=?2, details_json='{}' WHERE id=?1"));
  MNEME_ASSIGN_OR_RETURN(Statement strip,
                         database.prepare("UPDATE messages SET details_json=json_remove(details_json, '$.query', "
                                          "'$.reasoning') WHERE id=?1"));
  std::set<std::string> said;
  for (const Message& message : messages) {
    if (message.is_question) add_terms(message.text, said);
  }
  int64_t n_replaced = 0;
  for (const Message& message : messages) {
    if (message.is_question || message.text == kForgottenAnswer) continue;
    add_terms(message.shown, said);
    const bool may_repeat = message.id >= forgotten.first_message;
    if (may_repeat && repeats(message.text, forgotten.terms, said)) {
      MNEME_RETURN_IF_ERROR(replace.bind(message.id, std::string_view(kForgottenAnswer)).run());
      replace.reset();
      ++n_replaced;
      continue;
    }
    add_terms(message.text, said);
    if (!may_repeat || !repeats(message.own, forgotten.terms, said)) continue;
    MNEME_RETURN_IF_ERROR(strip.bind(message.id).run());
    strip.reset();
  }
  return n_replaced;
}

}  // namespace

Result<int64_t> scrub_echoes(Database& database, const std::map<int64_t, ForgottenTerms>& chats) {
  int64_t n_replaced = 0;
  for (const auto& [chat, forgotten] : chats) {
    MNEME_ASSIGN_OR_RETURN(const int64_t n, scrub_chat(database, chat, forgotten));
    n_replaced += n;
  }
  return n_replaced;
}

}  // namespace mneme::storage

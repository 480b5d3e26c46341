#include "storage/catalogue/chat_scrubbing.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "storage/catalogue/chat_echoes.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {
namespace {

std::string_view text_of(sqlite3_value* value) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string_view() : std::string_view(text, sqlite3_value_bytes(value));
}

bool is_among(const ForgottenPassages& passages, std::string_view uid, std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(uid.data(), uid.data() + uid.size(), number, 16);
  const bool is_uid = !uid.empty() && error == std::errc() && end == uid.data() + uid.size();
  if (is_uid && passages.uids.contains(static_cast<int64_t>(number))) return true;
  return !text.empty() && passages.texts.contains(xxh3_128(as_bytes(text)));
}

// mneme_forgotten(uid, text, document), as JSON has them.
void answer_forgotten(sqlite3_context* context, int /*n*/, sqlite3_value** values) {
  const auto& passages = *static_cast<const ForgottenPassages*>(sqlite3_user_data(context));
  const bool is_so = is_among(passages, text_of(values[0]), text_of(values[1])) ||
                     passages.names.contains(std::string(text_of(values[2])));
  sqlite3_result_int(context, is_so ? 1 : 0);
}

using SqlFunction = void (*)(sqlite3_context*, int, sqlite3_value**);

// Lends the connection the function for as long as this lives.
class ForgottenFunction {
 public:
  static Result<ForgottenFunction> lend(Database& database, const ForgottenPassages& passages) {
    const int code = define(database, &passages, answer_forgotten);
    if (code != SQLITE_OK) return database.error(code);
    return ForgottenFunction(database);
  }
  ForgottenFunction(ForgottenFunction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  ForgottenFunction& operator=(ForgottenFunction&&) = delete;
  ~ForgottenFunction() {
    if (database_ != nullptr) define(*database_, nullptr, nullptr);
  }

 private:
  explicit ForgottenFunction(Database& database) : database_(&database) {}
  static int define(Database& database, const ForgottenPassages* passages, SqlFunction function) {
    return sqlite3_create_function_v2(database.handle(), "mneme_forgotten", 3, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                      const_cast<ForgottenPassages*>(passages), function, nullptr, nullptr, nullptr);
  }
  Database* database_;
};

std::string is_forgotten() {
  return "(" + is_below("json_extract(value, '$.document')") +
         " OR mneme_forgotten(json_extract(value, '$.chunk'), json_extract(value, '$.text'), json_extract(value, "
         "'$.document')))";
}

std::string tells_of_forgotten(std::string_view list, std::string_view and_also = {}) {
  return tells_of("$." + std::string(list), std::string(and_also) + is_forgotten());
}

// What chats were shown of such passages, before that is taken out.
Result<std::map<int64_t, ForgottenTerms>> terms_shown(Database& database, const PathRange& range) {
  MNEME_ASSIGN_OR_RETURN(
      Statement list,
      database.prepare_once("SELECT chat, messages.id, coalesce(json_extract(value, '$.text'), '') FROM messages, "
                            "json_each(CASE WHEN json_valid(details_json) THEN details_json ELSE '{}' END, "
                            "'$.sources') WHERE role<>'user' AND " +
                            is_forgotten() + " ORDER BY messages.id"));
  list.bind(range.exact, range.low, range.high, range.members);
  std::map<int64_t, ForgottenTerms> chats;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return chats;
    const auto [chat, is_new] = chats.try_emplace(list.integer(0));
    if (is_new) chat->second.first_message = list.integer(1);
    for (std::string& term : lexical_terms(list.text(2))) chat->second.terms.insert(std::move(term));
  }
}

}  // namespace

std::vector<Hash128> texts_by_page(std::string_view text, std::string_view page_marks) {
  std::vector<Hash128> hashes;
  if (page_marks.empty()) return hashes;
  size_t begin = 0;
  while (!page_marks.empty()) {
    size_t next = 0;
    const auto [stop, error] = std::from_chars(page_marks.data(), page_marks.data() + page_marks.size(), next);
    if (error != std::errc() || next < begin || next > text.size()) break;
    hashes.push_back(xxh3_128(as_bytes(text.substr(begin, next - begin))));
    begin = next;
    page_marks.remove_prefix(std::min(page_marks.find(' '), page_marks.size() - 1) + 1);
  }
  hashes.push_back(xxh3_128(as_bytes(text.substr(begin))));
  return hashes;
}

Result<int64_t> scrub_chats(Database& database, const PathRange& range, const ForgottenPassages& passages) {
  MNEME_ASSIGN_OR_RETURN(const ForgottenFunction function, ForgottenFunction::lend(database, passages));
  MNEME_ASSIGN_OR_RETURN(const auto shown, terms_shown(database, range));
  int64_t replaced = 0;
  {
    const std::string may_come_from_it = tells_of_forgotten("citations") + " OR " +
                                         tells_of_forgotten("sources", "json_extract(value, '$.cited') AND ") +
                                         " OR (coalesce(json_array_length(details_json, '$.citations'), 0)=0 AND " +
                                         tells_of_forgotten("sources") + ")";
    MNEME_ASSIGN_OR_RETURN(
        Statement replace,
        database.prepare_once("UPDATE messages SET text='" + std::string(kForgottenAnswer) +
                              "', details_json='{}' WHERE CASE WHEN role='user' OR NOT json_valid(details_json) THEN 0 "
                              "ELSE " +
                              may_come_from_it + " END"));
    MNEME_RETURN_IF_ERROR(replace.bind(range.exact, range.low, range.high, range.members).run());
    replaced = database.changes();
  }
  MNEME_ASSIGN_OR_RETURN(
      Statement strip,
      database.prepare_once(
          "UPDATE messages SET details_json=json_set(json_remove(details_json, '$.reasoning'), '$.sources', "
          "(SELECT json_group_array(json(value)) FROM json_each(details_json, '$.sources') WHERE NOT " +
          is_forgotten() + ")) WHERE CASE WHEN NOT json_valid(details_json) THEN 0 ELSE " +
          tells_of_forgotten("sources") + " END"));
  MNEME_RETURN_IF_ERROR(strip.bind(range.exact, range.low, range.high, range.members).run());
  MNEME_ASSIGN_OR_RETURN(const int64_t n_echoes, scrub_echoes(database, shown));
  return replaced + n_echoes;
}

}  // namespace mneme::storage

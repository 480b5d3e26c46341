#include "ui/language/tr.h"

#include <atomic>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "ui/language/message_table.h"

namespace mneme::ui {
namespace {

std::atomic<const MessageTable*> used{nullptr};  // null: English

// Tables are made once and kept to the end: whoever draws may still hold a text of one.
class Tables {
 public:
  // Null where its file cannot be read, which a test sees.
  const MessageTable* of(const WindowLanguage& language) {
    MutexLock lock(mutex_);
    std::unique_ptr<const MessageTable>& table = tables_[language.code];
    if (table == nullptr) {
      const Result<std::vector<PoMessage>> messages = parse_po(language.po);
      if (messages.ok()) table = std::make_unique<const MessageTable>(language, *messages);
    }
    return table.get();
  }

 private:
  Mutex mutex_;
  std::map<std::string_view, std::unique_ptr<const MessageTable>> tables_ MNEME_GUARDED_BY(mutex_);
};

Tables& tables() {
  static Tables* const all = new Tables;  // threads may translate while the program ends
  return *all;
}

const char* or_english(const char* translated, const char* english) {
  return translated == nullptr ? english : translated;
}

}  // namespace

void use_language(std::string_view code) {
  const WindowLanguage* const language = find_language(code);
  used = language == nullptr ? nullptr : tables().of(*language);
}

const WindowLanguage* used_language() {
  const MessageTable* const table = used;
  return table == nullptr ? nullptr : &table->language();
}

const char* tr(const char* english) {
  const MessageTable* const table = used;
  return table == nullptr ? english : or_english(table->find({}, english), english);
}

const char* tr_c(const char* context, const char* english) {
  const MessageTable* const table = used;
  return table == nullptr ? english : or_english(table->find(context, english), english);
}

const char* tr_n(const char* one, const char* many, int64_t n) {
  const char* const english = n == 1 ? one : many;
  const MessageTable* const table = used;
  if (table == nullptr) return english;
  return or_english(table->find_plural(one, static_cast<uint64_t>(n < 0 ? -n : n)), english);
}

const char* english_of(const char* text) {
  const MessageTable* const table = used;
  return table == nullptr ? text : or_english(table->english_of(text), text);
}

std::string fill_in(std::string_view pattern, std::initializer_list<std::string_view> values) {
  std::string text;
  for (size_t at = 0; at < pattern.size(); ++at) {
    const bool holds = pattern[at] == '{' && at + 2 < pattern.size() && pattern[at + 2] == '}' &&
                       pattern[at + 1] >= '0' && pattern[at + 1] <= '9';
    const auto index = holds ? static_cast<size_t>(pattern[at + 1] - '0') : values.size();
    if (index >= values.size()) {
      text += pattern[at];
      continue;
    }
    text += values.begin()[index];
    at += 2;
  }
  return text;
}

}  // namespace mneme::ui

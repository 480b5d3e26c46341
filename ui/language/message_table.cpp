#include "ui/language/message_table.h"

#include <algorithm>
#include <cstring>

namespace mneme::ui {
namespace {

bool is_shown(const PoMessage& message, const PluralRule& rule) {
  const size_t forms = message.plural_id.empty() ? 1 : rule.n_forms;
  return !message.id.empty() && !message.fuzzy && message.strings.size() == forms &&
         std::none_of(message.strings.begin(), message.strings.end(), [](const auto& s) { return s.empty(); });
}

}  // namespace

MessageTable::MessageTable(const WindowLanguage& language, const std::vector<PoMessage>& messages)
    : language_(language) {
  for (const PoMessage& message : messages) {
    n_bytes_ += message.context.size() + 1;
    for (const std::string& string : message.strings) n_bytes_ += string.size() + message.id.size() + 2;
  }
  texts_ = std::make_unique<char[]>(n_bytes_);
  char* end = texts_.get();
  const auto keep = [&end](const std::string& text) {
    char* const at = end;
    std::memcpy(at, text.c_str(), text.size() + 1);
    end += text.size() + 1;
    return at;
  };
  entries_.reserve(messages.size());
  for (const PoMessage& message : messages) {
    if (!is_shown(message, language.plural)) continue;
    const char* const context = keep(message.context);
    const size_t first = forms_.size();
    const char* english = nullptr;
    for (const std::string& string : message.strings) {
      forms_.push_back(keep(string));
      english = keep(message.id);
    }
    entries_.emplace(Key{context, english}, Entry{first, !message.plural_id.empty()});
  }
}

const char* MessageTable::find(std::string_view context, std::string_view english) const {
  const auto entry = entries_.find({context, english});
  return entry == entries_.end() ? nullptr : forms_[entry->second.first];
}

const char* MessageTable::find_plural(std::string_view english, uint64_t n) const {
  const auto entry = entries_.find({{}, english});
  if (entry == entries_.end() || !entry->second.is_plural) return nullptr;
  return forms_[entry->second.first + language_.plural.form(n)];
}

const char* MessageTable::english_of(const char* text) const {
  const std::less<const char*> before;  // of pointers into different arrays as well
  if (before(text, texts_.get()) || !before(text, texts_.get() + n_bytes_)) return nullptr;
  return text + std::strlen(text) + 1;
}

}  // namespace mneme::ui

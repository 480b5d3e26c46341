// The messages of one language, for looking up. Threads: immutable once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ui/language/languages.h"
#include "ui/language/po_file.h"

namespace mneme::ui {

class MessageTable {
 public:
  // What is fuzzy, not translated, or has another number of forms than the language, is left out.
  MessageTable(const WindowLanguage& language, const std::vector<PoMessage>& messages);

  // Null where there is no translation. Valid as long as the table is.
  const char* find(std::string_view context, std::string_view english) const;
  const char* find_plural(std::string_view english, uint64_t n) const;
  // The English text of one that was found here; null: of another place.
  const char* english_of(const char* text) const;

  const WindowLanguage& language() const { return language_; }
  size_t size() const { return entries_.size(); }

 private:
  struct Key {
    std::string_view context, english;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      const std::hash<std::string_view> hash;
      return hash(key.english) ^ (key.context.empty() ? 0 : hash(key.context) * 31);
    }
  };

  const WindowLanguage& language_;
  // Each translation with its zero, and the English text behind it.
  std::unique_ptr<char[]> texts_;
  size_t n_bytes_ = 0;
  std::vector<const char*> forms_;
  struct Entry {
    size_t first = 0;  // of its forms
    bool is_plural = false;
  };
  std::unordered_map<Key, Entry, KeyHash> entries_;
};

}  // namespace mneme::ui

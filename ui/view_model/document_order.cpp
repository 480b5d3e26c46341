#include <algorithm>
#include <string_view>

#include "ui/view_model/library_actions.h"

namespace mneme::ui {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view lower_part) {
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                     [](char a, char b) { return lower(a) == b; }) != text.end();
}

template <typename T>
int compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits that `text` begins with out of it; without zeros before them.
std::string_view take_number(std::string_view& text) {
  size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

// As people look for names: "apple" before "Zebra", "Chapter 2" before "Chapter 10".
int compare_names(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view one = take_number(a);
      const std::string_view other = take_number(b);
      if (one.size() != other.size()) return compare(one.size(), other.size());
      if (const int order = one.compare(other); order != 0) return order;
      continue;
    }
    const auto one = static_cast<unsigned char>(lower(a.front()));
    const auto other = static_cast<unsigned char>(lower(b.front()));
    if (one != other) return one < other ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return compare(a.size(), b.size());
}

int compare_rows(const DocumentRow& a, const DocumentRow& b, DocumentColumn column) {
  switch (column) {
    case DocumentColumn::kTitle: return compare_names(a.name(), b.name());
    case DocumentColumn::kFormat: return a.format.compare(b.format);
    case DocumentColumn::kSize: return compare(a.size_bytes, b.size_bytes);
    case DocumentColumn::kPassages: return compare(a.n_chunks, b.n_chunks);
    case DocumentColumn::kIndexed: return compare(a.indexed_ms, b.indexed_ms);
  }
  return 0;
}

}  // namespace

std::vector<uint32_t> ordered_rows(const DocumentTable& documents, const DocumentOrder& order) {
  std::string filter = order.filter;
  std::transform(filter.begin(), filter.end(), filter.begin(), lower);
  std::vector<uint32_t> rows;
  rows.reserve(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) {
    const DocumentRow row = documents[i];
    if (filter.empty() || contains(row.title, filter) || contains(row.path, filter))
      rows.push_back(static_cast<uint32_t>(i));
  }
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    const DocumentRow one = documents[a];
    const DocumentRow other = documents[b];
    int result = compare_rows(one, other, order.column);
    if (order.descending) result = -result;
    return result != 0 ? result < 0 : one.path < other.path;
  });
  return rows;
}

}  // namespace mneme::ui

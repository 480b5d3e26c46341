#include <algorithm>
#include <string>
#include <string_view>

#include "storage/catalogue/sought_text.h"
#include "ui/view_model/library_actions.h"

namespace mneme::ui {
namespace {

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

// As people look for names: "apple" before "Zebra", "Ärger" among A, "Chapter 2" before "Chapter 10". Of sought_text().
int compare_names(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view one = take_number(a);
      const std::string_view other = take_number(b);
      if (one.size() != other.size()) return compare(one.size(), other.size());
      if (const int order = one.compare(other); order != 0) return order;
      continue;
    }
    const auto one = static_cast<unsigned char>(a.front());
    const auto other = static_cast<unsigned char>(b.front());
    if (one != other) return one < other ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return compare(a.size(), b.size());
}

// kTitle: by names, which are made ready.
int compare_rows(const DocumentRow& a, const DocumentRow& b, DocumentColumn column) {
  switch (column) {
    case DocumentColumn::kTitle: return 0;
    case DocumentColumn::kFormat: return a.format.compare(b.format);
    case DocumentColumn::kSize: return compare(a.size_bytes, b.size_bytes);
    case DocumentColumn::kPassages: return compare(a.n_chunks, b.n_chunks);
    case DocumentColumn::kIndexed: return compare(a.indexed_ms, b.indexed_ms);
  }
  return 0;
}

bool shows(const DocumentRow& row, const std::string& filter) {
  if (filter.empty()) return true;
  return storage::sought_text(row.title).find(filter) != std::string::npos ||
         storage::sought_text(row.path).find(filter) != std::string::npos;
}

std::vector<std::string> sought_names(const DocumentTable& documents) {
  std::vector<std::string> names;
  names.reserve(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) names.push_back(storage::sought_text(documents[i].name()));
  return names;
}

}  // namespace

std::vector<uint32_t> ordered_rows(const DocumentTable& documents, const DocumentOrder& order) {
  const std::string filter = storage::sought_text(order.filter);
  std::vector<uint32_t> rows;
  rows.reserve(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) {
    if (shows(documents[i], filter)) rows.push_back(static_cast<uint32_t>(i));
  }
  const bool by_name = order.column == DocumentColumn::kTitle;
  const std::vector<std::string> names = by_name ? sought_names(documents) : std::vector<std::string>();
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    const DocumentRow one = documents[a];
    const DocumentRow other = documents[b];
    int result = by_name ? compare_names(names[a], names[b]) : compare_rows(one, other, order.column);
    if (order.descending) result = -result;
    return result != 0 ? result < 0 : one.path < other.path;
  });
  return rows;
}

}  // namespace mneme::ui

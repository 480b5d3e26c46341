#include "ui/view_model/document_table.h"

#include <algorithm>
#include <limits>

#include "ui/view_model/telling_apart.h"

namespace mneme::ui {
namespace {

template <typename Number = uint32_t>
Number clipped(uint64_t value) {
  return static_cast<Number>(std::min<uint64_t>(value, std::numeric_limits<Number>::max()));
}

}  // namespace

void DocumentTable::reserve(size_t rows, size_t text_bytes) {
  entries_.reserve(rows);
  text_.reserve(text_bytes);
}

void DocumentTable::add(const DocumentRow& row) {
  const auto known = std::find(formats_.begin(), formats_.end(), row.format);
  Entry entry;
  entry.id = row.id;
  entry.size_bytes = row.size_bytes;
  entry.indexed_ms = row.indexed_ms;
  entry.text_begin = text_.size();
  entry.path_bytes = clipped(row.path.size());
  entry.title_bytes = clipped(row.title.size());
  entry.n_chunks = clipped(static_cast<uint64_t>(std::max<int64_t>(row.n_chunks, 0)));
  entry.format = clipped<uint16_t>(static_cast<uint64_t>(known - formats_.begin()));
  if (known == formats_.end()) formats_.emplace_back(row.format);
  text_.append(row.path.substr(0, entry.path_bytes));
  text_.append(row.title.substr(0, entry.title_bytes));
  entries_.push_back(entry);
}

void DocumentTable::tell_apart() {
  std::vector<NamedDocument> documents;
  documents.reserve(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    const DocumentRow row = (*this)[i];
    documents.push_back({row.name(), row.path});
  }
  const std::vector<std::string_view> places = telling_paths(documents);
  for (size_t i = 0; i < entries_.size(); ++i) entries_[i].place_bytes = clipped<uint16_t>(places[i].size());
}

DocumentRow DocumentTable::operator[](size_t i) const {
  const Entry& entry = entries_[i];
  const std::string_view text(text_);
  DocumentRow row;
  row.id = entry.id;
  row.path = text.substr(entry.text_begin, entry.path_bytes);
  row.title = text.substr(entry.text_begin + entry.path_bytes, entry.title_bytes);
  row.format = formats_[entry.format];
  row.size_bytes = entry.size_bytes;
  row.n_chunks = entry.n_chunks;
  row.indexed_ms = entry.indexed_ms;
  row.place = row.path.substr(row.path.size() - entry.place_bytes);
  return row;
}

}  // namespace mneme::ui

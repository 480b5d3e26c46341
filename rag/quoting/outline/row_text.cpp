#include "rag/quoting/outline/row_text.h"

#include <algorithm>
#include <utility>

#include "rag/quoting/outline/plain_sentence.h"

namespace mneme::rag {

namespace {

std::vector<std::string_view> split_cells(std::string_view row) {
  std::vector<std::string_view> cells;
  const auto cut = [&](const auto& next) {
    for (size_t at = 0; at <= row.size();) {
      const auto [end, after] = next(at);
      cells.push_back(row.substr(at, end - at));
      at = after;
    }
  };
  if (row.find('|') != std::string_view::npos) {
    cut([&](size_t at) {
      size_t end = row.find('|', at);
      while (end != std::string_view::npos && end > 0 && row[end - 1] == '\\') end = row.find('|', end + 1);
      end = std::min(end, row.size());
      return std::pair{end, end + 1};
    });
  } else if (row.find("  ") != std::string_view::npos) {
    cut([&](size_t at) {
      const size_t end = std::min(row.find("  ", at), row.size());
      return std::pair{end, std::max(end + 1, std::min(row.find_first_not_of(' ', end), row.size() + 1))};
    });
  } else {
    const auto is_parted_by = [&](char c) { return std::count(row.begin(), row.end(), c) >= 2; };
    const char separator = is_parted_by(';') ? ';' : is_parted_by('\t') ? '\t' : ',';
    cut([&](size_t at) {
      bool quoted = false;
      size_t end = at;
      for (; end < row.size() && (quoted || row[end] != separator); ++end) quoted ^= row[end] == '"';
      return std::pair{end, end + 1};
    });
  }
  return cells;
}

// "Order: | 2024-12 | Cinema: | Downtown": "Order: 2024-12; Cinema: Downtown".
std::string labelled_values(const std::vector<std::string>& cells) {
  std::string plain;
  bool of_label = false;
  for (const std::string& cell : cells) {
    if (cell.empty()) continue;
    if (!plain.empty()) plain += of_label ? " " : "; ";
    plain += cell;
    of_label = cell.ends_with(':');
  }
  return plain;
}

}  // namespace

std::vector<std::string> row_cells(std::string_view row) {
  row.remove_prefix(std::min(row.find_first_not_of(" \t\r\n"), row.size()));
  if (row.starts_with('|')) row.remove_prefix(1);
  std::vector<std::string> cells;
  for (std::string_view cell : split_cells(row)) {
    std::string plain;
    for (const char c : plain_sentence(cell)) {
      if (c != '\\' && c != '"') plain.push_back(c);
    }
    cells.push_back(std::move(plain));
  }
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

bool labels_its_cells(const std::vector<std::string>& cells) {
  for (size_t i = 0; i + 1 < cells.size(); ++i) {
    if (cells[i].ends_with(':') && !cells[i + 1].empty() && !cells[i + 1].ends_with(':')) return true;
  }
  return false;
}

std::string plain_row(std::string_view row, std::string_view head) {
  return plain_row(row_cells(row), row_cells(head));
}

std::string plain_row(const std::vector<std::string>& cells, const std::vector<std::string>& names) {
  if (labels_its_cells(cells)) return labelled_values(cells);
  // Of two columns the first is the name of the second; so it is in a row of sums, which leaves the first columns out.
  if (cells.size() == 2 && !cells[0].empty()) return cells[0] + ": " + cells[1];
  const auto said = std::find_if(cells.begin(), cells.end(), [](const std::string& cell) { return !cell.empty(); });
  const auto n_said = std::count_if(cells.begin(), cells.end(), [](const std::string& cell) { return !cell.empty(); });
  if (said != cells.begin() && n_said == 2) return *said + ": " + cells.back();
  std::string plain;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const bool named = i < names.size() && !names[i].empty();
    if (!plain.empty()) plain += names.empty() ? " | " : "; ";
    plain += named ? names[i] + ": " + cells[i] : cells[i];
  }
  return plain;
}

}  // namespace mneme::rag

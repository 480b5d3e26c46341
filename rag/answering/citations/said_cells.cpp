#include "rag/answering/citations/said_cells.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::rag {
namespace {

constexpr size_t kMostPlaces = 64;  // of one cell

struct Cell {
  std::string text;  // folded
  bool names = false;
};

// Where the cell that begins at `at` ends: at what parts cells, of a table or of the line that quotes its row.
size_t cell_end(std::string_view line, size_t at) {
  for (; at < line.size(); ++at) {
    const char c = line[at];
    const bool names = c == ':' && (at + 1 == line.size() || is_space(line[at + 1]));
    if (c == '|' || c == '\t' || c == ';' || c == ',' || names || line.substr(at).starts_with("  ")) return at;
  }
  return at;
}

std::string folded_cell(std::string_view cell) {
  std::string folded;
  for (const char c : cell) {
    if (is_digit(c) || is_letter(c) || static_cast<unsigned char>(c) >= 0x80) folded += c;
  }
  return lower_ascii(folded);
}

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  for (size_t at = 0; at < line.size();) {
    const size_t end = cell_end(line, at);
    std::string text = folded_cell(line.substr(at, end - at));
    if (!text.empty()) cells.push_back({std::move(text), end < line.size() && line[end] == ':'});
    at = end + 1;
  }
  return cells;
}

}  // namespace

SaidCells::SaidCells(std::string_view said) {
  size_t n_lines = 0;
  for (size_t begin = 0; begin < said.size(); ++n_lines) {
    const size_t end = std::min(said.find('\n', begin), said.size());
    for (const Cell& cell : cells_of(said.substr(begin, end - begin))) {
      std::vector<Place>& places = places_[cell.text];
      if (places.empty() || places.back().line != n_lines) {
        if (places.size() == kMostPlaces) continue;
        places.push_back({n_lines, false});
      }
      places.back().is_value |= !cell.names;
    }
    begin = end + 1;
  }
}

size_t SaidCells::shared_with(std::string_view line) const {
  const std::vector<Cell> cells = cells_of(line);
  if (cells.size() < 2) return 0;
  std::vector<const std::vector<Place>*> found;
  for (const Cell& cell : cells) {
    const auto places = places_.find(cell.text);
    if (places == places_.end()) return 0;
    found.push_back(&places->second);
  }
  size_t most = 0;
  for (const Place& candidate : *found.front()) {
    size_t bytes = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
      const auto there = std::find_if(found[i]->begin(), found[i]->end(),
                                      [&](const Place& place) { return place.line == candidate.line; });
      if (there == found[i]->end()) {
        bytes = 0;
        break;
      }
      if (there->is_value) bytes += cells[i].text.size();
    }
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace mneme::rag

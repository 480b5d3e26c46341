#include "rag/readers/roff/tbl_rows.h"

#include <algorithm>
#include <utility>

namespace mneme::readers {
namespace {

// "tab(;)" among the options: what parts cells.
char separator_of(std::string_view options) {
  const size_t at = options.find("tab");
  const size_t open = at == std::string_view::npos ? at : options.find('(', at);
  return open != std::string_view::npos && open + 1 < options.size() ? options[open + 1] : '\t';
}

bool is_rule(std::string_view line) {
  return line == "_" || line == "=" || line == "\\_";
}

class TblReader {
 public:
  explicit TblReader(RoffLines& lines) : lines_(lines) {}

  template <typename Row>
  void run(const Row& row) {
    RoffLine line;
    bool is_first = true;
    while (lines_.next_raw(line) && !line.rest.starts_with(".TE")) {
      const std::string_view text = trim(line.rest);
      const bool is_options = is_first && text.ends_with(';');
      is_first = false;
      if (is_options) {
        separator_ = separator_of(text);
      } else if (text.starts_with(".T&")) {
        in_format_ = true;
      } else if (in_format_) {
        in_format_ = !text.ends_with('.');
      } else if (in_block_ || (!text.starts_with('.') && !is_rule(text))) {
        take(line.rest);
        if (!in_block_) row(line.number, std::exchange(cells_, {}));
      }
    }
  }

 private:
  // A line of data, or of a cell that goes over several: "T{" to "T}".
  void take(std::string_view line) {
    if (in_block_) {
      if (!line.starts_with("T}")) {
        if (line.starts_with('.')) return;
        std::string& cell = cells_.back();
        cell += (cell.empty() ? "" : " ") + lines_.text(line);
        return;
      }
      in_block_ = false;
      line.remove_prefix(2);
      if (line.empty()) return;
      line.remove_prefix(1);  // what parts it from the next cell
    }
    for (;;) {
      const size_t end = std::min(line.find(separator_), line.size());
      const std::string_view cell = line.substr(0, end);
      in_block_ = end == line.size() && trim(cell) == "T{";
      cells_.push_back(in_block_ || is_rule(cell) ? "" : lines_.text(cell));
      if (end == line.size()) return;
      line.remove_prefix(end + 1);
    }
  }

  RoffLines& lines_;
  char separator_ = '\t';
  bool in_format_ = true;
  bool in_block_ = false;
  std::vector<std::string> cells_;
};

}  // namespace

void take_tbl(RoffLines& lines, const std::function<void(int, const std::vector<std::string>&)>& row) {
  TblReader(lines).run(row);
}

}  // namespace mneme::readers

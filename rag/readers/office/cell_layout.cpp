#include "rag/readers/office/cell_layout.h"

#include <cstddef>
#include <string_view>

#include "rag/readers/office/word_text.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 32;  // where the text of a cell stands
constexpr size_t kManyParagraphs = 4;
constexpr size_t kMuchText = 500;  // bytes

struct Cell {
  size_t n_paragraphs = 0;  // with text
  size_t n_bytes = 0;
  bool has_table = false;

  bool is_empty() const { return n_bytes == 0 && !has_table; }
  // As much as matters.
  bool is_known() const { return has_table || (n_paragraphs >= kManyParagraphs && n_bytes >= kMuchText); }
};

// What a cell that reaches down from a row above says in this one.
constexpr Cell kLabel = {.n_paragraphs = 1, .n_bytes = 1};

// A cell alone, or one behind its label: what more cells say belongs together by its columns.
class Row {
 public:
  void add(const Cell& cell) {
    if (cell.is_empty()) return;
    ++n_filled_;
    has_table_ = has_table_ || cell.has_table;
    has_paragraphs_ = has_paragraphs_ || cell.n_paragraphs > 1;
    has_much_ = has_much_ || cell.is_known();
  }
  bool is_laid_out() const { return n_filled_ == 1 ? has_table_ || has_paragraphs_ : n_filled_ == 2 && has_much_; }

 private:
  int n_filled_ = 0;
  bool has_table_ = false;
  bool has_paragraphs_ = false;
  bool has_much_ = false;
};

void look_at_word(const pugi::xml_node& node, int depth_left, Cell& cell) {
  if (depth_left <= 0 || cell.is_known()) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (name == "t") {
      cell.n_bytes += std::string_view(child.child_value()).size();
    } else if (name == "tbl") {
      cell.has_table = true;
    } else if (name == "p") {
      const size_t before = cell.n_bytes;
      look_at_word(child, depth_left - 1, cell);
      cell.n_paragraphs += cell.n_bytes > before ? 1 : 0;
    } else if (!is_unseen_in_word(name) && name != "txbxContent" && name != "tcPr") {
      look_at_word(child, depth_left - 1, cell);
    }
  }
}

void look_at_odf(const pugi::xml_node& node, int depth_left, Cell& cell) {
  if (depth_left <= 0 || cell.is_known()) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      const std::string_view text = child.value();
      cell.n_bytes += text.find_first_not_of(" \t\r\n") == std::string_view::npos ? 0 : text.size();
    } else if (name == "table") {
      cell.has_table = true;
    } else if (name == "p" || name == "h") {
      const size_t before = cell.n_bytes;
      look_at_odf(child, depth_left - 1, cell);
      cell.n_paragraphs += cell.n_bytes > before ? 1 : 0;
    } else if (name != "annotation" && name != "note" && name != "frame" && name != "custom-shape") {
      look_at_odf(child, depth_left - 1, cell);
    }
  }
}

}  // namespace

bool is_laid_out_in_word(const pugi::xml_node& row) {
  Row all;
  for (const pugi::xml_node node : row.children()) {
    if (local_name(node) != "tc" && local_name(node) != "sdt") continue;
    Cell cell;
    look_at_word(node, kDeepest, cell);
    const pugi::xml_node merged = child_named(child_named(node, "tcPr"), "vMerge");
    if (merged && cell.is_empty() && attribute_named(merged, "val") != "restart") cell = kLabel;
    all.add(cell);
  }
  return all.is_laid_out();
}

bool is_laid_out_in_odf(const pugi::xml_node& row) {
  Row all;
  int covered_beside = 0;  // by the last cell
  for (const pugi::xml_node node : row.children()) {
    const std::string_view name = local_name(node);
    const int repeats = to_int(attribute_named(node, "number-columns-repeated"), 1);
    if (name == "covered-table-cell") {
      if (covered_beside <= 0) all.add(kLabel);
      covered_beside -= repeats;
    }
    if (name != "table-cell") continue;
    covered_beside = to_int(attribute_named(node, "number-columns-spanned"), 1) - 1;
    Cell cell;
    look_at_odf(node, kDeepest, cell);
    all.add(cell);
  }
  return all.is_laid_out();
}

}  // namespace mneme::readers

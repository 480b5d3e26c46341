// OpenDocument: text (odt), presentations (odp) and spreadsheets (ods).
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office_common.h"
#include "rag/readers/zip_package.h"

namespace mneme::readers {
namespace {

constexpr int kMostRepeats = 64;  // of equal cells; files repeat empty ones thousands of times

class OdfWalker {
 public:
  OdfWalker(ReadContext& context, DocumentBuilder& builder) : context_(context), builder_(builder) {}

  // breaking: names of the styles that begin a page.
  void count_pages(std::set<std::string, std::less<>> breaking) {
    breaking_ = std::move(breaking);
    page_ = 1;
    builder_.set_page(1);
  }

  void walk(const pugi::xml_node& node, int depth = 0, int list_depth = 0) {
    if (depth > context_.limits().structure_depth || builder_.full()) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (breaking_.contains(attribute_named(child, "style-name")) && !builder_.empty()) {
        next_page();
        builder_.set_page(page_);
      }
      if (name == "h") {
        builder_.heading(std::clamp(to_int(attribute_named(child, "outline-level"), 1), 1, 9), text_of(child));
        builder_.set_page(page_);
        add_notes();
      } else if (name == "p") {
        take_paragraph(child, list_depth);
      } else if (name == "list-item" || name == "list-header") {
        walk(child, depth + 1, list_depth + 1);
      } else if (name == "table") {
        take_table(child);
        add_notes();
      } else if (name == "soft-page-break") {
        next_page();
        builder_.set_page(page_);
      } else if (name != "tracked-changes" && name != "sequence-decls" && name != "forms" &&
                 name != "index-title-template") {
        walk(child, depth + 1, list_depth);
      }
    }
  }

  std::string text_of(const pugi::xml_node& node) {
    std::string text;
    collect(node, text, 0);
    return text;
  }

  void take_slide(const pugi::xml_node& slide, int number) {
    page_ = number;
    builder_.set_page(number);
    for (const pugi::xml_node frame : slide.children()) {
      const bool title = attribute_named(frame, "class") == "title";
      if (title) {
        builder_.heading(1, text_of(frame));
      } else {
        walk(frame);
      }
    }
  }

  void begin_table() { hanging_.clear(); }

  // One for each column, those at the end that are empty left out. What a cell over several rows says it says in each.
  std::vector<std::string> cells_of(const pugi::xml_node& row) {
    std::vector<std::string> cells;
    int pending = 0;  // empty cells that only count when something follows
    for (const pugi::xml_node cell : row.children()) {
      const bool covered = local_name(cell) == "covered-table-cell";
      if (!covered && local_name(cell) != "table-cell") continue;
      if (cells.size() > kMostColumns) break;
      const int repeats = std::clamp(to_int(attribute_named(cell, "number-columns-repeated"), 1), 1, kMostRepeats);
      const size_t column = cells.size() + static_cast<size_t>(pending);
      const std::string text = covered ? taken_from_above(column) : text_of(cell);
      if (!covered) hang(column, to_int(attribute_named(cell, "number-rows-spanned"), 1), text);
      if (trim(text).empty()) {
        pending = std::min(pending + repeats, kMostRepeats);
        continue;
      }
      cells.insert(cells.end(), static_cast<size_t>(std::exchange(pending, 0)), std::string());
      cells.insert(cells.end(), static_cast<size_t>(covered ? 1 : repeats), text);
    }
    return cells;
  }

 private:
  void take_paragraph(const pugi::xml_node& node, int list_depth) {
    const std::string text = text_of(node);
    if (list_depth > 0) {
      builder_.list_item(text, list_depth - 1);
    } else {
      builder_.paragraph(text);
    }
    builder_.set_page(page_);
    add_notes();
  }

  // Below the paragraph or table that calls them: within it they would part its sentences.
  void add_notes() {
    for (const std::string& note : std::exchange(notes_, {})) builder_.paragraph(note);
  }

  void take_table(const pugi::xml_node& table, int depth = 0) {
    if (depth > 8) return;
    if (depth == 0) begin_table();
    for (const pugi::xml_node child : table.children()) {
      const std::string_view name = local_name(child);
      if (name == "table-row") builder_.table_row(cells_of(child));
      if (name == "table-header-rows" || name == "table-rows" || name == "table-row-group")
        take_table(child, depth + 1);
    }
    builder_.set_page(page_);
  }

  void collect(const pugi::xml_node& node, std::string& text, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        text += child.value();
        continue;
      }
      const std::string_view name = local_name(child);
      if (name == "s" || name == "tab" || name == "line-break") {
        text += ' ';
      } else if (name == "soft-page-break") {
        next_page();
      } else if (name == "note") {
        std::string note;
        collect(child_named(child, "note-body"), note, depth + 1);
        notes_.push_back(std::move(note));
      } else if (name != "annotation" && name != "ruby-text") {
        if ((name == "p" || name == "h" || name == "list-item") && !text.empty()) text += ' ';
        collect(child, text, depth + 1);
      }
    }
  }

  // A cell that reaches into the rows below it.
  struct Hanging {
    int rows = 0;
    std::string text;
  };
  void hang(size_t column, int rows, const std::string& text) {
    if (column >= kMostColumns || (rows <= 1 && column >= hanging_.size())) return;
    if (hanging_.size() <= column) hanging_.resize(column + 1);
    hanging_[column] = {rows - 1, text.size() <= kLongestLabel ? text : std::string()};
  }
  std::string taken_from_above(size_t column) {
    if (column >= hanging_.size() || hanging_[column].rows <= 0) return {};
    --hanging_[column].rows;
    return hanging_[column].text;
  }

  void next_page() {
    if (page_ > 0) ++page_;
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
  int page_ = 0;
  std::set<std::string, std::less<>> breaking_;
  std::vector<std::string> notes_;  // met in what is being read
  std::vector<Hanging> hanging_;    // by column of the table that is being read
};

// The styles of paragraphs and tables that begin a page, as authors break them; those that text flows over are told by
// soft-page-break. A style that names a page's layout begins one, too.
void add_breaking_styles(const pugi::xml_node& styles, std::set<std::string, std::less<>>& breaking) {
  for (const pugi::xml_node style : styles.children()) {
    bool breaks = !attribute_named(style, "master-page-name").empty();
    for (const pugi::xml_node properties : style.children()) {
      breaks = breaks || attribute_named(properties, "break-before") == "page";
    }
    // Styles made for a paragraph stand behind those that they are based on.
    breaks = breaks || breaking.contains(attribute_named(style, "parent-style-name"));
    if (breaks) breaking.emplace(attribute_named(style, "name"));
  }
}

std::set<std::string, std::less<>> breaking_styles(ZipPackage& zip, const pugi::xml_node& content) {
  std::set<std::string, std::less<>> breaking;
  pugi::xml_document styles;
  if (zip.has("styles.xml") && zip.read_xml("styles.xml", styles).ok()) {
    add_breaking_styles(child_named(styles.document_element(), "styles"), breaking);
  }
  add_breaking_styles(child_named(content, "automatic-styles"), breaking);
  return breaking;
}

void take_meta(ZipPackage& zip, rag::Document& document) {
  pugi::xml_document meta;
  if (!zip.has("meta.xml") || !zip.read_xml("meta.xml", meta).ok()) return;
  for (const pugi::xml_node entry : child_named(meta.document_element(), "meta").children()) {
    std::string_view key = local_name(entry);
    if (key == "initial-creator" || key == "creator") key = "author";
    if (key == "creation-date") key = "date";
    take_metadata(document, key, clean_text(entry.child_value()));
  }
}

void add_tables(ReadContext& context, const pugi::xml_node& body, DocumentBuilder& builder) {
  OdfWalker walker(context, builder);
  int sheet_number = 0;
  for (const pugi::xml_node table : body.children()) {
    if (local_name(table) != "table") continue;
    ++sheet_number;
    std::vector<SheetRow> rows;
    int row_number = 1;
    walker.begin_table();
    const auto add_rows = [&](const pugi::xml_node& parent, const auto& self, int depth) -> void {
      for (const pugi::xml_node row : parent.children()) {
        const std::string_view name = local_name(row);
        if (name != "table-row") {
          if (depth < 8 && name.starts_with("table-") && name != "table-column") self(row, self, depth + 1);
          continue;
        }
        SheetRow entry{row_number, walker.cells_of(row)};
        const int repeats = std::clamp(to_int(attribute_named(row, "number-rows-repeated"), 1), 1, 1 << 20);
        row_number += std::min(repeats, (1 << 24) - row_number);
        if (!entry.cells.empty()) rows.push_back(std::move(entry));
      }
    };
    add_rows(table, add_rows, 0);
    if (!rows.empty()) add_sheet(attribute_named(table, "name"), sheet_number, rows, builder);
  }
}

}  // namespace

Status read_opendocument(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  if (const auto manifest = zip.read("META-INF/manifest.xml");
      manifest.ok() && manifest->find("encryption-data") != std::string::npos) {
    return unsupported(printable(zip.name()) + " is encrypted; save it without a password to index it.");
  }
  rag::Document document;
  document.format = extension(zip.name());
  if (document.format != "odp" && document.format != "ods") document.format = "odt";
  take_meta(zip, document);
  pugi::xml_document content;
  MNEME_RETURN_IF_ERROR(zip.read_xml("content.xml", content));
  const pugi::xml_node body = child_named(content.document_element(), "body");
  DocumentBuilder builder(document, context.limits().text_bytes);
  if (const pugi::xml_node sheets = child_named(body, "spreadsheet")) {
    add_tables(context, sheets, builder);
  } else if (const pugi::xml_node slides = child_named(body, "presentation")) {
    OdfWalker walker(context, builder);
    int number = 0;
    for (const pugi::xml_node slide : slides.children()) {
      if (local_name(slide) == "page") walker.take_slide(slide, ++number);
    }
  } else {
    OdfWalker walker(context, builder);
    const pugi::xml_node text = child_named(body, "text");
    const bool laid_out = attribute_named(text, "use-soft-page-breaks") == "true";
    if (laid_out || content.select_node("//text:soft-page-break")) {
      walker.count_pages(breaking_styles(zip, content.document_element()));
    }
    walker.walk(body);
  }
  if (builder.empty()) return unsupported(printable(zip.name()) + " holds no text.");
  title_from_heading(document);
  return context.emit(zip.name(), std::move(document));
}

}  // namespace mneme::readers

// OpenDocument: text (odt), presentations (odp) and spreadsheets (ods). Hidden sheets are read, too, and say in their
// headings that they are hidden.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office/odf_running_texts.h"
#include "rag/readers/office/odf_walker.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {
namespace {

using Names = std::set<std::string, std::less<>>;

// The styles of paragraphs and tables that begin a page, as authors break them; those that text flows over are told by
// soft-page-break. A style that names a page's layout begins one, too.
void add_breaking_styles(const pugi::xml_node& styles, Names& breaking) {
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

Names breaking_styles(const pugi::xml_document& styles, const pugi::xml_node& content) {
  Names breaking;
  add_breaking_styles(child_named(styles.document_element(), "styles"), breaking);
  add_breaking_styles(child_named(content, "automatic-styles"), breaking);
  return breaking;
}

Status take_meta(SideParts& parts, rag::Document& document) {
  pugi::xml_document meta;
  MNEME_RETURN_IF_ERROR(parts.read_if_there("meta.xml", "its properties (title, author, date)", meta));
  for (const pugi::xml_node entry : child_named(meta.document_element(), "meta").children()) {
    std::string_view key = local_name(entry);
    if (key == "initial-creator" || key == "creator") key = "author";
    if (key == "creation-date") key = "date";
    take_metadata(document, key, clean_text(entry.child_value()));
  }
  return {};
}

Names hidden_sheet_styles(const pugi::xml_node& content) {
  Names hidden;
  for (const pugi::xml_node style : child_named(content, "automatic-styles").children()) {
    const pugi::xml_node properties = child_named(style, "table-properties");
    if (attribute_named(properties, "display") == "false") hidden.emplace(attribute_named(style, "name"));
  }
  return hidden;
}

// A sheet's rows, and what is said on them.
class SheetRows {
 public:
  explicit SheetRows(OdfWalker& walker) : walker_(walker) { walker_.begin_table(); }

  void read(const pugi::xml_node& parent, int depth = 0) {
    for (const pugi::xml_node row : parent.children()) {
      const std::string_view name = local_name(row);
      if (name == "table-row") {
        take_row(row);
      } else if (depth < 8 && name.starts_with("table-") && name != "table-column") {
        read(row, depth + 1);
      }
    }
  }

  const std::vector<SheetRow>& rows() const { return rows_; }
  bool empty() const { return rows_.empty() && comments_.empty(); }

  void add_comments(DocumentBuilder& builder) const {
    for (const auto& [number, line] : comments_) {
      builder.set_lines(number, number);
      builder.paragraph(line);
    }
    builder.set_lines(0, 0);
  }

 private:
  void take_row(const pugi::xml_node& row) {
    SheetRow entry{next_, walker_.cells_of(row)};
    const std::string says = joined_cells(entry.cells);
    std::string where = "row " + std::to_string(next_);
    if (!says.empty() && says.size() <= kLongestLabel) where += " (" + says + ")";
    for (const OdfNote& note : walker_.take_notes()) {
      comments_.emplace_back(next_, comment_line(note.author, where, note.text));
    }
    const int repeats = std::clamp(to_int(attribute_named(row, "number-rows-repeated"), 1), 1, 1 << 20);
    next_ += std::min(repeats, (1 << 24) - next_);
    if (!entry.cells.empty()) rows_.push_back(std::move(entry));
  }

  OdfWalker& walker_;
  std::vector<SheetRow> rows_;
  std::vector<std::pair<int, std::string>> comments_;  // by the number of the row
  int next_ = 1;
};

void add_tables(OdfWalker& walker, const pugi::xml_node& content, const pugi::xml_node& body,
                DocumentBuilder& builder) {
  const Names hidden = hidden_sheet_styles(content);
  int sheet_number = 0;
  for (const pugi::xml_node table : body.children()) {
    if (local_name(table) != "table") continue;
    ++sheet_number;
    SheetRows sheet(walker);
    sheet.read(table);
    std::string name(attribute_named(table, "name"));
    if (hidden.contains(attribute_named(table, "style-name"))) name += " (hidden sheet)";
    builder.set_page(sheet_number);
    if (!sheet.empty()) add_sheet(name, sheet_number, sheet.rows(), builder);
    sheet.add_comments(builder);
    walker.walk(child_named(table, "shapes"));
    walker.add_boxes(0);
  }
}

void add_slides(OdfWalker& walker, const pugi::xml_node& slides) {
  int number = 0;
  for (const pugi::xml_node slide : slides.children()) {
    if (local_name(slide) == "page") walker.take_slide(slide, ++number);
  }
}

void add_text(OdfWalker& walker, const pugi::xml_document& styles, const pugi::xml_document& content,
              const pugi::xml_node& body) {
  const bool laid_out = attribute_named(child_named(body, "text"), "use-soft-page-breaks") == "true";
  if (laid_out || content.select_node("//text:soft-page-break")) {
    walker.count_pages(breaking_styles(styles, content.document_element()));
  }
  walker.walk(body);
}

// The body, by what it is of.
Status add_body(ReadContext& context, SideParts& parts, const pugi::xml_document& styles,
                const pugi::xml_document& content, DocumentBuilder& builder) {
  const pugi::xml_node body = child_named(content.document_element(), "body");
  const pugi::xml_node sheets = child_named(body, "spreadsheet");
  OdfWalker::Styles shown;
  shown.numbering.read(styles.document_element(), content.document_element());
  shown.shifted.read(styles.document_element());
  shown.shifted.read(content.document_element());
  OdfWalker walker(context, parts, builder, std::move(shown), sheets ? ChartNumbers::kLeftOut : ChartNumbers::kAsTable);
  if (sheets) {
    add_tables(walker, content.document_element(), sheets, builder);
  } else if (const pugi::xml_node slides = child_named(body, "presentation")) {
    add_slides(walker, slides);
  } else {
    add_text(walker, styles, content, body);
  }
  return walker.status();
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
  if (document.format.starts_with('f')) document.format.erase(0, 1);  // all of it in one file
  if (document.format != "odp" && document.format != "ods") document.format = "odt";
  SideParts parts(context, zip, document);
  pugi::xml_document content;
  MNEME_RETURN_IF_ERROR(zip.read_xml("content.xml", content));
  MNEME_RETURN_IF_ERROR(take_meta(parts, document));
  pugi::xml_document styles;
  MNEME_RETURN_IF_ERROR(parts.read_if_there("styles.xml", "the styles (where pages begin, headers, footers)", styles));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(add_body(context, parts, styles, content, builder));
  title_from_heading(document);
  RunningTexts running;
  take_odf_running_texts(styles, content, running);
  running.write(builder);
  if (builder.empty()) return parts.nothing_there();
  parts.finish();
  return context.emit(zip.name(), std::move(document));
}

}  // namespace mneme::readers

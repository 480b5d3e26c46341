// Excel (xlsx): sheets as rows of cells, dates as dates, the row of names kept with every chunk; comments, text boxes
// and names below the sheet they belong to. Hidden sheets are read, too, and say in their headings that they are
// hidden.
#include <string>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/office/defined_names.h"
#include "rag/readers/office/embedded_files.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/xlsx_cells.h"
#include "rag/readers/office/xlsx_comments.h"
#include "rag/readers/office/xlsx_sheet_parts.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {
namespace {

std::string part_of_kind(const PartLinks& links, std::string_view kind, const std::string& usual) {
  const std::string named = links.target_by_kind(kind);
  return named.empty() ? usual : named;
}

DefinedNames names_of(const pugi::xml_document& workbook) {
  DefinedNames names;
  for (const pugi::xml_node node : child_named(workbook.document_element(), "definedNames").children()) {
    const std::string_view hidden = attribute_named(node, "hidden");
    names.add(std::string(attribute_named(node, "name")), node.child_value(), hidden == "1" || hidden == "true");
  }
  return names;
}

// A text that no cell shows counts as well, and each has an overhead.
constexpr uint64_t kStringsPerText = 4;

class WorkbookReader {
 public:
  WorkbookReader(ReadContext& context, SideParts& parts, std::string name, DocumentBuilder& builder)
      : context_(context),
        parts_(parts),
        name_(std::move(name)),
        builder_(builder),
        strings_(kStringsPerText * context.limits().text_bytes) {}

  Status read(const pugi::xml_document& workbook, const std::string& main) {
    MNEME_RETURN_IF_ERROR(parts_.links_of(main, links_));
    MNEME_RETURN_IF_ERROR(read_shared_parts(workbook, member_folder(main)));
    const DefinedNames names = names_of(workbook);
    SheetReader cells(strings_.all(), styles_, context_.limits().text_bytes);
    int number = 0;
    for (const pugi::xml_node sheet : child_named(workbook.document_element(), "sheets").children()) {
      if (local_name(sheet) != "sheet") continue;
      ++number;
      std::string part = links_.target_by_id(attribute_named(sheet, "id"));
      // Where the links are lost, sheets mostly stand in the order of their numbers.
      if (part.empty()) part = member_folder(main) + "worksheets/sheet" + std::to_string(number) + ".xml";
      MNEME_RETURN_IF_ERROR(add_sheet_of(sheet, part, number, names, cells));
      MNEME_RETURN_IF_ERROR(context_.check(name_));
    }
    names.add_others(builder_);
    running_.write(builder_);
    note_what_is_missing(cells);
    return {};
  }

 private:
  void note_what_is_missing(const SheetReader& cells) {
    if (cells.is_full()) {
      parts_.note(cells.note_of_left_out());
    }
    if (strings_.is_full()) {
      parts_.note("of the texts of cells those beyond " +
                  std::to_string(kStringsPerText * context_.limits().text_bytes >> 20) + " MiB were left out");
    }
    if (cells.lost_strings() > 0 && !strings_.is_full()) {
      parts_.note(std::to_string(cells.lost_strings()) + " cells refer to texts that the file does not hold");
    }
    if (cells.without_results() > 0) {
      parts_.note(std::to_string(cells.without_results()) +
                  " cells hold formulas without results: open the file in a spreadsheet program and save it to have "
                  "them");
    }
  }

  // What all sheets refer to.
  Status read_shared_parts(const pugi::xml_document& workbook, const std::string& folder) {
    pugi::xml_document part;
    const std::string strings = part_of_kind(links_, "sharedStrings", folder + "sharedStrings.xml");
    if (parts_.has(strings)) {
      const auto take = [&](const pugi::xml_node& list) { strings_.add(list); };
      MNEME_RETURN_IF_ERROR(parts_.read_items(strings, "the texts of cells", {"sst", "si"}, take, part));
    }
    const std::string styles = part_of_kind(links_, "styles", folder + "styles.xml");
    MNEME_RETURN_IF_ERROR(parts_.read_if_there(styles, "the styles (what is a date)", part));
    styles_.formats = number_formats(part);
    const std::string_view from_1904 =
        attribute_named(child_named(workbook.document_element(), "workbookPr"), "date1904");
    if (from_1904 == "1" || from_1904 == "true") styles_.first_day = kDaysTo1904;
    return comments_.read_persons(parts_, links_);
  }

  Status add_sheet_of(const pugi::xml_node& sheet, const std::string& part, int number, const DefinedNames& names,
                      SheetReader& cells) {
    const std::string_view name = attribute_named(sheet, "name");
    const std::string label = "the sheet " + clean_text(name);
    pugi::xml_document tree;
    std::vector<SheetRow> rows;
    cells.begin_sheet();
    const auto take = [&](const pugi::xml_node& data) { cells.add_rows(data, rows); };
    MNEME_RETURN_IF_ERROR(parts_.read_items(part, label, {"sheetData", "row"}, take, tree));
    repeat_merged_cells(tree, rows);
    if (cells.is_full() && cells.is_inflated()) return too_much_text(name_, context_.limits());
    take_printed_texts(tree, running_);
    SheetParts beside(parts_, context_.limits().structure_depth);
    MNEME_RETURN_IF_ERROR(beside.read(part, label, comments_));
    if (rows.empty() && beside.empty()) return {};
    const std::string_view state = attribute_named(sheet, "state");
    const bool hidden = state == "hidden" || state == "veryHidden";
    add_sheet(hidden ? std::string(name) + " (hidden sheet)" : std::string(name), number, rows, builder_);
    MNEME_RETURN_IF_ERROR(beside.write(rows, builder_));
    names.add_of_sheet(name, rows, builder_);
    return {};
  }

  ReadContext& context_;
  SideParts& parts_;
  const std::string name_;  // of the file, for messages
  DocumentBuilder& builder_;
  PartLinks links_;  // of the workbook
  SharedStrings strings_;
  CellStyles styles_;
  XlsxComments comments_;
  RunningTexts running_;
};

}  // namespace

Status read_xlsx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "xlsx";
  SideParts parts(context, zip, document);
  pugi::xml_document workbook;
  const std::string main = main_part(zip, "xl/workbook.xml");
  MNEME_RETURN_IF_ERROR(zip.read_xml(main, workbook));
  MNEME_RETURN_IF_ERROR(take_core_properties(parts, document));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(WorkbookReader(context, parts, zip.name(), builder).read(workbook, main));
  if (builder.empty()) return parts.nothing_there();
  parts.finish();
  MNEME_RETURN_IF_ERROR(context.emit(zip.name(), std::move(document)));
  return read_embedded_files(context, zip);
}

}  // namespace mneme::readers

// OpenDocument: text (odt), presentations (odp) and spreadsheets (ods). Hidden sheets are read, too, and say in their
// headings that they are hidden.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office/embedded_files.h"
#include "rag/readers/office/odf_running_texts.h"
#include "rag/readers/office/odf_sheet_pieces.h"
#include "rag/readers/office/odf_sheets.h"
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

OdfWalker::Styles styles_of(const pugi::xml_document& styles, const pugi::xml_node& content) {
  OdfWalker::Styles shown;
  shown.numbering.read(styles.document_element(), content);
  shown.shifted.read(styles.document_element());
  shown.shifted.read(content);
  return shown;
}

// The body, by what it is of.
Status add_body(ReadContext& context, SideParts& parts, const pugi::xml_document& styles,
                const pugi::xml_document& content, DocumentBuilder& builder) {
  const pugi::xml_node root = content.document_element();
  const pugi::xml_node body = child_named(root, "body");
  const pugi::xml_node tables = child_named(body, "spreadsheet");
  const ChartNumbers numbers = tables ? ChartNumbers::kLeftOut : ChartNumbers::kAsTable;
  OdfWalker walker(context, parts, builder, styles_of(styles, root), numbers);
  if (tables) {
    OdfSheets sheets(walker, builder, root, context.limits().text_bytes);
    for (const pugi::xml_node table : tables.children()) {
      if (local_name(table) == "table") sheets.add(table, true);
    }
  } else if (const pugi::xml_node slides = child_named(body, "presentation")) {
    add_slides(walker, slides);
  } else {
    add_text(walker, styles, content, body);
  }
  return walker.status();
}

// A spreadsheet that would take several times its size as one tree.
class LargeSpreadsheet {
 public:
  LargeSpreadsheet(ReadContext& context, SideParts& parts, const pugi::xml_document& styles, DocumentBuilder& builder)
      : context_(context), parts_(parts), styles_(styles), builder_(builder) {}

  Status read(ZipPackage& zip, const std::string& member) {
    OdfSheetPieces pieces([&](std::unique_ptr<pugi::xml_document> piece, bool is_last) {
      if (!walker_) begin(pieces_->head());
      return taken_ = take(std::move(piece), is_last);
    });
    pieces_ = &pieces;
    MNEME_RETURN_IF_ERROR(zip.unpack(member, [&](std::string_view bytes) {
      const Status added = pieces.add(bytes);
      return added.ok() || !taken_.ok() ? added : told(added, zip.name(), member);
    }));
    const Status finished = pieces.finish();
    return finished.ok() ? finished : told(finished, zip.name(), member);
  }

 private:
  // head: what stands before the first table, which a parser finds to break off.
  void begin(const std::string& head) {
    content_.load_buffer(head.data(), head.size());
    const pugi::xml_node root = content_.document_element();
    walker_.emplace(context_, parts_, builder_, styles_of(styles_, root), ChartNumbers::kLeftOut);
    sheets_.emplace(*walker_, builder_, root, context_.limits().text_bytes);
  }

  static Status told(const Status& wrong, const std::string& name, const std::string& member) {
    if (wrong.code() == StatusCode::kResource) {
      return resource_error(printable(name) + " holds a part of " + wrong.message() + ".");
    }
    return corruption(printable(name) + " is damaged: " + printable(member) + " is " + wrong.message() + ".");
  }

  Status take(std::unique_ptr<pugi::xml_document> piece, bool is_last) {
    sheets_->add(piece->document_element(), is_last);
    if (!is_last && sheets_->holds_nodes()) kept_.push_back(std::move(piece));
    if (is_last) kept_.clear();
    return walker_->status();
  }

  ReadContext& context_;
  SideParts& parts_;
  const pugi::xml_document& styles_;
  DocumentBuilder& builder_;
  const OdfSheetPieces* pieces_ = nullptr;
  Status taken_;  // of the last piece
  pugi::xml_document content_;
  std::vector<std::unique_ptr<pugi::xml_document>> kept_;  // of the sheet that is being read
  std::optional<OdfWalker> walker_;
  std::optional<OdfSheets> sheets_;
};

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
  if (document.format.starts_with('f')) document.format.erase(0, 1);          // all of it in one file
  if (document.format.starts_with("ot")) document.format.replace(1, 1, "d");  // a template
  if (document.format != "odp" && document.format != "ods") document.format = "odt";
  SideParts parts(context, zip, document);
  constexpr uint64_t kLarge = uint64_t{16} << 20;  // of XML
  const bool is_large = document.format == "ods" && zip.claimed_size("content.xml") > kLarge;
  pugi::xml_document content;
  if (!is_large) MNEME_RETURN_IF_ERROR(zip.read_xml("content.xml", content));
  MNEME_RETURN_IF_ERROR(take_meta(parts, document));
  pugi::xml_document styles;
  MNEME_RETURN_IF_ERROR(parts.read_if_there("styles.xml", "the styles (where pages begin, headers, footers)", styles));
  DocumentBuilder builder(document, context.limits().text_bytes);
  const Status read = is_large ? LargeSpreadsheet(context, parts, styles, builder).read(zip, "content.xml")
                               : add_body(context, parts, styles, content, builder);
  MNEME_RETURN_IF_ERROR(read);
  title_from_heading(document);
  RunningTexts running;
  take_odf_running_texts(styles, content, running);
  running.write(builder);
  if (builder.empty()) return parts.nothing_there();
  parts.finish();
  MNEME_RETURN_IF_ERROR(context.emit(zip.name(), std::move(document)));
  return read_embedded_files(context, zip);
}

}  // namespace mneme::readers

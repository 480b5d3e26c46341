// Documents of Pages, Numbers and Keynote. Of those since 2013 the texts are read (iwa_archive.h): paragraphs, boxes,
// notes, texts of cells, in the order in which they are kept. Of those of 2009 the PDF that is in them for a preview,
// which has all pages, or their XML.
#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/apple/apple_readers.h"
#include "rag/readers/apple/iwa_archive.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/zip_package.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kPreview = "QuickLook/Preview.pdf";

class IworkReader {
 public:
  IworkReader(ReadContext& context, ZipPackage& zip)
      : context_(context), zip_(zip), builder_(document_, context.limits().text_bytes) {
    document_.format = "iwork";
  }

  Status read() {
    const std::vector<std::string> members = zip_.members();
    for (const std::string& member : members) {
      if (!is_text(member)) continue;
      auto packed = zip_.read(member);
      if (!packed.ok() && context_.must_stop()) return packed.status();
      if (packed.ok()) MNEME_RETURN_IF_ERROR(add_archive(*packed));
    }
    if (builder_.empty() && find_end(members, "index.xml").empty() && find_end(members, kPreview).empty()) {
      return unsupported(
          printable(zip_.name()) +
          " is a document of Pages, Numbers or Keynote without text that can be read; export it as PDF.");
    }
    if (builder_.empty()) return read_old(members);
    if (n_damaged_ > 0) document_.notes.emplace_back("parts of the document are damaged and were left out");
    return context_.emit(zip_.name(), std::move(document_));
  }

 private:
  // What is laid out before somebody writes ("Title Text") is none of the document's.
  static bool is_text(const std::string& member) {
    return member.ends_with(".iwa") && member.find("Master") == member.npos && member.find("Template") == member.npos &&
           member.find("Stylesheet") == member.npos && member.find("Theme") == member.npos;
  }

  static std::string find_end(const std::vector<std::string>& members, std::string_view end) {
    for (const std::string& member : members) {
      if (member.ends_with(end)) return member;
    }
    return {};
  }

  Status add_archive(const std::string& packed) {
    const std::string archive = unpacked_iwa(packed, std::min(context_.unpacked_left(), context_.limits().file_bytes));
    MNEME_RETURN_IF_ERROR(context_.charge_unpacked(zip_.name(), archive.size()));
    if (archive.empty() && !packed.empty()) ++n_damaged_;
    each_iwa_message(archive, [&](uint64_t type, std::string_view message) {
      constexpr uint64_t kText = 2001;
      constexpr uint64_t kTextToo = 2005;
      constexpr uint64_t kCellTexts = 6005;
      if (type == kText || type == kTextToo) add_text(message);
      if (type == kCellTexts) add_cell_texts(message);
    });
    return context_.check(zip_.name());
  }

  // Paragraphs end with a line; what is set into the text stands as one character.
  void add_text(std::string_view message) {
    constexpr uint32_t kTexts = 3;
    each_field(message, [&](const ProtoField& field) {
      if (field.number != kTexts) return;
      for (size_t at = 0; at < field.bytes.size();) {
        const size_t end = std::min(field.bytes.find_first_of("\n\x04\x05", at), field.bytes.size());
        builder_.paragraph(without_marks(field.bytes.substr(at, end - at)));
        at = end + 1;
      }
    });
  }

  static std::string without_marks(std::string_view text) {
    constexpr std::string_view kObject = "\xef\xbf\xbc";
    std::string clean(text);
    for (size_t at = clean.find(kObject); at != clean.npos; at = clean.find(kObject, at)) {
      clean.replace(at, kObject.size(), " ");
    }
    return clean;
  }

  // A table keeps each of its texts once, by number; which cells have it stands elsewhere.
  void add_cell_texts(std::string_view message) {
    constexpr uint32_t kEntries = 3;
    constexpr uint32_t kText = 3;
    constexpr uint32_t kKind = 1;
    constexpr uint64_t kKindOfTexts = 1;
    uint64_t kind = 0;
    std::vector<std::string> texts;
    each_field(message, [&](const ProtoField& field) {
      if (field.number == kKind) kind = field.value;
      if (field.number != kEntries) return;
      each_field(field.bytes, [&](const ProtoField& part) {
        if (part.number == kText && !part.bytes.empty()) texts.emplace_back(part.bytes);
      });
    });
    if (kind != kKindOfTexts) return;
    for (const std::string& text : texts) builder_.list_item(text);
    if (!texts.empty() && !told_of_cells_) {
      document_.notes.emplace_back("of tables only the texts were read, without their rows and numbers");
      told_of_cells_ = true;
    }
  }

  Status read_old(const std::vector<std::string>& members) {
    if (const std::string preview = find_end(members, kPreview); !preview.empty()) {
      MNEME_ASSIGN_OR_RETURN(std::string bytes, zip_.read(preview));
      return read_pdf(context_, Input{.name = zip_.name(), .bytes = std::move(bytes)});
    }
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(zip_.read_xml(find_end(members, "index.xml"), tree));
    add_paragraphs(tree.document_element(), 0);
    if (builder_.empty()) return unsupported(printable(zip_.name()) + " is a document of Pages without text.");
    return context_.emit(zip_.name(), std::move(document_));
  }

  void add_paragraphs(const pugi::xml_node& node, int depth) {
    if (depth > context_.limits().structure_depth || builder_.full()) return;
    for (const pugi::xml_node child : node.children()) {
      if (local_name(child) == "p") {
        std::string text;
        collect(child, text, depth);
        builder_.paragraph(text);
      } else if (local_name(child) != "stylesheet") {
        add_paragraphs(child, depth + 1);
      }
    }
  }

  void collect(const pugi::xml_node& node, std::string& text, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      text += child.value();
      if (local_name(child) == "tab") text += ' ';
      if (local_name(child) == "br" || local_name(child) == "lnbr") text += kLineBreak;
      collect(child, text, depth + 1);
    }
  }

  ReadContext& context_;
  ZipPackage& zip_;
  rag::Document document_;
  DocumentBuilder builder_;
  size_t n_damaged_ = 0;
  bool told_of_cells_ = false;
};

}  // namespace

bool looks_like_iwork(std::string_view beginning) {
  constexpr size_t kFirstName = 30;
  return beginning.starts_with("PK") && bytes_at(beginning, kFirstName, 6) == "Index/" &&
         beginning.substr(0, 4096).find(".iwa") != beginning.npos;
}

Status read_iwork(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  if ((*package)->has(".iwph") || (*package)->has(".iwpv2")) {
    return unsupported(printable((*package)->name()) + " is encrypted; save it without a password to index it.");
  }
  return IworkReader(context, **package).read();
}

}  // namespace mneme::readers

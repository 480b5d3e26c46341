// E-books (epub): the chapters of the spine in their order, as one document.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

std::string decode_percent(std::string_view url) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  std::string text;
  for (size_t i = 0; i < url.size(); ++i) {
    if (url[i] == '%' && i + 2 < url.size() && digit(url[i + 1]) >= 0 && digit(url[i + 2]) >= 0) {
      text.push_back(static_cast<char>(digit(url[i + 1]) * 16 + digit(url[i + 2])));
      i += 2;
    } else {
      text.push_back(url[i]);
    }
  }
  return text;
}

// Path of the package document that META-INF/container.xml names, else of the first one there is; "" when there is
// none.
Status find_package(ZipPackage& zip, SideParts& parts, std::string& path) {
  pugi::xml_document container;
  MNEME_RETURN_IF_ERROR(parts.read("META-INF/container.xml", "where the book's contents are", container));
  const pugi::xml_node files = child_named(container.document_element(), "rootfiles");
  path = attribute_named(child_named(files, "rootfile"), "full-path");
  if (zip.has(path)) return {};
  const std::vector<std::string> members = zip.members();
  const auto named = [](const std::string& member) { return member.ends_with(".opf"); };
  const auto found = std::find_if(members.begin(), members.end(), named);
  if (found != members.end()) path = *found;
  return {};
}

struct Chapter {
  std::string path;
  bool navigation = false;
};

std::vector<Chapter> chapters_of(const pugi::xml_node& package, const std::string& folder) {
  std::map<std::string, Chapter> items;
  for (const pugi::xml_node item : child_named(package, "manifest").children()) {
    const std::string_view type = attribute_named(item, "media-type");
    if (type != "application/xhtml+xml" && type != "text/html") continue;
    Chapter chapter;
    chapter.path = resolve_member(folder, decode_percent(attribute_named(item, "href")));
    chapter.navigation = attribute_named(item, "properties").find("nav") != std::string_view::npos;
    items[std::string(attribute_named(item, "id"))] = std::move(chapter);
  }
  std::vector<Chapter> chapters;
  for (const pugi::xml_node reference : child_named(package, "spine").children()) {
    const auto item = items.find(std::string(attribute_named(reference, "idref")));
    if (item != items.end() && !item->second.navigation) chapters.push_back(item->second);
  }
  return chapters;
}

// What the contents of the book (toc.ncx, since EPUB 3 a page) call each of its files, by path: the first entry that
// leads to the file as a whole.
using ChapterNames = std::map<std::string, std::string>;

void take_name(const std::string& folder, std::string_view target, std::string_view name, ChapterNames& names) {
  const size_t place = target.find('#');
  const std::string clean = clean_text(name);
  if (clean.empty()) return;
  names.try_emplace(resolve_member(folder, decode_percent(target.substr(0, place))), clean);
}

std::string text_of(const pugi::xml_node& node, int depth_left) {
  std::string text = node.value();
  for (const pugi::xml_node child : node.children())
    if (depth_left > 0) text += text_of(child, depth_left - 1);
  return text;
}

// navPoint and a: the elements of either kind of contents that lead somewhere.
void take_names(const pugi::xml_node& node, const std::string& folder, int depth_left, ChapterNames& names) {
  constexpr int kDeepestLabel = 20;
  if (depth_left <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (name == "navPoint") {
      const pugi::xml_node label = child_named(child, "navLabel");
      take_name(folder, attribute_named(child_named(child, "content"), "src"), text_of(label, kDeepestLabel), names);
    } else if (name == "a") {
      take_name(folder, attribute_named(child, "href"), text_of(child, kDeepestLabel), names);
    }
    const bool other_list = name == "nav" && attribute_named(child, "type") != "toc";  // of pages, of landmarks
    if (!other_list) take_names(child, folder, depth_left - 1, names);
  }
}

Status read_names(SideParts& parts, const pugi::xml_node& package, const std::string& folder, ChapterNames& names) {
  constexpr int kDeepestContents = 200;
  for (const pugi::xml_node item : child_named(package, "manifest").children()) {
    const bool is_page = attribute_named(item, "properties").find("nav") != std::string_view::npos;
    if (!is_page && attribute_named(item, "media-type") != "application/x-dtbncx+xml") continue;
    const std::string path = resolve_member(folder, decode_percent(attribute_named(item, "href")));
    pugi::xml_document contents;
    MNEME_RETURN_IF_ERROR(parts.read_if_there(path, "the book's contents", contents));
    take_names(contents, member_folder(path), kDeepestContents, names);
  }
  return {};
}

// Whether a page has headings of its own.
bool has_headings(std::string_view html) {
  for (size_t at = html.find("<h"); at != std::string_view::npos; at = html.find("<h", at + 1))
    if (at + 2 < html.size() && html[at + 2] >= '1' && html[at + 2] <= '6') return true;
  return html.find("<H") != std::string_view::npos;
}

void take_package_metadata(const pugi::xml_node& package, rag::Document& document) {
  for (const pugi::xml_node entry : child_named(package, "metadata").children()) {
    std::string_view key = local_name(entry);
    if (key == "creator") key = "author";
    take_metadata(document, key, clean_text(entry.child_value()));
  }
}

// Writes the chapters; those that cannot be read get a note.
Status add_chapters(ReadContext& context, const std::string& name, SideParts& parts,
                    const std::vector<Chapter>& chapters, const ChapterNames& names, DocumentBuilder& builder) {
  HtmlOptions options{.keep_lines = false, .only_main_text = false, .take_metadata = false};
  for (size_t i = 0; i < chapters.size(); ++i) {
    const std::string label = "chapter " + std::to_string(i + 1);
    std::string html;
    MNEME_RETURN_IF_ERROR(parts.read_text(chapters[i].path, label, html));
    if (html.empty()) continue;
    const std::string declared = declared_encoding(html);
    const auto named = names.find(chapters[i].path);
    options.heading = named == names.end() || has_headings(html) ? std::string() : named->second;
    const auto text = decode_text(std::move(html), declared);
    if (text.ok()) {
      MNEME_RETURN_IF_ERROR(add_html(context, name, text->text, options, builder));
    } else {
      parts.note(label + " could not be read: " + printable(chapters[i].path) + " is no text");
    }
  }
  return {};
}

}  // namespace

Status read_epub(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  if (zip.has("META-INF/encryption.xml") && zip.has("META-INF/rights.xml")) {
    return unsupported(printable(zip.name()) + " is protected by digital rights management.");
  }
  rag::Document document;
  document.format = "epub";
  SideParts parts(context, zip, document);
  std::string path;
  MNEME_RETURN_IF_ERROR(find_package(zip, parts, path));
  pugi::xml_document tree;
  if (path.empty()) return corruption(printable(zip.name()) + " is damaged: it names no package document.");
  MNEME_RETURN_IF_ERROR(zip.read_xml(path, tree));
  take_package_metadata(tree.document_element(), document);
  DocumentBuilder builder(document, context.limits().text_bytes);
  const std::vector<Chapter> chapters = chapters_of(tree.document_element(), member_folder(path));
  ChapterNames names;
  MNEME_RETURN_IF_ERROR(read_names(parts, tree.document_element(), member_folder(path), names));
  MNEME_RETURN_IF_ERROR(add_chapters(context, zip.name(), parts, chapters, names, builder));
  if (builder.empty()) return parts.nothing_there();
  parts.finish();
  return context.emit(zip.name(), std::move(document));
}

}  // namespace mneme::readers

#include "rag/readers/office/embedded_files.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/office/compound_file.h"
#include "rag/readers/office/compound_kind.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr size_t kMost = 1000;
constexpr std::string_view kNativeStream =
    "\x01"
    "Ole10Native";

bool is_embedding(std::string_view member) {
  // Of OpenDocument objects that are no folders: "Object 1".
  const bool is_object = member.starts_with("Object ") && member.find('/') == std::string_view::npos;
  return is_object || (member.find("/embeddings/") != std::string_view::npos && !member.ends_with('/'));
}

// What charts say that they keep their numbers in.
std::set<std::string> books_of_charts(ZipPackage& zip, const std::vector<std::string>& members) {
  std::set<std::string> books;
  for (const std::string& member : members) {
    const size_t at = member.find("/charts/_rels/");
    if (at == std::string::npos) continue;
    pugi::xml_document links;
    if (!zip.read_xml(member, links).ok()) continue;
    const std::string folder = member.substr(0, at) + "/charts/";
    for (const pugi::xml_node link : links.document_element().children()) {
      books.insert(resolve_member(folder, attribute_named(link, "Target")));
    }
  }
  return books;
}

// A path as Windows writes it, to its last part.
std::string last_of(std::string_view path) {
  return std::string(path.substr(path.find_last_of("/\\") + 1));
}

// A file that was dropped into the document: its size, a mark, its name, two paths, its bytes (MS-OLEDS 2.3.6 and what
// the packager of Windows writes).
EmbeddedFile dropped_file(std::string_view native) {
  const auto text_at = [&](size_t at) {
    const std::string_view rest = bytes_at(native, at, native.size());
    return rest.substr(0, rest.find('\0'));
  };
  size_t at = 6;
  const std::string_view label = text_at(at);
  at += label.size() + 1;
  const std::string_view path = text_at(at);
  at += path.size() + 1 + 4;
  const size_t temporary_path = u32_at(native, at);
  at += 4 + std::min(temporary_path, native.size());
  const size_t size = u32_at(native, at);
  const std::string_view bytes = bytes_at(native, at + 4, size);
  auto name = decode_text(last_of(label.empty() ? path : label));
  return {.name = bytes.empty() || !name.ok() ? std::string() : safe_label(name->text), .bytes = std::string(bytes)};
}

std::string_view ending_of(CompoundKind kind) {
  switch (kind) {
    case CompoundKind::kWord: return ".doc";
    case CompoundKind::kExcel: return ".xls";
    case CompoundKind::kPowerPoint: return ".ppt";
    case CompoundKind::kMessage: return ".msg";
    case CompoundKind::kOther: break;
  }
  return {};
}

// Drawings, formulas, pictures in a program's own form: their picture stands in the document.
bool is_object_of_others(const std::string& bytes) {
  return is_compound_file(bytes) && compound_kind(CompoundFile(bytes)) == CompoundKind::kOther;
}

Status read_one(ReadContext& context, const std::string& name, std::string bytes) {
  if (name.empty() || bytes.empty() || !worth_opening(name)) return {};
  if (find_format(name, bytes) == nullptr || is_object_of_others(bytes)) return {};
  MNEME_RETURN_IF_ERROR(context.charge_member(name));
  return context.read_member(name, Input{.name = name, .bytes = std::move(bytes)});
}

}  // namespace

EmbeddedFile file_in_object(std::string bytes, size_t number) {
  std::string numbered = "Embedded " + std::to_string(number);
  if (!is_compound_file(bytes)) return {.name = numbered, .bytes = std::move(bytes)};
  const CompoundFile object(bytes);
  const std::string native = object.stream(kNativeStream);
  if (!native.empty()) return dropped_file(native);
  for (const std::string_view stream : {"Package", "CONTENTS"}) {  // of Office, of Acrobat
    std::string within = object.stream(stream);
    if (within.starts_with("PK") || within.starts_with("%PDF-")) return {.name = numbered, .bytes = std::move(within)};
  }
  const std::string_view ending = ending_of(compound_kind(object));
  if (ending.empty()) return {};
  numbered += ending;
  return {.name = std::move(numbered), .bytes = std::move(bytes)};
}

Status read_embedded_files(ReadContext& context, ZipPackage& zip) {
  if (context.depth() >= context.limits().container_depth) return {};
  const std::vector<std::string> members = zip.members();
  if (std::none_of(members.begin(), members.end(), is_embedding)) return {};
  const std::set<std::string> books = books_of_charts(zip, members);
  size_t number = 0;
  for (const std::string& member : members) {
    if (!is_embedding(member) || books.contains(member)) continue;
    if (++number > kMost) break;
    auto bytes = zip.read(member);
    if (!bytes.ok()) {
      if (context.must_stop()) return bytes.status();
      continue;  // a picture of it stands in the text
    }
    const std::string ending = extension(member);
    const bool is_object = ending.empty() || ending == "bin";
    EmbeddedFile file = is_object ? file_in_object(std::move(*bytes), number)
                                  : EmbeddedFile{.name = last_of(member), .bytes = std::move(*bytes)};
    MNEME_RETURN_IF_ERROR(read_one(context, file.name, std::move(file.bytes)));
  }
  return {};
}

}  // namespace mneme::readers

#include "rag/readers/office/compound_kind.h"

#include <algorithm>
#include <vector>

namespace mneme::readers {
namespace {

std::string in_utf16(std::string_view name) {
  std::string wide;
  for (const char c : name) wide.append(1, c).append(1, '\0');
  return wide;
}

// What a stream or storage says of the file by its name; the first that is there decides.
struct Sign {
  std::string_view name;
  std::string_view refused;
  bool anywhere = false;  // also within storages
};
constexpr Sign kSigns[] = {
    {"DRMEncryptedDataSpace", "an Office file under rights management; save an unprotected copy to index it.", true},
    {"EncryptedPackage", "an Office file encrypted with a password; save it without one to index it."},
    {"__substg1.0_", "a message in the format of Outlook; save it as eml to index it."},
    {"WordDocument", "a Word file in the binary format of before 2007; save it as docx to index it."},
    {"Workbook", "an Excel file in the binary format of before 2007; save it as xlsx to index it."},
    {"PowerPoint Document", "a PowerPoint file in the binary format of before 2007; save it as pptx to index it."},
    {"Book", "an Excel file in the binary format of before 1997; save it as xlsx to index it."},
};
constexpr std::string_view kDamaged =
    "an Office file in the binary format of before 2007; save it as docx, xlsx or pptx to index it.";
constexpr std::string_view kOther = "an OLE file, as old Office programs write them, of no known document format.";

std::vector<std::string> top_names(const CompoundFile& file) {
  std::vector<std::string> names;
  for (const uint32_t entry : file.entries_in(CompoundFile::kTop)) names.push_back(file.name(entry));
  return names;
}

// What decides; null: nothing known.
const Sign* sign_of(const CompoundFile& file) {
  const std::vector<std::string> top = top_names(file);
  const std::vector<std::string> all = file.all_names();
  const auto among = [](const std::vector<std::string>& in, std::string_view sign) {
    return std::any_of(in.begin(), in.end(), [&](const std::string& name) { return name.starts_with(sign); });
  };
  for (const Sign& sign : kSigns) {
    if (among(sign.anywhere || top.empty() ? all : top, sign.name)) return &sign;
  }
  return nullptr;
}

}  // namespace

CompoundKind compound_kind(const CompoundFile& file) {
  const Sign* const sign = sign_of(file);
  return sign != nullptr && sign->name == "WordDocument" ? CompoundKind::kWord : CompoundKind::kOther;
}

std::string why_compound_file_is_refused(const CompoundFile& file, std::string_view bytes) {
  if (const Sign* const sign = sign_of(file)) return std::string(sign->refused);
  if (!file.all_names().empty()) return std::string(kOther);
  for (const Sign& sign : kSigns) {
    if (bytes.find(in_utf16(sign.name)) != std::string_view::npos) return std::string(sign.refused);
  }
  return std::string(kDamaged);
}

}  // namespace mneme::readers

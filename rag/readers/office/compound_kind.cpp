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
  CompoundKind kind;
  std::string_view refused;  // of those that are read, one whose parts cannot be found
  bool anywhere = false;     // also within storages
};
constexpr Sign kSigns[] = {
    {"DRMEncryptedDataSpace", CompoundKind::kOther,
     "an Office file under rights management; save an unprotected copy to index it.", true},
    {"EncryptedPackage", CompoundKind::kOther,
     "an Office file encrypted with a password; save it without one to index it."},
    {"__substg1.0_", CompoundKind::kMessage, "a damaged message of Outlook; save it anew to index it."},
    {"WordDocument", CompoundKind::kWord, "a damaged Word file of before 2007; save it anew to index it."},
    {"Workbook", CompoundKind::kExcel, "a damaged Excel file of before 2007; save it anew to index it."},
    {"PowerPoint Document", CompoundKind::kPowerPoint,
     "a damaged PowerPoint file of before 2007; save it anew to index it."},
    {"Book", CompoundKind::kExcel, "a damaged Excel file of before 1997; save it anew to index it."},
};
constexpr std::string_view kDamaged = "a damaged Office file of before 2007; save it anew to index it.";
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
  return sign == nullptr ? CompoundKind::kOther : sign->kind;
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

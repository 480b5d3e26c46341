#include "rag/readers/office/compound_file.h"

#include <algorithm>
#include <cstdint>

namespace mneme::readers {
namespace {

constexpr std::string_view kMagic = "\xd0\xcf\x11\xe0";
constexpr size_t kHeader = 512;
constexpr size_t kHeaderFats = 109;  // FAT sectors that the header itself names
constexpr size_t kEntry = 128;
constexpr size_t kMostEntries = 50'000;
constexpr uint32_t kLastSector = 0xfffffffa;  // above are marks, no sectors

class CompoundFile {
 public:
  explicit CompoundFile(std::string_view bytes) : bytes_(bytes) {
    if (bytes.size() < kHeader) return;
    const size_t shift = u16(0x1e);
    if (shift != 9 && shift != 12) return;  // the two versions there are
    sector_size_ = size_t{1} << shift;
    find_fats();
  }

  CompoundFileNames names() const {
    const std::vector<Entry> entries = directory();
    CompoundFileNames names;
    for (const Entry& entry : entries) {
      if (!entry.name.empty()) names.all.push_back(entry.name);
    }
    if (entries.empty()) return names;
    std::vector<bool> seen(entries.size());
    std::vector<uint32_t> open{entries.front().child};  // the first is the root; siblings hang on each other
    while (!open.empty()) {
      const uint32_t index = open.back();
      open.pop_back();
      if (index >= entries.size() || seen[index]) continue;
      seen[index] = true;
      names.top.push_back(entries[index].name);
      open.push_back(entries[index].left);
      open.push_back(entries[index].right);
    }
    return names;
  }

 private:
  struct Entry {
    std::string name;
    uint32_t left;
    uint32_t right;
    uint32_t child;
  };

  std::vector<Entry> directory() const {
    std::vector<Entry> entries;
    if (sector_size_ == 0) return entries;
    uint32_t sector = u32(0x30);
    for (size_t steps = bytes_.size() / sector_size_; steps > 0 && is_there(sector); --steps) {
      if (entries.size() > kMostEntries) break;
      for (size_t at = place_of(sector); at + kEntry <= place_of(sector) + sector_size_; at += kEntry) {
        entries.push_back({name_at(at), u32(at + 0x44), u32(at + 0x48), u32(at + 0x4c)});
      }
      sector = next_of(sector);
    }
    return entries;
  }

  uint16_t u16(size_t at) const { return static_cast<uint16_t>(byte(at) | byte(at + 1) << 8); }
  uint32_t u32(size_t at) const { return u16(at) | static_cast<uint32_t>(u16(at + 2)) << 16; }
  unsigned byte(size_t at) const { return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0U; }

  size_t place_of(uint32_t sector) const { return (size_t{sector} + 1) * sector_size_; }
  bool is_there(uint32_t sector) const {
    return sector <= kLastSector && place_of(sector) + sector_size_ <= bytes_.size();
  }

  // The sectors that say which sector follows which: some in the header, others in a chain of their own.
  void find_fats() {
    const auto add = [&](size_t at) {
      if (const uint32_t sector = u32(at); is_there(sector)) fats_.push_back(sector);
    };
    for (size_t i = 0; i < kHeaderFats; ++i) add(0x4c + 4 * i);
    uint32_t chain = u32(0x44);
    for (size_t steps = bytes_.size() / sector_size_; steps > 0 && is_there(chain); --steps) {
      const size_t last = place_of(chain) + sector_size_ - 4;
      for (size_t at = place_of(chain); at < last; at += 4) add(at);
      if (fats_.size() > bytes_.size() / sector_size_) return;  // a ring
      chain = u32(last);
    }
  }

  uint32_t next_of(uint32_t sector) const {
    const size_t per_fat = sector_size_ / 4;
    const size_t fat = sector / per_fat;
    return fat < fats_.size() ? u32(place_of(fats_[fat]) + 4 * (sector % per_fat)) : UINT32_MAX;
  }

  // Of a directory's entry; "" where it is not in use.
  std::string name_at(size_t at) const {
    constexpr size_t kMostUnits = 31;
    std::string name;
    if (byte(at + 0x42) == 0) return name;
    const size_t units = std::min<size_t>(u16(at + 0x40) / 2, kMostUnits + 1);  // the zero at the end among them
    for (size_t i = 0; i + 1 < units; ++i) {
      const uint16_t unit = u16(at + 2 * i);
      name.push_back(unit < 0x7f ? static_cast<char>(unit) : '?');
    }
    return name;
  }

  std::string_view bytes_;
  size_t sector_size_ = 0;
  std::vector<uint32_t> fats_;
};

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

}  // namespace

bool is_compound_file(std::string_view beginning) {
  return beginning.starts_with(kMagic);
}

CompoundFileNames compound_file_names(std::string_view bytes) {
  return CompoundFile(bytes).names();
}

std::string why_compound_file_is_refused(std::string_view bytes) {
  const CompoundFileNames names = compound_file_names(bytes);
  const auto among = [](const std::vector<std::string>& in, std::string_view sign) {
    return std::any_of(in.begin(), in.end(), [&](const std::string& name) { return name.starts_with(sign); });
  };
  for (const Sign& sign : kSigns) {
    const bool anywhere = sign.anywhere || names.top.empty();
    if (among(anywhere ? names.all : names.top, sign.name)) return std::string(sign.refused);
  }
  if (!names.all.empty()) return std::string(kOther);
  for (const Sign& sign : kSigns) {
    if (bytes.find(in_utf16(sign.name)) != std::string_view::npos) return std::string(sign.refused);
  }
  return std::string(kDamaged);
}

}  // namespace mneme::readers

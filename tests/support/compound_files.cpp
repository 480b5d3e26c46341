#include "tests/support/compound_files.h"

#include <bit>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace mneme::readers::test {
namespace {

constexpr size_t kSector = 512;
constexpr size_t kSmallSector = 64;
constexpr size_t kSmallStream = 4096;
constexpr uint32_t kFree = 0xffffffff;
constexpr uint32_t kEndOfChain = 0xfffffffe;
constexpr uint32_t kFatSector = 0xfffffffd;

std::string little_endian(uint64_t value, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return bytes;
}

class CompoundWriter {
 public:
  std::string write(const std::vector<CompoundEntry>& entries) {
    records_.emplace_back();  // the root, written last
    const uint32_t first = add_all(entries);
    const uint32_t small_streams = add_sectors(small_);
    records_[0] = record("Root Entry", 5, kFree, first, small_streams, small_.size());
    const uint32_t small_fat = add_sectors(numbers(small_fat_));
    std::string directory;
    for (const std::string& entry : records_) directory += entry;
    const uint32_t directory_sector = add_sectors(directory);
    return header(directory_sector, small_fat) + sectors_;
  }

 private:
  // Siblings hang on each other to the right. Returns the number of the first.
  uint32_t add_all(const std::vector<CompoundEntry>& entries) {
    const auto first = static_cast<uint32_t>(records_.size());
    records_.resize(records_.size() + entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      const CompoundEntry& entry = entries[i];
      const bool is_storage = entry.is_storage || !entry.within.empty();
      const uint32_t next = i + 1 < entries.size() ? static_cast<uint32_t>(first + i + 1) : kFree;
      const uint32_t child = is_storage ? add_all(entry.within) : kFree;
      const uint32_t sector = is_storage ? 0 : add_stream(entry.bytes);
      records_[first + i] = record(entry.name, is_storage ? 1 : 2, next, child, sector, entry.bytes.size());
    }
    return entries.empty() ? kFree : first;
  }

  uint32_t add_stream(const std::string& bytes) {
    if (bytes.empty()) return kEndOfChain;
    if (bytes.size() >= kSmallStream) return add_sectors(bytes);
    const auto first = static_cast<uint32_t>(small_fat_.size());
    small_ += bytes;
    small_.resize((small_.size() + kSmallSector - 1) / kSmallSector * kSmallSector);
    while (small_fat_.size() < small_.size() / kSmallSector)
      small_fat_.push_back(static_cast<uint32_t>(small_fat_.size()) + 1);
    small_fat_.back() = kEndOfChain;
    return first;
  }

  uint32_t add_sectors(const std::string& bytes) {
    if (bytes.empty()) return kEndOfChain;
    const auto first = static_cast<uint32_t>(fat_.size());
    sectors_ += bytes;
    sectors_.resize((sectors_.size() + kSector - 1) / kSector * kSector);
    while (fat_.size() < sectors_.size() / kSector) fat_.push_back(static_cast<uint32_t>(fat_.size()) + 1);
    fat_.back() = kEndOfChain;
    return first;
  }

  static std::string numbers(const std::vector<uint32_t>& all) {
    std::string bytes;
    for (const uint32_t number : all) bytes += little_endian(number, 4);
    while (bytes.size() % kSector != 0) bytes += little_endian(kFree, 4);
    return bytes;
  }

  static std::string record(const std::string& name, int type, uint32_t next, uint32_t child, uint32_t sector,
                            size_t size) {
    std::string bytes;
    for (const char c : name) bytes += little_endian(static_cast<unsigned char>(c), 2);
    bytes.resize(64);
    bytes += little_endian(2 * (name.size() + 1), 2) + little_endian(static_cast<uint64_t>(type), 1) + '\1';
    bytes += little_endian(kFree, 4) + little_endian(next, 4) + little_endian(child, 4);
    bytes.resize(0x74);
    return bytes + little_endian(sector, 4) + little_endian(size, 8);
  }

  // The FAT comes last; it says of its own sectors that they are those.
  std::string header(uint32_t directory, uint32_t small_fat) {
    constexpr size_t kPerSector = kSector / 4;
    constexpr size_t kFatsInHeader = 109;
    const auto first_fat = static_cast<uint32_t>(fat_.size());
    size_t n_fats = 1;
    while ((fat_.size() + n_fats + kPerSector - 1) / kPerSector > n_fats) ++n_fats;
    for (size_t i = 0; i < n_fats; ++i) fat_.push_back(kFatSector);
    sectors_ += numbers(fat_);
    std::string bytes = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
    bytes.resize(0x18);
    bytes += little_endian(0x3e, 2) + little_endian(3, 2) + little_endian(0xfffe, 2) + little_endian(9, 2) +
             little_endian(6, 2);
    bytes.resize(0x2c);
    bytes += little_endian(n_fats, 4) + little_endian(directory, 4) + little_endian(0, 4);
    bytes += little_endian(kSmallStream, 4) + little_endian(small_fat, 4) +
             little_endian(small_fat == kEndOfChain ? 0 : 1, 4);
    bytes += little_endian(kEndOfChain, 4) + little_endian(0, 4);
    for (size_t i = 0; i < kFatsInHeader; ++i) bytes += little_endian(i < n_fats ? first_fat + i : kFree, 4);
    return bytes;
  }

  std::vector<std::string> records_;
  std::string sectors_;
  std::string small_;
  std::vector<uint32_t> fat_;
  std::vector<uint32_t> small_fat_;
};

}  // namespace

std::string make_compound_file(const std::vector<CompoundEntry>& entries) {
  return CompoundWriter().write(entries);
}

std::string u16(uint64_t value) {
  return little_endian(value, 2);
}
std::string u32(uint64_t value) {
  return little_endian(value, 4);
}
std::string f64(double value) {
  return little_endian(std::bit_cast<uint64_t>(value), 8);
}

std::string in_utf16(std::string_view utf8) {
  std::string bytes;
  for (size_t at = 0; at < utf8.size();) {
    const char32_t c = utf8::next(utf8, at);
    if (c < 0x10000) {
      bytes += u16(c);
    } else {
      bytes += u16(0xd800 + ((c - 0x10000) >> 10)) + u16(0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  }
  return bytes;
}

std::string biff(uint16_t type, const std::string& body) {
  return u16(type) + u16(body.size()) + body;
}

std::string ppt_atom(uint16_t type, const std::string& body, uint16_t instance) {
  return u16(uint64_t{instance} << 4) + u16(type) + u32(body.size()) + body;
}

std::string ppt_container(uint16_t type, const std::string& body, uint16_t instance) {
  return u16(uint64_t{instance} << 4 | 0xf) + u16(type) + u32(body.size()) + body;
}

MsgProperties& MsgProperties::add_stream(uint16_t property, uint16_t type, std::string bytes) {
  char name[32];
  std::snprintf(name, sizeof name, "__substg1.0_%04X%04X", property, type);
  add_short(property, type, u32(bytes.size()) + u32(0));
  entries_.push_back({name, std::move(bytes)});
  return *this;
}

MsgProperties& MsgProperties::add_short(uint16_t property, uint16_t type, const std::string& value) {
  short_ += u16(type) + u16(property) + u32(6) + value;
  return *this;
}

MsgProperties& MsgProperties::text(uint16_t property, std::string_view utf8) {
  return add_stream(property, 0x1f, in_utf16(utf8));
}
MsgProperties& MsgProperties::text_in_bytes(uint16_t property, std::string bytes) {
  return add_stream(property, 0x1e, std::move(bytes));
}
MsgProperties& MsgProperties::bytes(uint16_t property, std::string bytes) {
  return add_stream(property, 0x102, std::move(bytes));
}
MsgProperties& MsgProperties::number(uint16_t property, uint32_t value) {
  return add_short(property, 0x3, u32(value) + u32(0));
}
MsgProperties& MsgProperties::time(uint16_t property, uint64_t ticks) {
  return add_short(property, 0x40, u32(ticks) + u32(ticks >> 32));
}
MsgProperties& MsgProperties::storage(std::string name, std::vector<CompoundEntry> within) {
  entries_.push_back({std::move(name), {}, std::move(within), true});
  return *this;
}

std::vector<CompoundEntry> MsgProperties::entries() const {
  std::vector<CompoundEntry> all = entries_;
  all.push_back({"__properties_version1.0", short_});
  return all;
}

}  // namespace mneme::readers::test

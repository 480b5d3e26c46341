#include "rag/readers/office/compound_file.h"

#include <algorithm>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kMagic = "\xd0\xcf\x11\xe0";
constexpr size_t kHeader = 512;
constexpr size_t kHeaderFats = 109;  // FAT sectors that the header itself names
constexpr size_t kEntry = 128;
constexpr size_t kMostEntries = 50'000;
constexpr uint32_t kLastSector = 0xfffffffa;  // above are marks, no sectors
constexpr size_t kSmallSector = 64;
constexpr size_t kSmallStream = 4096;  // streams below lie among the small ones

}  // namespace

bool is_compound_file(std::string_view beginning) {
  return beginning.starts_with(kMagic);
}

CompoundFile::CompoundFile(std::string_view bytes) : bytes_(bytes) {
  if (bytes.size() < kHeader) return;
  const size_t shift = u16_at(bytes_, 0x1e);
  if (shift != 9 && shift != 12) return;  // the two versions there are
  sector_size_ = size_t{1} << shift;
  find_fats();
  read_directory();
  if (entries_.empty()) return;
  small_streams_ = chain(entries_.front().first_sector, entries_.front().size);
  small_fat_ = chain(u32_at(bytes_, 0x3c), bytes_.size());
}

bool CompoundFile::is_there(uint32_t sector) const {
  return sector <= kLastSector && place_of(sector) + sector_size_ <= bytes_.size();
}

// The sectors that say which sector follows which: some in the header, others in a chain of their own.
void CompoundFile::find_fats() {
  const auto add = [&](size_t at) {
    if (const uint32_t sector = u32_at(bytes_, at); is_there(sector)) fats_.push_back(sector);
  };
  for (size_t i = 0; i < kHeaderFats; ++i) add(0x4c + 4 * i);
  uint32_t sector = u32_at(bytes_, 0x44);
  for (size_t steps = bytes_.size() / sector_size_; steps > 0 && is_there(sector); --steps) {
    const size_t last = place_of(sector) + sector_size_ - 4;
    for (size_t at = place_of(sector); at < last; at += 4) add(at);
    if (fats_.size() > bytes_.size() / sector_size_) return;  // a ring
    sector = u32_at(bytes_, last);
  }
}

void CompoundFile::read_directory() {
  uint32_t sector = u32_at(bytes_, 0x30);
  for (size_t steps = bytes_.size() / sector_size_; steps > 0 && is_there(sector); --steps) {
    if (entries_.size() > kMostEntries) break;
    for (size_t at = place_of(sector); at + kEntry <= place_of(sector) + sector_size_; at += kEntry) {
      entries_.push_back({name_at(at), u32_at(bytes_, at + 0x44), u32_at(bytes_, at + 0x48), u32_at(bytes_, at + 0x4c),
                          u32_at(bytes_, at + 0x74), u32_at(bytes_, at + 0x78)});
    }
    sector = next_of(sector);
  }
}

uint32_t CompoundFile::next_of(uint32_t sector) const {
  const size_t per_fat = sector_size_ / 4;
  const size_t fat = sector / per_fat;
  return fat < fats_.size() ? u32_at(bytes_, place_of(fats_[fat]) + 4 * (sector % per_fat)) : UINT32_MAX;
}

// Of a directory's entry; "" where it is not in use.
std::string CompoundFile::name_at(size_t at) const {
  constexpr size_t kMostUnits = 31;
  std::string name;
  if (u8_at(bytes_, at + 0x42) == 0) return name;
  const size_t units =
      std::min<size_t>(u16_at(bytes_, at + 0x40) / 2, kMostUnits + 1);  // the zero at the end among them
  for (size_t i = 0; i + 1 < units; ++i) {
    const uint16_t unit = u16_at(bytes_, at + 2 * i);
    name.push_back(unit < 0x7f ? static_cast<char>(unit) : '?');
  }
  return name;
}

std::string CompoundFile::chain(uint32_t sector, size_t size) const {
  std::string bytes;
  for (size_t steps = bytes_.size() / sector_size_; steps > 0 && bytes.size() < size && is_there(sector); --steps) {
    bytes += bytes_.substr(place_of(sector), std::min(sector_size_, size - bytes.size()));
    sector = next_of(sector);
  }
  return bytes;
}

std::string CompoundFile::small_chain(uint32_t sector, size_t size) const {
  std::string bytes;
  for (size_t steps = small_streams_.size() / kSmallSector; steps > 0 && bytes.size() < size; --steps) {
    const size_t place = size_t{sector} * kSmallSector;
    if (place + kSmallSector > small_streams_.size()) break;
    bytes.append(small_streams_, place, std::min(kSmallSector, size - bytes.size()));
    sector = u32_at(small_fat_, 4 * size_t{sector});
  }
  return bytes;
}

// Siblings hang on each other as a tree.
std::vector<uint32_t> CompoundFile::entries_in(uint32_t storage) const {
  std::vector<uint32_t> within;
  if (storage >= entries_.size()) return within;
  std::vector<bool> seen(entries_.size());
  std::vector<uint32_t> open{entries_[storage].child};
  while (!open.empty()) {
    const uint32_t index = open.back();
    open.pop_back();
    if (index >= entries_.size() || seen[index]) continue;
    seen[index] = true;
    within.push_back(index);
    open.push_back(entries_[index].left);
    open.push_back(entries_[index].right);
  }
  return within;
}

std::vector<std::string> CompoundFile::all_names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  return names;
}

std::string CompoundFile::stream(std::string_view name, uint32_t storage) const {
  for (const uint32_t index : entries_in(storage)) {
    if (entries_[index].name == name) return stream_of(index);
  }
  return {};
}

std::string CompoundFile::stream_of(uint32_t entry) const {
  if (entry >= entries_.size()) return {};
  const Entry& found = entries_[entry];
  return found.size < kSmallStream ? small_chain(found.first_sector, found.size)
                                   : chain(found.first_sector, found.size);
}

}  // namespace mneme::readers

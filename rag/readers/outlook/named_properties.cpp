#include "rag/readers/outlook/named_properties.h"

#include <bit>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

// The set that {000620XX-0000-0000-C000-000000000046} is; nothing for others.
std::optional<MapiSet> set_of(std::string_view guid) {
  using std::string_view_literals::operator""sv;
  constexpr std::string_view kBehind = "\x20\x06\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"sv;
  if (guid.size() != kBehind.size() + 1 || guid.substr(1) != kBehind) return std::nullopt;
  switch (const auto set = static_cast<MapiSet>(u8_at(guid, 0)); set) {
    case MapiSet::kAppointment:
    case MapiSet::kTask:
    case MapiSet::kAddress:
    case MapiSet::kCommon:
    case MapiSet::kJournal: return set;
  }
  return std::nullopt;
}

}  // namespace

NamedProperties::NamedProperties(std::string_view list, std::string_view sets) {
  constexpr size_t kEntry = 8;
  constexpr size_t kGuid = 16;
  constexpr uint16_t kFirstSet = 3;  // two are known without being named
  constexpr uint16_t kFirstNumber = 0x8000;
  for (size_t at = 0; at + kEntry <= list.size(); at += kEntry) {
    const uint16_t kind = u16_at(list, at + 4);
    const bool by_name = (kind & 1) != 0;
    const uint16_t which = kind >> 1;
    const uint32_t number = u32_at(list, at);
    if (by_name || which < kFirstSet || number > 0xffff) continue;
    const auto set = set_of(bytes_at(sets, size_t{which - size_t{kFirstSet}} * kGuid, kGuid));
    if (!set) continue;
    const auto known = std::bit_cast<MapiProperty>(static_cast<uint16_t>(kFirstNumber + u16_at(list, at + 6)));
    numbers_.emplace(std::pair(*set, static_cast<uint16_t>(number)), known);
  }
}

std::optional<MapiProperty> NamedProperties::find(NamedProperty property) const {
  const auto found = numbers_.find({property.set, property.number});
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace mneme::readers

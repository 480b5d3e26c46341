#include "rag/readers/office/msg_object.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

// Types of values.
constexpr uint16_t kNumber = 0x0003;
constexpr uint16_t kObject = 0x000d;
constexpr uint16_t kBytesOfText = 0x001e;
constexpr uint16_t kText = 0x001f;
constexpr uint16_t kTime = 0x0040;
constexpr uint16_t kBytes = 0x0102;

// What stands in front of the short properties.
size_t size_of_head(MsgObject::Kind kind) {
  switch (kind) {
    case MsgObject::Kind::kFile: return 32;
    case MsgObject::Kind::kMessageWithin: return 24;
    case MsgObject::Kind::kPart: break;
  }
  return 8;
}

// As heads of mail write it, of tenths of microseconds from 1601 on; "" of what no message was sent on.
std::string written_time(uint64_t ticks) {
  constexpr uint64_t kTicksOfSecond = 10'000'000;
  constexpr int64_t kSecondsTo1970 = 11'644'473'600;
  constexpr int64_t kLast = 4'102'444'800;  // 2100
  const int64_t seconds = static_cast<int64_t>(ticks / kTicksOfSecond) - kSecondsTo1970;
  if (seconds < 0 || seconds > kLast) return {};
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_days day{std::chrono::days{seconds / 86400}};
  const std::chrono::year_month_day date{day};
  const int64_t of_day = seconds % 86400;
  char text[64];
  std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d +0000",
                kDays[std::chrono::weekday{day}.c_encoding()], static_cast<unsigned>(date.day()),
                kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                static_cast<int>(of_day / 3600), static_cast<int>(of_day / 60 % 60), static_cast<int>(of_day % 60));
  return text;
}

}  // namespace

MsgObject::MsgObject(const CompoundFile& file, uint32_t storage, Kind kind, std::string encoding)
    : file_(file), encoding_(std::move(encoding)) {
  for (const uint32_t entry : file.entries_in(storage)) entries_.emplace(file.name(entry), entry);
  if (const auto properties = entries_.find("__properties_version1.0"); properties != entries_.end()) {
    const std::string all = file.stream_of(properties->second);
    short_properties_ = bytes_at(all, size_of_head(kind), all.size());
  }
  if (!encoding_.empty()) return;
  const uint32_t code_page = number(MsgProperty::kCodePage).value_or(number(MsgProperty::kHtmlCodePage).value_or(1252));
  encoding_ = encoding_of_code_page(static_cast<int>(std::min(code_page, 100'000U)));
}

std::optional<uint32_t> MsgObject::entry_of(MsgProperty property, uint16_t type) const {
  char name[32];
  std::snprintf(name, sizeof name, "__substg1.0_%04X%04X", static_cast<unsigned>(property), type);
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? std::nullopt : std::optional(entry->second);
}

std::string_view MsgObject::value_of(MsgProperty property, uint16_t type) const {
  constexpr size_t kSize = 16;
  const uint32_t tag = static_cast<uint32_t>(property) << 16 | type;
  const std::string_view all = short_properties_;
  for (size_t at = 0; at + kSize <= all.size(); at += kSize) {
    if (u32_at(all, at) == tag) return all.substr(at + 8, 8);
  }
  return {};
}

std::string MsgObject::text(MsgProperty property) const {
  if (const auto entry = entry_of(property, kText)) return text_in_utf16(file_.stream_of(*entry));
  const auto entry = entry_of(property, kBytesOfText);
  if (!entry) return {};
  const std::string written = file_.stream_of(*entry);
  auto text = convert_from(written, encoding_);
  return text.ok() ? std::move(*text) : utf8::sanitise(written);
}

std::string MsgObject::bytes(MsgProperty property) const {
  const auto entry = entry_of(property, kBytes);
  return entry ? file_.stream_of(*entry) : std::string();
}

std::optional<uint32_t> MsgObject::number(MsgProperty property) const {
  const std::string_view value = value_of(property, kNumber);
  return value.empty() ? std::nullopt : std::optional(u32_at(value, 0));
}

std::string MsgObject::time(MsgProperty property) const {
  return written_time(u64_at(value_of(property, kTime), 0));
}

std::optional<uint32_t> MsgObject::storage(MsgProperty property) const {
  return entry_of(property, kObject);
}

std::vector<uint32_t> MsgObject::storages_named(std::string_view beginning) const {
  std::vector<uint32_t> storages;
  for (auto entry = entries_.lower_bound(beginning); entry != entries_.end() && entry->first.starts_with(beginning);
       ++entry) {
    storages.push_back(entry->second);
  }
  return storages;
}

}  // namespace mneme::readers

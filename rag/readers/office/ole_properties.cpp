#include "rag/readers/office/ole_properties.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

// Numbers of properties, and types of their values.
constexpr uint32_t kCodePage = 1;
constexpr uint32_t kTitle = 2;
constexpr uint32_t kAuthor = 4;
constexpr uint32_t kCreated = 12;
constexpr uint32_t kBytes = 0x1e;
constexpr uint32_t kUnits = 0x1f;
constexpr uint32_t kTime = 0x40;
constexpr int kUtf16 = 1200;

std::string text_of(std::string_view value, int code_page) {
  const uint32_t type = u32_at(value, 0);
  const size_t count = u32_at(value, 4);
  if (type != kBytes && type != kUnits) return {};
  const bool is_wide = type == kUnits || code_page == kUtf16;
  std::string_view bytes = bytes_at(value, 8, type == kUnits ? 2 * count : count);
  if (!is_wide) bytes = bytes.substr(0, bytes.find('\0'));
  const std::string encoding = is_wide ? "UTF-16LE" : encoding_of_code_page(code_page);
  const auto text = convert_from(bytes, encoding);
  return clean_text(text.ok() ? *text : utf8::sanitise(bytes));
}

// "2024-05-03"; "" where there is none. A time counts tenths of microseconds from 1601.
std::string day_of(std::string_view value) {
  constexpr uint64_t kTicksOfDay = uint64_t{86400} * 10'000'000;
  constexpr int64_t kDaysTo1970 = 134774;
  const uint64_t ticks = u64_at(value, 4);
  if (u32_at(value, 0) != kTime || ticks == 0) return {};
  const auto days = static_cast<int64_t>(ticks / kTicksOfDay) - kDaysTo1970;
  if (days < 0 || days > 100'000) return {};
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  char text[16];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace

void take_ole_properties(std::string_view summary, rag::Document& document) {
  constexpr size_t kFirstSet = 44;  // where it begins stands here
  constexpr uint32_t kMost = 256;
  const std::string_view set = bytes_at(summary, u32_at(summary, kFirstSet), summary.size());
  const uint32_t count = std::min(u32_at(set, 4), kMost);
  const auto value_of = [&](uint32_t property) {
    for (uint32_t i = 0; i < count; ++i) {
      if (u32_at(set, 8 + 8 * size_t{i}) == property) return bytes_at(set, u32_at(set, 12 + 8 * size_t{i}), set.size());
    }
    return std::string_view();
  };
  const int named = u16_at(value_of(kCodePage), 4);
  const int code_page = named == 0 ? 1252 : named;
  for (const auto& [property, key] : {std::pair{kTitle, "title"}, std::pair{kAuthor, "author"}}) {
    const std::string text = text_of(value_of(property), code_page);
    if (!text.empty()) take_metadata(document, key, text);
  }
  const std::string day = day_of(value_of(kCreated));
  if (!day.empty()) take_metadata(document, "date", day);
}

}  // namespace mneme::readers

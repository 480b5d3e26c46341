#include "rag/readers/apple/property_list.h"

#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"

namespace mneme::readers {
namespace {

constexpr size_t kTrailer = 32;
constexpr uint8_t kData = 4;
constexpr uint8_t kText = 5;
constexpr uint8_t kWideText = 6;
constexpr uint8_t kDictionary = 13;

}  // namespace

// The end says how wide numbers are and where the list of objects is.
PropertyList::PropertyList(std::string_view bytes) : bytes_(bytes) {
  if (!bytes.starts_with("bplist00") || bytes.size() < 8 + kTrailer) return;
  const size_t trailer = bytes.size() - kTrailer;
  offset_width_ = u8_at(bytes, trailer + 6);
  reference_width_ = u8_at(bytes, trailer + 7);
  n_objects_ = number_at(trailer + 8, 8);
  top_ = number_at(trailer + 16, 8);
  offsets_at_ = number_at(trailer + 24, 8);
  const bool sound = offset_width_ > 0 && offset_width_ <= 8 && reference_width_ > 0 && reference_width_ <= 8 &&
                     n_objects_ <= bytes.size() && offsets_at_ < bytes.size();
  if (!sound) n_objects_ = 0;
}

uint64_t PropertyList::number_at(size_t at, size_t width) const {
  uint64_t number = 0;
  for (size_t i = 0; i < width; ++i) number = number << 8 | u8_at(bytes_, at + i);
  return number;
}

std::optional<size_t> PropertyList::top() const {
  return top_ < n_objects_ ? std::optional<size_t>(top_) : std::nullopt;
}

std::optional<PropertyList::Head> PropertyList::head_of(size_t object) const {
  if (object >= n_objects_) return std::nullopt;
  const uint64_t at = number_at(offsets_at_ + object * offset_width_, offset_width_);
  if (at >= bytes_.size()) return std::nullopt;
  const uint8_t marker = u8_at(bytes_, at);
  Head head{.kind = static_cast<uint8_t>(marker >> 4), .count = marker & 0xfU, .behind = at + 1};
  if (head.count == 0xf) {  // the count is a number behind it
    const size_t width = size_t{1} << (u8_at(bytes_, at + 1) & 0x3U);
    head.count = number_at(at + 2, width);
    head.behind = at + 2 + width;
  }
  if (head.count > bytes_.size()) return std::nullopt;
  return head;
}

std::optional<size_t> PropertyList::find(size_t dictionary, std::string_view name) const {
  const auto head = head_of(dictionary);
  if (!head || head->kind != kDictionary) return std::nullopt;
  for (size_t i = 0; i < head->count; ++i) {
    const size_t key = number_at(head->behind + i * reference_width_, reference_width_);
    if (text(key) != name) continue;
    return number_at(head->behind + (head->count + i) * reference_width_, reference_width_);
  }
  return std::nullopt;
}

std::string_view PropertyList::data(size_t object) const {
  const auto head = head_of(object);
  return head && head->kind == kData ? bytes_at(bytes_, head->behind, head->count) : std::string_view();
}

std::string PropertyList::text(size_t object) const {
  const auto head = head_of(object);
  if (!head) return {};
  if (head->kind == kText) return std::string(bytes_at(bytes_, head->behind, head->count));
  if (head->kind != kWideText) return {};
  std::u16string units;
  for (size_t i = 0; i < head->count; ++i) {
    units += static_cast<char16_t>(number_at(head->behind + 2 * i, 2));
  }
  return utf8_of(units);
}

}  // namespace mneme::readers

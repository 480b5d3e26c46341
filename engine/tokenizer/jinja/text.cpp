#include "engine/tokenizer/jinja/text.h"

#include <algorithm>
#include <cstring>

#include "engine/tokenizer/jinja/meter.h"

namespace mneme::engine::jinja {

Text& Text::operator=(const Text& other) {
  if (this != &other) *this = Text(other);
  return *this;
}

Text Text::slice(size_t begin, size_t count) const {
  Meter::made(std::min(count, bytes_.size() - begin));
  Text result;
  result.bytes_ = bytes_.substr(begin, count);
  result.marks_ = marks_.substr(begin, count);
  return result;
}

size_t Text::find(std::string_view what, size_t begin) const {
  if (begin > bytes_.size()) return std::string::npos;
  // Not string::find, which takes time by the product of the sizes on texts made for it.
  const void* found = memmem(bytes_.data() + begin, bytes_.size() - begin, what.data(), what.size());
  const size_t at =
      found == nullptr ? bytes_.size() : static_cast<size_t>(static_cast<const char*>(found) - bytes_.data());
  Meter::looked_at(at - begin + what.size());
  return found == nullptr ? std::string::npos : at;
}

void Text::append(const Text& other) {
  Meter::made(other.size());
  bytes_ += other.bytes_;
  marks_ += other.marks_;
}

void Text::append(std::string_view bytes, char mark) {
  Meter::made(bytes.size());
  bytes_ += bytes;
  marks_.append(bytes.size(), mark);
}

Text Text::strip(std::string_view characters, bool left, bool right) const {
  if (characters.empty()) characters = " \t\n\r\f\v";
  Meter::looked_at(bytes_.size() * characters.size());
  size_t begin = 0;
  size_t end = bytes_.size();
  while (left && begin < end && characters.find(bytes_[begin]) != std::string_view::npos) ++begin;
  while (right && end > begin && characters.find(bytes_[end - 1]) != std::string_view::npos) --end;
  return slice(begin, end - begin);
}

Text Text::replace(std::string_view from, const Text& to, int64_t limit) const {
  Text result;
  size_t begin = 0;
  for (size_t at = find(from); at != std::string::npos && limit != 0; at = find(from, begin), --limit) {
    result.append(slice(begin, at - begin));
    result.append(to);
    begin = at + from.size();
  }
  result.append(slice(begin));
  return result;
}

Text Text::map_ascii(int (*change)(int)) const {
  Text result = *this;
  for (char& c : result.bytes_) {
    if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(change(c));
  }
  return result;
}

}  // namespace mneme::engine::jinja

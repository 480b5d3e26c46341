#include "engine/tokenizer/jinja/text.h"

namespace mneme::engine::jinja {

Text Text::slice(size_t begin, size_t count) const {
  Text result;
  result.bytes_ = bytes_.substr(begin, count);
  result.marks_ = marks_.substr(begin, count);
  return result;
}

void Text::append(const Text& other) {
  bytes_ += other.bytes_;
  marks_ += other.marks_;
}

void Text::append(std::string_view bytes, char mark) {
  bytes_ += bytes;
  marks_.append(bytes.size(), mark);
}

Text Text::strip(std::string_view characters, bool left, bool right) const {
  if (characters.empty()) characters = " \t\n\r\f\v";
  size_t begin = 0;
  size_t end = bytes_.size();
  while (left && begin < end && characters.find(bytes_[begin]) != std::string_view::npos) ++begin;
  while (right && end > begin && characters.find(bytes_[end - 1]) != std::string_view::npos) --end;
  return slice(begin, end - begin);
}

Text Text::replace(std::string_view from, const Text& to, int64_t limit) const {
  Text result;
  size_t begin = 0;
  for (size_t at = bytes_.find(from); at != std::string::npos && limit != 0; at = bytes_.find(from, begin), --limit) {
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

// Text that remembers where each byte came from: mark 0 is the template (trusted, may hold special tokens), any other
// mark is a message. All string operations of the interpreter keep the marks, and count what they make (meter.h).
// Threads: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::engine::jinja {

class Text {
 public:
  Text() = default;
  explicit Text(std::string_view bytes, char mark = 0) { append(bytes, mark); }
  Text(const Text& other) { append(other); }
  Text& operator=(const Text& other);
  Text(Text&&) = default;
  Text& operator=(Text&&) = default;
  ~Text() = default;

  std::string_view bytes() const { return bytes_; }
  std::string_view marks() const { return marks_; }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }

  Text slice(size_t begin, size_t count = std::string::npos) const;
  // Where `what` begins, at `begin` or behind; npos where it does not occur. Takes time by the sum of the sizes.
  size_t find(std::string_view what, size_t begin = 0) const;
  void append(const Text& other);
  void append(std::string_view bytes, char mark = 0);

  // Without characters of `characters` at either end; empty `characters`: white space.
  Text strip(std::string_view characters, bool left, bool right) const;
  // Every occurrence of `from` (not empty) by `to`, at most `limit` times when limit >= 0.
  Text replace(std::string_view from, const Text& to, int64_t limit = -1) const;
  // ASCII letters changed; others stay.
  Text map_ascii(int (*change)(int)) const;

 private:
  std::string bytes_;
  std::string marks_;  // one per byte
};

}  // namespace mneme::engine::jinja

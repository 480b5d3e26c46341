// Lists of properties of Apple in their binary form: values by the number of their object. Internal to rag/readers.
// Ownership: borrows the bytes. Threads: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mneme::readers {

class PropertyList {
 public:
  explicit PropertyList(std::string_view bytes);

  // The number of the outermost object; nothing where the list is damaged.
  std::optional<size_t> top() const;
  // The object that a dictionary has under a name.
  std::optional<size_t> find(size_t dictionary, std::string_view name) const;
  // Bytes of a piece of data; a text as UTF-8; "" of what is neither.
  std::string_view data(size_t object) const;
  std::string text(size_t object) const;

 private:
  struct Head {
    uint8_t kind = 0;  // its upper half
    uint64_t count = 0;
    size_t behind = 0;  // where what it holds begins
  };

  uint64_t number_at(size_t at, size_t width) const;
  std::optional<Head> head_of(size_t object) const;

  std::string_view bytes_;
  size_t offset_width_ = 0;
  size_t reference_width_ = 0;
  uint64_t n_objects_ = 0;
  uint64_t top_ = 0;
  uint64_t offsets_at_ = 0;
};

}  // namespace mneme::readers

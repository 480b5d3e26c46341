// A part of a text. Threads: values.
#pragma once

#include <cstddef>

namespace mneme::rag {

struct Stretch {
  size_t begin = 0;  // bytes
  size_t end = 0;
  bool operator==(const Stretch&) const = default;
};

}  // namespace mneme::rag

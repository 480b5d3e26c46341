// Texts without what stands between two marks: pictures in base64 within XML. Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// Each span from `begin` to the `end` behind it is left out; one that does not end stays.
inline std::string without_spans(std::string_view text, std::string_view begin, std::string_view end) {
  std::string kept;
  size_t done = 0;
  for (size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin, done)) {
    const size_t last = text.find(end, at);
    if (last == std::string_view::npos) break;
    kept.append(text, done, at - done);
    done = last + end.size();
  }
  return kept.append(text, done);
}

}  // namespace mneme::readers

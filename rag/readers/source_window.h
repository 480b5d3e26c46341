// The piece of a source that is being looked at: bytes are appended at its end and taken from its beginning, so that a
// reader goes through a file of any size with as much of it in memory as it needs at a time.
// Internal to rag/readers. Ownership: borrows context, name and source. Threads: one thread each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

class SourceWindow {
 public:
  SourceWindow(ReadContext& context, const std::string& name, ByteSource& source)
      : context_(context), name_(name), source_(source) {}

  // Held, from begin() on; valid until the next call.
  std::string_view text() const { return std::string_view(held_).substr(taken_); }
  // Place of its first byte in the source.
  uint64_t begin() const { return fetched_ - text().size(); }
  // Nothing comes behind what is held.
  bool at_end() const { return fetched_ >= source_.size(); }

  // Holds up to `n_bytes` more. Errors: those of ReadContext::fetch().
  Status extend(size_t n_bytes);
  // Lets go of the first `n_bytes` of text().
  void take(size_t n_bytes);

 private:
  ReadContext& context_;
  const std::string& name_;
  ByteSource& source_;
  std::string held_;
  size_t taken_ = 0;      // at the beginning of held_: no longer looked at
  uint64_t fetched_ = 0;  // of the source
};

}  // namespace mneme::readers

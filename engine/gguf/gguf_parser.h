// The directory of a GGUF file out of its bytes: the part that hostile files meet (grammar: gguf_file.h).
// Every count, length, offset and product is bounded by the bytes left before anything is allocated.
// Threads: pure function.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::gguf {

struct GgufContents {
  std::map<std::string, MetaValue, std::less<>> metadata;
  std::vector<TensorInfo> tensors;  // views into the bytes; names may be the same
};

// Errors: see GgufFile::parse. `name` is for messages.
Result<GgufContents> parse_gguf(ByteSpan bytes, const std::string& name);

// A key or name as it may be printed: hostile bytes replaced, long ones cut.
std::string printable_name(std::string_view text);

}  // namespace mneme::gguf

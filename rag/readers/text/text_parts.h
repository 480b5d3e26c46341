// Texts, tables and JSON lines that are more than one document may hold, in parts of whole lines: "part 1", "part 2",
// each with the numbers its lines have in the file. Bytes of a part are those of its own text; from which byte of the
// file it comes stands in its notes. A part of a table begins with the file's row of names.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// How a format is cut and read. Called in the order of the parts.
struct PartFormat {
  std::string_view name;  // as in Document::format
  // How much of `text` makes up a part: bytes up to the end of one of its lines; 0: more lines are needed. `text` ends
  // behind a line break, or with the file, which makes up a part in any case. Null: all of it.
  std::function<size_t(std::string_view text)> whole_lines;
  // Makes the blocks of a part's text, of which the file has so many lines before it.
  std::function<void(rag::Document& document, int lines_before)> parse;
};

// Parts of about an eighth of ReadLimits::text_bytes. A line of more than half of that is reported and left out, and
// the rest goes on. Errors: kUnsupported for text in units of two or four bytes; those of ReadContext.
Status read_parts(ReadContext& context, const std::string& name, ByteSource& source, const PartFormat& format);

}  // namespace mneme::readers

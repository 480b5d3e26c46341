// Words of Rich Text Format by what they are for. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rag/readers/number_labels.h"

namespace mneme::readers {

// Text that stands beside that of the body.
enum class RtfAside : uint8_t {
  kNone,
  kNote,       // a footnote or endnote
  kComment,    // what a reader of the document noted
  kCommenter,  // and who
  kMarker,     // the number or sign of a list's item, as programs that do not count show it
  kRunning     // a header or footer
};
// kNone: the word begins nothing of the kind.
RtfAside rtf_aside(std::string_view word);

// Groups whose text is none of the document's: tables of fonts and styles, pictures, instructions of fields, ...
bool rtf_is_unseen(std::string_view word);

// A character or white space that is written by its name. Nothing: the word says no text.
std::optional<std::string_view> rtf_said(std::string_view word);

// What a list's marker says of its paragraph. level: from 0.
ListPlace rtf_list_place(std::string_view marker, int level);

}  // namespace mneme::readers

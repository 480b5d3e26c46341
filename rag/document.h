// What readers give and everything after them uses: a document's text with its structure and where each piece stands.
// Offsets are bytes into Document::text (UTF-8). For plain-text formats that text is the file's own text, so that byte
// spans and line numbers are those of the file. Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

enum class BlockKind { kParagraph, kHeading, kListItem, kTableRow, kCode, kQuote };

// A piece of structure. Blocks are in order, do not overlap, and never split a UTF-8 character.
struct Block {
  BlockKind kind = BlockKind::kParagraph;
  int heading_level = 0;  // 1.. for headings
  uint64_t byte_begin = 0;
  uint64_t byte_end = 0;
  int line_begin = 0;  // 1-based lines of the source; 0: the format has none
  int line_end = 0;    // inclusive
  int page = 0;        // 1-based page, sheet or slide; 0: none
};

// Document::format of source code and configuration.
inline constexpr std::string_view kSourceFormat = "source";

// How text is read: which lines are comments decides in source code what is text; elsewhere every line is.
enum class TextForm : uint8_t { kProse, kSource };
inline TextForm form_of(std::string_view format) {
  return format == kSourceFormat ? TextForm::kSource : TextForm::kProse;
}

// Slides and sheets: each is a thing of its own, so that a passage never lies in two of them and is cited by the one.
inline bool pages_stand_alone(std::string_view format) {
  return format == "pptx" || format == "ppt" || format == "odp" || format == "xlsx" || format == "xls" ||
         format == "ods";
}

struct Document {
  std::string title;  // never empty: the file name when the format gives none
  std::string author;
  std::string date;    // ISO 8601 where known
  std::string format;  // "markdown", "pdf", ...
  std::string text;    // well-formed UTF-8
  std::vector<Block> blocks;
  std::vector<std::string> notes;  // what the reader had to leave out or repair, for people
};

// A byte span of a document, independent of any model. About 512 tokens.
struct Chunk {
  uint64_t byte_begin = 0;
  uint64_t byte_end = 0;
  int line_begin = 0;
  int line_end = 0;
  int page = 0;              // where it begins
  std::string page_marks;    // where further pages begin in it (storage/catalogue/records.h); mostly empty
  std::string heading_path;  // "Guide > Install > Linux"
};

}  // namespace mneme::rag

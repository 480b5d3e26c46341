// Cuts a document into chunks: byte spans of about 512 tokens on its own borders (headings, paragraphs, list items,
// table rows, code lines, sentences; single words only when nothing else is there). Independent of any model: sizes are
// estimated tokens.
// Cuts are chosen by content, not by counting from the beginning: among the borders that the size window allows, the
// structurally strongest wins and ties go to the hash of the text that follows. After an edit the same borders win
// again soon, so that a change in one paragraph re-chunks only its neighbourhood and KV caches of the rest survive.
// (The idea is that of content-defined chunking in backup systems, e.g. LBFS.) Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/document.h"

namespace mneme::chunking {

struct ChunkerOptions {
  int target_tokens = 512;
  // 0: derived from the target. No chunk but the last of a document (or one before a heading: half of this) is smaller
  // than min; none is larger than max.
  int min_tokens = 0;  // target / 2
  int max_tokens = 0;  // target * 3 / 2
};

// Estimated tokens of UTF-8 text: a token per four bytes, one per CJK character, two per emoji.
int64_t estimate_tokens(std::string_view text);

// Chunks in order, not overlapping, covering every block of the document; between them lies only what lies between
// blocks. None is empty, none splits a UTF-8 character. A document without blocks gives none.
std::vector<rag::Chunk> chunk_document(const rag::Document& document, const ChunkerOptions& options = {});

// The text of a chunk. `chunk` must come from `document`.
inline std::string_view chunk_text(const rag::Document& document, const rag::Chunk& chunk) {
  return std::string_view(document.text).substr(chunk.byte_begin, chunk.byte_end - chunk.byte_begin);
}

}  // namespace mneme::chunking

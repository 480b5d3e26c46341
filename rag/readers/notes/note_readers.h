// Readers of notes that programs export, and how they are known. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Journals of Day One, notes of Simplenote and Standard Notes (JSON), wikis of TiddlyWiki (a page that holds JSON):
// each note is a document.
bool looks_like_exported_notes(std::string_view beginning);
Status read_exported_notes(ReadContext& context, Input input);

// What a Kindle collects of highlights and notes, by book: "My Clippings.txt".
bool looks_like_clippings(std::string_view beginning);
Status read_clippings(ReadContext& context, Input input);

// Bookmarks of a browser, with where they lead.
bool looks_like_bookmarks(std::string_view beginning);
Status read_bookmarks(ReadContext& context, Input input);

// A page of Zim: text in its wiki's mark-up, below a head.
bool looks_like_zim(std::string_view beginning);
void parse_zim(rag::Document& document);
Status read_zim(ReadContext& context, Input input);

// A note of Tomboy or Gnote.
bool looks_like_tomboy(std::string_view beginning);
Status read_tomboy(ReadContext& context, Input input);

}  // namespace mneme::readers

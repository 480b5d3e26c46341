// Quotations and answers as they are pasted into somebody's own writing: the words, and where they stand. Threads: pure
// functions.
#pragma once

#include <string>
#include <string_view>

#include "ui/view_model/snapshot.h"

namespace mneme::ui {

// Where quoted words stand; what is 0 is not known, or the format has none.
struct QuotedPlace {
  std::string title;     // empty: the document's file name stands for it
  std::string document;  // absolute path
  int page = 0;
  int line_begin = 0;  // of the file
  int line_end = 0;
};
QuotedPlace place_of_quotation(const SourceView& source);

// "Handbook (/docs/handbook.pdf, page 3)", "Notes (/docs/notes.txt, lines 4–6)"; in one line.
std::string reference_text(const QuotedPlace& place);

// The words between quotation marks, and below them the reference. Where they are prose, line ends within a paragraph
// are spaces; lines of code and data are left alone, without the marks.
std::string quotation(std::string_view words, const QuotedPlace& place, bool is_code);

// The lines of `said` that a source's passage says to the letter, but for its title, which the reference has: each
// quoted by itself, with its own page and lines, unless one follows upon the other. Empty where there are none.
// `places` of the document whose byte `passage_begin` the passage begins at; null: not known.
std::string quotations(const SourceView& source, std::string_view said, const DocumentPlaces* places = nullptr,
                       uint64_t passage_begin = 0);

// An answer with the references of the passages that it cites, by number.
std::string answer_with_references(const MessageView& answer);

}  // namespace mneme::ui

// What a quotation needs beside it to say something whole: the rest of its item, the line that it announces, the reason
// before it.
// Threads: pure functions.
#pragma once

#include <cstddef>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {

// Bytes of a list that is quoted behind the sentence that announces it.
inline constexpr size_t kLongestTail = 700;

// The sentences behind part i in its paragraph: what to do is told in more than one.
void append_rest_of_paragraph(const PassageOutline& outline, size_t i, QuotedSentence& quote);

// The code behind part i: behind the sentence itself, or behind a paragraph that announces it ("Let us start a project.
// Go to your folder. Then run:"), then with the sentences between. Nothing where there is none, or too long a piece.
void append_shown_code(const PassageOutline& outline, size_t i, QuotedSentence& quote);

// The sentences before part i in its paragraph or item: "Two planks are rotten. Until then the left side is closed."
void prepend_start_of_paragraph(const PassageOutline& outline, size_t i, QuotedSentence& quote);

// The next sentence of the paragraph or item of part i, where it says why: "It is put off. The reason is the weather."
// Whether there is one.
bool append_reason(const PassageOutline& outline, size_t i, QuotedSentence& quote);

// The lines below part i, up to the next empty one: a bill's first line says only what it is a bill of.
void append_rest_of_block(const PassageOutline& outline, size_t i, QuotedSentence& quote);

// quote: of part i.
void append_rest_of_item(const PassageOutline& outline, size_t i, QuotedSentence& quote);

}  // namespace mneme::rag

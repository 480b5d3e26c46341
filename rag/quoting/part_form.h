// What the form of a sentence, item or row tells of it as an answer: whether it holds the kind of thing that is asked
// for, defines, compares, is a row, a letterhead, code. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/sentence_evidence.h"

namespace mneme::rag {

// part: of passage p, whose evidence of words is there already. text: it without the heading before it, whose dates and
// numbers are no answers.
void look_at_form(const AskedPassages& asked, size_t p, const OutlinePart& part, std::string_view text,
                  SentenceEvidence& evidence);

}  // namespace mneme::rag

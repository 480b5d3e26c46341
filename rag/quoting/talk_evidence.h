// Questions of a text itself and what follows them: in mails, chats and transcripts their answers.
// Threads: pure functions.
#pragma once

#include <cstddef>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/outline/passage_outline.h"

namespace mneme::rag {

// The question of the text that part i is likely to answer: what follows one does, and in a talk the next messages,
// too. i: there is none.
size_t question_before(const std::vector<OutlinePart>& parts, size_t i);

// How much of what is asked a question of the text asks, too: "Where are they?" behind "Did you find the keys?", where
// the keys are asked for. 0 where another kind of thing is asked: what follows "Did you find the keys?" is "Yes".
double share_of_asked(const AskedPassages& asked, const std::vector<OutlinePart>& parts, size_t asks);

}  // namespace mneme::rag

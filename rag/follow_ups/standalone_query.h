// A follow-up question made to stand alone: "and in winter?" after "When is the museum open?" needs the museum to be
// found. By rules of form: the thing asked of is exchanged (exchanged_thing.h), or what the question is about is said
// in it (named_topic.h). It is shown to the user, so it reads as somebody would write it. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/prompt/turn.h"

namespace mneme::rag {

// What a question may mean behind its history.
struct QuestionReading {
  std::string question;   // as it stands alone
  std::string leaned_on;  // what of it was said before; "" where it says all itself
  // Of a follow-up that names a thing itself: "And for the garage?", put into the question before. What answers says
  // it. Else "".
  std::string named{};
  bool is_alone = false;  // as it was asked
};

// Likeliest first: alone, or leaning on what was asked before. A later one is for where those before it find no answer.
// At least one, at most four.
std::vector<QuestionReading> question_readings(std::string_view question, std::span<const Turn> history);

// The first of them: the question itself, without thanks and greetings, when it stands alone.
std::string standalone_query(std::string_view question, std::span<const Turn> history);

// Whether a question leans on what was said before: with a pronoun, beginning like a continuation, or naming nothing.
bool is_follow_up(std::string_view question);

// Whether it may go on from what was said, though it says itself what it asks: so short that it hardly says of what.
bool may_go_on(std::string_view question);

// The documents that the last answer cites, before thanks and the like; none where the talk is of none.
std::span<const std::string> talked_of(std::span<const Turn> history);

}  // namespace mneme::rag

// The words by which questions ask, of many languages: "when did", "um wie viel Uhr" and いつ ask for a date. Data, and
// how it is looked up; what follows from it is said in rag/text/asked/question_kind.h. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

enum class Asking {
  kDate,  // or time of day
  kCase,  // "when should I": in which case, not at what time
  kNumber,
  kDuration,
  kFrequency,
  kPerson,
  kPlace,
  kReason,
  kManner,
  kSteps,
  kList,
  kDefinition,
  kDeed,  // "what do we sing": what somebody does
  kDifference,
};

// Whether a question asks so. `question`: as it is written; `folded`: by folded_text() (rag/text/words/words.h), a
// space before and after it.
bool asks_for(Asking asking, std::string_view question, std::string_view folded);

// The words of the phrases by which a question asks for a time or a meaning in its own language: "många" and "dagar" of
// "hur många dagar". None of phrases of one word, nor of those that ask in whatever language.
std::vector<std::string> words_that_ask(std::string_view question);

// The words that ask so anywhere in a question, folded.
std::span<const std::string> asking_words(Asking asking);

}  // namespace mneme::rag

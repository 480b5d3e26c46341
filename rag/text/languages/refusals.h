// "The documents do not say." in the language of the question, as far as it is known: who asks in German is not
// answered in English. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// "" where the question is English, or in a language that is not known.
std::string_view refusal_for(std::string_view question);

}  // namespace mneme::rag

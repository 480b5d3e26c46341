// "What does HTTP stand for?" and "What does a wheel mean?" ask for a definition in words of their own, of which no
// text that answers says any. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The same asked plainly: "What is HTTP?". Other questions as they are.
std::string asked_plainly(std::string_view question);

}  // namespace mneme::rag

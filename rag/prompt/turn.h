// What was said before in a chat. Threads: values.
#pragma once

#include <string>
#include <vector>

namespace mneme::rag {

// An earlier question and its answer.
struct Turn {
  std::string question;
  std::string answer;
  std::vector<std::string> documents{};  // that the answer cites, by path, best first; may be empty
};

}  // namespace mneme::rag

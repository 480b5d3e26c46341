#pragma once

#include <string>

namespace mneme::rag {

// An earlier question and its answer.
struct Turn {
  std::string question;
  std::string answer;
};

}  // namespace mneme::rag

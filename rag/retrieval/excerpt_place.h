// Where in a passage an excerpt had better begin: not where the passage does, but where it speaks of what was asked
// for. Threads: pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "rag/document.h"

namespace mneme::rag {

// terms: of the question (QuestionTerms::terms()); weight: of one of them, 0 where it says nothing. The byte where the
// sentence begins from which on a few lines hold most of them by weight, each counted once; of several places the
// first. 0, the beginning of the passage, where no other place holds more.
size_t excerpt_place(std::string_view passage, TextForm form, std::span<const std::string> terms,
                     const std::function<double(std::string_view)>& weight);

}  // namespace mneme::rag

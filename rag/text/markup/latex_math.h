// LaTeX's maths as text that can be read: Greek letters and signs as characters, powers and indices raised and
// lowered where Unicode has them, fractions with a slash. Not typesetting; what is not known stays as written.
// Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

std::string latex_math_text(std::string_view latex);

}  // namespace mneme::rag

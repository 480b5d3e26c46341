// Formulas of Office files (OMML) as a line of text: fractions with a stroke, roots and exponents so that nothing runs
// together. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <pugixml.hpp>
#include <string>

namespace mneme::readers {

// The text of a formula (m:oMath). depth_left: elements in elements that are read.
std::string math_text(const pugi::xml_node& formula, int depth_left);

}  // namespace mneme::readers

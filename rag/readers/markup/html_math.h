// Formulas of pages as text that can be read: MathML, and LaTeX where it stands beside a picture of the formula or in
// the script that would draw it.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <gumbo.h>

#include <string>

namespace mneme::readers {

// The text of a formula (<math>).
std::string mathml_text(const GumboNode* math);

// What a picture or a script says of the formula that it shows; "" for any other.
std::string shown_formula(const GumboNode* element);

}  // namespace mneme::readers

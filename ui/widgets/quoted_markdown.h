// Answers that are quotations: what they consist of is a document's own text, whose stars and backslashes are no
// Markdown. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::ui {

// Markdown that shows the text as it stands. What the quoter itself makes stays what it is: fences around code, "- "
// and numbers before the items of a list. A list ends with its last item, and an item alone is a sentence.
std::string as_quoted(std::string_view text);

}  // namespace mneme::ui

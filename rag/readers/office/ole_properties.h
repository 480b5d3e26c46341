// What old Office files say of themselves: the stream of their summary (MS-OLEPS). Internal to rag/readers. Threads:
// pure functions.
#pragma once

#include <string_view>

#include "rag/document.h"

namespace mneme::readers {

// Title, author and date; nothing of a damaged one.
void take_ole_properties(std::string_view summary, rag::Document& document);

}  // namespace mneme::readers

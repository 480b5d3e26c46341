// Keeps poppler from the colour profile of the printer that a PDF was made for (PDF/A asks for one).
// Internal to rag/readers. Threads: a pure function.
#pragma once

#include <string>

namespace mneme::readers {

// poppler makes four colour transforms of that profile for every page, also where only text is asked for: longer work
// than the page itself. The key that leads to it becomes one that nobody knows; no byte changes its place. A catalog
// that lies in a compressed object stream, or is longer than 64 KiB, stays as it is.
void hide_output_intents(std::string& pdf);

}  // namespace mneme::readers

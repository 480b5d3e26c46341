// The words of a PDF's page, selected and copied where they stand on it. Threads: the window's thread.
#pragma once

#include <cstddef>
#include <string>

#include <imgui.h>

#include "ui/view_model/snapshot.h"
#include "ui/widgets/rich_text.h"

namespace mneme::ui {

// Words [first, end) in the lines they stand on.
std::string text_on_page(const PageImage& page, size_t first, size_t end);

// What is selected, likewise; empty: nothing.
std::string selected_text(const PageImage& page, const void* owner, const TextSelection& selection);

// Takes presses, double clicks and drags on the page, which was drawn at `at` in the current window, Ctrl+A and Ctrl+C,
// and marks what is selected. `owner` stands for the page, however often it is drawn anew. A selection of a page counts
// words: pieces are words, and its bytes are 0 where nothing, 1 where both ends are taken.
void select_on_page(const PageImage& page, const void* owner, ImVec2 at, ImVec2 size, TextSelection& selection);

}  // namespace mneme::ui

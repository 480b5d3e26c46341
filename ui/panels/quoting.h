// Quoting from the document that is open: the words, and where in it they stand. Threads: the window's thread.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace mneme::ui {

// What is selected in the document, with its reference; where nothing is, the words for which it was opened, or its
// passage. Empty: there is nothing to quote.
std::string quotation_of(const PanelContext& context, const DocumentTextView& view);

// Copies it, if there is anything.
void copy_quotation(PanelContext& context, const DocumentTextView& view);

}  // namespace mneme::ui

// Quoting from the document that is open: the words, and where in it they stand. Threads: the window's thread.
#pragma once

#include <string>

#include "ui/panels/panel.h"
#include "ui/view_model/quotation.h"

namespace mneme::ui {

struct Quotation {
  std::string words;  // empty: there is nothing to quote
  QuotedPlace place;
};

// What is selected in the document; where nothing is, the words for which it was opened, or its passage.
Quotation quotation_of(const PanelContext& context, const DocumentTextView& view);

// Copies it with its reference; does nothing where there is none.
void copy_quotation(PanelContext& context, const DocumentTextView& view);

}  // namespace mneme::ui

// What a page says of itself: its title without the name of its site, who wrote it, when it was published.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <gumbo.h>

#include "rag/document.h"

namespace mneme::readers {

// Takes what the head says, and dates of publication wherever the page says them by names that programs share
// (schema.org), where still unknown.
void take_page_metadata(const GumboNode* root, rag::Document& document);

}  // namespace mneme::readers

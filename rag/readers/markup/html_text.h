// The main text of an HTML page as blocks: headings, paragraphs, lists, table rows, code; without navigation, scripts,
// forms and other furniture. Shared by the readers of HTML, EPUB, mail and notebooks.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

struct HtmlOptions {
  bool keep_lines = true;           // give blocks the line numbers of the source
  bool only_main_text = true;       // leave out navigation and the like
  bool take_metadata = true;        // title, author, date into the document
  bool only_what_is_shown = false;  // leave out what its style hides, as mail does with words for previews
  // What the page is called elsewhere, told above it; a first paragraph that says the same is that heading.
  std::string heading = {};
};

// `html`: UTF-8. Errors: kResource when the page needs more time or memory than allowed.
Status add_html(ReadContext& context, std::string_view name, std::string_view html, const HtmlOptions& options,
                DocumentBuilder& builder);

// Encoding that a page names for itself (meta charset, XML declaration); "" when none.
std::string declared_encoding(std::string_view beginning);

}  // namespace mneme::readers

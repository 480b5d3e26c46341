#include "ui/panels/quoting.h"

#include <algorithm>

#include "rag/answering/cited_words.h"
#include "ui/panels/page_words.h"
#include "ui/view_model/text_search.h"
#include "ui/widgets/marked_text.h"

namespace mneme::ui {
namespace {

constexpr size_t kMostPlaces = 1000;

// Bytes of a document's text.
struct Span {
  size_t begin = 0;
  size_t end = 0;
};

// Where in the text the words stand that are selected in a part of it. A layout does not know what it was made of, so
// the words are looked for: of the places that say them, the one with as many before it as in the layout. Words that
// Markdown has marks within are found line by line, and then only the line that says most of them.
Span span_of(const DocumentPart& part, std::string_view text, const TextSelection& selection,
             const std::string& words) {
  const std::string_view shown = text.substr(part.begin, part.end - part.begin);
  const size_t piece = std::min(selection.anchor_piece, selection.head_piece);
  const auto laid_out = places_in(part.layout.layout(), words);
  const std::vector<TextPlace> written = places_of(shown, words, kMostPlaces);
  const auto place = std::find_if(laid_out.begin(), laid_out.end(),
                                  [&](const auto& marks) { return !marks.empty() && marks.front().piece >= piece; });
  if (place != laid_out.end() && laid_out.size() == written.size()) {
    const TextPlace& at = written[static_cast<size_t>(place - laid_out.begin())];
    return {part.begin + at.begin, part.begin + at.end};
  }
  const size_t line = part.begin + rag::first_line_said(shown, words);
  return {line, line + 1};
}

// A span's page and lines, as far as they are known.
QuotedPlace place_of(const DocumentTextView& view, const Span& span) {
  QuotedPlace place = {view.source.title, view.source.document, 0, 0, 0};
  if (!view.places) return place;
  place.page = view.places->page_of(span.begin);
  place.line_begin = view.places->line_of(span.begin);
  place.line_end = view.places->line_of(std::max(span.begin + 1, span.end) - 1);
  return place;
}

Quotation selected_in_text(const PanelContext& c, const DocumentTextView& view) {
  const DocumentBox& box = c.window.document;
  for (const DocumentPart* part : {&box.before, &box.passage, &box.after}) {
    if (c.window.selection.owner != part || part->layout.empty()) continue;
    const std::string words = selected_text(part->layout.layout(), c.window.selection);
    if (words.find_first_not_of(" \t\n") == words.npos) return {};
    return {words, place_of(view, span_of(*part, *view.text, c.window.selection, words))};
  }
  return {};
}

Quotation selected_on_page(const PanelContext& c, const DocumentTextView& view) {
  if (!view.page_image || c.window.document.show_text) return {};
  return {selected_text(*view.page_image, &c.window.document, c.window.selection),
          {view.source.title, view.source.document, view.page, 0, 0}};
}

}  // namespace

Quotation quotation_of(const PanelContext& c, const DocumentTextView& view) {
  if (Quotation on_page = selected_on_page(c, view); !on_page.words.empty()) return on_page;
  if (Quotation in_text = selected_in_text(c, view); !in_text.words.empty()) return in_text;
  const std::string words = words_of_passage(view.source, view.said);
  if (!words.empty()) return {words, place_of_quotation(view.source)};
  QuotedPlace passage = place_of(view, {view.begin, view.end});
  if (view.source.page > 0) passage.page = view.source.page;
  return {view.source.text, passage};
}

void copy_quotation(PanelContext& c, const DocumentTextView& view) {
  const Quotation quoted = quotation_of(c, view);
  if (!quoted.words.empty()) copy_text(c, quotation(quoted.words, quoted.place, view.source.is_code));
}

}  // namespace mneme::ui

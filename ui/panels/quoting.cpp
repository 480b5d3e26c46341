#include "ui/panels/quoting.h"

#include <algorithm>

#include "rag/answering/citations/cited_words.h"
#include "ui/panels/page_words.h"
#include "ui/view_model/quotation.h"
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

std::string selected_in_text(const PanelContext& c, const DocumentTextView& view) {
  const DocumentBox& box = c.window.document;
  for (const DocumentPart* part : {&box.before, &box.passage, &box.after}) {
    if (c.window.selection.owner != part || part->layout.empty()) continue;
    const std::string words = selected_text(part->layout.layout(), c.window.selection);
    if (words.find_first_not_of(" \t\n") == words.npos) return {};
    return quotation(words, place_of(view, span_of(*part, *view.text, c.window.selection, words)), view.source.is_code);
  }
  return {};
}

std::string selected_on_page(const PanelContext& c, const DocumentTextView& view) {
  if (!view.page_image || c.window.document.show_text) return {};
  const std::string words = selected_text(*view.page_image, &c.window.document, c.window.selection);
  return words.empty() ? "" : quotation(words, {view.source.title, view.source.document, view.page, 0, 0}, false);
}

std::string passage_of(const DocumentTextView& view) {
  if (view.source.text.empty()) return {};
  QuotedPlace place = place_of(view, {view.begin, view.end});
  if (view.source.page > 0) place.page = view.source.page;
  return quotation(view.source.text, place, view.source.is_code);
}

}  // namespace

std::string quotation_of(const PanelContext& c, const DocumentTextView& view) {
  std::string text = selected_on_page(c, view);
  if (text.empty()) text = selected_in_text(c, view);
  if (text.empty()) text = quotations(view.source, view.said, view.places.get(), view.begin);
  return text.empty() ? passage_of(view) : text;
}

void copy_quotation(PanelContext& c, const DocumentTextView& view) {
  if (const std::string text = quotation_of(c, view); !text.empty()) copy_text(c, text);
}

}  // namespace mneme::ui

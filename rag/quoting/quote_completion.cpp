#include "rag/quoting/quote_completion.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rag/text/asked/question_kind.h"
#include "rag/text/told/answer_cue.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongSentence = 400;
constexpr size_t kLongestRest = 300;

// "{{#include ../listing.rs}}": what a book is put together from, which shows nothing.
bool stands_for_file(std::string_view code) {
  return code.find("{{#") != std::string_view::npos;
}

// "List all files:" is half a sentence: the line after it, or the list, is the other.
void append_next(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  if (i + 1 >= parts.size() || parts[i + 1].span.is_heading()) return;
  for (const OutlineList& list : outline.lists()) {
    if (list.begin != i + 1) continue;
    quote.text += "\n" + outline.text_of(list, kLongestTail);
    quote.byte_end = parts[list.end - 1].span.byte_end;
    return;
  }
  const std::string next = outline.text_of(i + 1);
  if (next.empty() || next.size() > kLongSentence || stands_for_file(next)) return;
  quote.text += (next.starts_with("```") ? "\n" : " ") + next;
  quote.byte_end = parts[i + 1].span.byte_end;
}

}  // namespace

void append_rest_of_paragraph(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  for (size_t next = i + 1; next < parts.size(); ++next) {
    const std::string_view between(parts[next - 1].raw.end(), parts[next].raw.begin());
    if (parts[next].span.kind != SentenceKind::kText || between.find('\n') != std::string_view::npos) return;
    const std::string text = outline.text_of(next);
    if (quote.text.size() + text.size() > kLongestRest) return;
    quote.text += " " + text;
    quote.byte_end = parts[next].span.byte_end;
  }
}

void append_shown_code(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  const auto goes_on = [&](size_t next) {
    const std::string_view between(parts[next - 1].raw.end(), parts[next].raw.begin());
    return parts[next].span.kind == SentenceKind::kText && std::count(between.begin(), between.end(), '\n') <= 1;
  };
  size_t last = i;
  while (last + 1 < parts.size() && goes_on(last + 1)) ++last;
  if (last + 1 >= parts.size() || parts[last + 1].span.kind != SentenceKind::kCode) return;
  const bool announced = parts[last].raw.ends_with(':');
  if (last > i && (!announced || parts[last].span.byte_end - parts[i].span.byte_begin > kLongSentence)) return;
  const size_t code_end = parts[last + 1].span.byte_end;
  if (quote.byte_end >= code_end) return;  // it is there: the sentence announces it itself
  const std::string code = outline.text_of(last + 1);
  if (code.empty() || code.size() > kLongSentence || stands_for_file(code)) return;
  for (size_t next = i + 1; next <= last; ++next) {
    const bool quoted = parts[next].span.byte_end <= quote.byte_end;  // by append_rest_of_paragraph()
    if (!quoted) quote.text += " " + outline.text_of(next);
  }
  quote.text += (code.starts_with("```") || !announced ? "\n" : " ") + code;
  quote.byte_end = code_end;
}

void prepend_start_of_paragraph(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  for (size_t before = i; before-- > 0;) {
    const OutlinePart& part = parts[before];
    const std::string_view between(part.raw.end(), parts[before + 1].raw.begin());
    const bool together = part.span.kind == parts[i].span.kind && part.span.item == parts[i].span.item &&
                          std::count(between.begin(), between.end(), '\n') <= 1;
    const std::string text = outline.text_of(before);
    if (!together || quote.text.size() + text.size() > kLongestRest) return;
    quote.text.insert(0, text + " ");
    quote.byte_begin = part.span.byte_begin;
  }
}

bool append_reason(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  if (i + 1 >= parts.size() || quote.byte_end > parts[i + 1].span.byte_begin) return false;
  const OutlinePart& next = parts[i + 1];
  const std::string_view between(parts[i].raw.end(), next.raw.begin());
  const bool together = next.span.kind == parts[i].span.kind && next.span.item == parts[i].span.item &&
                        between.find('\n') == std::string_view::npos;
  const std::string text = outline.text_of(i + 1);
  if (!together || quote.text.size() + text.size() > kLongestRest) return false;
  if (answer_cue(QuestionKind::kReason, text, {}, {}) < 1.0) return false;
  quote.text += " " + text;
  quote.byte_end = next.span.byte_end;
  return true;
}

void append_rest_of_block(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  for (size_t next = i + 1; next < parts.size() && !parts[next].span.is_heading(); ++next) {
    const std::string_view between(parts[next - 1].raw.end(), parts[next].raw.begin());
    if (std::count(between.begin(), between.end(), '\n') != 1) return;
    const std::string text = outline.text_of(next);
    if (quote.text.size() + text.size() > kLongestRest) return;
    quote.text += " " + text;
    quote.byte_end = parts[next].span.byte_end;
  }
}

// "Convert AVI to MP4. Sound at 128 kbit:" is one item, of which the last sentence announces what follows.
void append_rest_of_item(const PassageOutline& outline, size_t i, QuotedSentence& quote) {
  const std::vector<OutlinePart>& parts = outline.parts();
  const auto of_this_item = [&](const OutlinePart& part) {
    return part.span.kind == SentenceKind::kItem && part.span.group == parts[i].span.group &&
           part.span.item == parts[i].span.item;
  };
  size_t last = i;
  while (last + 1 < parts.size() && of_this_item(parts[last + 1])) ++last;
  if (!parts[last].raw.ends_with(':')) {
    if (quote.text.ends_with(':')) append_next(outline, i, quote);
    return;
  }
  for (size_t next = i + 1; next <= last; ++next) quote.text += " " + outline.text_of(next);
  quote.byte_end = parts[last].span.byte_end;
  append_next(outline, last, quote);
}

}  // namespace mneme::rag

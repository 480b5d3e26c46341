#include "rag/quoting/place_quotes.h"

#include <algorithm>
#include <string>

#include "rag/text/documents/section_numbers.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostPlaces = 2;

// Whether another place begins: a heading, or a numbered clause, that is no part of this one.
bool begins_another(const AskedPlace& place, const OutlinePart& part) {
  std::string_view line = part.raw;
  line.remove_prefix(std::min(line.find_first_not_of("# *"), line.size()));
  if (line.starts_with(place.number + ".")) return false;  // "7.1" of section 7
  const SectionNumber number = section_number(line);
  // "8 Returns" after section 7; "7 Wonders" may be anything else, and "8 Members vote." is a sentence.
  const bool is_next = number.levels == 1 && place.number == std::to_string(number.first - 1) && !line.ends_with('.');
  return part.span.is_heading() || number.levels > 1 || is_next;
}

// The parts from `begin` to the next place, as one text.
QuotedSentence quote_from(const AskedPlace& place, const PassageOutline& outline, size_t begin) {
  const std::vector<OutlinePart>& parts = outline.parts();
  QuotedSentence quote;
  quote.byte_begin = parts[begin].span.byte_begin;
  for (size_t i = begin; i < parts.size() && (i == begin || !begins_another(place, parts[i])); ++i) {
    const std::string text = parts[i].span.is_heading() ? std::string() : outline.text_of(i);
    if (!quote.text.empty() && quote.text.size() + text.size() > kLongestPlace) break;
    if (!text.empty()) quote.text += (quote.text.empty() ? "" : " ") + text;
    quote.byte_end = parts[i].span.byte_end;
  }
  return quote;
}

// The lowest heading above a passage: the last of "Contract > 7 Payment > 7.3 Invoices".
std::string_view lowest_above(std::string_view context) {
  const size_t line = context.rfind('\n');
  std::string_view path = line == std::string_view::npos ? context : context.substr(line + 1);
  const size_t part = path.rfind(" > ");
  return part == std::string_view::npos ? path : path.substr(part + 3);
}

}  // namespace

std::vector<QuotedSentence> quotes_of_all(std::span<const QuotePassage> passages, size_t most_bytes) {
  std::vector<QuotedSentence> quotes;
  size_t room = most_bytes;
  for (size_t p = 0; p < passages.size(); ++p) {
    const QuotePassage& passage = passages[p];
    const PassageOutline outline(passage.text, passage.context, passage.title, passage.form, passage.of_records);
    QuotedSentence quote;
    quote.passage = static_cast<int>(p);
    for (size_t i = 0; i < outline.parts().size(); ++i) {
      const std::string text = outline.text_of(i);
      const bool first = quotes.empty() && quote.text.empty();
      if (text.empty()) continue;
      if (!first && text.size() > room) break;
      quote.text += (quote.text.empty() ? "" : " ") + text;
      quote.byte_end = outline.parts()[i].span.byte_end;
      room -= std::min(room, text.size());
    }
    if (!quote.text.empty()) quotes.push_back(std::move(quote));
  }
  return quotes;
}

std::vector<QuotedSentence> quotes_of_place(const AskedPlace& place, std::span<const PassageOutline> outlines) {
  std::vector<QuotedSentence> begun;
  std::vector<QuotedSentence> continued;
  for (size_t p = 0; p < outlines.size(); ++p) {
    const std::vector<OutlinePart>& parts = outlines[p].parts();
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const OutlinePart& part) { return begins_place(place, part.raw); });
    const bool begins = found != parts.end();
    if (parts.empty() || (!begins && !begins_place(place, lowest_above(outlines[p].context())))) continue;
    const size_t first = begins ? static_cast<size_t>(found - parts.begin()) : 0;
    QuotedSentence quote = quote_from(place, outlines[p], first);
    quote.passage = static_cast<int>(p);
    if (!quote.text.empty()) (begins ? begun : continued).push_back(std::move(quote));
  }
  begun.insert(begun.end(), continued.begin(), continued.end());
  if (begun.size() > kMostPlaces) begun.resize(kMostPlaces);
  return begun;
}

}  // namespace mneme::rag

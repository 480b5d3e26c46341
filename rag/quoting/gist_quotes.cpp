#include "rag/quoting/gist_quotes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/quoting/place_quotes.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostSentences = 3;
constexpr size_t kLongest = 700;       // bytes
constexpr size_t kLeastWords = 5;      // what is shorter is an address, a name, a greeting
constexpr size_t kLongestOther = 300;  // bytes of what is no text
constexpr std::string_view kAbstracts[] = {
    "abstract",     "summary", "executive summary", "overview",     "synopsis",  "tl dr",      "introduction",
    "purpose",      "about",   "zusammenfassung",   "kurzfassung",  "uberblick", "einleitung", "resume",
    "introduccion", "resumen", "riassunto",         "introduzione", "resumo",    "introducao", "аннотация",
    "введение"};
constexpr std::string_view kWideAbstracts[] = {"摘要", "概要", "简介", "要旨", "はじめに"};

bool heads_abstract(std::string_view heading) {
  const std::string folded = folded_text(heading);
  const size_t letters = std::min(folded.find_first_not_of("0123456789. "), folded.size());
  return one_of(std::string_view(folded).substr(letters), kAbstracts) || one_of(heading, kWideAbstracts);
}

// Whose a document is comes before what it is about.
bool is_copyright(std::string_view raw) {
  return raw.starts_with("©") || folded_text(raw).starts_with("copyright ");
}

bool is_sentence(const OutlinePart& part) {
  constexpr std::string_view kStops[] = {".", "!", "。", "！", ":", "…"};
  if (is_question(part.raw) || is_copyright(part.raw)) return false;
  const bool closed = std::any_of(std::begin(kStops), std::end(kStops),
                                  [&](std::string_view stop) { return part.raw.ends_with(stop); });
  return closed && part.stems.size() >= kLeastWords;
}

struct Place {
  size_t passage = 0;
  size_t part = 0;
};

// Of the caption of a picture, "![...](file "...")", which may be of several sentences, no part is what the document
// says.
class PictureCaption {
 public:
  bool holds(std::string_view raw) {
    if (!is_open_ && !raw.starts_with("![")) return false;
    is_open_ = true;
    const size_t target = in_target_ ? 0 : raw.find("](");
    in_target_ = target != std::string_view::npos;
    if (in_target_ && raw.find(')', target) != std::string_view::npos) is_open_ = in_target_ = false;
    return true;
  }

 private:
  bool is_open_ = false;
  bool in_target_ = false;
};

// Which parts are text, and no captions.
std::vector<bool> texts_of(const PassageOutline& outline) {
  std::vector<bool> texts;
  PictureCaption caption;
  for (const OutlinePart& part : outline.parts()) {
    texts.push_back(!caption.holds(part.raw) && part.span.kind == SentenceKind::kText);
  }
  return texts;
}

// The first sentence that `is_wanted`; false where none is.
template <typename IsWanted>
bool find_first(std::span<const PassageOutline> outlines, const IsWanted& is_wanted, Place& place) {
  for (size_t p = 0; p < outlines.size(); ++p) {
    const std::vector<bool> texts = texts_of(outlines[p]);
    for (size_t i = 0; i < texts.size(); ++i) {
      const OutlinePart& part = outlines[p].parts()[i];
      if (!texts[i] || !is_sentence(part) || !is_wanted(outlines[p], part)) continue;
      place = {p, i};
      return true;
    }
  }
  return false;
}

// Short sentences before it in its paragraph belong to what it says: "Call me Ishmael."
size_t begin_of_paragraph(const PassageOutline& outline, size_t part) {
  const std::vector<OutlinePart>& parts = outline.parts();
  const std::vector<bool> texts = texts_of(outline);
  const auto follows = [&](size_t i) {
    const std::string_view between =
        outline.text().substr(parts[i - 1].span.byte_end, parts[i].span.byte_begin - parts[i - 1].span.byte_end);
    return texts[i - 1] && parts[i - 1].heading == parts[i].heading && between.find('\n') == between.rfind('\n');
  };
  while (part > 0 && follows(part)) --part;
  return part;
}

// The sentences from `place` on that follow each other under one heading.
QuotedSentence quote_from(const PassageOutline& outline, const Place& place) {
  const std::vector<OutlinePart>& parts = outline.parts();
  QuotedSentence quote;
  quote.passage = static_cast<int>(place.passage);
  quote.byte_begin = parts[place.part].span.byte_begin;
  size_t n = 0;
  for (size_t i = place.part; i < parts.size() && n < kMostSentences; ++i, ++n) {
    if (parts[i].span.kind != SentenceKind::kText || parts[i].heading != parts[place.part].heading) break;
    const std::string text = outline.text_of(i);
    if (n > 0 && quote.text.size() + text.size() > kLongest) break;
    quote.text += (n > 0 ? " " : "") + text;
    quote.byte_end = parts[i].span.byte_end;
  }
  return quote;
}

// "Type Hints: PEP 3107 introduced syntax for ...", unless the title says no more.
void name_document(std::string_view title, std::string& text) {
  const std::vector<std::string> said = stems_of(text);
  const std::vector<std::string> named = stems_of(title);
  const bool is_said = std::all_of(named.begin(), named.end(), [&](const std::string& stem) {
    return std::find(said.begin(), said.end(), stem) != said.end();
  });
  if (!is_said) text.insert(0, std::string(title) + ": ");
}

}  // namespace

std::vector<QuotedSentence> quotes_of_gist(std::span<const QuotePassage> passages) {
  std::vector<PassageOutline> outlines;
  for (const QuotePassage& passage : passages) {
    outlines.emplace_back(passage.text, passage.context, passage.title, passage.form, passage.of_records, passage.file);
  }
  const auto is_abstract = [](const PassageOutline& outline, const OutlinePart& part) {
    return heads_abstract(outline.heading_text(part));
  };
  const auto is_any = [](const PassageOutline&, const OutlinePart&) { return true; };
  Place place;
  if (!find_first(outlines, is_abstract, place) && !find_first(outlines, is_any, place)) {
    return quotes_of_all(passages.first(std::min<size_t>(1, passages.size())), kLongestOther);
  }
  place.part = begin_of_paragraph(outlines[place.passage], place.part);
  QuotedSentence quote = quote_from(outlines[place.passage], place);
  name_document(passages[place.passage].title, quote.text);
  return {std::move(quote)};
}

}  // namespace mneme::rag

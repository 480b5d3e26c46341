#include "rag/quoting/quote_candidates.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/column_candidate.h"
#include "rag/quoting/list_candidate.h"
#include "rag/quoting/outline/entry_marks.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/quoting/part_candidate.h"
#include "rag/quoting/property_candidate.h"
#include "rag/quoting/quote_filters.h"
#include "rag/quoting/quote_likeness.h"
#include "rag/quoting/quote_names.h"
#include "rag/quoting/thing_filters.h"
#include "rag/text/asked/action.h"
#include "rag/text/told/answer_cue.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongCode = 240;
constexpr double kAllSaid = 0.99;     // of the question's words
constexpr double kAsked = 0.6;        // of labelled(): a heading that answers by itself
constexpr int kSpelledRun = 3;        // characters that are compared, of words that spaces part
constexpr int kSpelledCharacter = 1;  // ... of text without spaces

// "# Week plan of Rosa (born 9 August 1941)": it says all that is asked, and the number or day besides.
bool answers_in_heading(const AskedPassages& asked, const OutlinePart& heading) {
  const QuoteQuestion& question = asked.question();
  if (!question.is_measured() || !question.is_told_new_number(heading.raw)) return false;
  std::set<std::string> said;
  const bool says_all =
      asked.wanted().share_of(heading.stems, said) >= kAllSaid && asked.wanted().share_known() >= kAllSaid;
  return says_all && answer_cue(question.kind, heading.raw, question.matter, question.unit) >= 1.0;
}

// Headings and what is no text by itself are not quoted, except a heading that answers: "# Author: Verne".
bool may_be_quoted(const AskedPassages& asked, size_t p, size_t i) {
  const PassageOutline& outline = asked.outline(p);
  const OutlinePart& part = outline.parts()[i];
  const bool dates = asked.question().kind == QuestionKind::kDate && is_entry_mark(plain_sentence(part.raw));
  const bool says = dates || (!label_in_heading(part.raw).empty() && asked.labelled(p, i) >= kAsked);
  const bool names = (part.span.is_heading() && !says && !answers_in_heading(asked, part)) ||
                     part.span.kind == SentenceKind::kTableHead;
  const bool source = outline.form() == TextForm::kSource;  // there it is cut to size
  // A line of commands has numbers that count nothing.
  if (!source && part.span.kind == SentenceKind::kCode && !asked.question().unit.empty()) return false;
  const bool long_code = !source && part.span.kind == SentenceKind::kCode && part.raw.size() > kLongCode;
  return !names && !long_code && !sets_exercise(part);
}

void add_lists_of(const AskedPassages& asked, size_t p, QuoteCandidates& candidates) {
  for (const OutlineList& list : asked.outline(p).lists()) {
    QuoteCandidate candidate = list_candidate(asked, p, list);
    if (candidate.evidence.whole > 0.0) candidates.push_back(std::move(candidate));
  }
}

void add_candidates_of(const AskedPassages& asked, size_t p, QuoteCandidates& candidates) {
  const PassageOutline& outline = asked.outline(p);
  for (size_t i = 0; i < outline.parts().size(); ++i) {
    if (may_be_quoted(asked, p, i)) candidates.push_back(part_candidate(asked, p, i));
    if (outline.parts()[i].span.kind != SentenceKind::kTableHead) continue;
    QuoteCandidate column = column_candidate(asked, p, i);
    if (column.evidence.whole > 0.0) candidates.push_back(std::move(column));
  }
  add_lists_of(asked, p, candidates);
  for (const OutlineList& section : outline.sections()) {
    if (tells_what_to_do(asked, outline, section)) candidates.push_back(list_candidate(asked, p, section));
  }
}

void score(const AskedPassages& asked, const Embedder* embedder, QuoteCandidates& candidates) {
  const bool spaced = asked.wanted().spaced();
  compare_spelling(asked.question().text, spaced ? kSpelledRun : kSpelledCharacter, candidates);
  if (embedder != nullptr) compare_meaning(asked.question().text, *embedder, candidates);
  for (QuoteCandidate& candidate : candidates) candidate.quote.score = sentence_score(candidate.evidence, spaced);
}

// What the quotation tells those who quote it.
void describe(const AskedPassages& asked, QuoteCandidate& candidate) {
  candidate.quote.fits = fits_question(asked, candidate);
  candidate.quote.of_table = candidate.evidence.of_table;
  // Words of the question that these passages do not know are not said; what it leans on says only where to look.
  const double known = asked.question().topic.empty() ? asked.wanted().share_known() : 1.0;
  candidate.quote.says = (candidate.evidence.held + candidate.evidence.above) * known;
  name_document(asked, candidate.quote);
  name_manual(asked, candidate.quote);
}

}  // namespace

std::vector<QuoteCandidate> quote_candidates(std::string_view question, std::string_view whole,
                                             std::span<const PassageOutline> outlines, const Embedder* embedder,
                                             std::string_view leaned_on) {
  const QuoteQuestion asked_question(question, whole, leaned_on);
  const AskedPassages asked(asked_question, outlines);
  const bool tells_apart = !asked.wanted().empty() || !asked_question.symbols.empty();  // any sentence from others
  QuoteCandidates candidates;
  for (size_t p = 0; p < outlines.size(); ++p) {
    if (!asked.is_on_topic(p)) continue;
    QuoteCandidate property = property_candidate(asked, p);
    if (!property.quote.text.empty()) candidates.push_back(std::move(property));
    if (tells_apart) add_candidates_of(asked, p, candidates);
    if (!tells_apart && makes_something(asked_action(question))) add_lists_of(asked, p, candidates);
  }
  keep_with_symbols(asked_question, candidates);
  keep_with_names(asked, candidates);
  keep_with_code(asked, candidates);
  keep_with_default(asked, candidates);
  keep_with_author(asked, candidates);
  if (wants_date(question)) std::erase_if(candidates, [](const QuoteCandidate& c) { return c.evidence.cue <= 0.0; });
  score(asked, embedder, candidates);
  prefer_naming_definitions(asked_question, candidates);
  prefer_same_letters(question, candidates);
  prefer_labelled_kind(candidates);
  std::erase_if(candidates, [](const QuoteCandidate& c) { return !worth_quoting(c.evidence) || c.quote.text.empty(); });
  drop_letterheads(candidates);
  drop_untold(asked, candidates);
  drop_without_subject(asked, candidates);
  drop_of_other_places(asked, candidates);
  drop_of_other_wholes(asked, candidates);
  drop_of_other_things(asked, candidates);
  drop_of_others(asked, candidates);
  keep_with_subject(asked, candidates);
  keep_with_quality(asked, candidates);
  keep_with_quantity(asked, candidates);
  keep_with_contact(asked_question, candidates);
  drop_quoted_questions(asked, candidates);
  keep_statements(candidates);
  drop_titles(asked, candidates);
  for (QuoteCandidate& candidate : candidates) describe(asked, candidate);
  keep_fitting(asked_question, candidates);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const QuoteCandidate& a, const QuoteCandidate& b) { return a.quote.score > b.quote.score; });
  return candidates;
}

}  // namespace mneme::rag

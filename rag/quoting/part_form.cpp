#include "rag/quoting/part_form.h"

#include <algorithm>
#include <set>
#include <string>

#include "rag/quoting/number_places.h"
#include "rag/quoting/outline/line_shapes.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/text/asked/labels.h"
#include "rag/text/asked/limit.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/quantities/money.h"
#include "rag/text/told/answer_cue.h"
#include "rag/text/told/definitions.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kAllBeside = 0.75;     // of the question's weight: what stands there is of nothing else
constexpr double kAllSaid = 0.99;       // ... in the sentence itself
constexpr double kMostlyKnown = 0.5;    // of the question's words: the passages tell of it
constexpr double kUnderItsName = 0.85;  // a cue of definition: what stands first under the thing's name
constexpr double kNamesDocument = 2.1;  // a cue, where a document's name is asked for
constexpr double kNamedSum = 2.0;       // a cue, where a sum is asked for by its name
constexpr double kRules = 2.5;          // a cue, where it is asked whether something may or must be done
constexpr double kNoLimit = 0.6;        // of a cue, where a limit is asked for: a number that sets none
constexpr size_t kBeforeSymbol = 2;     // words: "In Rust, ?" is too many for a subject

// What only the markup shows: a term emphasised where it is introduced; a sentence that begins with the sign asked
// about tells what it is, "The `?` operator hands ...".
double cue_of_definition(const AskedPassages& asked, std::string_view raw) {
  const QuoteQuestion& question = asked.question();
  if (question.kind != QuestionKind::kDefinition) return 0.0;
  const bool leads = std::any_of(question.symbols.begin(), question.symbols.end(), [&](const std::string& symbol) {
    const size_t at = raw.find(symbol);
    return at != std::string_view::npos && words_of(raw.substr(0, at)).size() <= kBeforeSymbol;
  });
  if (leads || is_entry_of(raw, question.thing)) return 1.0;
  return asked.emphasises_usually() ? 0.0 : answer_cue(question.kind, raw, question.matter);
}

// "For docstrings, the limit is 72", where nothing is asked of docstrings.
bool is_special_case(const AskedPassages& asked, std::string_view text) {
  const QuestionKind kind = asked.question().kind;
  if (kind != QuestionKind::kNumber && kind != QuestionKind::kDuration) return false;
  const std::string_view special = opening_case(text);
  std::set<std::string> named;
  return !special.empty() && asked.wanted().share_of(stems_of(special), named) <= 0.0;
}

// "note: in current dollars", below the values that are asked for.
bool is_remark(const QuoteQuestion& question, const OutlinePart& part) {
  const std::string label = folded_text(label_of(part.raw));
  return (label == "note" || label == "notes") && !question.matter.contains("note");
}

// "Descale it when scale shows. With hard water this is every six weeks.": the second says what the first does.
void take_from_before(const AskedPassages& asked, const OutlinePart& part, double cue, SentenceEvidence& evidence) {
  const bool tells = asked.question().is_measured() && cue >= 1.0 && asked.wanted().share_known() >= kMostlyKnown;
  evidence.is_told_before = tells && evidence.before >= kAllBeside && points_back(part.raw);
  if (!evidence.is_told_before) return;
  evidence.held = std::max(evidence.held, evidence.before);
  evidence.above = std::min(evidence.above, 1.0 - evidence.held);
  evidence.near = std::min(evidence.near, 1.0 - evidence.held - evidence.above);
}

// Of a bill that says somewhere what it is of, the sum stands at its end.
bool tells_of_all(const AskedPassages& asked, const SentenceEvidence& evidence) {
  const PassageOutline& outline = asked.outline(static_cast<size_t>(evidence.passage));
  std::set<std::string> known;
  double told = asked.wanted().share_of(outline.context_stems(), known);
  for (const OutlinePart& part : outline.parts()) told += asked.wanted().share_of(part.stems, known);
  return told * asked.wanted().share_known() >= kAllBeside;
}

// "3. Rinse it": the number of an item counts nothing.
std::string_view without_item_mark(std::string_view text) {
  bool ordered = false;
  return text.substr(item_mark(text, ordered));
}

// "Date", where it is asked when; "Venue", "Price".
bool names_asked_kind(const QuoteQuestion& question, std::string_view label) {
  if (label.empty()) return false;
  if (question.kind == QuestionKind::kDate) return question.unit != kHour && is_date_label(label);
  if (question.kind == QuestionKind::kPlace) return is_place_label(label);
  return question.price && is_price_word(folded_text(label), question.language);
}

// Whether it holds the kind of thing asked for.
void look_for_cue(const AskedPassages& asked, const OutlinePart& part, std::string_view text,
                  SentenceEvidence& evidence) {
  const QuoteQuestion& question = asked.question();
  const bool spaced = asked.wanted().spaced();
  double cue = std::max(answer_cue(question.kind, without_item_mark(text), question.matter, question.unit),
                        cue_of_definition(asked, part.raw));
  if (question.limit && !sets_limit(text)) cue *= kNoLimit;
  evidence.of_kind = names_asked_kind(question, label_of(part.raw));
  if (question.kind == QuestionKind::kPlace && evidence.of_kind) cue = 1.0;
  if (question.kind == QuestionKind::kNumber && tells_rate_only(question, text)) cue = 0.0;
  // What introduces somebody defines them.
  const QuestionKind told = question.unit == kIntroduced ? QuestionKind::kDefinition : question.kind;
  evidence.cue = cue_weight(told, spaced) * cue;
  evidence.defines = question.kind == QuestionKind::kDefinition && cue >= 1.0;
  // A sign that is asked about stands first in its synopsis, too.
  const bool all_said = evidence.defines && question.symbols.empty() && evidence.held >= kAllSaid;
  const bool entry = question.kind == QuestionKind::kDefinition && evidence.leads && part.span.defined;
  evidence.says_what = all_said || entry;
  evidence.contrasts = question.kind == QuestionKind::kDifference && cue >= 1.0 && states_difference(text);
  // What a short form stands for is all there is to say.
  const double lead = question.short_form.empty() ? kUnderItsName : 1.0;
  if (evidence.leads) evidence.cue = std::max(evidence.cue, lead * cue_weight(QuestionKind::kDefinition, spaced));
  if (question.document.is_asked()) {
    const double names = question.document.is_named_in(text) ? 1.0 : question.document.speaks_of_itself(text);
    evidence.cue = std::max(evidence.cue, names * kNamesDocument * evidence.held);
  }
  const bool sum = question.named_sum && question.is_told_new_number(text) && (says_money(text) || holds_amount(text));
  if (sum && evidence.held > 0.0) evidence.cue = std::max(evidence.cue, kNamedSum);
  if (question.kind == QuestionKind::kOther && evidence.held > 0.0)
    evidence.cue = std::max(evidence.cue, kRules * ruling_cue(text, question.permission));
  take_from_before(asked, part, cue, evidence);
  const double all = evidence.held + evidence.near + evidence.above;
  const double beside = evidence.near > 0.0 ? all * asked.wanted().share_known() : 0.0;
  const bool price = question.price && cue >= 1.0;
  evidence.is_sum_beside = price && (beside >= kAllBeside || (states_sum(part.raw) && tells_of_all(asked, evidence)));
  evidence.is_told_there =
      question.is_measured() && cue >= 1.0 && asked.on_topic(static_cast<size_t>(evidence.passage)) >= 1.0;
}

}  // namespace

void look_at_form(const AskedPassages& asked, size_t p, const OutlinePart& part, std::string_view text,
                  SentenceEvidence& evidence) {
  const QuoteQuestion& question = asked.question();
  look_for_cue(asked, part, text, evidence);
  evidence.is_special =
      is_special_case(asked, text) || (question.price && tells_extra_price(text)) || is_remark(question, part);
  const bool of_bill = part.span.kind == SentenceKind::kText && states_number(part.raw);
  evidence.is_row = part.span.kind == SentenceKind::kRow || says_under_label(part) || of_bill;
  evidence.of_table = part.span.kind == SentenceKind::kRow;
  evidence.acts = !part.stems.empty() && question.acting.contains(part.stems.front());
  evidence.is_question = is_question(part.raw);
  evidence.is_unfinished = part.span.kind == SentenceKind::kText && !evidence.is_closed && !evidence.is_row &&
                           label_of(part.raw).empty() && part.raw.find('\n') != std::string_view::npos;
  const bool heads_letter = is_letterhead(part.raw) && !asks_about_letter(question.text);
  evidence.is_letterhead = heads_letter && question.kind != QuestionKind::kPerson;
  if (heads_letter) evidence.cue = 0.0;  // who wrote of something need not be who does it
  evidence.is_code = part.span.kind == SentenceKind::kCode && asked.outline(p).form() == TextForm::kSource;
}

}  // namespace mneme::rag

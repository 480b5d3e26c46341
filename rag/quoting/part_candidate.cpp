#include "rag/quoting/part_candidate.h"

#include <algorithm>

#include "rag/quoting/outline/line_shapes.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/row_text.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/quoting/outline/sentences.h"
#include "rag/quoting/part_form.h"
#include "rag/quoting/quote_completion.h"
#include "rag/quoting/talk_evidence.h"
#include "rag/text/asked/attribute.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/told/answer_cue.h"
#include "rag/text/told/definitions.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/symbols.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kTellsOf = 0.6;   // of the question's weight: the case that something is to be done in
constexpr size_t kMostBeside = 2;  // words of a heading beside what it is asked for by
constexpr double kAllAbove = 0.9;  // of the question's weight: the document is about nothing else

bool ends_with_stop(std::string_view line) {
  constexpr std::string_view kStops[] = {".", "!", "?", "。", "！", "？"};
  return std::any_of(std::begin(kStops), std::end(kStops), [&](std::string_view stop) { return line.ends_with(stop); });
}

// "Maximum Line Length", and below it what is said about line length.
bool heads_what_is_told(const AskedPassages& asked, const std::vector<std::string>& heading) {
  const std::vector<std::string>& told = asked.question().told;
  const auto is_there = [&](const std::string& stem) {
    return std::find(heading.begin(), heading.end(), stem) != heading.end();
  };
  return !told.empty() && heading.size() <= told.size() + kMostBeside &&
         std::all_of(told.begin(), told.end(), is_there);
}

// "Unsafe Rust" says all that "What is unsafe Rust?" asks, and not what "What does the unsafe keyword allow in Rust?"
// wants: two of its words are told of elsewhere.
bool says_what_is_asked(const AskedPassages& asked, const std::vector<std::string>& heading) {
  const QuestionKind kind = asked.question().kind;
  if (kind == QuestionKind::kDefinition) return true;
  return kind == QuestionKind::kAttribute && asked.wanted().n_beside(heading) <= 1;
}

// The title above everything tells no item from another, nor from other text, and reads as no name of what one says.
bool is_title(const PassageOutline& outline, const OutlinePart& heading) {
  return heading.stems == stems_of(outline.title());
}

// Items of a list or table are read under their heading: "Population" says what "total: 364,036" counts. Its words
// then stand before the quotation.
void read_heading(const AskedPassages& asked, size_t p, size_t i, QuoteCandidate& candidate,
                  std::set<std::string>& known) {
  const PassageOutline& outline = asked.outline(p);
  const OutlinePart& part = outline.parts()[i];
  const WantedWords& wanted = asked.wanted();
  SentenceEvidence& evidence = candidate.evidence;
  if (part.heading < 0) {  // the title is all there is above
    const std::vector<std::string> title = stems_of(outline.title());
    const bool titled =
        asked.question().kind == QuestionKind::kDefinition && asked.calls_title(p) && wanted.all_asked(title);
    evidence.heading_asked = titled && wanted.n_beside(title) == 0;
    return;
  }
  const OutlinePart& heading = outline.parts()[static_cast<size_t>(part.heading)];
  const std::string& short_form = asked.question().short_form;
  evidence.heading_asked = wanted.all_asked(heading.stems);
  const bool first =
      static_cast<size_t>(part.heading) + 1 == i && part.span.kind == SentenceKind::kText && !is_bare_field(part.raw);
  evidence.leads = first && evidence.heading_asked && says_what_is_asked(asked, heading.stems) &&
                   (short_form.empty() || opens_with_long_form(part.raw, short_form));
  evidence.leads |= first && heads_what_is_told(asked, heading.stems);
  evidence.leads |= part.span.defined && evidence.heading_asked && wanted.n_beside(heading.stems) <= 1;
  if (!is_item(part)) return;
  if (is_title(outline, heading)) {
    std::set<std::string> named = known;
    evidence.under_title = wanted.share_of(heading.stems, named);  // which look_around() counts as above
    return;
  }
  std::set<std::string> named;
  evidence.of_heading = wanted.share_of(heading.stems, named) > 0.0;
  const double weight = wanted.share_of(heading.stems, known);
  if (weight <= 0.0) return;
  if (stands_for_heading(label_of(part.raw))) {
    evidence.leads = evidence.heading_asked && says_what_is_asked(asked, heading.stems);
  }
  if (outline.entry_of(part).empty()) candidate.quote.text = plain_sentence(heading.raw) + ": " + candidate.quote.text;
  evidence.under = weight;
}

// The share of the signs asked about that it holds, or that stand in the heading of what it leads.
double share_of_symbols(const AskedPassages& asked, const PassageOutline& outline, const OutlinePart& part,
                        bool leads) {
  const std::vector<std::string>& symbols = asked.question().symbols;
  const auto has = [&](const std::string& symbol) {
    const bool above =
        leads && part.heading >= 0 && has_spelling(outline.parts()[static_cast<size_t>(part.heading)].raw, symbol);
    return above || has_spelling(part.raw, symbol);
  };
  double share = 0.0;
  for (const std::string& symbol : symbols) share += has(symbol) ? 1.0 / static_cast<double>(symbols.size()) : 0.0;
  return share;
}

// "-a, --all  do not ignore entries": where an option that is asked about is told of, not where it only may stand.
bool is_entry_of_option(const AskedPassages& asked, const OutlinePart& part) {
  constexpr size_t kMostNames = 40;  // bytes: "-j N, --jobs=N"
  const std::string_view raw = part.raw.substr(std::min(part.raw.find_first_not_of("`* "), part.raw.size()));
  if (!begins_with_option(raw)) return false;
  const std::string_view names = raw.substr(0, std::min(raw.find("  "), kMostNames));
  const std::vector<std::string>& symbols = asked.question().symbols;
  return std::any_of(symbols.begin(), symbols.end(), [&](const std::string& symbol) {
    return begins_with_option(symbol) && has_spelling(names, symbol);
  });
}

// own: its text without the heading before it.
void complete(const AskedPassages& asked, size_t i, const std::string& own, QuoteCandidate& candidate) {
  const QuoteQuestion& question = asked.question();
  const PassageOutline& outline = asked.outline_of(candidate.quote);
  const OutlinePart& part = outline.parts()[i];
  append_rest_of_item(outline, i, candidate.quote);
  candidate.evidence.is_question |= is_question(candidate.quote.text);  // "Ann wrote: When do we meet?"
  const SentenceEvidence& evidence = candidate.evidence;
  const bool in_case = question.asks_steps && evidence.held > 0.0 && evidence.held + evidence.above >= kTellsOf;
  const bool tells = part.span.kind == SentenceKind::kText && (evidence.held >= kTellsOf || in_case);
  if (question.asks_steps && tells) append_rest_of_paragraph(outline, i, candidate.quote);
  const double reason = cue_weight(QuestionKind::kReason, asked.wanted().spaced());
  const bool unexplained = question.kind == QuestionKind::kReason && candidate.evidence.cue < reason;
  const bool told_behind =
      unexplained && candidate.evidence.held >= kTellsOf && append_reason(outline, i, candidate.quote);
  if (told_behind) {
    candidate.evidence.cue = reason;
  } else if (unexplained && candidate.evidence.held >= kTellsOf) {
    prepend_start_of_paragraph(outline, i, candidate.quote);
  }
  if (question.kind == QuestionKind::kList) {  // the list that a sentence announces is what is asked for
    candidate.evidence.cue = cue_weight(question.kind, asked.wanted().spaced()) * enumerating_cue(candidate.quote.text);
  }
  candidate.evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
  // "Annual statement 2025" does not say how much was used in 2025; one of the lines below it does.
  const bool plain = part.span.kind == SentenceKind::kText && !ends_with_stop(part.raw);
  if (question.is_measured() && plain && !question.is_told_new_number(own))
    append_rest_of_block(outline, i, candidate.quote);
  // Last: how long it makes the quotation counts neither for nor against it.
  if (question.kind == QuestionKind::kManner && tells) append_shown_code(outline, i, candidate.quote);
}

// "Email gabriel@contoso.com | VIN 1C4RJFBG2NC123456", of a form whose cells bring their names along: the cell that
// states what is asked.
void take_stating_cell(const QuoteQuestion& question, const OutlinePart& part, QuoteCandidate& candidate) {
  const auto states = [&](std::string_view text) { return states_attribute(text, question.attribute, question.text); };
  const std::vector<std::string> cells =
      part.span.kind == SentenceKind::kRow ? row_cells(part.raw) : std::vector<std::string>();
  const auto cell = std::find_if(cells.begin(), cells.end(), states);
  if (cell != cells.end()) candidate.quote.text = *cell;
  candidate.evidence.states = cell != cells.end() || states(candidate.quote.text);
}

// The day or version that a part stands under, or the term that it defines; where that is right before it, whoever
// looks it up sees both.
void take_entry(const PassageOutline& outline, size_t i, const std::string& entry, QuotedSentence& quote) {
  quote.text.insert(0, entry + ": ");
  const int heading = outline.parts()[i].heading;
  if (heading + 1 == static_cast<int>(i)) quote.byte_begin = outline.parts()[i - 1].span.byte_begin;
}

// Who says it and when stands before whatever is quoted of a paragraph.
void take_said_mark(std::string_view mark, const OutlinePart& part, QuotedSentence& quote) {
  if (!mark.empty() && part.raw.begin() != mark.begin()) quote.text.insert(0, mark);
}

// What a part says, without who said it and when; who it was may be what is asked for.
std::string without_mark(std::string own, std::string_view mark, const OutlinePart& part, QuestionKind kind) {
  const size_t stamp = own == part.raw ? message_stamp(own) : 0;
  const bool asks_who = kind == QuestionKind::kPerson;
  if (mark.empty() && stamp > 0) return own.substr(asks_who ? stamp : own.find(": ", stamp) + 2);
  if (mark.empty()) return own;
  const bool begins = part.raw.begin() == mark.begin();
  return plain_sentence(part.raw.substr(!begins ? 0 : asks_who && stamp > 0 ? stamp : mark.size()));
}

}  // namespace

QuoteCandidate part_candidate(const AskedPassages& asked, size_t p, size_t i) {
  const PassageOutline& outline = asked.outline(p);
  const OutlinePart& part = outline.parts()[i];
  const QuoteQuestion& question = asked.question();
  QuoteCandidate candidate;
  candidate.quote = {static_cast<int>(p), part.span.byte_begin, part.span.byte_end, 0.0, outline.text_of(i)};
  SentenceEvidence& evidence = candidate.evidence;
  evidence.held = asked.wanted().share_of(part.stems, candidate.found);
  evidence.labelled = asked.labelled(p, i);
  evidence.titled = asked.titled(p);
  std::set<std::string> known = candidate.found;
  if (question.is_only_action(stems_of(outline.title()))) known.insert(question.action);
  if (!question.attribute.empty()) take_stating_cell(question, part, candidate);
  const std::string_view mark = part.said_mark;
  take_said_mark(mark, part, candidate.quote);
  const std::string entry = part.span.defined ? outline.heading_text(part) : outline.entry_of(part);
  if (!entry.empty()) take_entry(outline, i, entry, candidate.quote);
  // When something was, its entry says; a day is no other number.
  const bool dated = !entry.empty() && question.kind == QuestionKind::kDate;
  std::string own = entry.empty() || dated ? candidate.quote.text : outline.text_of(i);
  own = without_mark(std::move(own), mark, part, question.kind);  // when it was said is not what it says
  if (!mark.empty() && dated) own.insert(0, entry + ": ");
  evidence.is_closed = ends_with_stop(part.raw);
  read_heading(asked, p, i, candidate, known);
  look_around(asked, p, i, evidence, known);
  // Of what the document is called by, the sum is told under a label that says only that it is one.
  const bool sum = question.price && (stands_for_heading(label_of(part.raw)) || states_sum(part.raw));
  evidence.leads |= sum && evidence.held + evidence.above >= kAllAbove;
  evidence.leads |= is_entry_of_option(asked, part);
  evidence.symbols = share_of_symbols(asked, outline, part, evidence.leads);
  look_at_form(asked, p, part, own, evidence);
  // What is said of the sentence before stands under its name, too.
  if (evidence.is_told_before) evidence.labelled = std::max(evidence.labelled, asked.labelled(p, i - 1));
  complete(asked, i, own, candidate);
  return candidate;
}

void look_around(const AskedPassages& asked, size_t p, size_t i, SentenceEvidence& evidence,
                 std::set<std::string>& known) {
  const PassageOutline& outline = asked.outline(p);
  const WantedWords& wanted = asked.wanted();
  const std::vector<OutlinePart>& parts = outline.parts();
  const OutlinePart& part = parts[i];
  evidence.above = wanted.share_of(outline.context_stems(), known) + wanted.share_of(parts.front().stems, known);
  if (part.heading >= 0) evidence.above += wanted.share_of(parts[static_cast<size_t>(part.heading)].stems, known);
  evidence.above += wanted.share_of(stems_of(outline.head_of(part)), known);
  evidence.told_above = evidence.above * wanted.share_known();
  if (const size_t asks = question_before(parts, i); asks < i) {
    evidence.above += wanted.share_of(parts[asks].stems, known);
    evidence.replies = share_of_asked(asked, parts, asks) * wanted.share_known();
  }
  if (i > 0) {
    std::set<std::string> said;
    evidence.before = wanted.share_of(parts[i - 1].stems, said);
    evidence.near += wanted.share_of(parts[i - 1].stems, known);
  }
  if (i + 1 < parts.size()) evidence.near += wanted.share_of(parts[i + 1].stems, known);
  evidence.is_first = i == 0;
  evidence.position = static_cast<double>(i) / static_cast<double>(parts.size());
  evidence.passage = static_cast<int>(p);
}

}  // namespace mneme::rag

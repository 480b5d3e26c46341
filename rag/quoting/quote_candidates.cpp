#include "rag/quoting/quote_candidates.h"
#include "base/ascii.h"

#include <algorithm>
#include <functional>

#include "base/ascii.h"
#include "rag/quoting/quote_completion.h"
#include "rag/quoting/quote_likeness.h"
#include "rag/quoting/sentence_shapes.h"
#include "rag/text/asked_action.h"
#include "rag/text/definitions.h"
#include "rag/text/german.h"
#include "rag/text/quantities.h"
#include "rag/text/stop_words.h"
#include "rag/text/symbols.h"
#include "rag/text/word_forms.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongCode = 240;
constexpr size_t kLongestList = 1800;  // bytes of a list that is quoted whole
constexpr double kOtherPart = 0.3;     // what a word of the question's other part counts
constexpr double kAllBeside = 0.75;    // of the question's weight: what stands there is of nothing else
constexpr double kTellsOf = 0.6;       // of the question's weight: the case that something is to be done in
constexpr double kOnTopic = 0.75;      // of what the best passage has of it
constexpr double kLeanedOn = 0.4;      // ... of what the conversation is about
constexpr double kLeastRest = 0.2;
constexpr double kAllAbove = 0.9;          // of the question's weight: the document is about nothing else
constexpr double kUnderItsName = 0.85;     // a cue of definition: what stands first under the thing's name
constexpr double kTitledSo = 0.5;          // of the question's weight: the document that is asked for
constexpr double kNamesDocument = 2.1;     // a cue, where a document's name is asked for
constexpr double kAsked = 0.6;             // of labelled(): a heading that answers by itself
constexpr size_t kBeforeSymbol = 2;        // words: "In Rust, ?" is too many for a subject
constexpr double kOneOfMany = 0.4;         // of an item under the heading that is asked for, beside others
constexpr int kSpelledRun = 3;             // characters that are compared, of words that spaces part
constexpr int kSpelledCharacter = 1;       // ... of text without spaces
constexpr double kListHeadingShare = 0.3;  // of the question's weight that a list's heading must name

// What a cue of each kind is worth beside the question's words.
double cue_weight(QuestionKind kind, bool spaced) {
  switch (kind) {
    case QuestionKind::kDate: return 2.7;
    case QuestionKind::kReason:
    case QuestionKind::kDifference: return 2.1;
    case QuestionKind::kDefinition: return spaced ? 3.0 : 2.1;  // unspaced, any "what is" counts as one
    case QuestionKind::kPerson: return 1.9;
    case QuestionKind::kDuration:
    case QuestionKind::kFrequency: return 2.1;
    case QuestionKind::kNumber: return 1.1;
    case QuestionKind::kAttribute: return 1.0;
    case QuestionKind::kManner: return 0.8;
    case QuestionKind::kPlace: return 0.7;
    case QuestionKind::kList: return 1.0;
    case QuestionKind::kOther: return 0.0;
  }
  return 0.0;
}

bool ends_with_stop(std::string_view line) {
  constexpr std::string_view kStops[] = {".", "!", "?", "。", "！", "？"};
  return std::any_of(std::begin(kStops), std::end(kStops), [&](std::string_view stop) { return line.ends_with(stop); });
}

// What answers is a number or a day, which a sentence has or has not.
bool is_measured(QuestionKind kind) {
  return kind == QuestionKind::kDate || kind == QuestionKind::kNumber || kind == QuestionKind::kDuration ||
         kind == QuestionKind::kFrequency;
}

}  // namespace

QuoteFinder::QuoteFinder(std::string_view question, std::string_view whole, std::span<const PassageOutline> outlines,
                         const Embedder* embedder, std::string_view leaned_on)
    : question_(question),
      outlines_(outlines),
      embedder_(embedder),
      kind_(kind_of_question(question)),
      unit_(asked_unit(question)),
      price_(asks_price(question)),
      asks_steps_(asks_what_to_do(question)),
      contact_(asked_contact(question)),
      thing_(words_of(asked_thing(question))),
      names_(whole, CalledNames::Which::kIdentifiers),
      labels_(question),
      document_(question),
      action_(stem_of(asked_action(question))),
      short_form_(short_form_asked(question)),
      symbols_(asked_spellings(question)),
      wanted_(question) {
  for (const PassageOutline& outline : outlines) {
    own_.push_back(names_.share_in(outline.context()) > 0.0);
    const bool source = outline.form() == TextForm::kSource;  // its keys are no labels
    titles_.push_back(source ? 0 : labels_.taken_by(outline.title()));
  }
  any_own_ = std::find(own_.begin(), own_.end(), true) != own_.end();
  for (size_t p = 0; p < outlines.size(); ++p) {
    if (!any_own_ || own_[p]) wanted_.add(outlines[p]);  // what is not quoted has no words
  }
  if (kind_ == QuestionKind::kManner) {
    const std::string action = asked_action(question);
    const std::vector<std::string_view> like = like_actions(action);
    wanted_.let_stand_for(action, like);
    acting_.insert(action_);
    for (const std::string_view verb : like) acting_.emplace(stem_of(verb));
  }
  for (std::string& stem : stems_of(leaned_on)) leaned_on_.insert(std::move(stem));
  for (size_t p = 0; p < outlines.size(); ++p) on_topic_.push_back(share_of_topic(p));
  const auto only_asks = [&](std::string_view word) {
    return document_.only_asks(word) || (kind_ == QuestionKind::kDifference && word.starts_with("differ")) ||
           (price_ && is_price_word(word)) || (contact_ != Contact::kNone && is_contact_word(word));
  };
  // Of "a span in OpenTelemetry" the span is asked for: what says what it is need not say whose.
  const std::string thing = asked_thing(question);
  if (thing.empty()) {
    matter_ = wanted_.asked();
  } else {
    for (std::string& stem : stems_of(thing)) matter_.insert(std::move(stem));
  }
  if (!thing.empty()) wanted_.weigh(thing, 1.0, only_asks);
  const auto says_little = [&](std::string_view word) {
    return only_asks(word) || leaned_on_.contains(std::string(stem_of(word)));
  };
  wanted_.weigh(question, thing.empty() ? 1.0 : kOtherPart, says_little);
  if (!leaned_on.empty()) wanted_.weigh(leaned_on, kLeanedOn, only_asks);
  if (whole.size() != question.size()) wanted_.weigh(whole, kOtherPart, only_asks);
}

std::vector<QuoteCandidate> QuoteFinder::find() {
  if (wanted_.empty() && symbols_.empty()) return {};
  std::vector<QuoteCandidate> candidates;
  const double best_on_topic = on_topic_.empty() ? 0.0 : *std::max_element(on_topic_.begin(), on_topic_.end());
  for (size_t p = 0; p < outlines_.size(); ++p) {
    if (on_topic_[p] < kOnTopic * best_on_topic) continue;
    const std::vector<OutlinePart>& parts = outlines_[p].parts();
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool says = !label_in_heading(parts[i].raw).empty() && labelled(p, i) >= kAsked;  // "# Author: Verne"
      const bool names = (parts[i].span.is_heading() && !says) || parts[i].span.kind == SentenceKind::kTableHead;
      const bool source = outlines_[p].form() == TextForm::kSource;  // there it is cut to size
      const bool long_code = !source && parts[i].span.kind == SentenceKind::kCode && parts[i].raw.size() > kLongCode;
      if (!names && !long_code && !sets_exercise(parts[i])) candidates.push_back(look_at_part(p, i));
    }
    for (const OutlineList& list : outlines_[p].lists()) {
      QuoteCandidate candidate = look_at_list(p, list);
      if (candidate.evidence.whole > 0.0) candidates.push_back(std::move(candidate));
    }
    for (const OutlineList& section : outlines_[p].sections()) {
      if (tells_what_to_do(outlines_[p], section)) candidates.push_back(look_at_list(p, section));
    }
  }
  keep_with_symbols(candidates);
  keep_with_names(candidates);
  if (wants_date(question_)) std::erase_if(candidates, [](const QuoteCandidate& c) { return c.evidence.cue <= 0.0; });
  compare_spelling(question_, wanted_.spaced() ? kSpelledRun : kSpelledCharacter, candidates);
  if (embedder_ != nullptr) compare_meaning(question_, *embedder_, candidates);
  for (QuoteCandidate& candidate : candidates)
    candidate.quote.score = sentence_score(candidate.evidence, wanted_.spaced());
  std::erase_if(candidates, [](const QuoteCandidate& c) { return !worth_quoting(c.evidence) || c.quote.text.empty(); });
  keep_with_quantity(candidates);
  keep_with_contact(candidates);
  keep_statements(candidates);
  if (short_form_.empty() && !document_.is_asked())
    std::erase_if(candidates, [&](const auto& c) { return says_title(c); });
  for (QuoteCandidate& candidate : candidates) {
    candidate.quote.fits = fits(candidate);
    candidate.quote.of_table = candidate.evidence.of_table;
    candidate.quote.says = candidate.evidence.held + candidate.evidence.above;
    name_document(candidate.quote);
    name_manual(candidate);
  }
  keep_fitting(candidates);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const QuoteCandidate& a, const QuoteCandidate& b) { return a.quote.score > b.quote.score; });
  return candidates;
}

// Whether it answers what is asked, not only what the conversation is about.
bool QuoteFinder::fits(const QuoteCandidate& candidate) const {
  if (is_measured(kind_) || candidate.evidence.cue > 0.0) return candidate.evidence.cue > 0.0;
  const auto own = [&](const std::string& stem) { return !leaned_on_.contains(stem); };
  const std::set<std::string>& found = candidate.found;
  return wanted_.all_among(leaned_on_) || std::any_of(found.begin(), found.end(), own);
}

// How many of the words of what a conversation is about a passage has, or what stands above it.
double QuoteFinder::share_of_topic(size_t p) const {
  std::unordered_set<std::string> there(outlines_[p].context_stems().begin(), outlines_[p].context_stems().end());
  for (const OutlinePart& part : outlines_[p].parts()) there.insert(part.stems.begin(), part.stems.end());
  const auto holds = [&](const std::string& stem) {
    return std::any_of(there.begin(), there.end(), [&](const std::string& other) {
      return other == stem || is_form(stem, other) || is_kind_of(other, stem);
    });
  };
  const auto names = [](const std::string& stem) { return !is_stop_word(stem); };
  const auto n_named = std::count_if(leaned_on_.begin(), leaned_on_.end(), names);
  const auto n_held = std::count_if(leaned_on_.begin(), leaned_on_.end(),
                                    [&](const std::string& stem) { return names(stem) && holds(stem); });
  return n_named == 0 ? 0.0 : static_cast<double>(n_held) / static_cast<double>(n_named);
}

// Of what a conversation is about, what answers the question at hand.
void QuoteFinder::keep_fitting(std::vector<QuoteCandidate>& candidates) const {
  const auto fits = [](const QuoteCandidate& c) { return c.quote.fits; };
  if (leaned_on_.empty() || std::none_of(candidates.begin(), candidates.end(), fits)) return;
  std::erase_if(candidates, std::not_fn(fits));
}

// A sign that is asked about is the matter of the question: where it occurs, nothing else answers.
void QuoteFinder::keep_with_symbols(std::vector<QuoteCandidate>& candidates) const {
  const auto has = [](const QuoteCandidate& c) { return c.evidence.symbols > 0.0 || c.evidence.leads; };
  if (kind_ == QuestionKind::kDifference) return;  // of two things, each may be told of by itself
  if (!symbols_.empty() && std::any_of(candidates.begin(), candidates.end(), has)) {
    std::erase_if(candidates, [&](const QuoteCandidate& c) { return !has(c); });
  }
}

// What is called by a name is looked for where that name stands: in its own document, else in sentences that bear the
// name or follow one that does. "Who wrote PEP 20?" is not answered by the author of PEP 8.
void QuoteFinder::keep_with_names(std::vector<QuoteCandidate>& candidates) const {
  if (names_.empty()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    return any_own_ ? !own_[static_cast<size_t>(c.quote.passage)] : !bears_name(c);
  });
}

// Where something is counted or measured, what holds no such number answers nothing as long as something else does.
void QuoteFinder::keep_with_quantity(std::vector<QuoteCandidate>& candidates) const {
  const bool last_day_or_hour = kind_ == QuestionKind::kDate && !unit_.empty();
  if (kind_ != QuestionKind::kNumber && kind_ != QuestionKind::kDuration && !last_day_or_hour) return;
  const double whole = cue_weight(kind_, wanted_.spaced());
  const auto holds = [&](const QuoteCandidate& c) { return c.evidence.cue >= whole; };
  if (std::none_of(candidates.begin(), candidates.end(), holds)) return;
  // A price is a sum of money: "180 days notice against the break fee" is none.
  const auto is_rate = [](const QuoteCandidate& c) { return c.quote.text.find('%') != std::string::npos; };
  std::erase_if(candidates,
                [&](const QuoteCandidate& c) { return price_ ? !holds(c) && !is_rate(c) : c.evidence.cue <= 0.0; });
}

// Where a telephone number is asked for, what holds none answers nothing as long as something else does.
void QuoteFinder::keep_with_contact(std::vector<QuoteCandidate>& candidates) const {
  const auto holds = [&](const QuoteCandidate& c) { return holds_contact(contact_, c.quote.text); };
  if (std::any_of(candidates.begin(), candidates.end(), holds)) std::erase_if(candidates, std::not_fn(holds));
}

// A question that the text asks itself is no answer, as long as anything else is worth quoting.
void QuoteFinder::keep_statements(std::vector<QuoteCandidate>& candidates) const {
  const auto asks = [](const QuoteCandidate& c) { return c.evidence.is_question; };
  if (!std::all_of(candidates.begin(), candidates.end(), asks)) std::erase_if(candidates, asks);
}

// "title: Observability", above a document of that title: says no more than its name.
bool QuoteFinder::says_title(const QuoteCandidate& candidate) const {
  const std::string_view text = candidate.quote.text;
  const std::string_view title = outlines_[static_cast<size_t>(candidate.quote.passage)].title();
  return folded_text(label_of(text)) == "title" && text.ends_with(title);
}

bool QuoteFinder::bears_name(const QuoteCandidate& candidate) const {
  const PassageOutline& outline = outlines_[static_cast<size_t>(candidate.quote.passage)];
  if (names_.share_in(candidate.quote.text) > 0.0) return true;
  const std::vector<OutlinePart>& parts = outline.parts();
  for (size_t i = 0; i < parts.size(); ++i) {
    const OutlinePart& part = parts[i];
    if (part.span.byte_begin < candidate.quote.byte_begin || part.span.byte_end > candidate.quote.byte_end) continue;
    if (names_.share_in(part.raw) > 0.0 || (i > 0 && names_.share_in(parts[i - 1].raw) > 0.0)) return true;
    if (part.heading >= 0 && names_.share_in(parts[static_cast<size_t>(part.heading)].raw) > 0.0) return true;
  }
  return false;
}

QuoteCandidate QuoteFinder::look_at_part(size_t p, size_t i) {
  const PassageOutline& outline = outlines_[p];
  const OutlinePart& part = outline.parts()[i];
  QuoteCandidate candidate;
  candidate.quote = {static_cast<int>(p), part.span.byte_begin, part.span.byte_end, 0.0, outline.text_of(i)};
  SentenceEvidence& evidence = candidate.evidence;
  evidence.held = wanted_.share_of(part.stems, candidate.found);
  evidence.labelled = labelled(p, i);
  evidence.titled = titled(p);
  std::set<std::string> known = candidate.found;
  if (is_only_action(stems_of(outline.title()))) known.insert(action_);
  const std::string own = candidate.quote.text;
  read_heading(p, i, candidate, known);
  look_around(p, i, candidate, known);
  // Of what the document is called by, the sum is told under a label that says only that it is one.
  const bool sum = price_ && stands_for_heading(label_of(part.raw));
  evidence.leads |= sum && evidence.held + evidence.above >= kAllAbove;
  const auto has = [&](const std::string& symbol) {
    const bool above = evidence.leads && has_spelling(outline.parts()[static_cast<size_t>(part.heading)].raw, symbol);
    return above || has_spelling(part.raw, symbol);
  };
  for (const std::string& symbol : symbols_) {
    evidence.symbols += has(symbol) ? 1.0 / static_cast<double>(symbols_.size()) : 0.0;
  }
  look_at_form(part, own, candidate);
  append_rest_of_item(outline, i, candidate.quote);
  const bool tells = part.span.kind == SentenceKind::kText && evidence.held >= kTellsOf;
  if (asks_steps_ && tells) append_rest_of_paragraph(outline, i, candidate.quote);
  if (kind_ == QuestionKind::kList) {  // the list that a sentence announces is what is asked for
    evidence.cue = cue_weight(kind_, wanted_.spaced()) * enumerating_cue(candidate.quote.text);
  }
  evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
  // "Annual statement 2025" does not say how much was used in 2025; one of the lines below it does.
  const bool plain = part.span.kind == SentenceKind::kText && !ends_with_stop(part.raw);
  if (is_measured(kind_) && plain && !states_new_number(own)) append_rest_of_block(outline, i, candidate.quote);
  return candidate;
}

// Whether it has a number that the question does not have.
bool QuoteFinder::states_new_number(std::string_view text) const {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) return false;
    at = std::min(text.find_first_not_of("0123456789.,", begin), text.size());
    std::string_view number = text.substr(begin, at - begin);
    while (!is_digit(number.back())) number.remove_suffix(1);
    if (question_.find(number) == std::string_view::npos) return true;
  }
  return false;
}

// Whether it holds the kind of thing asked for, and what else its form tells. text: without the heading before it,
// whose dates and numbers are no answers.
void QuoteFinder::look_at_form(const OutlinePart& part, std::string_view text, QuoteCandidate& candidate) const {
  SentenceEvidence& evidence = candidate.evidence;
  const double cue = std::max(answer_cue(kind_, text, matter_, unit_), cue_of_definition(part));
  evidence.cue = cue_weight(kind_, wanted_.spaced()) * cue;
  evidence.defines = kind_ == QuestionKind::kDefinition && cue >= 1.0;
  evidence.contrasts = kind_ == QuestionKind::kDifference && cue >= 1.0 && states_difference(text);
  const double lead = short_form_.empty() ? kUnderItsName : 1.0;  // what a short form stands for is all there is to say
  if (evidence.leads)
    evidence.cue = std::max(evidence.cue, lead * cue_weight(QuestionKind::kDefinition, wanted_.spaced()));
  if (document_.is_asked()) {
    const double names = document_.is_named_in(text) ? 1.0 : document_.speaks_of_itself(text);
    evidence.cue = std::max(evidence.cue, names * kNamesDocument * evidence.held);
  }
  const bool measured = kind_ == QuestionKind::kNumber || kind_ == QuestionKind::kDuration;
  const std::string_view special = measured ? opening_case(text) : std::string_view();
  std::set<std::string> named;
  const double beside = evidence.near > 0.0 ? (evidence.near + evidence.above) * wanted_.share_known() : 0.0;
  evidence.is_sum_beside = price_ && cue >= 1.0 && beside >= kAllBeside;
  const double topic = on_topic_[static_cast<size_t>(candidate.quote.passage)];
  evidence.is_told_there = is_measured(kind_) && cue >= 1.0 && topic >= 1.0;
  evidence.is_special = !special.empty() && wanted_.share_of(stems_of(special), named) <= 0.0;
  evidence.is_row = part.span.kind == SentenceKind::kRow || says_under_label(part);
  evidence.of_table = part.span.kind == SentenceKind::kRow;
  evidence.acts = !part.stems.empty() && acting_.contains(part.stems.front());
  evidence.is_question = is_question(part.raw);
  evidence.is_letterhead = is_letterhead(part.raw) && kind_ != QuestionKind::kPerson && !asks_about_letter(question_);
  evidence.is_code = part.span.kind == SentenceKind::kCode &&
                     outlines_[static_cast<size_t>(candidate.quote.passage)].form() == TextForm::kSource;
}

// What only the markup shows: a term emphasised where it is introduced; a sentence that begins with the sign asked
// about tells what it is, "The `?` operator hands ...".
double QuoteFinder::cue_of_definition(const OutlinePart& part) const {
  if (kind_ != QuestionKind::kDefinition) return 0.0;
  const bool leads = std::any_of(symbols_.begin(), symbols_.end(), [&](const std::string& symbol) {
    const size_t at = part.raw.find(symbol);
    return at != std::string_view::npos && words_of(part.raw.substr(0, at)).size() <= kBeforeSymbol;
  });
  return leads || is_entry_of(part.raw, thing_) ? 1.0 : answer_cue(kind_, part.raw, matter_);
}

// What stands above and beside part i, and where it stands itself.
void QuoteFinder::look_around(size_t p, size_t i, QuoteCandidate& candidate, std::set<std::string>& known) const {
  const std::vector<OutlinePart>& parts = outlines_[p].parts();
  const OutlinePart& part = parts[i];
  SentenceEvidence& evidence = candidate.evidence;
  evidence.above = wanted_.share_of(outlines_[p].context_stems(), known) + wanted_.share_of(parts.front().stems, known);
  if (part.heading >= 0) evidence.above += wanted_.share_of(parts[static_cast<size_t>(part.heading)].stems, known);
  evidence.above += wanted_.share_of(stems_of(outlines_[p].head_of(part)), known);
  evidence.told_above = evidence.above * wanted_.share_known();
  // What follows the question in the text itself is its answer.
  if (i > 0 && is_question(parts[i - 1].raw)) evidence.above += wanted_.share_of(parts[i - 1].stems, known);
  if (i > 0) evidence.near += wanted_.share_of(parts[i - 1].stems, known);
  if (i + 1 < parts.size()) evidence.near += wanted_.share_of(parts[i + 1].stems, known);
  evidence.is_first = i == 0;
  evidence.position = static_cast<double>(i) / static_cast<double>(parts.size());
  evidence.passage = static_cast<int>(p);
}

// "Unsafe Rust" says all that "What is unsafe Rust?" asks, and not what "What does the unsafe keyword allow in Rust?"
// wants: two of its words are told of elsewhere.
bool QuoteFinder::says_what_is_asked(const std::vector<std::string>& heading) const {
  if (kind_ == QuestionKind::kDefinition) return true;
  if (kind_ != QuestionKind::kAttribute) return false;
  return wanted_.n_beside(heading) <= 1;
}

// Items of a list or table are read under their heading: "Population" says what "total: 364,036" counts. Its words
// then stand before the quotation.
void QuoteFinder::read_heading(size_t p, size_t i, QuoteCandidate& candidate, std::set<std::string>& known) const {
  const OutlinePart& part = outlines_[p].parts()[i];
  if (part.heading < 0) {  // the title is all there is above
    const std::vector<std::string> title = stems_of(outlines_[p].title());
    const bool titled = kind_ == QuestionKind::kDefinition && titles_[p] != 0 && wanted_.all_asked(title);
    candidate.evidence.heading_asked = titled && wanted_.n_beside(title) == 0;
    return;
  }
  const OutlinePart& heading = outlines_[p].parts()[static_cast<size_t>(part.heading)];
  candidate.evidence.heading_asked = wanted_.all_asked(heading.stems);
  const bool first =
      static_cast<size_t>(part.heading) + 1 == i && part.span.kind == SentenceKind::kText && !is_bare_field(part.raw);
  candidate.evidence.leads = first && candidate.evidence.heading_asked && says_what_is_asked(heading.stems) &&
                             (short_form_.empty() || opens_with_long_form(part.raw, short_form_));
  if (!is_item(part)) return;
  std::set<std::string> named;
  candidate.evidence.of_heading = wanted_.share_of(heading.stems, named) > 0.0;
  const double weight = wanted_.share_of(heading.stems, known);
  if (weight <= 0.0) return;
  if (stands_for_heading(label_of(part.raw))) {
    candidate.evidence.leads = candidate.evidence.heading_asked && says_what_is_asked(heading.stems);
  }
  candidate.quote.text = plain_sentence(heading.raw) + ": " + candidate.quote.text;
  candidate.evidence.under = weight;
}

// Where a document's name is the answer, it stands before what is quoted from it, unless that names one itself.
void QuoteFinder::name_document(QuotedSentence& quote) const {
  if (!document_.is_asked()) return;
  const PassageOutline& outline = outlines_[static_cast<size_t>(quote.passage)];
  std::string name(outline.title());
  const std::string_view part = outline.part_name();
  if (document_.is_part() && part != outline.title()) name.append(" > ").append(part);
  const std::vector<std::string> said = stems_of(quote.text);
  const std::vector<std::string> named = stems_of(name);
  std::set<std::string> known;
  if (document_.is_named_in(quote.text) && wanted_.share_of(named, known) < kTitledSo) return;
  const bool is_said = std::all_of(named.begin(), named.end(), [&](const std::string& stem) {
    return std::find(said.begin(), said.end(), stem) != said.end();
  });
  if (!is_said) quote.text.insert(0, name + ": ");
}

// A page of a manual says what its program does ("> Split a file into pieces.") under the program's name, which who
// asks how to do it wants to know first, and who asks what it is expects to read.
void QuoteFinder::name_manual(QuoteCandidate& candidate) const {
  const PassageOutline& outline = outlines_[static_cast<size_t>(candidate.quote.passage)];
  const std::vector<OutlinePart>& parts = outline.parts();
  const auto quoted = std::find_if(parts.begin(), parts.end(), [&](const OutlinePart& part) {
    return part.span.byte_begin == candidate.quote.byte_begin;
  });
  const bool does = kind_ == QuestionKind::kManner && !action_.empty();
  const bool wanted = does || kind_ == QuestionKind::kDefinition;
  if (!wanted || quoted == parts.end()) return;
  const bool of_top = quoted->span.kind == SentenceKind::kText && outline.heading_text(*quoted) == outline.title();
  const std::vector<std::string> title = stems_of(outline.title());
  const std::vector<std::string> said = stems_of(candidate.quote.text);
  const bool is_said = !is_only_action(title) &&  // "Split a file into pieces" does not say that split does
                       std::search(said.begin(), said.end(), title.begin(), title.end()) != said.end();
  if (of_top && !is_said) candidate.quote.text.insert(0, std::string(outline.title()) + ": ");
}

// "How do I make a file executable?" asks nothing of what is called "make".
bool QuoteFinder::is_only_action(const std::vector<std::string>& name) const {
  return !action_.empty() && name.size() == 1 && name.front() == action_;
}

// What the title of a passage's document says of the question, where the question has all of it. A program called by a
// short form is not what its letters stand for.
double QuoteFinder::titled(size_t p) const {
  if (titles_[p] == 0 || !short_form_.empty()) return 0.0;
  std::set<std::string> known;
  return wanted_.share_of(stems_of(outlines_[p].title()), known);
}

// How much of what is asked of the thing that the document is about stands in the name under which the part says
// something: its heading, its own label, or both.
double QuoteFinder::labelled(size_t p, size_t i) const {
  const OutlinePart& part = outlines_[p].parts()[i];
  const uint64_t title = titles_[p];
  if (title == 0) return 0.0;
  const std::string_view field = label_in_heading(part.raw);
  const std::string_view label = field.empty() ? label_of(part.raw) : field;
  const std::string heading = outlines_[p].heading_text(part);
  const double under = labels_.share_in(heading, title);
  const std::string_view said =
      label.empty() ? label : part.raw.substr(static_cast<size_t>(label.end() - part.raw.begin()));
  const double by_itself = labels_.share_in(label, title, said);
  const double both = label.empty() ? 0.0 : labels_.share_in(heading + " " + std::string(label), title);
  const bool first = part.heading >= 0 && static_cast<size_t>(part.heading) + 1 == i;
  const bool stands_for_it = stands_for_heading(label) || (first && !is_item(part));
  const double as_one_of_many = stands_for_it ? under : label.empty() && !first ? 0.0 : kOneOfMany * under;
  return std::max({as_one_of_many, by_itself, both});
}

// How far a list is of the kind the question asks for: steps for "how", if they are steps of what is asked about, else
// what its heading names.
double QuoteFinder::list_fits(const PassageOutline& outline, const OutlineList& list, double heading_share,
                              double above_share) const {
  const OutlinePart& first = outline.parts()[list.begin];
  if (kind_ == QuestionKind::kManner) {
    const bool steps = list.ordered || heads_steps(outline.heading_text(first));
    if (steps) return std::max(heading_share, above_share) >= kListHeadingShare ? 1.0 : 0.0;
    return heading_share >= kListHeadingShare ? 0.5 : 0.0;
  }
  if (kind_ == QuestionKind::kList) {
    // A list called by the asked word belongs to what the passage is about.
    const bool named = heads_asked_list(question_, outline.heading_text(first));
    return (named ? std::max(heading_share, above_share) : heading_share) >= kListHeadingShare ? 1.0 : 0.0;
  }
  return 0.0;
}

// "What should I do when the queue is stuck?": all that stands under "Queue is stuck".
bool QuoteFinder::tells_what_to_do(const PassageOutline& outline, const OutlineList& section) const {
  const std::vector<OutlinePart>& parts = outline.parts();
  const size_t bytes = parts[section.end - 1].span.byte_end - parts[section.begin].span.byte_begin;
  const OutlinePart& heading = parts[static_cast<size_t>(parts[section.begin].heading)];
  return kind_ == QuestionKind::kManner && bytes <= kLongestTail && wanted_.all_asked(heading.stems) &&
         wanted_.n_beside(heading.stems) == 0;
}

QuoteCandidate QuoteFinder::look_at_list(size_t p, const OutlineList& list) {
  const PassageOutline& outline = outlines_[p];
  const std::vector<OutlinePart>& parts = outline.parts();
  QuoteCandidate candidate;
  SentenceEvidence& evidence = candidate.evidence;
  const std::string heading = outline.heading_text(parts[list.begin]);
  std::set<std::string> named;
  // What the whole passage is about need not be in the list's heading.
  const double context_share = wanted_.share_of(outline.context_stems(), named);
  const double heading_share = wanted_.share_of(stems_of(heading), named) / std::max(kLeastRest, 1.0 - context_share);
  const double lead_share = list.begin > 0 ? wanted_.share_of(parts[list.begin - 1].stems, named) : 0.0;
  evidence.whole = list_fits(outline, list, heading_share, context_share + lead_share);
  if (evidence.whole <= 0.0) return candidate;
  std::string text = outline.text_of(list, kLongestList);
  if (!heading.empty()) text.insert(0, heading + ":\n");
  candidate.quote = {static_cast<int>(p), parts[list.begin].span.byte_begin, parts[list.end - 1].span.byte_end, 0.0,
                     std::move(text)};
  for (size_t i = list.begin; i < list.end; ++i) evidence.held += wanted_.share_of(parts[i].stems, candidate.found);
  std::set<std::string> known = candidate.found;
  evidence.under = wanted_.share_of(stems_of(heading), known);
  evidence.of_heading = evidence.under > 0.0;
  evidence.titled = titled(p);
  evidence.heading_asked = wanted_.all_asked(stems_of(heading));
  look_around(p, list.begin, candidate, known);
  evidence.cue = cue_weight(kind_, wanted_.spaced());
  evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
  return candidate;
}

}  // namespace mneme::rag

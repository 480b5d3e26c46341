#include "rag/quoting/quote_filters.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/text/asked/contact.h"
#include "rag/text/asked/extremes.h"
#include "rag/text/asked/labels.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/money.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/told/quantity.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kRounding = 1e-9;
constexpr double kAllHeld = 0.99;      // of the question's words
constexpr double kNamedThere = 0.84;   // of a cue of definition: "is called an externality", "an _externality_ is"
constexpr double kOtherLetters = 4.0;  // in log odds
constexpr double kUnderItsKind = 2.0;  // in log odds
constexpr double kOnlyLeads = 5.5;     // in log odds: what leading counts, and that it stands where it is asked for

// Of Latin letters rather than others; of neither: Latin.
bool is_mostly_latin(std::string_view text) {
  constexpr char32_t kBehindLatin = 0x250;
  size_t n_latin = 0;
  size_t n_other = 0;
  for (size_t at = 0; at < text.size();) {
    const char32_t character = utf8::next(text, at);
    if (character >= 0x370) ++n_other;  // Greek and what follows it
    if (character < kBehindLatin && (character >= 0xc0 || is_letter(static_cast<char>(character)))) ++n_latin;
  }
  return n_latin >= n_other;
}

bool says_title(const AskedPassages& asked, const QuoteCandidate& candidate) {
  std::string_view text = candidate.quote.text;
  if (folded_text(label_of(text)) != "title") return false;
  while (text.ends_with('"') || text.ends_with('\'')) text.remove_suffix(1);
  return text.ends_with(asked.outline_of(candidate.quote).title());
}

// How much of what is asked it says, itself or by what stands above it.
double said_of_thing(const QuoteCandidate& candidate) {
  return candidate.evidence.held + candidate.evidence.under + candidate.evidence.above;
}

// What the candidates that hold a thing of the kind asked for say at most of what it is asked of.
template <typename Holds>
double most_said(const QuoteCandidates& candidates, const Holds& holds) {
  double most = 0.0;
  for (const QuoteCandidate& c : candidates) most = holds(c) ? std::max(most, said_of_thing(c)) : most;
  return most;
}

bool has_price_word(std::string_view text, Language language) {
  const std::vector<std::string> words = words_of(text);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return is_price_word(word, language); });
}

// "How much is the late fee?": two percent. What is asked for by a word for prices is no share, unless of a price
// itself: "The broker costs 3 % of the rent".
bool may_be_share(const QuoteQuestion& question, const std::string& text) {
  return says_share(text) &&
         (!has_price_word(question.text, question.language) || has_price_word(text, question.language));
}

// What is no sum of money with its currency, but a price all the same. Numbers with cents may be anything, and "free"
// is a common word: they tell one where nothing that holds a sum says as much of the thing: "The deposit is two months
// of rent", "Travel 25.00" in a bill with its currency at the end.
bool tells_price(const QuoteQuestion& question, const QuoteCandidate& candidate, double most) {
  const std::string& text = candidate.quote.text;
  if (may_be_share(question, text) && candidate.evidence.held + candidate.evidence.under > 0.0) return true;
  const bool says_more = said_of_thing(candidate) > most + kRounding;
  return says_more && (holds_amount(text) || says_price_in_words(text));
}

// "How much is the excess?": "excess 200 per case". Of "Pantoprazole 20 mg" the number is of something else.
bool counts_asked(const QuoteQuestion& question, std::string_view text) {
  constexpr std::string_view kPer[] = {"per", "each", "a", "je", "pro", "im"};
  bool asked = false;    // the word before
  bool counted = false;  // a number before, behind such a word
  size_t end = 0;
  WordScanner scanner(text);
  for (Word word; scanner.next(word); end = word.byte_end) {
    const std::string_view written = text.substr(word.byte_begin, word.byte_end - word.byte_begin);
    const bool goes_on = word.byte_begin == end + 1 && (text[end] == ' ' || has_digits(written));
    if (counted && !(goes_on && !one_of(word.text, kPer))) return true;
    counted = (asked || counted) && has_digits(written) && question.is_told_new_number(written);
    asked = !is_stop_word(word.text, question.language) && question.matter.contains(stem_of(word.text));
  }
  return counted;
}

// A sum in digits or words, or a number that is called a price ("Price: 245").
bool may_be_price(const QuoteQuestion& question, const std::string& text) {
  return counts_asked(question, text) || says_money(text) || holds_amount(text) || says_price_in_words(text) ||
         may_be_share(question, text) || has_price_word(text, question.language);
}

// Where nothing holds such a number as is asked for: what holds none at all is no answer, be it only the code of an
// error; a day of the year is no price and no age, nor are 187 members an answer to how many boats there are.
void drop_uncounted(const QuoteQuestion& question, QuoteCandidates& candidates) {
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    const std::string& text = c.quote.text;
    if (is_reply(c.evidence)) return false;  // "It rests overnight": who was asked counted so
    return c.evidence.cue <= 0.0 || (question.price && !may_be_price(question, text)) ||
           (asks_how_many(question.text) && counts_only_others(text));
  });
}

// "Müllabfuhr 188,20 EUR" does not say when.
void drop_prices(QuoteCandidates& candidates) {
  std::erase_if(candidates, [](const QuoteCandidate& c) {
    const std::string& text = c.quote.text;
    return c.evidence.cue <= 0.0 && c.evidence.is_row && label_of(text).empty() &&
           (says_money(text) || holds_amount(text));
  });
}

// Drops what does not hold a thing of the kind asked for and says no more than what does: "After about 20 minutes rinse
// it" beside "Every two months".
template <typename Holds>
void drop_others(QuoteCandidates& candidates, const Holds& holds) {
  if (std::none_of(candidates.begin(), candidates.end(), holds)) return;
  const double most = most_said(candidates, holds);
  std::erase_if(candidates, [&](const QuoteCandidate& c) { return !holds(c) && said_of_thing(c) <= most + kRounding; });
}

}  // namespace

void keep_with_quantity(const AskedPassages& asked, QuoteCandidates& candidates) {
  const QuoteQuestion& question = asked.question();
  const double whole = cue_weight(question.kind, asked.wanted().spaced());
  const auto holds = [&](const QuoteCandidate& c) { return c.evidence.cue >= whole; };
  const bool last_day_or_hour =
      question.kind == QuestionKind::kDate && (question.unit == kDeadline || question.unit == kHour);
  if (question.kind == QuestionKind::kFrequency) drop_others(candidates, holds);
  if (question.kind == QuestionKind::kDate && !last_day_or_hour)
    drop_others(candidates, [](const QuoteCandidate& c) { return c.evidence.cue > 0.0; });
  if (question.kind == QuestionKind::kDate) drop_prices(candidates);
  if (question.kind != QuestionKind::kNumber && question.kind != QuestionKind::kDuration && !last_day_or_hour) return;
  if (std::none_of(candidates.begin(), candidates.end(), holds)) {
    drop_uncounted(question, candidates);
    return;
  }
  if (question.kind == QuestionKind::kDuration || asks_how_many(question.text)) drop_others(candidates, holds);
  const double most = most_said(candidates, holds);
  // A price is a sum of money: "180 days notice against the break fee" is none.
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    if (question.price) return !holds(c) && !tells_price(question, c, most);
    return c.evidence.cue <= 0.0 || (asks_how_many(question.text) && !holds(c) && counts_only_others(c.quote.text));
  });
}

void keep_with_contact(const QuoteQuestion& question, QuoteCandidates& candidates) {
  if (question.contact == Contact::kNone) return;
  const auto holds = [&](const QuoteCandidate& c) { return holds_contact(question.contact, c.quote.text); };
  if (std::any_of(candidates.begin(), candidates.end(), holds)) {
    std::erase_if(candidates, std::not_fn(holds));
  } else {  // "dial 112": a short one at least, never somebody's name alone
    std::erase_if(candidates, [](const QuoteCandidate& c) { return !holds_short_number(c.quote.text); });
  }
}

void keep_with_quality(const AskedPassages& asked, QuoteCandidates& candidates) {
  const double quality = asked.wanted().share_of_quality();
  if (quality <= 0.0 || asked.wanted().wants_only_quality()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) { return said_of_thing(c) <= quality + kRounding; });
}

void drop_letterheads(QuoteCandidates& candidates) {
  std::erase_if(candidates, [](const QuoteCandidate& c) { return c.evidence.is_letterhead; });
}

void drop_quoted_questions(const AskedPassages& asked, QuoteCandidates& candidates) {
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    const std::string said = without_quoted_questions(c.quote.text);
    std::set<std::string> known;
    return said.size() != c.quote.text.size() && asked.wanted().share_of(stems_of(said), known) <= 0.0;
  });
}

void keep_statements(QuoteCandidates& candidates) {
  const auto asks = [](const QuoteCandidate& c) { return c.evidence.is_question; };
  if (!std::all_of(candidates.begin(), candidates.end(), asks)) std::erase_if(candidates, asks);
}

void prefer_naming_definitions(const QuoteQuestion& question, QuoteCandidates& candidates) {
  if (question.kind != QuestionKind::kDefinition) return;
  const double named = kNamedThere * cue_weight(question.kind, true);
  const auto says_it = [&](const QuoteCandidate& c) {
    return c.evidence.held >= kAllHeld && c.evidence.cue >= named && c.evidence.is_closed && !c.evidence.leads;
  };
  for (QuoteCandidate& lead : candidates) {
    if (!lead.evidence.leads || lead.evidence.held >= kAllHeld) continue;
    const bool said_there = std::any_of(candidates.begin(), candidates.end(), [&](const QuoteCandidate& other) {
      return other.quote.passage == lead.quote.passage && other.evidence.heading_asked && says_it(other);
    });
    if (said_there) lead.quote.score -= kOnlyLeads;
  }
}

void prefer_labelled_kind(QuoteCandidates& candidates) {
  for (QuoteCandidate& candidate : candidates) {
    if (candidate.evidence.of_kind && candidate.evidence.cue > 0.0) candidate.quote.score += kUnderItsKind;
  }
}

void prefer_same_letters(std::string_view question, QuoteCandidates& candidates) {
  const bool latin = is_mostly_latin(question);
  for (QuoteCandidate& candidate : candidates) {
    if (is_mostly_latin(candidate.quote.text) != latin) candidate.quote.score -= kOtherLetters;
  }
}

void drop_titles(const AskedPassages& asked, QuoteCandidates& candidates) {
  if (!asked.question().short_form.empty() || asked.question().document.is_asked()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) { return says_title(asked, c); });
}

void keep_fitting(const QuoteQuestion& question, QuoteCandidates& candidates) {
  const auto fits = [](const QuoteCandidate& c) { return c.quote.fits; };
  if (question.topic_stems.empty() || std::none_of(candidates.begin(), candidates.end(), fits)) return;
  std::erase_if(candidates, std::not_fn(fits));
}

bool fits_question(const AskedPassages& asked, const QuoteCandidate& candidate) {
  const QuoteQuestion& question = asked.question();
  if (price_wanted(question.text) != PriceWanted::kAny) return sum_in(candidate.quote.text).has_value();
  if (question.is_measured() || candidate.evidence.cue > 0.0) return candidate.evidence.cue > 0.0;
  const auto own = [&](const std::string& stem) { return !question.topic_stems.contains(stem); };
  const std::set<std::string>& found = candidate.found;
  return asked.wanted().all_among(question.topic_stems) || std::any_of(found.begin(), found.end(), own);
}

}  // namespace mneme::rag

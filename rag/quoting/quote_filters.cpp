#include "rag/quoting/quote_filters.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "rag/text/quantities.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

bool bears_name(const AskedPassages& asked, const QuoteCandidate& candidate) {
  const CalledNames& names = asked.question().names;
  if (names.share_in(candidate.quote.text) > 0.0) return true;
  const std::vector<OutlinePart>& parts = asked.outline_of(candidate.quote).parts();
  for (size_t i = 0; i < parts.size(); ++i) {
    const OutlinePart& part = parts[i];
    if (part.span.byte_begin < candidate.quote.byte_begin || part.span.byte_end > candidate.quote.byte_end) continue;
    if (names.share_in(part.raw) > 0.0 || (i > 0 && names.share_in(parts[i - 1].raw) > 0.0)) return true;
    if (part.heading >= 0 && names.share_in(parts[static_cast<size_t>(part.heading)].raw) > 0.0) return true;
  }
  return false;
}

bool says_title(const AskedPassages& asked, const QuoteCandidate& candidate) {
  const std::string_view text = candidate.quote.text;
  return folded_text(label_of(text)) == "title" && text.ends_with(asked.outline_of(candidate.quote).title());
}

// Whether sentences show that they hold such a thing. A person may be told by a word for what they do, instructions, an
// attribute, or what a thing is, in words that nothing marks.
bool is_marked(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::kDate:
    case QuestionKind::kNumber:
    case QuestionKind::kDuration:
    case QuestionKind::kFrequency:
    case QuestionKind::kPlace:
    case QuestionKind::kReason: return true;
    default: return false;
  }
}

}  // namespace

void keep_with_symbols(const QuoteQuestion& question, QuoteCandidates& candidates) {
  const auto has = [](const QuoteCandidate& c) { return c.evidence.symbols > 0.0 || c.evidence.leads; };
  if (question.kind == QuestionKind::kDifference) return;  // of two things, each may be told of by itself
  if (!question.symbols.empty() && std::any_of(candidates.begin(), candidates.end(), has)) {
    std::erase_if(candidates, std::not_fn(has));
  }
}

void keep_with_names(const AskedPassages& asked, QuoteCandidates& candidates) {
  if (asked.question().names.empty()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    return asked.any_own() ? !asked.is_own(static_cast<size_t>(c.quote.passage)) : !bears_name(asked, c);
  });
}

void keep_with_quantity(const AskedPassages& asked, QuoteCandidates& candidates) {
  const QuoteQuestion& question = asked.question();
  const bool last_day_or_hour = question.kind == QuestionKind::kDate && !question.unit.empty();
  if (question.kind != QuestionKind::kNumber && question.kind != QuestionKind::kDuration && !last_day_or_hour) return;
  const double whole = cue_weight(question.kind, asked.wanted().spaced());
  const auto holds = [&](const QuoteCandidate& c) { return c.evidence.cue >= whole; };
  if (std::none_of(candidates.begin(), candidates.end(), holds)) {
    // What names no number at all, or only the code of an error, is no price, and a day of the year is no age.
    if (question.price || question.unit == kAge)
      std::erase_if(candidates, [](const QuoteCandidate& c) { return c.evidence.cue <= 0.0; });
    return;
  }
  // A price is a sum of money: "180 days notice against the break fee" is none.
  const auto is_rate = [](const QuoteCandidate& c) { return c.quote.text.find('%') != std::string::npos; };
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    return question.price ? !holds(c) && !is_rate(c) : c.evidence.cue <= 0.0;
  });
}

void keep_with_contact(const QuoteQuestion& question, QuoteCandidates& candidates) {
  if (question.contact == Contact::kNone) return;
  const auto holds = [&](const QuoteCandidate& c) { return holds_contact(question.contact, c.quote.text); };
  if (std::any_of(candidates.begin(), candidates.end(), holds)) {
    std::erase_if(candidates, std::not_fn(holds));
  } else {  // "dial 112": a short one at least, never somebody's name alone
    std::erase_if(candidates, [](const QuoteCandidate& c) { return !has_digits(c.quote.text); });
  }
}

void drop_untold(const AskedPassages& asked, QuoteCandidates& candidates) {
  const QuoteQuestion& question = asked.question();
  // "When do I collect the van?", and then "What about the deposit?": what was taken over need not be told of it, too.
  if (asked.wanted().knows_all_but(question.topic_stems) || !is_marked(question.kind)) return;
  std::erase_if(candidates, [](const QuoteCandidate& c) {
    const SentenceEvidence& e = c.evidence;
    const bool says_so = e.leads || e.labelled >= kLeastLabelled || e.symbols > 0.0 || e.whole > 0.0;
    return e.cue <= 0.0 && !says_so;
  });
}

void keep_statements(QuoteCandidates& candidates) {
  const auto asks = [](const QuoteCandidate& c) { return c.evidence.is_question; };
  if (!std::all_of(candidates.begin(), candidates.end(), asks)) std::erase_if(candidates, asks);
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
  if (question.is_measured() || candidate.evidence.cue > 0.0) return candidate.evidence.cue > 0.0;
  const auto own = [&](const std::string& stem) { return !question.topic_stems.contains(stem); };
  const std::set<std::string>& found = candidate.found;
  return asked.wanted().all_among(question.topic_stems) || std::any_of(found.begin(), found.end(), own);
}

}  // namespace mneme::rag

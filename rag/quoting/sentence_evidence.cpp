#include "rag/quoting/sentence_evidence.h"

#include <algorithm>
#include <cmath>

namespace mneme::rag {

namespace {

constexpr double kLeastShare = 0.25;  // of the question's weight
constexpr double kSpecialCase = 1.0;
constexpr double kCode = 1.0;
constexpr double kLetterhead = 3.0;
constexpr double kUnfinished = 1.5;
constexpr double kLeads = 2.0;
constexpr double kActs = 2.5;
constexpr double kToldBefore = 3.0;
constexpr double kLabelled = 5.0;
constexpr double kStates = 2.5;
constexpr double kSaysWhat = 2.0;
constexpr double kTitled = 3.0;
constexpr double kReplies = 0.75;    // of what is asked, in the question that it follows
constexpr double kToldAbove = 0.75;  // so much of what is asked is said by names, title and headings
constexpr int kItemWords = 5;        // as many as an item counts for
constexpr int kShortSentence = 5;    // fewer words than this are a heading in all but form
constexpr int kLeastSentence = 3;    // ... but for a sentence with its full stop

// What is fitted.
struct Weights {
  double held, above, near, spelling;
  double meaning, meaning_alone;  // beside words of the question, and without
  double first, position, length, passage;
};
constexpr Weights kSpaced = {4.5, 5.0, 1.3, 2.7, 1.6, 2.7, 0.8, 1.0, 0.55, 2.8};
// A word is often written in other characters than it is asked with, and pairs across words are of no word: single
// characters say what pairs miss, and the passage and what stands above it say more than in other writings.
constexpr Weights kUnspaced = {4.8, 6.2, 2.1, 3.3, 1.8, 2.4, 1.0, 1.1, 0.42, 3.6};

}  // namespace

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

double sentence_score(const SentenceEvidence& e, bool spaced) {
  const Weights& w = spaced ? kSpaced : kUnspaced;
  double score = w.held * e.held + w.above * e.above + w.near * e.near + 4.5 * e.under;
  score +=
      w.spelling * e.spelling + 3.0 * e.symbols + e.cue + 2.5 * e.whole + kLabelled * e.labelled + kTitled * e.titled;
  score += (e.held > 0.0 ? w.meaning : w.meaning_alone) * std::max(0.0, e.meaning);
  const bool labelled = e.labelled >= kLeastLabelled;
  const bool is_the_place = e.of_heading || e.leads || e.defines || e.is_told_before || labelled;
  if (e.heading_asked) score += is_the_place ? 3.0 : 1.5;
  score -= e.is_question ? 1.5 : 0.0;
  score -= e.is_unfinished ? kUnfinished : 0.0;
  score -= e.is_letterhead ? kLetterhead : 0.0;
  score -= e.is_special ? kSpecialCase : 0.0;
  score -= e.is_code ? kCode : 0.0;
  score += e.leads ? kLeads : 0.0;
  score += e.acts ? kActs : 0.0;
  score += e.states ? kStates : 0.0;
  score += e.says_what ? kSaysWhat : 0.0;
  score += e.is_told_before ? kToldBefore : 0.0;
  score += (e.is_first ? w.first : 0.0) - w.position * e.position;
  // Long sentences hold many words by chance. The items of a list are not compared by length: the first is as likely.
  const bool item = e.of_heading || e.whole > 0.0 || labelled;
  score -= w.length * std::log1p(static_cast<double>(item ? kItemWords : e.n_words));
  const bool complete = item || e.is_row || e.states || is_reply(e) || e.cue > 0.0;  // "Cost 24 EUR."
  const bool says_all = e.is_closed && e.n_words >= kLeastSentence;                  // "No swimming until then."
  if (e.n_words < kShortSentence && !complete && !says_all) score -= 3.7;
  score += w.passage / (1.0 + static_cast<double>(e.passage));
  return score;
}

bool is_reply(const SentenceEvidence& e) {
  return e.replies >= kReplies;
}

bool worth_quoting(const SentenceEvidence& e) {
  if (e.leads || e.labelled >= kLeastLabelled) return true;    // "# chmod", and under it what chmod does
  if (e.told_above >= kToldAbove && e.cue > 0.0) return true;  // "Invoices > ACME", and "Total due: 480.00 EUR"
  // "The trip goes to Wernigerode. The costs are 218 euros.": told of in the sentence before.
  if (e.is_told_there) return true;
  if (is_reply(e)) return true;
  if (e.is_sum_beside) return true;
  // "Descale it when scale shows. With hard water this is every six weeks."
  if (e.is_told_before) return true;
  if (e.held <= 0.0 && e.under <= 0.0 && e.under_title <= 0.0 && e.symbols <= 0.0 && e.whole <= 0.0) return false;
  // The steps of what the headings name need not name it again.
  const double above = e.whole > 0.0 ? e.above : 0.6 * e.above + 0.4 * e.under_title;
  return e.held + 0.3 * e.near + above + e.under + e.symbols >= kLeastShare;
}

}  // namespace mneme::rag

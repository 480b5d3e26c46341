#include "rag/answering/sentence_evidence.h"

#include <algorithm>
#include <cmath>

namespace mneme::rag {

namespace {

constexpr double kLeastShare = 0.25;  // of the question's weight
constexpr double kLengthWeight = 0.55;
constexpr double kSpecialCase = 1.0;
constexpr double kCode = 1.0;
constexpr double kLetterhead = 3.0;
constexpr double kLeads = 2.0;
constexpr double kActs = 2.5;
constexpr double kLabelled = 5.0;
constexpr double kTitled = 3.0;
constexpr double kLeastLabelled = 0.6;  // says what is asked, whatever else the question says
constexpr int kItemWords = 5;           // as many as an item counts for
constexpr int kShortSentence = 5;       // fewer words than this are a heading in all but form

}  // namespace

double sentence_score(const SentenceEvidence& e) {
  double score = 4.5 * e.held + 5.0 * e.above + 1.3 * e.near + 4.5 * e.under;
  score += 2.7 * e.spelling + 3.0 * e.symbols + e.cue + 2.5 * e.whole + kLabelled * e.labelled + kTitled * e.titled;
  score += (e.held > 0.0 ? 1.6 : 2.7) * std::max(0.0, e.meaning);
  const bool labelled = e.labelled >= kLeastLabelled;
  if (e.heading_asked) score += e.of_heading || e.leads || e.defines || labelled ? 3.0 : 1.5;
  score -= e.is_question ? 1.5 : 0.0;
  score -= e.is_letterhead ? kLetterhead : 0.0;
  score -= e.is_special ? kSpecialCase : 0.0;
  score -= e.is_code ? kCode : 0.0;
  score += e.leads ? kLeads : 0.0;
  score += e.acts ? kActs : 0.0;
  score += (e.is_first ? 0.8 : 0.0) - 1.0 * e.position;
  // Long sentences hold many words by chance. The items of a list are not compared by length: the first is as likely.
  const bool item = e.of_heading || e.whole > 0.0 || labelled;
  score -= kLengthWeight * std::log1p(static_cast<double>(item ? kItemWords : e.n_words));
  if (e.n_words < kShortSentence && !item && !e.is_row) score -= 3.7;
  score += 2.8 / (1.0 + static_cast<double>(e.passage));
  return score;
}

bool worth_quoting(const SentenceEvidence& e) {
  if (e.leads || e.labelled >= kLeastLabelled) return true;  // "# chmod", and under it what chmod does
  if (e.held <= 0.0 && e.under <= 0.0 && e.symbols <= 0.0 && e.whole <= 0.0) return false;
  // The steps of what the headings name need not name it again.
  const double above = e.whole > 0.0 ? e.above : 0.6 * e.above;
  return e.held + 0.3 * e.near + above + e.under + e.symbols >= kLeastShare;
}

}  // namespace mneme::rag

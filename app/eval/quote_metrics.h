// Whether an answer in sentences quotes the right one: the documents' own words with the answer in them, and their [n].
// Threads: pure functions.
#pragma once

#include <string_view>

#include "app/eval/eval_set.h"

namespace mneme::app {

// 0 or 1 each. Words are compared as in answer_metrics.h.
struct QuoteScore {
  double quotes = 0;  // a sentence holds a gold answer and is, word for word, one of a supporting passage
  double cites = 0;   // and the [n] behind it names that passage
};

// `question` as it was asked: [n] is its n-th context.
QuoteScore score_quotes(std::string_view answer, const EvalQuestion& question);

}  // namespace mneme::app

// Whether a short answer that was read out of quotations may stand before them. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

// best: the first quotation. Likely enough (assets/models/README.md, Reading quotations), whole words and numbers of
// the best quotation ("2026" of 2026-0417 is neither), and more than the question says itself; one of two things that
// the question names is. Not what shows by its form that it does not answer: no day where one is asked for, a number
// that counts something else, the name of a field ("Weight" of "Weight: 71 kg"), or anything where a yes, a reason or a
// way is asked for: that takes a sentence.
bool is_worth_stating(const BriefAnswer& brief, std::string_view question, std::string_view best);

// The words with the unit that stands behind them in the best quotation, where they are a number that the question asks
// for: "60 bytes" of "60".
std::string with_unit(std::string_view words, std::string_view question, std::string_view best);

}  // namespace mneme::rag

// Whether a short answer that was read out of quotations may stand before them. Threads: pure function.
#pragma once

#include <string_view>

#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

// best: the first quotation. Likely enough (assets/models/README.md, Reading quotations), whole words and numbers of
// the best quotation ("2026" of 2026-0417 is neither), and more than the question says itself; one of two things that
// the question names is.
bool is_worth_stating(const BriefAnswer& brief, std::string_view question, std::string_view best);

}  // namespace mneme::rag

// The short answer that stands in quotations, read out of them by a small language model: "Thursday" of "The bins are
// emptied on Thursday.". Its words are the documents' own, in their order: decoding goes on only along what is quoted,
// so it cannot invent, and it says how likely the model holds the answer. Reading what quoting has chosen asks far
// less of a model than reading passages does; the models that come with the program can do the one and not the other
// (assets/models/README.md). Threads: one reading at a time per model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/exchange/answer.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

struct ReadQuote {
  int n = 0;  // of its source
  std::string title;
  std::string text;
};

// Nothing where there are no quotes, or none with words, or the question is in a script that the model does not know.
// kCancelled; kResource where there is no memory.
Result<std::optional<BriefAnswer>> read_brief_answer(engine::LanguageModel& model, std::string_view question,
                                                     std::span<const ReadQuote> quotes, const CancelToken& cancel);

}  // namespace mneme::rag

// The answer of a language model: the sources as a prompt, its KV by the mode chosen, tokens as they come, citations
// checked. Threads: one at a time per model; callbacks come from the calling thread.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"
#include "rag/answering/writing/mode_choice.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class PromptSequence;
class Workspace;

struct AnsweringModel {
  Workspace& workspace;
  engine::LanguageModel& model;
  PromptSequence& kept;  // belongs to the model; holds the prompt and the answer afterwards
  const ModeChoice& choice;
};

// Fills the answer, whose sources are there. Cancelling leaves what there is, with finish kInterrupted. kResource: the
// question alone does not fit; kUnsupported: attention or a mode that the model cannot do.
Status answer_by_model(const AnsweringModel& by, const Asked& asked, Answer& answer);

}  // namespace mneme::rag

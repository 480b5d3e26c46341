// A question that nothing answers as it is asked, or only by half, asked again with one of its words said otherwise:
// "How do I compress a folder?" where manuals say "directory". Threads: one question at a time.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "rag/answering/sources/question_sources.h"

namespace mneme::rag {

class Workspace;

// The question with one word in place of another that says the same (text/variants/synonyms.h), the first synonym of
// every word before the second of any, what somebody wants done last: it is the matter of the question. With what is
// told of it.
struct OtherWords {
  std::string question;
  std::string note;
};
std::vector<OtherWords> in_other_words(std::string_view question);

// Where what was found says little of the question: takes what answers it in other words nearly word for word, with a
// note; leaves `found` alone where nothing does.
Status find_in_other_words(Workspace& workspace, const Asked& asked, QuestionSources& found);

}  // namespace mneme::rag

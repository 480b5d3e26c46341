// Questions for those who wrote to somebody: "Who wrote to me about the piano?", "Wer hat mir wegen der Heizung
// geschrieben?", in the languages that rag/text/languages/documents has words for. Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct AskedSenders {
  bool is_asked = false;
  std::string matter;  // what about, in the question's words; "": whatever it was
};

AskedSenders asked_senders(std::string_view question);

}  // namespace mneme::rag

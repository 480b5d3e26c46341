// Questions for what a document says as a whole: "What is the lease about?", "Summarise PEP 484", "Worum geht es in dem
// Brief?", 总结合同. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct AskedGist {
  bool is_asked = false;
  // What is to be summed up, in the question's words: "the lease". "" where it is what the talk is about: "Summarise
  // it". It need not be a document: "What is inflation about?"
  std::string document;
};

AskedGist asked_gist(std::string_view question);

// Whether what a question calls a document by ("the paper on attention", folded words with grammar words between) is
// said by the names of one: its title, the name of its file, its folders. Words for documents ("paper") need not be
// there beside others, but one of title and file must say something of it.
bool is_called(std::string_view called, std::string_view title, std::string_view file, std::string_view folders);

}  // namespace mneme::rag

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

}  // namespace mneme::rag

// Where the words of a question lie that is written without spaces (Chinese, Japanese, Thai): by ICU's dictionaries.
// Texts are compared by pairs of characters; which pairs of a question are of one word, which lie across two, and which
// are of grammar, only its words tell. For questions alone: too slow for documents. Threads: values.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mneme::rag {

class UnspacedWords {
 public:
  explicit UnspacedWords(std::string_view question);

  enum class Place {
    kWithin,   // one word that says something
    kAcross,   // the border of two such words, or one that the dictionary does not have
    kGrammar,  // what asks, particles and endings, or next to them
  };
  // Of the characters in bytes [begin, end) of the question.
  Place place_of(size_t begin, size_t end) const;

 private:
  struct Part {
    size_t begin = 0;
    size_t end = 0;
    bool of_lone = false;  // of ideographs that the dictionary leaves alone
  };
  void add_part(std::string_view question, size_t begin, size_t end);
  void add_korean(std::string_view question, size_t begin, size_t size);
  void leave_out_asking(std::string_view question);

  std::vector<Part> words_;  // those that say something, in order
};

}  // namespace mneme::rag

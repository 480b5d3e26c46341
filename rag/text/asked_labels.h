// What reference works answer: "What is the capital of France?" names a document by its title ("France") and, with what
// else it says, a heading or label under which the answer stands there ("### Capital", "Capital: Paris").
// Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The name under which a line says something, without marks: a heading's text, or what stands before a colon near its
// beginning. "" where it says nothing under a name.
std::string_view label_of(std::string_view line);

class AskedLabels {
 public:
  explicit AskedLabels(std::string_view question);

  // Of a title that stands in the question, all of it and in a row: which of the question's words it takes, a bit each.
  // 0: it does not, says nothing, or is what somebody does ("find" of "how do I find").
  uint64_t taken_by(std::string_view title) const;

  // From 0 to 1: how far a label is what the question's words beside `taken` ask for, in whatever form. 0 where it
  // holds less than half of them or says anything else: "Land boundaries" answers no question of a land's area. What is
  // said under it may hold the rest: "Suffrage: 18 years of age", where an age for voting is asked for.
  double share_in(std::string_view label, uint64_t taken, std::string_view said = {}) const;

  // The most that a heading or label of the text comes to, each alone or as a label under its heading.
  double best_share(std::string_view text, uint64_t taken) const;

 private:
  struct AskedWord {
    std::string text;  // folded
    std::string stem;
    bool says_something = true;  // no stop word
  };
  double share_of_words(std::string_view label, uint64_t taken, std::string_view said) const;
  uint64_t asked_in(std::string_view word, uint64_t taken) const;
  bool same(const AskedWord& asked, std::string_view word) const;

  std::vector<AskedWord> words_;
};

}  // namespace mneme::rag

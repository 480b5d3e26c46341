// What reference works answer: "What is the capital of France?" names a document by its title ("France") and, with what
// else it says, a heading or label under which the answer stands there ("### Capital", "Capital: Paris").
// Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/text/languages/language.h"

namespace mneme::rag {

// The name under which a line says something, without marks: a heading's text, or what stands before a colon near its
// beginning. "" where it says nothing under a name.
std::string_view label_of(std::string_view line);
// Of a heading that says something under a name itself, "## Author: Herman Melville": the name; else "".
std::string_view label_in_heading(std::string_view heading);

// "Place", "Venue": what stands under it says where it is of which the document is. So with "Date".
bool is_place_label(std::string_view label);
bool is_date_label(std::string_view label);

class AskedLabels {
 public:
  explicit AskedLabels(std::string_view question);

  // Of a title that stands in the question, all of it and in a row: which of the question's words it takes, a bit each.
  // 0: it does not, says nothing, or is what somebody does ("find" of "how do I find"). Of one of a numbered series its
  // number is enough: "PEP 8" of "PEP 8: Style Guide".
  uint64_t taken_by(std::string_view title) const;

  // From 0 to 1: how far a label is what the question's words beside `taken` ask for, in whatever form. 0 where it
  // holds less than half of them or says anything else: "Land boundaries" answers no question of a land's area. What is
  // said under it may hold the rest: "Suffrage: 18 years of age", where an age for voting is asked for.
  double share_in(std::string_view label, uint64_t taken, std::string_view said = {}) const;

  // The same of what somebody is called by whose name follows: "President Emmanuel MACRON", where the president is
  // asked for, whatever the label before it.
  double share_as_role(std::string_view said, uint64_t taken) const;

  // The most that a heading or label of the text comes to, each alone or as a label under its heading.
  double best_share(std::string_view text, uint64_t taken) const;

 private:
  struct AskedWord {
    std::string text;  // folded
    std::string stem;
    bool says_something = true;  // no stop word
  };
  uint64_t taken_whole(std::string_view title) const;
  double share_of_words(std::string_view label, uint64_t taken, std::string_view said) const;
  uint64_t asked_in(std::string_view word, uint64_t taken) const;
  bool same(const AskedWord& asked, std::string_view word) const;

  std::vector<AskedWord> words_;
  bool asks_date_ = false;
  Language language_ = Language::kUnknown;
  std::string measure_;  // "groot" of "hoe groot"; mostly empty
};

}  // namespace mneme::rag

// Questions whose answer is the name of a document or of a part of one: "Which PEP introduced the walrus operator?",
// "In which chapter are lifetimes explained?", "Which country has Thimphu as its capital?". What answers names such a
// document, or is named by the one that it stands in. English, German, Chinese and Japanese. Threads: immutable after
// construction.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

class AskedDocument {
 public:
  explicit AskedDocument(std::string_view question);

  bool is_asked() const { return kind_ != Kind::kNone; }
  // Whether a part is asked for, whose name is a heading rather than a title: a chapter, a story of a collection.
  bool is_part() const { return kind_ == Kind::kPart; }
  // Words of the question, folded, that only ask: what documents are called and what they do ("which PEP introduced").
  bool only_asks(std::string_view folded) const;
  // Whether a text names such a document by its number: "PEP 498".
  bool is_named_in(std::string_view text) const;
  // From 0 to 1: whether it speaks of the document it stands in, "this PEP", and begins so: "This PEP proposes".
  double speaks_of_itself(std::string_view text) const;

 private:
  enum class Kind {
    kNone,
    kDocument,
    kPart,
    kThing,  // what pages of reference works are about: a country, a command
  };
  bool find_wide(std::string_view question);

  std::string noun_;    // the stem of "PEP", "chapter"; empty where the writing has no spaces
  std::string asking_;  // ... and what asks there: 哪道菜
  Kind kind_ = Kind::kNone;
};

}  // namespace mneme::rag

// What one question asks for, as far as its own words tell: the kind of thing, the unit, the names, signs and labels by
// which an answer is known. Ownership: a value; its texts are borrowed. Threads: immutable after construction.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/text/asked/contact.h"
#include "rag/text/asked/labels.h"
#include "rag/text/asked/permission.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/documents/asked_document.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/languages/language.h"

namespace mneme::rag {

struct QuoteQuestion {
  // question: one of question_parts() of `whole`; the words of the other parts say what it is about. leaned_on:
  // QuotingOptions.
  QuoteQuestion(std::string_view question, std::string_view whole, std::string_view leaned_on);

  // What answers is a number or a day, which a sentence has or has not.
  bool is_measured() const;
  // Words (folded) that only ask and need not be said by what answers.
  bool only_asks(std::string_view folded) const;
  // "How do I make a file executable?" asks nothing of what is called "make".
  bool is_only_action(const std::vector<std::string>& name) const;
  // Whether the text has a number that the question does not have.
  bool is_told_new_number(std::string_view text) const;

  std::string_view text;
  std::string_view whole;
  std::string_view topic;  // QuotingOptions::leaned_on
  Language language;
  QuestionKind kind;
  std::string unit;                 // what is counted, where a number is asked for
  bool price;                       // a sum of money is asked for
  bool named_sum;                   // ... by its name: "the rent"
  bool limit;                       // how much there may be at most or at least
  bool fallback;                    // ... or what holds as long as nobody says otherwise (rag/text/asked/default.h)
  Permission permission;            // whether something may or must be done
  std::string deed;                 // ... what; mostly empty
  std::string day;                  // "day" of "which day"; mostly empty
  std::vector<std::string> asking;  // words of the phrase that asks (rag/text/asked/question_words.h); mostly empty
  std::string code;                 // a number that something is listed by (rag/text/asked/code.h); mostly empty
  std::string code_kind;            // "error" of "error E3"; mostly empty
  bool asks_steps;                  // "what should I do"
  Contact contact;                  // ... or how to reach somebody
  std::string attribute;           // stem of what is to be told of something (rag/text/asked/attribute.h); mostly empty
  std::string thing_text;          // what a definition is asked of; mostly empty
  std::vector<std::string> thing;  // ... its words
  std::vector<std::string> subject;  // what something is asked of (rag/text/asked/subject.h), folded; mostly empty
  std::vector<std::string> told;     // stems of what is to be told of, whatever that is; mostly empty
  CalledNames names;
  AskedLabels labels;
  AskedDocument document;
  std::vector<std::string>
      members;         // stems of the kind all of which are asked for (rag/text/asked/members.h); mostly empty
  std::string action;  // stem of what somebody wants to do; mostly empty
  std::vector<std::string_view> like_action;    // verbs of instructions that stand for it
  std::unordered_set<std::string> acting;       // stems of it and of those
  std::string short_form;                       // whose definition is asked for; mostly empty
  std::vector<std::string> symbols;             // signs that are asked about
  std::unordered_set<std::string> topic_stems;  // of `topic`
  std::unordered_set<std::string> matter;  // stems of what a definition is asked of; of all that is asked otherwise
};

}  // namespace mneme::rag

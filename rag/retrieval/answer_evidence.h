// What says that one of the passages found can answer a question at all, and how much together: the odds below which
// the answer is "not in your documents" (answerability.h). Threads: values and pure functions.
#pragma once

#include <span>
#include <string_view>

#include "rag/retrieval/passage_evidence.h"

namespace mneme::rag {

// Of one passage, under its title, headings, and the names of its folders and file; from 0 to 1 where nothing else is
// said. Words weigh by their rarity in all documents; other forms of a word count as the word.
struct AnswerEvidence {
  double coverage = 0.0;  // share of the question's weight that occurs
  double rare = 0.0;      // ... of the squared weight
  double decisive = 0.0;  // the rarest word of the question occurs
  double missing = 0.0;   // how many words do not, a word that no document has counting 1; not bounded
  double held = 0.0;      // how many do, likewise
  double unknown = 0.0;   // share of the question's terms that no document has
  double bound = 0.0;  // share of the weight in one sentence with title and headings: what is asked, said in one place
  double lacking = 0.0;  // of a short question: what no sentence holds, the more the less it says; not bounded
  double window = 0.0;   // share of the weight within the densest stretch
  double near = 0.0;     // share of the neighbouring words that stand near each other here
  double pairs = 0.0;    // ... side by side
  double lead = 0.0;     // share of the weight among the first words
  double answer = 0.0;   // a sentence holds the kind of thing asked for, and the words
  double dense = 0.0;    // similarity of the vectors of question and passage
};

// Names for files of evidence.
struct AnswerEvidenceKind {
  std::string_view name;
  double AnswerEvidence::* value;
};
std::span<const AnswerEvidenceKind> answer_evidence_kinds();

// Log odds that a passage with this evidence answers, shifted so that below 0 the answer is refused. By words alone:
// vectors, on titles their embedder has not seen, hardly tell more (docs/retrieval.md).
double answer_odds(const AnswerEvidence& evidence, Writing writing);

}  // namespace mneme::rag

// What speaks for a passage as the answer to a question, and what it counts for together, with weights fitted to
// questions whose passage is known (`scripts/fit-rerank`). Two looks gather it: the first (first_look.h) reads passages
// as a whole, the second (second_look.h) their sentences too. Threads: values and pure functions.
#pragma once

#include <span>
#include <string_view>

namespace mneme::rag {

// From 0 to 1 where nothing else is said.
struct PassageEvidence {
  double lexical = 0.0;      // BM25 as a share of the best candidate's
  double dense = 0.0;        // dot product of the vectors
  double coverage = 0.0;     // share of the question's weight that occurs at all
  double window = 0.0;       // ... within the densest stretch
  double lead = 0.0;         // ... among the first words, which say what a passage is about
  double rare = 0.0;         // share of the squared weight: names and other rare words above all
  double pairs = 0.0;        // share of the question's neighbouring words that are neighbours here too, by weight
  double triples = 0.0;      // ... of three in a row
  double near = 0.0;         // ... of neighbours that matter and stand near each other here, in any order
  double first = 1.0;        // how far into the passage the first of the question's words stands
  double log_terms = 0.0;    // ln(1 + length in terms)
  double dense_place = 0.0;  // in the ranking by vectors: 1 / (60 + place)
  double spelling = 0.0;     // runs of characters (rag/text/words/spelling.h), with diminishing returns
  double runs = 0.0;         // whole runs of one script (rag/text/words/script_runs.h), where no spaces part words
  double symbols = 0.0;      // signs the question asks about (rag/text/words/symbols.h)
  double named = 0.0;        // names the question calls documents by (document_names.h)
  double labelled = 0.0;     // under a heading or label that is asked for, of what the title names (asked/labels.h)
  double titled = 0.0;       // share of the question's weight in the title, where the question has all of it
  double language = 0.0;     // is in the question's language, where that is not English (which most texts are in)
  double path = 0.0;         // share of the question's weight in the names of its folders and file
  double code = 0.0;         // of a source file: 1
  // Only in the second look:
  double defines = 0.0;  // a sentence says what the thing is that the question asks for a definition of
  double answer = 0.0;   // a sentence holds the kind of thing asked for (rag/text/asked/question_kind.h), and the words
  double sentence = 0.0;  // likeness of the vectors of the question and the nearest sentence
};

// Names for files of evidence, in the order of the weights.
struct EvidenceKind {
  std::string_view name;
  double PassageEvidence::* value;
};
std::span<const EvidenceKind> evidence_kinds();

// How a question is written decides what its words can tell: weights are fitted for each.
enum class Writing {
  kLatin,     // with spaces, in Latin letters
  kSpaced,    // with spaces, in others
  kUnspaced,  // without spaces between words
};
Writing writing_of(std::string_view question);
std::string_view writing_name(Writing writing);  // "latin", "spaced", "unspaced"

// Log odds against the other candidates, up to a constant. Places alone (reciprocal rank) throw away how clear a win
// was: on unseen titles of four sets in four languages they lose 1 to 10 points of MRR against BM25 by itself, while
// this gains. dense_weight: the embedder's.
double evidence_score(const PassageEvidence& evidence, double dense_weight, Writing writing);
// What one kind of evidence weighs in it; 0: it need not be looked for.
double evidence_weight(double PassageEvidence::* kind, Writing writing);

}  // namespace mneme::rag

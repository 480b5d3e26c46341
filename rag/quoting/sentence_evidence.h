// What speaks for one sentence (or a whole list) as the answer to a question, and how much each of it counts.
// Weights: softmax regression over the sentences of the six best passages in a prototype with the same kinds of
// evidence, of writings with spaces on nq_open_oracle and ARCD, of those without on train titles of JaQuAD and CMRC
// 2018; headings, definitions, lists and signs, which those sets lack, by hand. Threads: pure functions.
#pragma once

#include "rag/text/asked/question_kind.h"

namespace mneme::rag {

// Of SentenceEvidence::labelled: says what is asked, whatever else the question says.
inline constexpr double kLeastLabelled = 0.6;

struct SentenceEvidence {
  // Shares, from 0 to 1, of the weight of the question's words:
  double held = 0.0;         // in the sentence itself
  double above = 0.0;        // not in it, but in title, headings, names of columns or the passage's first sentence
  double told_above = 0.0;   // above, of all words, those that no passage has included
  double near = 0.0;         // in neither, but in the sentences beside it
  double before = 0.0;       // in the sentence before it, be they elsewhere too
  double replies = 0.0;      // in the question of the text itself that it follows, be they elsewhere too
  double under = 0.0;        // in the heading of the list or table it is an item of
  double under_title = 0.0;  // ... or of the document, which is part of `above`, too
  double spelling = 0.0;    // runs of three characters (spelling.h); without spaces, where words are pairs, single ones
  double meaning = 0.0;     // similarity of the vectors
  double symbols = 0.0;     // signs the question asks about ("?", "&&")
  double cue = 0.0;         // holds the kind of thing asked for, weighted by kind
  double labelled = 0.0;    // under the name of what is asked, in a document about what it is asked of (asked/labels.h)
  double titled = 0.0;      // the title of its document, where the question has all of it
  double whole = 0.0;       // all of a list of the kind asked for: steps, ingredients
  bool of_heading = false;  // an item under a heading that says something of what is asked, be it said again or not
  bool heading_asked = false;   // the heading above is all in the question: this is the place
  bool leads = false;           // the first sentence under that heading, where the question asks what the thing is
  bool defines = false;         // says what the thing is, in so many words
  bool says_what = false;       // ... of all that is asked of, or as an entry of a glossary under its term
  bool acts = false;            // an instruction for what is to be done: begins with the verb
  bool contrasts = false;       // states the difference that is asked for
  bool is_sum_beside = false;   // of money, where a price is asked for, and what it is asked of stands beside it
  bool is_told_there = false;   // of the kind that is asked for, in a passage about what a conversation is about
  bool is_told_before = false;  // of the kind that is asked for; "this" stands there for what the sentence before says
  bool is_row = false;          // of a table, or behind a label: short and complete
  bool states = false;          // a value under the very name that is asked for (rag/text/asked/attribute.h)
  bool of_kind = false;         // stands under a label for the kind asked for: "Date: 16 May", "Price: 1,250"
  bool of_table = false;        // a row of one
  bool is_special = false;      // tells of a case that the question does not name: "For docstrings, ..."
  bool is_closed = false;       // ends with a full stop
  bool is_question = false;
  bool is_unfinished = false;  // several lines without a full stop: an address, what stands above a letter
  bool is_letterhead = false;  // of a mail, where nothing is asked about who wrote it
  bool is_code = false;        // of a source file, which has comments to say in words what it does
  bool is_first = false;       // of its passage
  double position = 0.0;       // in its passage: 0 the first, towards 1 the last
  int n_words = 0;
  int passage = 0;  // place in retrieval, from 0
};

// What a cue of each kind is worth beside the question's words (SentenceEvidence::cue). spaced: below.
double cue_weight(QuestionKind kind, bool spaced);

// Log odds against the other sentences, up to a constant. spaced: the question is written with spaces between words.
double sentence_score(const SentenceEvidence& evidence, bool spaced);

// Whether it says enough of what is asked to be quoted at all.
bool worth_quoting(const SentenceEvidence& evidence);
// Whether it follows a question of the text itself that asks the same.
bool is_reply(const SentenceEvidence& evidence);

}  // namespace mneme::rag

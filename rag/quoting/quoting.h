// The answer without a language model: the sentences of the passages that most likely answer the question, quoted with
// their numbers; steps and lists that are asked for whole and in order; each part of a question by itself. What speaks
// for a sentence: sentence_evidence.h. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/quoting/outline/sentences.h"

namespace mneme::rag {

class Embedder;

struct QuotePassage {
  std::string_view text;
  std::string_view context;  // title and headings above it: what all of it is about
  std::string_view title{};  // of its document
  TextForm form = TextForm::kProse;
  bool of_records = false;  // a table of CSV, whatever its lines look like
  std::string_view file{};  // the name of its document's file, without its ending
  // Of its document's properties, which its text need not say; empty where it has none.
  std::string_view author{};
  std::string_view date{};
};

struct QuotedSentence {
  int passage = 0;  // index
  size_t byte_begin = 0;
  size_t byte_end = 0;
  double score = 0.0;     // log odds, up to a constant
  std::string text;       // as one line; a list has one for each item
  double says = 0.0;      // the share of the question's words that it and what stands above it hold
  bool of_table = false;  // a row
  bool fits = true;       // holds the kind of thing asked for, or a word of the question that is not leaned on
};

struct QuotingOptions {
  int max_sentences = 3;                    // a whole list counts as one
  size_t max_bytes = 900;                   // further sentences are taken up to this; the first may be longer
  std::span<const std::string> compared{};  // two definitions to quote where nothing states their difference
  // What a question of a conversation took over from those before it: says where to look rather than what is asked.
  std::string_view leaned_on{};
  // Whether a part of a question is only understood with its others ("and where is it mined?"); null: each may be.
  bool (*leans_on_others)(std::string_view part) = nullptr;
  const Embedder* embedder = nullptr;  // null: by words alone. Sentences are embedded one by one, so a quick one only
};

struct Quotations {
  std::vector<QuotedSentence> sentences;
  // Parts of a question of several, as they are asked, that stand alone and of which nothing is quoted.
  std::vector<std::string> untold;
};

// By parts of the question, best first, none that says too little. Passages in order of retrieval.
Quotations quote_parts(std::string_view question, std::span<const QuotePassage> passages,
                       const QuotingOptions& options = {});
// The sentences alone.
std::vector<QuotedSentence> quote_sentences(std::string_view question, std::span<const QuotePassage> passages,
                                            const QuotingOptions& options = {});

// The quotations as an answer: one a line (or list), each with its [n].
std::string quoted_answer(std::span<const QuotedSentence> sentences);

}  // namespace mneme::rag

// What only the second look reads in the candidates (passage_evidence.h): spelling, signs, names, whether a sentence
// holds the kind of thing asked for, and the likeness of meaning of the nearest sentence, where the vector of the
// whole passage blurs it. Ownership: borrows the embedder. Threads: immutable
// after construction.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/retrieval/document_names.h"
#include "rag/retrieval/passage_evidence.h"
#include "rag/text/asked_labels.h"
#include "rag/text/question_kind.h"

namespace mneme::rag {

class Embedder;

struct LookedAt {
  std::string text;       // the passage under its title and headings
  std::string name;       // title, headings and file name
  std::string path{};     // names of folder and file (document_names.h)
  std::string heading{};  // the lowest it stands under, else the title
  std::string title{};    // of its document
};

class SecondLook {
 public:
  // embedder: its vectors of sentences are used when it is a quick one; may be null.
  SecondLook(std::string_view question, const Embedder* embedder, const std::function<double(std::string_view)>& idf);

  // Fills spelling, runs, symbols, named and path of each passage's evidence. evidence (passages.size()).
  void look_at_whole(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const;
  // Fills defines, answer and sentence, of one passage: by far the dearer part.
  void look_at_sentences(const LookedAt& passage, PassageEvidence& evidence) const;
  // The most that look_at_sentences() may find in any passage, beside what is there.
  PassageEvidence with_best_sentences(PassageEvidence evidence) const;
  // Both, of all.
  void look(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const;

 private:
  void look_at_spelling(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const;
  void look_at_runs(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const;
  double held_in(std::string_view sentence) const;
  bool is_headed_by_thing(const LookedAt& passage) const;

  const std::string question_;
  const Embedder* const embedder_;
  const QuestionKind kind_;
  const std::string unit_;  // what is counted, where a number is asked for
  const CalledNames names_;
  const AskedLabels labels_;
  std::vector<std::string> symbols_;
  std::unordered_set<std::string> asked_;  // stems of the question's words
  std::vector<std::string> thing_;         // stems of what a definition is asked of; empty where none is
  std::vector<std::string> terms_;         // of the question, with their weights
  std::vector<double> weights_;
  std::vector<float> question_vector_;  // empty without a quick embedder
};

}  // namespace mneme::rag

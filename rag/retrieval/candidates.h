// Passages that may answer a question: the nearest by words (BM25 of the catalogue) and by vectors, merged by
// reciprocal rank; where a thing's definition is asked for, also what says "the thing is a", and where a document is
// called by name, what bears it. Ownership: borrows the workspace and the query. Threads: one owner; in large
// collections the vectors are scanned on a thread of their own while the words are looked up.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/retrieval/passage_evidence.h"
#include "rag/retrieval/query.h"
#include "rag/retrieval/retriever.h"
#include "rag/vectors/vector_index.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

struct Candidate {
  int64_t key = 0;                    // catalogue row of the chunk
  double score = 0.0;                 // what candidates are ordered by at this stage
  double lexical_score = 0.0;         // BM25; 0: not found by words
  std::optional<float> similarity{};  // dot product, once it is known
  PassageEvidence evidence{};
};

class CandidateFinder {
 public:
  CandidateFinder(Workspace& workspace, const Query& query, std::span<const storage::CollectionRecord> collections,
                  const CancelToken& cancel);

  // Up to `wanted` by words and as many by vectors, as the method says; best first. The place by vectors is in the
  // evidence.
  Result<std::vector<Candidate>> find(SearchMethod method, int wanted);

  // The similarity of candidates that were found by words alone.
  void complete(std::span<Candidate> candidates) const;
  // Passages that no longer exist: from now on the vector indexes know. keys: ascending.
  void forget(std::span<const int64_t> keys);
  // For people: "the collection x has no vectors yet".
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Result<std::vector<storage::LexicalHit>> search_words(const std::string& text, int wanted);
  Result<std::vector<int64_t>> search_forms(std::span<const storage::LexicalHit> by_words);
  Result<std::vector<std::string>> phrases_of_form(std::span<const storage::LexicalHit> by_words);
  Status add_title_pages(std::span<const storage::LexicalHit> by_words, std::vector<int64_t>& keys);
  Result<std::string> spelled_out(std::span<const storage::LexicalHit> by_words);
  Result<std::string> long_form_in(std::span<const storage::LexicalHit> hits, std::string_view short_form) const;
  Status open_vectors();
  std::vector<VectorHit> scan_vectors(int wanted) const;
  void note_missing_vectors();
  static std::vector<Candidate> merge(std::span<const storage::LexicalHit> by_words,
                                      std::span<const VectorHit> by_vectors, std::span<const int64_t> by_form);

  Workspace& workspace_;
  const Query& query_;
  const std::span<const storage::CollectionRecord> collections_;
  const CancelToken& cancel_;
  std::vector<std::shared_ptr<VectorIndex>> indexes_;  // one per collection
  std::vector<float> question_vector_;
  std::vector<std::string> notes_;
};

}  // namespace mneme::rag

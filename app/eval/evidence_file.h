// What spoke for each candidate of the second look, one question a line as JSON: {"title": of the document that
// answers, "question": its text, "writing": writing_name(), "documents": [names of the
// candidates' files, best first], "relevant": [candidates that answer], "evidence": [[numbers, in the order of
// evidence_kinds()] ...]}. The weights of evidence_score() are fitted to such files (scripts/fit-rerank). Ownership:
// keeps the file open. Threads: one owner.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/retrieval/retriever.h"
#include "storage/env/file_env.h"

namespace mneme::app {

class EvidenceFile {
 public:
  // Replaces a file of that name; its first line names the numbers.
  static Result<std::unique_ptr<EvidenceFile>> create(const std::string& path);

  // is_relevant: whether a candidate answers the question.
  Status add(std::string_view title, std::string_view question, const std::vector<rag::Considered>& considered,
             const std::function<bool(const rag::Considered&)>& is_relevant);
  Status close() { return file_->close(); }

 private:
  explicit EvidenceFile(std::unique_ptr<storage::WritableFile> file) : file_(std::move(file)) {}
  std::unique_ptr<storage::WritableFile> file_;
};

}  // namespace mneme::app
